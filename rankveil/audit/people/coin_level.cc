#include "rankveil/audit/people/coin_level.h"

#include <algorithm>

#include "rankveil/audit/check.h"
#include "rankveil/audit/people/coin_judge.h"
#include "rankveil/audit/people/learners.h"
#include "rankveil/audit/people/people_law.h"
#include "rankveil/audit/people/share_judge.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

namespace {

Finding finding_of(const Tally& guesses, const Tally& before, const GainCounts& gains) {
  Finding finding;
  finding.method = profiles_method;
  finding.attempts = static_cast<std::uint64_t>(guesses.attempts());
  finding.right = guesses.right();
  fill_rate(finding);
  finding.prior = before.attempts() > 0 ? before.right() / before.attempts() : 0;
  finding.gain = gains.largest();
  finding.certain = guesses.certain();
  finding.certain_before = before.certain();
  finding.candidates = guesses.candidates();
  finding.gains = gains;
  return finding;
}

// One finding for each attribute, and one for all.
LevelFindings level_findings(const Table& table, std::string level,
                             const std::vector<Tally>& guesses, const std::vector<Tally>& before,
                             const std::vector<GainCounts>& gains) {
  LevelFindings made;
  made.level = std::move(level);
  Tally all, all_before;
  GainCounts all_gains;
  for (std::uint32_t j = 0; j < guesses.size(); ++j) {
    Finding& finding = made.attributes.emplace_back(finding_of(guesses[j], before[j], gains[j]));
    finding.attribute = private_name(table, j);
    finding.level = made.level;
    all.add(guesses[j]);
    all_before.add(before[j]);
    all_gains.add(gains[j]);
  }
  made.all = finding_of(all, all_before, all_gains);
  made.all.attribute = "all";
  made.all.level = made.level;
  return made;
}

using CoinBlocks = std::vector<std::vector<std::uint32_t>>;

CoinBlocks one_block(std::uint32_t width) {
  CoinBlocks blocks(1);
  for (std::uint32_t j = 0; j < width; ++j) blocks.front().push_back(j);
  return blocks;
}

// Those that are joined, and every other column alone.
CoinBlocks joined_blocks(const std::vector<std::vector<PrivateId>>& together, std::uint32_t width) {
  CoinBlocks blocks;
  std::vector<bool> joined(width, false);
  for (const auto& columns : together) {
    auto& block = blocks.emplace_back();
    for (PrivateId j : columns) {
      block.push_back(+j);
      joined[+j] = true;
    }
    std::ranges::sort(block);
  }
  for (std::uint32_t j = 0; j < width; ++j) {
    if (!joined[j]) blocks.push_back({j});
  }
  return blocks;
}

std::string acquaintance_name(std::uint32_t knows) {
  return knows == 1 ? "acquaintance" : "acquaintance-" + std::to_string(knows);
}

LevelFindings with_coins(const Table& table, std::string level, const CoinJudgement& judged) {
  LevelFindings made =
      level_findings(table, std::move(level), judged.guesses, judged.guesses_before, judged.gains);
  for (std::uint32_t j = 0; j < judged.attributes.size(); ++j) {
    made.attributes[j].coins = judged.attributes[j];
  }
  made.all.coins = judged.all;
  return made;
}

void add_coins(const Table& table, const CoinJudgement& judged, CoinFindings& made) {
  LevelFindings population = with_coins(table, "population", judged);
  made.insider = population.all;
  made.insider.level = "trained";
  made.insider.method = insider_method;
  made.insider.gain = judged.insider.largest;
  made.insider.coins = judged.insider;
  made.insider.gains.reset();
  made.levels.push_back(std::move(population));
  for (const AcquaintanceJudgement& one : judged.acquaintances) {
    made.levels.push_back(level_findings(table, acquaintance_name(one.knows), one.guesses,
                                         one.guesses_before, one.gains));
  }
  made.rows_left_out = judged.rows_left_out;
}

void add_shares(const Table& table, const ShareTask& task, CoinFindings& made) {
  auto judged = judge_shares(task);
  if (!judged) return;
  made.levels.push_back(
      level_findings(table, "share", judged->guesses, judged->guesses_before, judged->gains));
}

}  // namespace

const LevelFindings* CoinFindings::of(std::string_view level) const {
  auto found = std::ranges::find(levels, level, &LevelFindings::level);
  return found == levels.end() ? nullptr : &*found;
}

std::optional<Exchange> exchange_of(std::string_view scheme) {
  if (scheme == "swap-exact") return Exchange::Circles;
  if (scheme == "swap") return Exchange::Fitted;
  return std::nullopt;
}

bool tosses_coins(const Observed& observed) {
  bool declared = observed.mechanism && exchange_of(observed.mechanism->demand.scheme);
  return declared && observed.sight == nullptr &&
         std::holds_alternative<GroupedProfiles>(observed.profiles.kinds());
}

namespace {

// What all that is judged of one release shares.
class CoinLevels {
 public:
  CoinLevels(const Observed& observed, const CoinOptions& options)
      : observed_(observed),
        options_(options),
        profiles_(std::get<GroupedProfiles>(observed.profiles.kinds())),
        effort_(effort_for(observed.table)),
        truth_(coded(observed.table)),
        shown_(shown_rows(observed.table, profiles_)) {
    if (observed.population != nullptr) population_ = coded(*observed.population);
    for (const Profiles* other : observed.others) {
      const auto* grouped = std::get_if<GroupedProfiles>(&other->kinds());
      if (grouped != nullptr) others_.push_back(shown_rows(observed.table, *grouped));
    }
  }

  std::optional<CoinFindings> run() {
    CoinTask task = task_of_people();
    if (options_.acquaintances) task.knows = {1, 3};
    std::optional<ShownRows> practice;
    if (options_.acquaintances && exchange() == Exchange::Fitted) practice = own_release();
    task.practice = practice ? &*practice : nullptr;
    auto judged = judge_coins_of(task);
    if (!judged) return std::nullopt;
    CoinFindings made;
    add_coins(observed_.table, *judged, made);
    made.sets = judged->sets;
    made.effort = effort_;
    if (exchange() == Exchange::Fitted) add_fitted(*judged, made);
    if (options_.shares) add_shares(observed_.table, share_task(), made);
    return made;
  }

 private:
  const Mechanism& mechanism() const { return *observed_.mechanism; }
  Exchange exchange() const { return *exchange_of(mechanism().demand.scheme); }
  std::uint32_t publics() const { return observed_.table.schema().public_count(); }
  std::uint32_t width() const { return observed_.table.schema().private_count(); }

  CoinTask task_of_people() const {
    CoinTask task{.truth = truth_,
                  .shown = shown_,
                  .publics = publics(),
                  .population = population_ ? &*population_ : nullptr,
                  .exchange = exchange(),
                  .keep = 1.0 / mechanism().demand.l,
                  .effort = effort_,
                  .seed = options_.seed,
                  .threads = options_.threads,
                  .progress = options_.progress};
    for (const ValueSet& set : observed_.sensitive_sets) {
      CodeSet& codes = task.sets.emplace_back(CodeSet{+set.attribute});
      for (ValueId value : set.values) codes.codes.push_back(+value);
    }
    bool fitted = task.exchange == Exchange::Fitted;
    task.blocks = fitted ? joined_blocks(mechanism().together, width()) : one_block(width());
    if (!fitted) task.group_of = profiles_.group_of;
    return task;
  }

  // Levels that learn from the table itself, and those that hold several
  // releases.
  void add_fitted(const CoinJudgement& by_people, CoinFindings& made) const {
    std::optional<CoinJudgement> own;
    CoinTask task = task_of_people();
    if (task.population != nullptr && options_.table_levels) {
      task.population = nullptr;
      own = judge_coins_of(task);
    }
    const CoinJudgement& by_table = own ? *own : by_people;
    for (const char* level : {"mechanism-public", "bayesian-joint"}) {
      bool is_told = own || by_people.rows_left_out;
      if (is_told) made.levels.push_back(with_coins(observed_.table, level, by_table));
    }
    if (others_.empty() || !options_.table_levels) return;
    for (const ShownRows& other : others_) task.again.push_back(&other);
    if (auto all = judge_coins_of(task)) {
      made.levels.push_back(with_coins(observed_.table, "intersecting", *all));
    }
  }

  // What the people who are learnt from show, released by the same mechanism under a key of his
  // own. Nothing: they are too few. He takes every row for a person, and every domain for declared.
  std::optional<ShownRows> own_release() const {
    const Table& people = observed_.population != nullptr ? *observed_.population : observed_.table;
    SecretKey key = SecretKey::from_seed(static_cast<std::uint32_t>(options_.seed ^ 0x0a11));
    auto made =
        protect({.table = people,
                 .workload = Workload{},
                 .demand = mechanism().demand,
                 .key = key,
                 .taking_part = observed_.population != nullptr ? std::vector<std::uint8_t>()
                                                                : mechanism().taking_part,
                 .together = mechanism().together,
                 .threads = options_.threads});
    const auto* grouped = made ? std::get_if<GroupedProfiles>(&made->profiles.kinds()) : nullptr;
    if (grouped == nullptr) return std::nullopt;
    ShownRows shown = shown_rows(people, *grouped);
    bool enough = std::ranges::count(shown.shows, 1) >= static_cast<std::ptrdiff_t>(least_people);
    return enough ? std::optional(std::move(shown)) : std::nullopt;
  }

  ShareTask share_task() const {
    return {.truth = truth_,
            .publics = publics(),
            .profiles = profiles_,
            .population = population_ ? &*population_ : nullptr,
            .effort = effort_,
            .bound = 1.0 / mechanism().demand.l,
            .seed = options_.seed,
            .threads = options_.threads};
  }

  const Observed& observed_;
  const CoinOptions& options_;
  const GroupedProfiles& profiles_;
  Effort effort_;
  CodedRows truth_;
  ShownRows shown_;
  std::optional<CodedRows> population_;
  std::vector<ShownRows> others_;
};

}  // namespace

std::optional<CoinFindings> judge_coin_levels(const Observed& observed,
                                              const CoinOptions& options) {
  return CoinLevels(observed, options).run();
}

}  // namespace rankveil::audit
