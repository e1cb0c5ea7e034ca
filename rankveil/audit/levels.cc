#include "rankveil/audit/levels.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "rankveil/audit/answer_counts.h"
#include "rankveil/audit/check.h"
#include "rankveil/audit/group_judge.h"
#include "rankveil/audit/group_runs.h"
#include "rankveil/audit/knowledge.h"
#include "rankveil/audit/ladder_note.h"
#include "rankveil/audit/people/coin_level.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/format.h"
#include "rankveil/protect/chance/ldp_budgets.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

namespace {

struct NamedLevel {
  std::string_view name;
  AdversaryLevel level;
};

constexpr std::array named_levels = {
    NamedLevel{"prior", AdversaryLevel::Prior},
    NamedLevel{"prior-public", AdversaryLevel::Prior},
    NamedLevel{"ignorant", AdversaryLevel::Ignorant},
    NamedLevel{"knowledgeable", AdversaryLevel::Knowledgeable},
    NamedLevel{"mechanism-table", AdversaryLevel::MechanismAware},
    NamedLevel{"mechanism-public", AdversaryLevel::MechanismAware},
    NamedLevel{"joint", AdversaryLevel::Joint},
    NamedLevel{"joint-balanced", AdversaryLevel::Joint},
    NamedLevel{"bayesian-joint", AdversaryLevel::BayesianJoint},
    NamedLevel{"population", AdversaryLevel::Population},
    NamedLevel{"intersecting", AdversaryLevel::Intersecting},
    NamedLevel{"acquaintance", AdversaryLevel::Informed},
    NamedLevel{"acquaintance-3", AdversaryLevel::Informed},
    NamedLevel{"share", AdversaryLevel::Informed},
    NamedLevel{"sets", AdversaryLevel::Informed},
};

constexpr auto names = [] {
  std::array<std::string_view, named_levels.size()> list{};
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = named_levels[i].name;
  return list;
}();

}  // namespace

std::span<const std::string_view> level_names() { return names; }

SparedValues spared_values(const Observed& observed) {
  return SparedValues(observed.table.schema(), observed.mechanism
                                                   ? spared_by(observed.mechanism->demand)
                                                   : observed.not_sensitive);
}

AdversaryLevel level_of(std::string_view name) {
  for (const NamedLevel& level : named_levels) {
    if (level.name == name) return level.level;
  }
  if (is_check_name(name)) return check_level(name);
  assert(false && "only names of level_names() and check_names() stand for a level");
  return AdversaryLevel::Prior;
}

std::vector<std::string> levels_and_checks() {
  std::vector<std::string> list(names.begin(), names.end());
  for (std::string_view check : check_names()) list.emplace_back(check);
  return list;
}

std::vector<std::string> levels_called(std::string_view name) {
  std::vector<std::string> known = levels_and_checks();
  if (std::find(known.begin(), known.end(), name) != known.end()) return {std::string(name)};
  std::vector<std::string> found;
  auto level = level_from_name(name);
  for (const NamedLevel& one : named_levels) {
    if (level && one.level == *level) found.emplace_back(one.name);
  }
  return found;
}

namespace {

static_assert(named_levels.size() == level_count);

std::size_t number_of(std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

Result<LevelSet> asked_levels(const JudgeOptions& options) {
  LevelSet asked{};
  asked.fill(options.levels.empty());
  for (const std::string& name : options.levels) {
    if (number_of(name) == names.size()) {
      std::vector<std::string> known(names.begin(), names.end());
      return wrong_use(fmt::format("there is no level \"{}\"; there are {}", name, listed(known)));
    }
    asked[number_of(name)] = true;
  }
  return asked;
}

bool is_joint(LevelId level) { return level == LevelId::Joint || level == LevelId::JointBalanced; }

// What attacks tell by themselves (guesses.h).
bool is_before_profiles(LevelId level) { return level < LevelId::MechanismTable; }

bool needs_mechanism(LevelId level) { return !is_before_profiles(level) && !is_joint(level); }

// Why profiles that attacks recovered do not do for a level; empty: they do.
std::string obstacle_in_sight(LevelId level, const Knowledge& known) {
  if (!known.knows_any()) return "no attack recovered a whole profile";
  // Whether the own value is among those that show hangs on the scheme.
  if (known.scheme().empty()) {
    return "no scheme is declared; say in the policy what protects the ranking";
  }
  if (is_joint(level) && !known.knows_a_group()) {
    return "all rows of a public group are looked at together, and of no group "
           "were all profiles "
           "recovered; more victims help";
  }
  if (exchange_of(known.scheme())) {
    return fmt::format(
        "the order of rows does not tell what a row shows under "
        "{} from the shares of its group",
        known.scheme());
  }
  if (known.scheme() == "ldp") return "what a profile of ldp means hangs on those of all rows";
  if (std::uint64_t rows = known.rows_against_the_law(); rows > 0) {
    return fmt::format(
        "what was recovered of {} is nothing that {} with l = "
        "{} makes of the true values; declare "
        "scheme, l and workload as the ranking has them",
        counted(rows, "row"), known.scheme(), known.observed().mechanism->demand.l);
  }
  return {};
}

// Levels of people/coin_level.h alone, and with one that other schemes have, too.
bool is_by_people_alone(LevelId level) {
  return level >= LevelId::Acquaintance && level != LevelId::Sets;
}
bool has_people(LevelId level, Form form) {
  bool when_fitted = level == LevelId::MechanismPublic || level == LevelId::BayesianJoint ||
                     level == LevelId::Intersecting || level == LevelId::Sets;
  return level == LevelId::Population || is_by_people_alone(level) ||
         (form == Form::Fitted && when_fitted);
}

// Why a level cannot be run; empty: it can.
std::string obstacle(LevelId level, const Knowledge& known) {
  if (known.observed().sight != nullptr) {
    if (auto reason = obstacle_in_sight(level, known); !reason.empty()) return reason;
  }
  if (level == LevelId::Sets && known.observed().sensitive_sets.empty()) {
    return "the policy names no sets of values";
  }
  bool by_people = has_people(level, known.form()) && tosses_coins(known.observed());
  if (by_people && level != LevelId::Intersecting) return {};
  if (is_joint(level) && known.form() == Form::Fitted) {
    return "values are exchanged over the whole table, not inside public "
           "groups";
  }
  if (needs_mechanism(level) && known.form() == Form::Unknown) return "the scheme is not known";
  if (!is_before_profiles(level) && !known.knows_batches()) {
    return "rows were released in several batches, and there is no ledger that "
           "says who was "
           "released among whom; keep it beside the index, or, if an older "
           "version began it, start "
           "over with --new-release";
  }
  if (needs_mechanism(level) && known.form() == Form::Product && !known.groups_are_whole()) {
    return fmt::format(
        "rows have left the groups that they were released in, "
        "and what {} shows there hangs on "
        "all of them",
        known.scheme());
  }
  if (level == LevelId::MechanismTable && !depends_on_value_alone(known.scheme())) {
    return fmt::format("what {} shows hangs on the row's group", known.scheme());
  }
  if (is_by_people_alone(level))
    return "only swap and swap-exact have coins that somebody could look for";
  if (level == LevelId::Population && known.observed().population == nullptr) {
    return "there are no other rows to learn from";
  }
  if (level == LevelId::Intersecting && known.observed().others.empty()) {
    return "there is one release only";
  }
  return {};
}

LevelSet levels_to_run(const LevelSet& asked, const Knowledge& known, Judgement& judgement) {
  LevelSet levels = asked;
  std::vector<std::pair<std::string, std::vector<std::string>>> left_out;  // by reason
  for (std::size_t i = 0; i < level_count; ++i) {
    auto level = static_cast<LevelId>(i);
    if (known.observed().sight != nullptr && is_before_profiles(level)) levels[i] = false;
    if (!levels[i]) continue;
    std::string reason = obstacle(level, known);
    if (reason.empty()) continue;
    levels[i] = false;
    auto same = std::find_if(left_out.begin(), left_out.end(),
                             [&](const auto& one) { return one.first == reason; });
    if (same == left_out.end()) same = left_out.insert(left_out.end(), {reason, {}});
    same->second.emplace_back(names[i]);
  }
  for (const auto& [reason, levels_out] : left_out) {
    judgement.notes.push_back(fmt::format("{} {} left out: {}.", listed(levels_out),
                                          levels_out.size() == 1 ? "was" : "were", reason));
  }
  return levels;
}

Board run_levels(const Knowledge& known, const LevelSet& levels, const JudgeOptions& options) {
  const KnownGroups& groups = known.groups();
  std::vector<GroupBatch> batches = batches_of(groups);
  std::vector<Board> boards(batches.size(), Board(known.width()));
  for_each_group(
      groups, batches, options.threads,
      [&](std::size_t batch, std::uint32_t group, std::uint32_t threads) {
        GroupJudge(known, group, threads).run(levels, boards[batch]);
      },
      [&](double done) { report(options.progress, "judging profiles", done); });
  Board all(known.width());
  for (const Board& board : boards) all.add(board);
  return all;
}

// Levels without a law hold beliefs that are not what is likely, so that the size of a belief says
// nothing. Their gain is what they surely gained: by guesses among candidates that they take for
// alike, or by bets on what they came to believe.
double gain_of(const Tally& tally, const Finding& finding, LevelId level) {
  if (level == LevelId::Ignorant || level == LevelId::Knowledgeable) {
    return finding.prior < 1 ? std::max(0.0, (finding.low - finding.prior) / (1 - finding.prior))
                             : 0;
  }
  if (is_joint(level)) return tally.sure_gain_of_bets();
  // Bets won more often than by the law: then the scheme does not do what it is said to do.
  return std::max(tally.largest_gain(), tally.sure_gain_of_bets());
}

Finding finding_of(const Tally& tally, const Tally& baseline, LevelId level, const char* method) {
  Finding finding;
  finding.method = method;
  finding.level = names[static_cast<std::size_t>(level)];
  finding.attempts = static_cast<std::uint64_t>(std::llround(tally.attempts()));
  finding.proven = static_cast<std::uint64_t>(std::llround(tally.proven()));
  finding.right = tally.right();
  fill_rate(finding);
  finding.prior = baseline.attempts() > 0 ? baseline.right() / baseline.attempts() : 0;
  finding.gain = gain_of(tally, finding, level);
  finding.certain = tally.certain();
  finding.certain_before = baseline.certain();
  finding.candidates = tally.candidates();
  return finding;
}

Promise promise_at(const Knowledge& known, LevelId level) {
  const Scheme* scheme = find_scheme(known.scheme());
  if (scheme == nullptr) return {};
  AdversaryLevel adversary = named_levels[static_cast<std::size_t>(level)].level;
  const auto& held = scheme->holds_against;
  if (std::find(held.begin(), held.end(), adversary) == held.end()) return {};
  return scheme->promise_for(known.observed().mechanism->demand, known.observed().table.schema());
}

class Findings {
 public:
  Findings(const Knowledge& known, const LevelSet& levels, const Board& board,
           const std::optional<CoinFindings>& coins, Judgement& judgement)
      : known_(known), levels_(levels), board_(board), coins_(coins), judgement_(judgement) {
    bool counted = known.scheme() == "ldp" && known.observed().sight == nullptr;
    if (counted) answers_ = count_answers(known);
  }

  void add_all() {
    for (std::uint32_t j = 0; j < known_.width(); ++j) add(j);
    add_total();
    bool wanted = levels_[static_cast<std::size_t>(LevelId::Sets)];
    const auto& sets = coins_ && known_.form() == Form::Fitted ? coins_->sets : board_.sets;
    for (std::size_t s = 0; wanted && s < sets.size(); ++s) add_set(s, sets[s]);
  }

 private:
  void add(std::uint32_t j) {
    for (std::size_t i = 0; i < level_count; ++i) {
      auto level = static_cast<LevelId>(i);
      if (!levels_[i] || level == LevelId::Sets) continue;
      if (const LevelFindings* found = by_people(level)) {
        finish(found->attributes[j], level, 0);
        continue;
      }
      const Schema& schema = known_.table().schema();
      std::string name = schema.attributes[schema.public_count() + j].name;
      put(board_.at(level, j), board_.at(LevelId::PriorPublic, j), level, std::move(name),
          answers_.empty() ? 0 : answers_[j].surely() / part_of(j));
    }
  }

  // "religion: christian or muslim"
  std::string name_of(const ValueSet& set) const {
    const Schema& schema = known_.table().schema();
    const Attribute& attribute = schema.attributes[schema.public_count() + +set.attribute];
    std::string name;
    for (ValueId value : set.values) {
      name += (name.empty() ? "" : " or ") + attribute.domain.values()[+value];
    }
    return attribute.name + ": " + name;
  }

  void add_set(std::size_t s, const GainCounts& gains) {
    Finding finding;
    finding.method = profiles_method;
    finding.level = names[static_cast<std::size_t>(LevelId::Sets)];
    finding.attribute = name_of(known_.observed().sensitive_sets[s]);
    finding.attempts = gains.cases();
    finding.gain = gains.largest();
    finding.gains = gains;
    finish(std::move(finding), LevelId::Sets, 0);
  }

  void add_total() {
    RatioCount all;
    for (const RatioCount& one : answers_) all.add(one);
    for (std::size_t i = 0; i < level_count; ++i) {
      if (!levels_[i] || static_cast<LevelId>(i) == LevelId::Sets) continue;
      if (const LevelFindings* found = by_people(static_cast<LevelId>(i))) {
        finish(found->all, static_cast<LevelId>(i), 0);
        continue;
      }
      Tally sum, baseline;
      for (std::uint32_t j = 0; j < known_.width(); ++j) {
        sum.add(board_.at(static_cast<LevelId>(i), j));
        baseline.add(board_.at(LevelId::PriorPublic, j));
      }
      put(sum, baseline, static_cast<LevelId>(i), "all", all.surely());
    }
  }

  // The promise is about vectors; each attribute has its part of the budget.
  double part_of(std::uint32_t j) const {
    LdpBudgets budgets(known_.observed().table.schema(), known_.observed().mechanism->demand);
    return budgets.of(PrivateId{j}) / budgets.total();
  }

  // `log_ratio`: of the likelihoods of two whole vectors, as counted, or 0. Counted of one
  // attribute, it is taken for its part of that.
  void put(const Tally& tally, const Tally& baseline, LevelId level, std::string attribute,
           double log_ratio) {
    bool recovered = known_.observed().sight != nullptr;
    Finding finding =
        finding_of(tally, baseline, level, recovered ? recovered_method : profiles_method);
    finding.attribute = std::move(attribute);
    finish(std::move(finding), level, log_ratio);
  }

  // What people/coin_level.h has found at a level; null: it is judged otherwise.
  const LevelFindings* by_people(LevelId level) const {
    return coins_ ? coins_->of(names[static_cast<std::size_t>(level)]) : nullptr;
  }

  void finish(Finding finding, LevelId level, double log_ratio) {
    finding.promise = promise_at(known_, level);
    if (finding.promise.kind == PromiseKind::LikelihoodRatio) {
      finding.gain = std::max(finding.gain, -std::expm1(-log_ratio));
    }
    judge(finding, {.comparisons = comparisons()});
    judgement_.findings.push_back(std::move(finding));
  }

  std::uint64_t comparisons() const {
    auto levels = std::count(levels_.begin(), levels_.end(), true);
    return static_cast<std::uint64_t>(levels) * (known_.width() + 1);
  }

  const Knowledge& known_;
  const LevelSet& levels_;
  const Board& board_;
  const std::optional<CoinFindings>& coins_;
  Judgement& judgement_;
  std::vector<RatioCount> answers_;  // [attribute]; ldp only
};

void add_notes(const Knowledge& known, const Board& board, Judgement& judgement) {
  if (board.unexplained > 0) {
    judgement.notes.push_back(
        fmt::format("{} have profiles that no known private vector leads to; "
                    "they were judged by "
                    "the values that match.",
                    counted(board.unexplained, "row")));
  }
  if (board.one_by_one > 0) {
    judgement.notes.push_back(
        "some groups have so many private vectors that "
        "fit a row that attributes were weighed one "
        "by one; levels that look at all of them "
        "together would find more there.");
  }
  if (board.unmatched > 0) {
    judgement.notes.push_back(
        fmt::format("joint levels did not hand out the vectors of {}: their "
                    "groups are too large, or profiles "
                    "rule out own values; what fits was weighed instead.",
                    counted(board.unmatched, "row")));
  }
  if (auto sentence = ladder_note(known); !sentence.empty()) judgement.notes.push_back(sentence);
}

}  // namespace

namespace {

bool& wanted(LevelSet& levels, LevelId level) { return levels[static_cast<std::size_t>(level)]; }

void note_people(const std::optional<CoinFindings>& found, Judgement& judgement) {
  if (!found) {
    judgement.notes.emplace_back(
        "levels that have a model of people were not tested: it takes 200 rows "
        "that show something, "
        "and as many other people to learn from.");
  } else if (found->rows_left_out) {
    judgement.notes.emplace_back(
        "population learned from half of the rows what people are like, and "
        "was asked about the "
        "other half; --population names a table of other people.");
  }
}

// Levels that have a model of people, under schemes that toss coins. Those that could not be run
// are taken out of the levels.
std::optional<CoinFindings> look_for_coins(const Knowledge& known, const JudgeOptions& options,
                                           LevelSet& levels, Judgement& judgement) {
  std::vector<LevelId> by_people;
  for (std::size_t i = 0; i < level_count; ++i) {
    auto level = static_cast<LevelId>(i);
    if (levels[i] && has_people(level, known.form())) by_people.push_back(level);
  }
  if (by_people.empty() || !tosses_coins(known.observed())) return std::nullopt;
  CoinOptions how{.seed = options.seed, .threads = options.threads, .progress = options.progress};
  how.acquaintances =
      wanted(levels, LevelId::Acquaintance) || wanted(levels, LevelId::AcquaintanceThree);
  how.shares = wanted(levels, LevelId::Share);
  auto found = judge_coin_levels(known.observed(), how);
  note_people(found, judgement);
  if (found && found->effort.is_cut()) judgement.notes.push_back(found->effort.text());
  if (found && found->rows_left_out) judgement.insider = found->insider;
  for (LevelId level : by_people) {
    std::string_view name = names[static_cast<std::size_t>(level)];
    bool has_sets = level == LevelId::Sets && found;
    if (has_sets) continue;
    if (found && found->of(name) == nullptr) {
      judgement.notes.push_back(fmt::format(
          "{} was left out: there are no attributes, or no people, beyond those it knows.", name));
    }
    bool is_there = found && found->of(names[static_cast<std::size_t>(level)]) != nullptr;
    wanted(levels, level) = wanted(levels, level) && is_there;
  }
  return found;
}

}  // namespace

Result<Judgement> judge_profiles(const Observed& observed, const JudgeOptions& options) {
  auto asked = asked_levels(options);
  if (!asked) return asked.error();
  report(options.progress, "reading profiles", 0);
  auto known = Knowledge::make(observed, options.threads);
  if (!known) return known.error();
  Judgement judgement;
  LevelSet levels = levels_to_run(*asked, **known, judgement);
  auto coins = look_for_coins(**known, options, levels, judgement);
  LevelSet with_baseline = levels;  // every finding stands beside what public values alone tell
  with_baseline[static_cast<std::size_t>(LevelId::PriorPublic)] = true;
  for (std::size_t i = 0; coins && i < level_count; ++i) {
    if (coins->of(names[i]) != nullptr) with_baseline[i] = false;
    bool sets_by_coins =
        static_cast<LevelId>(i) == LevelId::Sets && (*known)->form() == Form::Fitted;
    if (sets_by_coins) with_baseline[i] = false;
  }
  Board board = run_levels(**known, with_baseline, options);
  Findings(**known, levels, board, coins, judgement).add_all();
  add_notes(**known, board, judgement);
  return judgement;
}

}  // namespace rankveil::audit
