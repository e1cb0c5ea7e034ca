#include "rankveil/publish/release/diversity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "rankveil/base/format.h"
#include "rankveil/table/number_text.h"

namespace rankveil::publish {

namespace {

constexpr double slack = 1e-9;

// exp of it is the number of values that would be as diverse, all equally likely.
double entropy(const std::vector<double>& shares) {
  double sum = 0;
  for (double share : shares) {
    if (share > 0) sum -= share * std::log(share);
  }
  return sum;
}

}  // namespace

Status check_diversity(const Diversity& demand) {
  if (demand.distinct && *demand.distinct < 2) {
    return wrong_use(
        fmt::format("an l-diversity of {} asks for nothing; use 2 or more", *demand.distinct));
  }
  if (demand.entropy && !(*demand.entropy > 1)) {
    return wrong_use(fmt::format("an entropy l-diversity of {} asks for nothing; use more than 1",
                                 *demand.entropy));
  }
  if (demand.closeness && !(*demand.closeness >= 0 && *demand.closeness < 1)) {
    return wrong_use(fmt::format("a t-closeness of {} cannot be tested; use a number from 0 to 1",
                                 *demand.closeness));
  }
  return {};
}

connect::TextColumn combined(std::span<const connect::TextColumn* const> columns) {
  connect::TextColumn result{.name = {}, .values = {}, .codes = {}};
  std::map<std::vector<std::uint32_t>, std::uint32_t> codes;
  const std::size_t rows = columns.empty() ? 0 : columns.front()->codes.size();
  for (const connect::TextColumn* column : columns) {
    result.name += (result.name.empty() ? "" : ", ") + column->name;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> together;
    for (const connect::TextColumn* column : columns) together.push_back(column->codes[row]);
    auto [at, fresh] =
        codes.try_emplace(std::move(together), static_cast<std::uint32_t>(result.values.size()));
    // Not a number, so that all combinations are equally far apart.
    if (fresh) result.values.push_back(fmt::format("combination {}", result.values.size() + 1));
    result.codes.push_back(at->second);
  }
  return result;
}

std::vector<double> numbers_of(const connect::TextColumn& column) {
  std::vector<double> numbers;
  for (const std::string& value : column.values) {
    auto number = number_from_text(value);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

SensitiveColumn::SensitiveColumn(const connect::TextColumn& column)
    : column_(column), numbers_(numbers_of(column)) {
  order_.resize(column.values.size() + 1);
  std::iota(order_.begin(), order_.end(), 0U);
  if (!numbers_.empty()) {
    std::sort(order_.begin(), order_.end() - 1,
              [&](std::uint32_t a, std::uint32_t b) { return numbers_[a] < numbers_[b]; });
  }
  std::vector<Row> all(column.codes.size());
  std::iota(all.begin(), all.end(), Row{0});
  table_shares_ = shares(all);
}

std::vector<double> SensitiveColumn::shares(std::span<const Row> rows) const {
  std::vector<double> result(column_.values.size() + 1, 0);
  double each = 1 / static_cast<double>(std::max<std::size_t>(rows.size(), 1));
  for (Row row : rows) {
    std::uint32_t code = column_.codes[row];
    result[std::min<std::size_t>(code, column_.values.size())] += each;
  }
  return result;
}

double SensitiveColumn::distance(std::span<const Row> rows) const {
  std::vector<double> here = shares(rows);
  double sum = 0;
  if (numbers_.empty()) {
    for (std::size_t i = 0; i < here.size(); ++i) sum += std::abs(here[i] - table_shares_[i]);
    return sum / 2;
  }
  // Values that nobody has take no place on the line.
  double places = 0;
  double moved = 0;
  for (std::uint32_t value : order_) {
    if (table_shares_[value] == 0) continue;
    ++places;
    moved += here[value] - table_shares_[value];
    sum += std::abs(moved);  // the last one adds nothing: all that was missing has arrived
  }
  return places < 2 ? 0 : sum / (places - 1);
}

std::optional<std::string> SensitiveColumn::reason_to_withhold(std::span<const Row> rows,
                                                               const Diversity& demand) const {
  std::vector<double> here = shares(rows);
  auto distinct = std::ranges::count_if(here, [](double share) { return share > 0; });
  if (demand.distinct && distinct < static_cast<std::int64_t>(*demand.distinct)) {
    return fmt::format("{}, and {} are needed",
                       counted(static_cast<std::uint64_t>(distinct), "different value"),
                       *demand.distinct);
  }
  if (double l = std::exp(entropy(here)); demand.entropy && l < *demand.entropy - slack) {
    return fmt::format("its entropy is that of {:.2f} equally likely values, and {} are needed", l,
                       *demand.entropy);
  }
  if (demand.closeness) {
    double far = distance(rows);
    if (far > *demand.closeness + slack) {
      return fmt::format("its values are {:.3f} away from those of the table, and {} is the most",
                         far, *demand.closeness);
    }
  }
  return std::nullopt;
}

}  // namespace rankveil::publish
