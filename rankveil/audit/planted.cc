#include "rankveil/audit/planted.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "rankveil/audit/check.h"
#include "rankveil/audit/like_rows.h"
#include "rankveil/audit/profile_kinds.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/table/row_groups.h"

namespace rankveil::audit {

namespace {

using Rows = std::vector<std::uint32_t>;

bool is_established(const Mechanism& mechanism, std::uint32_t row) {
  return mechanism.taking_part.empty() || mechanism.taking_part[row] != 0;
}

// Established rows by public values, the loneliest first, until there are `victims` of them.
std::vector<Rows> loneliest(const Table& truth, const Mechanism& mechanism, std::uint32_t victims) {
  RowGroups alike = group_rows(truth, public_attributes(truth.schema()));
  std::vector<Rows> groups(alike.count());
  for (std::uint32_t row = 0; row < truth.rows(); ++row) {
    if (is_established(mechanism, row)) groups[alike.group_of[row]].push_back(row);
  }
  std::erase_if(groups, [](const Rows& rows) { return rows.empty(); });
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Rows& a, const Rows& b) { return a.size() < b.size(); });
  std::uint64_t rows = 0;
  std::size_t count = 0;
  while (count < groups.size() && rows < victims) rows += groups[count++].size();
  groups.resize(count);
  return groups;
}

// The rarest value of every private attribute.
std::vector<ValueId> rare_vector(const Table& truth) {
  std::vector<ValueId> rare;
  const Schema& schema = truth.schema();
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    const Column& column = truth.column(AttributeId{i});
    std::vector<std::uint32_t> rows(column.domain_size(), 0);
    column.for_each([&](std::size_t, std::uint32_t value) { ++rows[value]; });
    auto least = std::min_element(rows.begin(), rows.end()) - rows.begin();
    rare.push_back(rows.empty() ? missing_value : ValueId{static_cast<std::uint16_t>(least)});
  }
  return rare;
}

// The table with rows planted behind it.
class Planting {
 public:
  Planting(const Table& truth, const Mechanism& mechanism, const std::vector<Rows>& groups)
      : truth_(truth), rare_(rare_vector(truth)) {
    std::uint32_t each = 2 * std::max(2U, mechanism.demand.min_group);
    for (const Rows& group : groups) models_.insert(models_.end(), each, group.front());
    for (std::uint32_t row = 0; row < truth.rows(); ++row) {
      established_.push_back(is_established(mechanism, row) ? 1 : 0);
    }
    established_.insert(established_.end(), models_.size(), 0);
  }

  Table table() const {
    std::vector<Column> columns;
    for (std::uint32_t i = 0; i < truth_.schema().size(); ++i) columns.push_back(column(i));
    return Table(truth_.schema(), std::move(columns), names());
  }
  const std::vector<std::uint8_t>& established() const { return established_; }
  ValueId value(std::uint32_t attribute) const { return rare_[attribute]; }

 private:
  Column column(std::uint32_t i) const {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < truth_.rows(); ++row) {
      values.push_back(truth_.value(RowId{row}, AttributeId{i}));
    }
    std::uint32_t first_private = truth_.schema().public_count();
    for (std::uint32_t model : models_) {
      values.push_back(i < first_private ? truth_.value(RowId{model}, AttributeId{i})
                                         : rare_[i - first_private]);
    }
    return Column(truth_.schema().attributes[i].domain.size(), values);
  }

  RowNames names() const {
    TextNames names;
    auto add = [&](const std::string& name) {
      names.bytes += name;
      names.ends.push_back(names.bytes.size());
    };
    for (std::uint32_t row = 0; row < truth_.rows(); ++row) add(truth_.names().text(RowId{row}));
    for (std::size_t i = 0; i < models_.size(); ++i) add(fmt::format("planted by the audit {}", i));
    return RowNames(std::move(names));
  }

  const Table& truth_;
  std::vector<ValueId> rare_;
  Rows models_;  // per planted row: whose public values it has
  std::vector<std::uint8_t> established_;
};

// On what is left of a profile without the planted value. A profile that shows the planted value
// says little about its row, and such bets are not made (check.h).
template <typename MayBet>
Bet bet_without(const Strengths& profile, std::uint32_t planted, std::span<const double> prior,
                std::uint32_t truth, MayBet may_bet) {
  double left = 0;
  for (const auto& [value, strength] : profile) left += value == planted ? 0 : strength;
  Bet best;
  for (const auto& [value, strength] : profile) {
    if (value == planted || prior[value] >= 1 || !may_bet(value)) continue;
    double gain = (strength / left - prior[value]) / (1 - prior[value]);
    if (gain > best.gain) best = {gain, prior[value], value == truth};
  }
  return best;
}

Finding judge_attribute(const Table& truth, std::uint32_t attribute,
                        const std::vector<Rows>& groups, const KnownGroups& like,
                        const Profiles& profiles, ValueId planted, const SparedValues& spared) {
  auto may_bet = [&](std::uint32_t code) { return !spared.has(PrivateId{attribute}, code); };
  AttributeShares shares(truth, attribute, like);
  KindNumbers numbers;
  auto kinds = kinds_of(profiles, PrivateId{attribute}, numbers);
  std::vector<Bet> bets;
  for (const Rows& group : groups) {
    for (std::uint32_t row : group) {
      bets.push_back(bet_without(numbers.of(kinds[row]), +planted, shares.of(like.group_of[row]),
                                 shares.code(row), may_bet));
    }
  }
  return bets_finding("planted", planting_method, private_name(truth, attribute), std::move(bets));
}

}  // namespace

Rebuild declared_rebuild(const Mechanism& mechanism, std::uint64_t seed, std::uint32_t threads) {
  return [&mechanism, seed, threads](
             const Table& table, const std::vector<std::uint8_t>& established) -> Result<Profiles> {
    SecretKey key = SecretKey::from_seed(seed);
    auto made = protect({.table = table,
                         .workload = mechanism.workload,
                         .demand = mechanism.demand,
                         .key = key,
                         .ladder = mechanism.ladder,
                         .taking_part = established,
                         .threads = threads});
    if (!made) return made.error();
    return std::move(made->profiles);
  };
}

bool minds_planted_rows(const Mechanism& mechanism) {
  const Scheme* scheme = find_scheme(mechanism.demand.scheme);
  return scheme != nullptr && scheme->takes_cover && !mechanism.taking_part.empty();
}

Result<std::vector<Finding>> judge_planted(const Table& truth, const Mechanism& mechanism,
                                           const Rebuild& rebuild, std::uint32_t victims) {
  std::vector<Rows> groups = loneliest(truth, mechanism, victims);
  Planting planting(truth, mechanism, groups);
  auto profiles = rebuild(planting.table(), planting.established());
  if (!profiles) return profiles.error();
  KnownGroups like = like_rows(truth, &mechanism);
  SparedValues spared(truth.schema(), spared_by(mechanism.demand));
  std::vector<Finding> findings;
  for (std::uint32_t j = 0; j < truth.schema().private_count(); ++j) {
    Finding finding = judge_attribute(truth, j, groups, like, *profiles, planting.value(j), spared);
    if (finding.attempts > 0) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace rankveil::audit
