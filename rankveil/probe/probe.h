// The probe: whether any answer of a service depends on a hidden field.
//
//   auto journal = Journal::create("probe.journal", "http://127.0.0.1:8000");
//   auto report = probe(asker, writer, *journal, options, real_clock());
//
// Writes values into a row of its own, or into rows that the operator named, and takes them back
// before it returns.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/clock.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/probe/asking.h"
#include "rankveil/probe/finding.h"
#include "rankveil/probe/journal.h"

namespace rankveil::probe {

struct ProbeOptions {
  std::vector<Field> fields;                    // hidden
  std::optional<Field> control = std::nullopt;  // public; without one nothing is INERT
  // Rows that may be changed: one that takes a and b by turns, and perhaps one for it to be seen
  // beside. Empty: a row is made.
  std::vector<std::string> rows = {};
  std::uint64_t budget = 1000;    // requests of all kinds; a few are kept to take back
  std::uint32_t repetitions = 3;  // before LEAK is said
  std::uint32_t pages = 1;        // how far an own row is looked for
  double patience = 30;           // seconds to wait for a service that lags or throttles
  bool all = false;               // do not stop at the first proof of a way
  std::uint64_t seed = 0;         // of values and of the own row's mark; no two probes share one
  const std::atomic<bool>* stop = nullptr;  // set to end early, with everything taken back
};

struct ProbeReport {
  std::vector<Finding> findings;  // of each field, in the order of ways
  std::uint64_t requests = 0;
  std::uint64_t writes = 0;
  double lag_seconds = 0;  // how long answers lag behind writes
  // What could not be taken back; empty: nothing is left. The journal has it.
  std::string left_behind = {};
};

// An error: no own row can be made.
Result<ProbeReport> probe(Asker& asker, Writer& writer, Journal& journal,
                          const ProbeOptions& options, Clock& clock, const Progress& progress = {});

}  // namespace rankveil::probe
