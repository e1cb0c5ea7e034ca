#include "rankveil/audit/fits.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "rankveil/audit/check.h"
#include "rankveil/audit/like_rows.h"
#include "rankveil/audit/profile_kinds.h"
#include "rankveil/audit/rounded_strengths.h"
#include "rankveil/base/format.h"
#include "rankveil/protect/caps.h"
#include "rankveil/protect/chance/ldp.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

namespace {

constexpr double most_rounding = 1e-6;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What one scheme makes of rows, as far as it can be told from outside.
struct Case {
  const Observed& observed;
  const Mechanism& mechanism;
  const Scheme& scheme;
  const GroupedProfiles* grouped;  // null: there are no groups
  const LevelProfiles& signals;
  const KnownGroups& like;
  bool one_batch;

  const Demand& demand() const { return mechanism.demand; }
  bool is(std::initializer_list<std::string_view> names) const {
    return is_one_of(scheme.name, names);
  }
  bool rounds() const { return is({"capped", "ldp", "rr-mean"}); }
  bool takes_part(std::uint32_t row) const {
    return mechanism.taking_part.empty() || mechanism.taking_part[row] != 0;
  }
  bool like_silent(std::uint32_t row) const { return like.groups[like.group_of[row]].silent; }
  // Whether the row's profile is the shares of its group and nothing else.
  bool has_full_shares(std::uint32_t row) const {
    return grouped != nullptr && grouped->shares.in_full(grouped->group_of[row]);
  }
};

// ---- The form of all profiles ----

std::string keep_problem(const Case& c, const Fraction& wanted, std::string_view meaning) {
  const Fraction& keep = c.grouped->keep;
  bool same = std::uint64_t{keep.numerator} * wanted.denominator ==
              std::uint64_t{wanted.numerator} * keep.denominator;
  if (same) return {};
  return fmt::format("what a row shows counts {}/{}, where {} says {}", keep.numerator,
                     keep.denominator, c.scheme.name, meaning);
}

std::string step_problem(const Case& c) {
  std::uint32_t levels = c.signals.levels();
  if (c.rounds() && levels % c.demand().levels != 0) {
    return fmt::format("strengths come in steps of 1/{}, where 1/{} is declared", levels,
                       c.demand().levels);
  }
  bool sets = c.is({"swap", "swap-exact", "pvsv", "random", "generalise", "pvst", "rr"});
  if (sets && levels != 1) {
    return fmt::format("signals come in steps of 1/{}, where {} shows values in full or not at all",
                       levels, c.scheme.name);
  }
  return {};
}

std::string form_problem(const Case& c) {
  if (auto problem = step_problem(c); !problem.empty()) return problem;
  if (c.grouped == nullptr) {
    return c.is({"swap", "swap-exact", "cluster"})
               ? fmt::format("rows have no group whose shares they get, as {} gives them",
                             c.scheme.name)
               : std::string();
  }
  if (c.is({"swap", "swap-exact"})) {
    return keep_problem(c, {1, c.demand().l}, fmt::format("1/{}", c.demand().l));
  }
  if (c.is({"cluster"})) return keep_problem(c, {0, 1}, "that rows show shares alone");
  return {};
}

// ---- One attribute ----

// How many values the signal of a row may have.
struct Sizes {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  bool or_none = false;
};

Sizes sizes_of(const Case& c, std::uint32_t domain) {
  std::uint32_t l = std::min(c.demand().l, domain);
  if (c.is({"swap", "swap-exact", "rr"})) return {0, 1};
  if (c.is({"cluster", "drop"})) return {0, 0};
  if (c.is({"pvsv", "random"})) return {l, l};
  if (c.is({"generalise"})) return {l, domain};
  if (c.is({"pvst"})) return {l, domain, c.demand().fallback != Fallback::WholeDomain};
  return {0, domain};
}

double odds(double p) {
  if (p <= 0) return 0;
  return p >= 1 ? std::numeric_limits<double>::infinity() : p / (1 - p);
}

class AttributeFits {
 public:
  AttributeFits(const Case& c, std::uint32_t attribute)
      : c_(c),
        attribute_(attribute),
        domain_(c.observed.table.schema()
                    .attributes[c.observed.table.schema().public_count() + attribute]
                    .domain) {
    signals_ = kinds_of(c.signals, PrivateId{attribute}, signal_numbers_);
    profiles_ = kinds_of(c.observed.profiles, PrivateId{attribute}, profile_numbers_);
    misfits_.assign(signals_.size(), 0);
    if (c.rounds()) {
      rounded_.emplace(c.demand(), domain_.size(), signal_numbers_, signals_, c.one_batch);
    }
  }

  Finding check() {
    for (std::uint32_t row = 0; row < signals_.size(); ++row) check_row(row);
    if (c_.is({"swap-exact"})) check_counts();
    if ((c_.one_batch || c_.mechanism.released) && c_.is({"capped", "cluster"})) check_caps();
    if (c_.one_batch && c_.is({"ldp"})) check_budget();
    if (c_.is({"ldp"})) check_silent_answers();
    std::string evidence;
    if (!first_.empty()) {
      evidence = fmt::format("{} of {} are none that {} makes: {}",
                             grouped(std::count(misfits_.begin(), misfits_.end(), 1)),
                             counted(signals_.size(), "profile"), c_.scheme.name, first_);
    }
    return check_finding("fits", private_name(c_.observed.table, attribute_), signals_.size(),
                         std::move(evidence));
  }

 private:
  std::string name(std::uint32_t row) const { return c_.observed.table.names().text(RowId{row}); }
  std::string text(std::uint32_t value) const {
    return std::string(domain_.text(ValueId{static_cast<std::uint16_t>(value)}));
  }
  void misfit(std::uint32_t row, std::string sentence) {
    if (first_.empty()) first_ = std::move(sentence);
    misfits_[row] = 1;
  }

  // At most one misfit a row.
  void check_row(std::uint32_t row) {
    std::string problem = silence_problem(row);
    if (problem.empty()) problem = size_problem(row);
    if (problem.empty()) problem = sum_problem(row);
    if (!problem.empty()) misfit(row, std::move(problem));
  }

  std::string silence_problem(std::uint32_t row) const {
    const Strengths& signal = signal_numbers_.of(signals_[row]);
    if (signal.empty()) return {};
    std::string value = text(signal.front().first);
    bool silent = !c_.takes_part(row) || (c_.one_batch && c_.scheme.climbs && c_.like_silent(row));
    if (silent && c_.scheme.takes_cover && !c_.is({"ldp"})) {
      return fmt::format("{} takes no part, and yet matches {}", name(row), value);
    }
    if (c_.has_full_shares(row) && counts_in(c_.grouped->group_of[row]) > 0) {
      return fmt::format("{} matches {} on top of shares that count in full", name(row), value);
    }
    return {};
  }

  std::uint64_t counts_in(std::uint32_t group) const {
    std::uint64_t all = 0;
    for (std::uint32_t v = 0; v < domain_.size(); ++v) {
      all += c_.grouped->shares.count(group, PrivateId{attribute_},
                                      ValueId{static_cast<std::uint16_t>(v)});
    }
    return all;
  }

  std::string size_problem(std::uint32_t row) const {
    std::size_t size = signal_numbers_.of(signals_[row]).size();
    Sizes sizes = sizes_of(c_, domain_.size());
    if (size > sizes.most) {
      return fmt::format("{} shows {}, and {} at most", name(row), counted(size, "value"),
                         sizes.most);
    }
    bool may_have_none = sizes.or_none || c_.has_full_shares(row);
    if (size < sizes.least && !(size == 0 && may_have_none)) {
      return fmt::format("{} matches {}, and {} at least", name(row), counted(size, "value"),
                         sizes.least);
    }
    return c_.is({"esvt", "estt"}) ? mean_problem(row) : std::string();
  }

  // The mean of l members that all differ.
  std::string mean_problem(std::uint32_t row) const {
    const Strengths& profile = profile_numbers_.of(profiles_[row]);
    std::size_t values = profile.size() + (rest_of(profile) > 0 ? 1 : 0);
    if (values >= std::min(c_.demand().l, domain_.size()) || c_.has_full_shares(row)) return {};
    return fmt::format("{} matches {}, and {} at least", name(row), counted(values, "value"),
                       c_.demand().l);
  }

  std::string sum_problem(std::uint32_t row) const {
    const Strengths& profile = profile_numbers_.of(profiles_[row]);
    bool sets = c_.is({"pvsv", "random", "generalise", "pvst", "rr"});
    if (sets || profile.empty()) return {};
    double step = 1.0 / c_.demand().levels;
    double all = 0, least = 0;
    for (const auto& [value, strength] : profile) {
      all += strength;
      least += behind(value, strength).least;
      bool off = c_.rounds() && !c_.has_full_shares(row) &&
                 std::abs(std::remainder(strength, step)) > most_rounding;
      if (off) {
        return fmt::format("{} matches {} with {:.4g}, which is no multiple of 1/{}", name(row),
                           text(value), strength, c_.demand().levels);
      }
    }
    if (least <= 1 + most_rounding) return {};
    return fmt::format("the strengths of {} add up to {:.4g}", name(row), all);
  }

  // What a strength stands for.
  RoundedStrengths::Range behind(std::uint32_t value, double strength) const {
    if (!rounded_) return {strength, strength};
    return rounded_->behind(value, strength);
  }

  // swap hands vectors around in a group: a value is shown by no more rows than have it.
  void check_counts() {
    if (c_.grouped == nullptr) return;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> shown;  // group, value
    for (std::uint32_t row = 0; row < signals_.size(); ++row) {
      std::uint32_t group = c_.grouped->group_of[row];
      if (c_.grouped->shares.in_full(group)) continue;
      for (const auto& [value, strength] : signal_numbers_.of(signals_[row])) {
        std::uint32_t rows = ++shown[{group, value}];
        std::uint32_t have = c_.grouped->shares.count(group, PrivateId{attribute_},
                                                      ValueId{static_cast<std::uint16_t>(value)});
        if (rows <= have) continue;
        misfit(row, fmt::format("{} is shown by more than the {} of the group of {} that have it",
                                text(value), counted(have, "row"), name(row)));
      }
    }
  }

  // No profile speaks louder for a value than its cap.
  void check_caps() {
    AttributeShares shares(c_.observed.table, attribute_, c_.like);
    double gamma = gamma_of(c_.demand());
    SparedValues spared = spared_values(c_.observed);
    for (std::uint32_t row = 0; row < profiles_.size(); ++row) {
      const KnownGroup& group = c_.like.groups[c_.like.group_of[row]];
      if (group.silent) continue;
      auto share = shares.of(c_.like.group_of[row]);
      for (const auto& [value, strength] : profile_numbers_.of(profiles_[row])) {
        if (spared.has(PrivateId{attribute_}, value)) continue;
        double cap = cap_of(share[value], c_.demand().l, gamma);
        if (behind(value, strength).least <= cap + most_rounding) continue;
        misfit(row, fmt::format("{} matches {} with {:.3g}, and its cap is {:.3g}", name(row),
                                text(value), strength, cap));
        break;
      }
    }
  }

  // What two rows of one group say moves the odds of a value by the budget, up or down.
  struct Range {
    double low = 0;  // odds that some profile reaches at least
    double high = std::numeric_limits<double>::infinity();  // and some at most
  };
  void check_budget() {
    double epsilon = LdpBudgets(c_.observed.table.schema(), c_.demand()).of(PrivateId{attribute_});
    double most = std::exp(2 * epsilon) * (1 + most_rounding);
    std::vector<Range> ranges(c_.like.groups.size() * domain_.size());
    for (std::uint32_t row = 0; row < profiles_.size(); ++row) {
      const Strengths& profile = profile_numbers_.of(profiles_[row]);
      bool apart = false;
      for (std::uint32_t v = 0; v < domain_.size(); ++v) {
        auto [least, largest] = behind(v, strength_of(profile, v));
        Range& range = ranges[std::size_t{c_.like.group_of[row]} * domain_.size() + v];
        range.low = std::max(range.low, odds(least - most_rounding));
        range.high = std::min(range.high, odds(largest + most_rounding));
        apart = apart || range.low > most * range.high;
      }
      if (!apart) continue;
      misfit(row,
             fmt::format("the profile of {} is further from another of its group than a budget "
                         "of {:.3g} allows",
                         name(row), epsilon));
    }
  }

  // Rows that say nothing have the shares of their group: one profile. In a build that continued
  // another they were served at several times, and groups of today are not those of then.
  void check_silent_answers() {
    if (!c_.observed.mechanism->one_batch) return;
    std::map<std::uint32_t, std::uint32_t> profile_of;  // group
    for (std::uint32_t row = 0; row < profiles_.size(); ++row) {
      if (c_.takes_part(row)) continue;
      auto [first, is_new] = profile_of.try_emplace(c_.like.group_of[row], profiles_[row]);
      if (first->second == profiles_[row]) continue;
      misfit(row, fmt::format("{} takes no part, and yet has a profile of its own", name(row)));
    }
  }

  const Case& c_;
  std::uint32_t attribute_;
  const Domain& domain_;
  KindNumbers signal_numbers_, profile_numbers_;
  std::vector<std::uint32_t> signals_, profiles_;
  std::optional<RoundedStrengths> rounded_;  // where strengths are rounded
  std::vector<std::uint8_t> misfits_;        // per row
  std::string first_;
};

const LevelProfiles& signals_of(const Profiles& profiles) {
  const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds());
  return levels != nullptr ? *levels : std::get_if<GroupedProfiles>(&profiles.kinds())->signals;
}

}  // namespace

std::vector<Finding> check_fits(const Observed& observed) {
  assert(observed.mechanism && "what fits hangs on what is declared");
  const Mechanism& mechanism = *observed.mechanism;
  const Scheme* scheme = find_scheme(mechanism.demand.scheme);
  assert(scheme != nullptr && "the declared scheme is known");
  KnownGroups like = like_rows(observed);
  Case c{observed,
         mechanism,
         *scheme,
         std::get_if<GroupedProfiles>(&observed.profiles.kinds()),
         signals_of(observed.profiles),
         like,
         mechanism.one_batch};
  std::string problem = form_problem(c);
  if (!problem.empty()) {
    return {check_finding("fits", "all", observed.table.rows(), std::move(problem))};
  }
  std::vector<Finding> findings;
  for (std::uint32_t j = 0; j < observed.table.schema().private_count(); ++j) {
    findings.push_back(AttributeFits(c, j).check());
  }
  return findings;
}

}  // namespace rankveil::audit
