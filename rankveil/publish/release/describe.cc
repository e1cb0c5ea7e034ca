#include "rankveil/publish/release/describe.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "rankveil/publish/release/diversity.h"

namespace rankveil::publish {

namespace {

// A quasi-identifier, prepared once for all groups.
class QuasiColumn {
 public:
  QuasiColumn(const connect::TextColumn& column, const Hierarchy* hierarchy)
      : column_(column), hierarchy_(hierarchy) {
    if (hierarchy == nullptr) numbers_ = numbers_of(column);
  }

  Generalised over(std::span<const Row> rows) const {
    Generalised result{.column = column_.name};
    std::set<std::uint32_t> codes;
    for (Row row : rows) codes.insert(column_.codes[row]);
    result.missing = codes.erase(connect::TextColumn::missing) > 0;
    if (codes.empty()) return result;
    if (!numbers_.empty()) {
      result.range = range_of(codes);
      return result;
    }
    for (std::uint32_t code : codes) result.values.push_back(column_.values[code]);
    std::ranges::sort(result.values);
    if (hierarchy_ == nullptr) return result;
    result.label = hierarchy_->common(result.values);
    result.values.clear();
    return result;
  }

 private:
  Range range_of(const std::set<std::uint32_t>& codes) const {
    Range range{numbers_[*codes.begin()], numbers_[*codes.begin()]};
    for (std::uint32_t code : codes) {
      range.low = std::min(range.low, numbers_[code]);
      range.high = std::max(range.high, numbers_[code]);
    }
    return range;
  }

  const connect::TextColumn& column_;
  const Hierarchy* hierarchy_;
  std::vector<double> numbers_;
};

Disclosure disclose(const SensitiveColumn& column, std::span<const Row> rows,
                    const Diversity& demand) {
  Disclosure result{.column = column.column().name};
  if (auto reason = column.reason_to_withhold(rows, demand)) {
    result.withheld = *reason;
    return result;
  }
  std::map<std::string, std::uint64_t> counts;
  for (Row row : rows) {
    std::uint32_t code = column.column().codes[row];
    if (code == connect::TextColumn::missing) {
      ++result.missing;
      continue;
    }
    ++counts[column.column().values[code]];
    if (column.numbers().empty()) continue;
    double number = column.numbers()[code];
    if (!result.range) result.range = {number, number};
    result.range->low = std::min(result.range->low, number);
    result.range->high = std::max(result.range->high, number);
  }
  if (column.numbers().empty()) result.values.assign(counts.begin(), counts.end());
  return result;
}

// Sensitive columns, one by one and together.
class SensitiveColumns {
 public:
  explicit SensitiveColumns(const Surroundings& surroundings) : demand_(surroundings.diversity) {
    for (const connect::TextColumn* column : surroundings.sensitive) columns_.emplace_back(*column);
  }

  std::vector<Disclosure> over(std::span<const Row> rows) {
    std::vector<Disclosure> all;
    for (const SensitiveColumn& column : columns_) all.push_back(disclose(column, rows, demand_));
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].is_shown()) shown.push_back(i);
    }
    if (shown.size() < 2) return all;
    const Together& together = of(shown);
    auto reason = together.sensitive.reason_to_withhold(rows, demand_);
    if (!reason) return all;
    for (std::size_t i : shown) {
      all[i] = {.column = all[i].column,
                .withheld = fmt::format("{} together: {}", together.column.name, *reason)};
    }
    return all;
  }

 private:
  struct Together {
    explicit Together(connect::TextColumn all) : column(std::move(all)), sensitive(column) {}
    connect::TextColumn column;
    SensitiveColumn sensitive;  // of the column above
  };

  // Made once for each choice of columns.
  const Together& of(const std::vector<std::size_t>& shown) {
    auto& made = together_[shown];
    if (made == nullptr) {
      std::vector<const connect::TextColumn*> columns;
      for (std::size_t i : shown) columns.push_back(&columns_[i].column());
      made = std::make_unique<Together>(combined(columns));
    }
    return *made;
  }

  const Diversity& demand_;
  std::vector<SensitiveColumn> columns_;
  std::map<std::vector<std::size_t>, std::unique_ptr<Together>> together_;
};

PublishedGroup published(const Group& group) {
  PublishedGroup result;
  for (std::size_t d = 0; d < group.box.low.size(); ++d) {
    result.ranges.push_back({group.box.low[d], group.box.high[d]});
  }
  result.least_score = group.least_score;
  result.score = {group.score_low, group.score_high};
  result.members = group.members.size();
  result.true_positives = group.true_positives;
  result.precision = group.precision();
  return result;
}

Status check_hierarchies(const Surroundings& surroundings) {
  for (const auto& [name, hierarchy] : surroundings.hierarchies) {
    auto column = std::ranges::find(surroundings.quasi, name,
                                    [](const connect::TextColumn* one) { return one->name; });
    if (column == surroundings.quasi.end()) {
      return wrong_use(fmt::format(
          "a hierarchy is given for \"{}\", which is no quasi-identifier; name it with --quasi",
          name));
    }
    for (const std::string& value : (*column)->values) {
      if (hierarchy.knows(value)) continue;
      return bad_input(fmt::format("{} has no line for \"{}\", a value of {}; add one",
                                   hierarchy.source(), value, name));
    }
  }
  return {};
}

}  // namespace

Status check_surroundings(const Surroundings& surroundings) {
  for (const connect::TextColumn* column : surroundings.sensitive) {
    for (const connect::TextColumn* other : surroundings.quasi) {
      if (column->name != other->name) continue;
      return wrong_use(
          fmt::format("{} cannot be both a quasi-identifier and sensitive", column->name));
    }
  }
  if (!surroundings.sensitive.empty() && !surroundings.diversity.is_asked()) {
    return wrong_use(
        "sensitive columns need a test: --l-diversity, --entropy-l-diversity or --t-closeness");
  }
  if (surroundings.sensitive.empty() && surroundings.diversity.is_asked()) {
    return wrong_use(
        "a test of diversity is given and no column to test; name one with --sensitive");
  }
  if (auto checked = check_diversity(surroundings.diversity); !checked) return checked;
  return check_hierarchies(surroundings);
}

std::string_view ties_name(Ties ties) { return ties == Ties::Include ? "include" : "cut"; }

std::optional<Ties> ties_from_name(std::string_view name) {
  for (Ties ties : {Ties::Include, Ties::Cut}) {
    if (ties_name(ties) == name) return ties;
  }
  return std::nullopt;
}

Publication describe(const Formed& formed, const Demand& demand, const Score& score,
                     bool missing_last, const Surroundings& surroundings) {
  Publication publication{.method = demand.method,
                          .score = score.text(),
                          .columns = score.columns(),
                          .top = demand.top,
                          .top_rows = formed.top.rows.size(),
                          .ties = std::string(ties_name(demand.ties)),
                          .missing = missing_last ? "last" : "refuse",
                          .k = demand.k,
                          .least_precision = demand.precision,
                          .diversity = surroundings.diversity,
                          .groups = {},
                          .true_positives = formed.true_positives(),
                          .members = formed.members(),
                          .covered = formed.covered(),
                          .precision = formed.precision()};
  std::vector<QuasiColumn> quasi;
  for (const connect::TextColumn* column : surroundings.quasi) {
    auto hierarchy = surroundings.hierarchies.find(column->name);
    quasi.emplace_back(*column,
                       hierarchy == surroundings.hierarchies.end() ? nullptr : &hierarchy->second);
  }
  SensitiveColumns sensitive(surroundings);
  for (const Group& group : formed.groups) {
    PublishedGroup one = published(group);
    for (const QuasiColumn& column : quasi) one.quasi.push_back(column.over(group.members));
    one.sensitive = sensitive.over(group.members);
    publication.groups.push_back(std::move(one));
  }
  return publication;
}

}  // namespace rankveil::publish
