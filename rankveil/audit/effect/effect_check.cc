#include "rankveil/audit/effect/effect_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/audit/check.h"
#include "rankveil/base/format.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

constexpr std::size_t most_values = 8;  // of one attribute, a round
constexpr std::uint32_t most_effect_rounds = 64;
constexpr std::uint32_t least_arrangements = 2000;  // so that the test can reach error_rate
constexpr std::uint32_t shuffles = 9999;
constexpr double effect_error_rate = 0.001;
constexpr std::size_t asked_again = 10;

using Answer = std::vector<std::uint32_t>;

// The values that most rows have, at most `most_values`.
std::vector<ValueId> frequent_values(const Column& column) {
  std::vector<std::uint64_t> counts(column.domain_size(), 0);
  column.for_each([&](std::size_t, std::uint32_t value) { ++counts[value]; });
  std::vector<ValueId> values;
  for (std::uint32_t v = 0; v < counts.size(); ++v) {
    if (counts[v] > 0) values.push_back(ValueId{static_cast<std::uint16_t>(v)});
  }
  std::ranges::stable_sort(values, [&](ValueId a, ValueId b) { return counts[+a] > counts[+b]; });
  if (values.size() > most_values) values.resize(most_values);
  return values;
}

// How much of an answer has the value; its first row counts most, its last one least.
double share_with(const Answer& answer, const Column& column, ValueId value) {
  double with = 0, all = 0;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    auto weight = static_cast<double>(answer.size() - i);
    all += weight;
    bool has = answer[i] < column.size() && column.value(RowId{answer[i]}) == value;
    if (has) with += weight;
  }
  return all > 0 ? with / all : 0;
}

// One attribute, round by round.
class EffectTest {
 public:
  EffectTest(const Table& truth, PrivateId attribute, std::uint64_t seed)
      : column_(truth.column(AttributeId{truth.schema().public_count() + +attribute})),
        values_(frequent_values(column_)),
        rng_(seed ^ (0xeffec7 + std::uint64_t{+attribute})) {}

  const std::vector<ValueId>& values() const { return values_; }
  std::uint64_t questions() const { return rounds_.size() * values_.size(); }

  // Answers in the order of values().
  void add(const std::vector<Answer>& answers) {
    Round round;
    for (const Answer& answer : answers) {
      std::vector<double>& shares = round.emplace_back();
      for (ValueId value : values_) shares.push_back(share_with(answer, column_, value));
      differs_ = differs_ || answer != answers.front();
    }
    rounds_.push_back(std::move(round));
  }

  bool differs() const { return differs_; }

  // Whether enough arrangements are possible for the test to say anything.
  bool can_tell() const {
    double each = std::lgamma(static_cast<double>(values_.size()) + 1);
    return each * static_cast<double>(rounds_.size()) >= std::log(least_arrangements);
  }

  double observed() const {
    double sum = 0;
    for (const Round& round : rounds_) {
      for (std::size_t v = 0; v < values_.size(); ++v) sum += round[v][v];
    }
    return sum;
  }

  double chance() {
    constexpr double rounding = 1e-9;
    const double seen = observed();
    std::uint32_t as_high = 0;
    for (std::uint32_t i = 0; i < shuffles; ++i) {
      if (shuffled() >= seen - rounding) ++as_high;
    }
    return (as_high + 1.0) / (shuffles + 1.0);
  }

  void fill(Effect& effect) const {
    effect.questions = questions();
    if (rounds_.empty()) return;
    double all = 0;
    for (const Round& round : rounds_) {
      for (const auto& shares : round) all = std::accumulate(shares.begin(), shares.end(), all);
    }
    auto own = static_cast<double>(questions());
    effect.share = observed() / own;
    effect.elsewhere = (all - observed()) / (own * static_cast<double>(values_.size() - 1));
  }

 private:
  using Round = std::vector<std::vector<double>>;  // [answer][value asked about]

  double shuffled() {
    double sum = 0;
    std::vector<std::size_t> order(values_.size());
    for (const Round& round : rounds_) {
      std::iota(order.begin(), order.end(), std::size_t{0});
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng_.below(i)]);
      for (std::size_t v = 0; v < order.size(); ++v) sum += round[order[v]][v];
    }
    return sum;
  }

  const Column& column_;
  std::vector<ValueId> values_;
  Rng rng_;
  std::vector<Round> rounds_;
  bool differs_ = false;
};

// What rounds ask for beside the private value: nothing, then public values of rows drawn by
// chance, one attribute at first and more later. No two rounds are alike while there is a choice:
// a cache would answer the second as it did the first.
class Surroundings {
 public:
  Surroundings(const Table& truth, std::uint64_t seed) : truth_(truth), rng_(seed ^ 0x5a4d) {}

  Query next() {
    for (int tries = 0; tries < 100; ++tries) {
      Query query = draw();
      if (std::ranges::find(used_, query) != used_.end()) continue;
      used_.push_back(query);
      return query;
    }
    return draw();
  }

 private:
  Query draw() {
    Query query = empty_query(truth_.schema());
    std::uint32_t count = truth_.schema().public_count();
    if (used_.empty() || count == 0 || truth_.rows() == 0) return query;
    RowId row{static_cast<std::uint32_t>(rng_.below(truth_.rows()))};
    std::uint64_t parts = 1 + rng_.below(std::min<std::uint64_t>(count, 1 + used_.size() / 4));
    for (std::uint64_t i = 0; i < parts; ++i) {
      AttributeId attribute{static_cast<std::uint32_t>(rng_.below(count))};
      ValueId value = truth_.value(row, attribute);
      if (value != missing_value) query.wanted[+attribute] = {value};
    }
    return query;
  }

  const Table& truth_;
  Rng rng_;
  std::vector<Query> used_;
};

std::string percent_of_one(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string note_of(const Effect& effect) {
  const std::string& name = effect.attribute;
  switch (effect.acts) {
    case Acts::Rises:
      return fmt::format(
          "rows that have the value of {} asked for rise: they make {} of answers, and {} where "
          "another value is asked for",
          name, percent_of_one(effect.share), percent_of_one(effect.elsewhere));
    case Acts::Still:
      return fmt::format(
          "nothing moves when {} is asked for: {} had the same answers, whatever the value; is the "
          "parameter spelt as the service spells it, and does nothing override it?",
          name, counted(effect.questions, "question"));
    case Acts::Otherwise:
      return fmt::format(
          "rows that have the value of {} asked for do not rise more than by chance: they make {} "
          "of answers, and {} where another value is asked for ({}); the target does not rank by "
          "matches of it, or hides them so well that this cannot tell",
          name, percent_of_one(effect.share), percent_of_one(effect.elsewhere),
          counted(effect.questions, "question"));
    case Acts::Unasked:
      return fmt::format("{} has one value only, so there is no other to compare with", name);
    case Acts::Refused:
    case Acts::Blind:
      break;
  }
  return {};
}

class EffectCheck {
 public:
  EffectCheck(const Arena& arena, const Table& truth, std::uint64_t seed)
      : arena_(arena), truth_(truth), seed_(seed) {}

  Result<SeenEffects> run() {
    auto target = arena_.fresh();
    if (!target) return target.error();
    seen_.target = std::move(*target);
    for (std::uint32_t j = 0; j < truth_.schema().private_count(); ++j) {
      auto effect = of(PrivateId{j});
      if (!effect) return effect.error();
      seen_.effects.push_back(*std::move(effect));
    }
    return std::move(seen_);
  }

 private:
  Result<Effect> of(PrivateId attribute) {
    Effect effect{.attribute = private_name(truth_, +attribute)};
    EffectTest test(truth_, attribute, seed_);
    if (test.values().size() >= 2) {
      if (auto done = look(attribute, test, effect); !done) return done.error();
    }
    effect.note = note_of(effect);
    return effect;
  }

  // Looks at the test after as many rounds as it needs, and twice as many, and so on.
  Status look(PrivateId attribute, EffectTest& test, Effect& effect) {
    Surroundings surroundings(truth_, seed_ + +attribute);
    effect.acts = Acts::Otherwise;
    std::uint32_t next_look = 0;
    for (std::uint32_t round = 1; round <= most_effect_rounds; ++round) {
      if (auto asked = ask(attribute, surroundings.next(), test); !asked) return asked;
      if (!test.can_tell() || round < next_look) continue;
      next_look = 2 * round;
      if (!test.differs()) {
        effect.acts = Acts::Still;
        break;
      }
      effect.chance = test.chance();
      if (effect.chance <= effect_error_rate) {
        effect.acts = Acts::Rises;
        break;
      }
    }
    test.fill(effect);
    return {};
  }

  Status ask(PrivateId attribute, const Query& surrounding, EffectTest& test) {
    std::vector<Answer> answers;
    for (ValueId value : test.values()) {
      Query query = surrounding;
      query.wanted[truth_.schema().public_count() + +attribute] = {value};
      auto answer = seen_.target->query(query);
      if (!answer) return answer.error();
      if (!answer->empty() && seen_.answered.size() < asked_again) seen_.answered.push_back(query);
      answers.push_back(*std::move(answer));
    }
    test.add(answers);
    return {};
  }

  const Arena& arena_;
  const Table& truth_;
  std::uint64_t seed_;
  SeenEffects seen_;
};

void set_blind(SeenEffects& seen, const std::string& why) {
  for (Effect& effect : seen.effects) {
    if (effect.acts == Acts::Refused) continue;
    effect.acts = Acts::Blind;
    effect.note = why;
  }
}

}  // namespace

Result<SeenEffects> check_effects(const Arena& arena, const Table& truth, std::uint64_t seed) {
  return EffectCheck(arena, truth, seed).run();
}

Status check_still_answered(const Arena& arena, SeenEffects& seen) {
  std::uint64_t silent = 0;
  for (const Query& query : seen.answered) {
    auto answer = seen.target->query(query);
    if (!answer) return answer.error();
    silent += answer->empty() ? 1 : 0;
  }
  if (2 * silent > seen.answered.size()) {
    set_blind(seen,
              fmt::format("the audit is blind: {} of {} questions that had an answer at first "
                          "have none any more; does the service throttle? set a rate in the "
                          "target's file",
                          silent, seen.answered.size()));
    return {};
  }
  const auto* counts = arena.answers.get();
  if (counts != nullptr && 2 * counts->empty > counts->all) {
    set_blind(seen,
              fmt::format("the audit is blind: {} of {} answers had no rows; does the service "
                          "throttle? set a rate in the target's file",
                          grouped(counts->empty), grouped(counts->all)));
  }
  return {};
}

}  // namespace rankveil::audit
