// What adversaries of every level learn when they hold the profiles of all rows: the upper bound of
// what any attack on the answers can reach. docs/concepts/adversaries.md explains the levels.
//
//   Observed observed{table, profiles, Mechanism{demand, workload, ladder}};
//   auto judgement = judge_profiles(observed, {});
//   for (const Finding& finding : judgement->findings) ...
//
// Prior     a row's prior is the shares of the group it was protected in: its public group, or for
//           schemes that climb the ladder the group of its rung. A note says how many rows that
//           concerns, and what all public columns tell about them. Where rows were released in
//           several batches, those of its batch (Mechanism::released): the promise is about the
//           vectors that a row hid among, and when somebody came is no secret. Rows that show
//           nothing count as that. Levels that start from profiles are left out where batches are
//           not known.
// Missing   "no value" is one more value, that may be guessed.
// Exact     mechanism and bayesian levels, for all schemes but estt: its law is not known in closed
//           form, and strengths stand for it. joint: exactly what some way to hand out all vectors
//           allows. joint-balanced, population and intersecting are strong, not the strongest.
// Gain      of levels with a law: the largest over all rows and values; or what bets on risen
// values
//           won on average, less five standard deviations, should that be more: then the scheme
//           does not do what it says. Of ignorant and knowledgeable: of their guesses, at the lower
//           end of the interval. Of joint levels: of their bets.
// Coins     under swap, `population` looks for rows that kept their values, by all public columns
//           together (people/coin_judge.h). Without other people it learns from rows left out. So
//           do acquaintances, who know one or three private attributes of the victim, and `share`,
//           who looks at the shares of groups alone; these three promise nothing.
// Sets      `sets` asks whether a row has any of some values that the owner named, attribute by
//           attribute, as bayesian levels do; over the shares of the row's group, or over R'. No
//           promise is about sets of values.
// Spared    values that are declared not sensitive are no guess and no gain, at any level.
// Ratio     of ldp: answers are also counted by true values. A ratio that is surely above the
//           budget counts as the gain it allows.
// Cost      300,000 rows x 10 private attributes: seconds (bench/micro, bench_levels); rows with
//           equal profiles count once.
// Sight     where profiles were recovered by attacks, rows that were not attacked do not count, and
//           what was not recovered tells nothing: such rows are guessed by their group's shares.
//           ignorant and knowledgeable are not run (guesses.h has them, method by method); joint
//           levels are where all rows of some group are known. When what was recovered is nothing
//           that the declared scheme makes of the true values, levels that know it are left out.
// Memory    levels that match rows and vectors keep up to 48,000,000 pairs of a group, 192 MB, and
//           every thread may be at such a group: fewer threads need less.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/demand.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

// Who was released together with whom.
struct ReleasedGroups {
  static constexpr std::uint32_t nobody = 0xFFFFFFFF;
  std::vector<std::uint32_t> group_of;  // per row; nobody: it shows nothing
  // Per group that rows have left since, by private attribute: how common each value was in it when
  // it was released, none at all last. Of others, nothing: all rows are still in them.
  std::map<std::uint32_t, std::vector<std::vector<double>>> shares = {};
};

// How the defense works, all but the key: what mechanism-aware adversaries know.
struct Mechanism {
  Demand demand;
  Workload workload = {};
  std::vector<std::vector<AttributeId>> ladder = {};
  // 1: an established row, that shows something and covers others. Empty: all are.
  std::vector<std::uint8_t> taking_part = {};
  // Private columns that share a coin, of schemes that toss one for each block
  // (`swap`). Those in none stand alone.
  std::vector<std::vector<PrivateId>> together = {};
  // Whether all rows were released together: then groups are those of the table.
  bool one_batch = true;
  // Else the groups that schemes with a ladder made at different times, as the ledger has them.
  // None: not known.
  std::optional<ReleasedGroups> released = {};
};

// What attacks recovered of a release: of whom profiles are known, and who counts.
struct Sight {
  // By row, 1: it was attacked, and is one attempt, whatever was recovered of it.
  std::vector<std::uint8_t> attacked;
  // [private attribute][row], 1: its profile is known wholly. Else the profile tells nothing.
  std::vector<std::vector<std::uint8_t>> known;
};

// One release, and the truth that an audit may look at.
struct ValueSet {
  PrivateId attribute = {};
  std::vector<ValueId> values = {};
};

struct Observed {
  const Table& table;  // rows and domains as in the profiles
  const Profiles& profiles;
  std::optional<Mechanism> mechanism = {};  // none: levels that need it are not run
  const Table* population = nullptr;        // other rows of the same schema, for `population`
  std::vector<const Profiles*> others =
      {};  // further releases of the same rows, for `intersecting`
  // Per further release and row, 1: it has the row; of none: all have all.
  std::vector<std::vector<std::uint8_t>> other_rows = {};
  const Sight* sight = nullptr;  // of `profiles`; none: they were read, and all rows count
  // Values that the promise is not about, where no mechanism says so.
  std::vector<NotSensitive> not_sensitive = {};
  // Values of one attribute that together are as sensitive as one, for `sets`.
  std::vector<ValueSet> sensitive_sets = {};
};

// Values that no finding is about: declared not sensitive, to a scheme that goes by it.
SparedValues spared_values(const Observed& observed);

// The names of all levels as findings call them, weakest first: prior, prior-public, ignorant,
// knowledgeable, mechanism-table, mechanism-public, joint, joint-balanced, bayesian-joint,
// population, intersecting, acquaintance, acquaintance-3, share, sets.
std::span<const std::string_view> level_names();
AdversaryLevel level_of(std::string_view name);  // also of check_names()
std::vector<std::string> levels_and_checks();    // all names that an audit can be asked for
// Those that a name stands for: itself, or all of a level that promises call otherwise
// (mechanism-aware); none if nothing is called that.
std::vector<std::string> levels_called(std::string_view name);

struct JudgeOptions {
  std::vector<std::string> levels = {};  // empty: all that can be run
  std::uint32_t threads = 0;
  Progress progress = {};
  std::uint64_t seed = 1;  // of what is drawn by lot
};

struct Judgement {
  std::vector<Finding> findings;   // attribute by attribute in the order of the levels, then "all"
  std::vector<std::string> notes;  // which levels were left out and why
  // What the insider of `trained` finds about coins, where these levels looked for them in the
  // table alone (people/coin_level.h); nothing: he has to look himself.
  std::optional<Finding> insider = {};
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
