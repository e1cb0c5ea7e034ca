// The probe that writes nothing: it asks for both ends of a field and compares the answers.
//
// A service that acts on a field answers otherwise when it is asked for its least values first than
// when it is asked for its greatest. One that does not know a field answers alike: what answers to
// questions about a made-up field do, too, counts for nothing.
//
// Promises    LEAK only where answers differed eight times over, for the field and not for a
// made-up
//             one; INERT only of ways under which a public field was seen to act so.
// Not         that a way without such an effect is safe: conditions on equality, searches, sums,
//             facets and cursors need an own row that is written. They are BLIND.
// Cost        2 questions for a field and a way, 18 where it acts.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/clock.h"
#include "rankveil/base/progress.h"
#include "rankveil/probe/asking.h"
#include "rankveil/probe/finding.h"

namespace rankveil::probe {

struct ReadingOptions {
  std::vector<Field> fields;                    // hidden
  std::optional<Field> control = std::nullopt;  // public; without one nothing is INERT
  std::uint64_t budget = 1000;
  double patience = 30;  // seconds to wait for a service that throttles
  std::uint64_t seed = 0;
  const std::atomic<bool>* stop = nullptr;
};

struct ReadingReport {
  std::vector<Finding> findings;
  std::uint64_t requests = 0;
  std::vector<Kind> unseen = {};  // kinds of which nothing can be said without writing
};

ReadingReport probe_by_reading(Asker& asker, const ReadingOptions& options, Clock& clock,
                               const Progress& progress = {});

}  // namespace rankveil::probe
