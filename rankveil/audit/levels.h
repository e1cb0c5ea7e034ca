// What adversaries of every level learn when they hold the profiles of all rows: the upper bound of
// what any attack on the answers can reach.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/demand.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

// How the defense works, all but the key: what mechanism-aware adversaries know.
struct Mechanism {
  Demand demand;
  Workload workload = {};
  std::vector<std::vector<AttributeId>> ladder = {};
  // 1: an established row, that shows something and covers others. Empty: all are.
  std::vector<std::uint8_t> taking_part = {};
};

// One release, and the truth that an audit may look at.
struct Observed {
  const Table& table;  // rows and domains as in the profiles
  const Profiles& profiles;
  std::optional<Mechanism> mechanism = {};  // none: levels that need it are not run
  const Table* population = nullptr;        // other rows of the same schema, for `population`
  std::vector<const Profiles*> others =
      {};  // further releases of the same rows, for `intersecting`
};

// The names of all levels as findings call them, weakest first: prior, prior-public, ignorant,
// knowledgeable, mechanism-table, mechanism-public, joint, joint-balanced, bayesian-joint,
// population, intersecting.
std::span<const std::string_view> level_names();
AdversaryLevel level_of(std::string_view name);

struct JudgeOptions {
  std::vector<std::string> levels = {};  // empty: all that can be run
  std::uint32_t threads = 0;
  Progress progress = {};
};

struct Judgement {
  std::vector<Finding> findings;   // attribute by attribute in the order of the levels, then "all"
  std::vector<std::string> notes;  // which levels were left out and why
};
Result<Judgement> judge_profiles(const Observed& observed, const JudgeOptions& options);

// The `informed` level: somebody believes the true value of a row with these odds beforehand; the
// largest and the mean posterior over rows after the release, per odds.
struct InformedPoint {
  double belief = 0;   // probability before
  double largest = 0;  // after
  double mean = 0;
};
Result<std::vector<InformedPoint>> informed_curve(const Observed& observed,
                                                  std::span<const double> beliefs);

}  // namespace rankveil::audit
