#include "rankveil/table/building/attribute_builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "rankveil/table/building/binning.h"
#include "rankveil/table/number_text.h"

namespace rankveil {

namespace {

constexpr double missing_number = std::numeric_limits<double>::quiet_NaN();

// Below this many rows a column of unique values is an example, not an identifier.
constexpr std::size_t rows_to_judge = 100;

// What a message may say of a value: one of a private column stays private.
std::string shown(const ColumnPolicy& column, std::string_view value) {
  return column.role == Role::Private ? "the value" : fmt::format("\"{}\"", value);
}

Error no_number(const ColumnPolicy& column, std::string_view value, std::size_t row) {
  return bad_input(
      fmt::format("{} is binned, but {} in row {} is no number; correct it, or leave out the "
                  "bins in the policy",
                  column.name, shown(column, value), row + 1));
}

// At most a few names, so that a warning stays a line.
std::string quoted_list(const std::vector<std::string>& values) {
  constexpr std::size_t shown = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, values.size()); ++i) {
    list += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", values[i]);
  }
  if (values.size() > shown) list += fmt::format(", ... ({} in all)", values.size());
  return list;
}

std::vector<double> known_numbers(const std::vector<double>& numbers) {
  std::vector<double> known;
  known.reserve(numbers.size());
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(known),
               [](double number) { return !std::isnan(number); });
  return known;
}

// Exact edges are fine for a public column; for a private one they would be somebody's number.
std::vector<double> even_edges(const std::vector<double>& numbers, std::uint32_t bins, Role role) {
  auto [smallest, largest] = std::minmax_element(numbers.begin(), numbers.end());
  auto edges = equal_width_edges(*smallest, *largest, bins);
  if (role != Role::Private) return edges;
  return coarse_edges(edges, *smallest, *largest, *largest - *smallest);
}

std::vector<double> fair_edges(std::vector<double> numbers, std::uint32_t bins, Role role) {
  std::sort(numbers.begin(), numbers.end());
  auto edges = quantile_edges(numbers, bins);
  if (role != Role::Private) return edges;
  return coarse_edges(edges, numbers.front(), numbers.back(), usual_range(numbers));
}

// The edges that only all numbers together can tell.
std::vector<double> edges_from(const ColumnPolicy& column, const std::vector<double>& numbers) {
  auto known = known_numbers(numbers);
  if (known.empty()) return {};
  if (const auto* even = std::get_if<EqualWidth>(&column.bins)) {
    return even_edges(known, even->bins, column.role);
  }
  return fair_edges(std::move(known), std::get<Quantiles>(column.bins).bins, column.role);
}

std::vector<std::string> values_nobody_has(const std::vector<std::string>& values,
                                           const std::vector<std::uint64_t>& rows) {
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (rows[i] == 0) unused.push_back(values[i]);
  }
  return unused;
}

}  // namespace

Result<AttributeBuilder> AttributeBuilder::create(const ColumnPolicy& column) {
  AttributeBuilder builder(column);
  if (builder.is_declared() && builder.takes_numbers()) {
    return wrong_use(
        fmt::format("{} has both a domain and bins in the policy; keep one of them", column.name));
  }
  auto declared = Domain::of(column.domain);
  if (!declared) {
    return bad_input(fmt::format("{}: {}", column.name, declared.error().message));
  }
  for (const std::string& value : column.domain) builder.dictionary_.add(std::string_view(value));
  if (const auto* given = std::get_if<BinEdges>(&column.bins)) builder.edges_ = given->edges;
  return builder;
}

Status AttributeBuilder::add(std::span<const PackedText> texts, Presence present) {
  if (reading_.changes_nothing()) return add_texts(texts, present);
  return add_texts(reading_.read(texts), present);
}

Status AttributeBuilder::add(std::span<const double> numbers, Presence present) {
  if (reading_.changes_nothing()) return add_numbers(numbers, present);
  return add_numbers(reading_.read(numbers), present);
}

Status AttributeBuilder::add_texts(std::span<const PackedText> texts, Presence present) {
  if (!takes_numbers()) return add_words(texts, present);
  std::vector<double> numbers(texts.size(), missing_number);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!present[i] || texts[i].size() == 0) continue;
    auto number = number_from_text(texts[i].view());
    if (!number) return no_number(column_, texts[i].view(), rows() + i);
    numbers[i] = *number;
  }
  return add_numbers(numbers, Presence());
}

Status AttributeBuilder::add_numbers(std::span<const double> numbers, Presence present) {
  std::size_t first = rows();
  auto number_at = [&](std::size_t i) { return present[i] ? numbers[i] : missing_number; };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isinf(number_at(i))) {
      return no_number(column_, numbers[i] < 0 ? "-inf" : "inf", first + i);
    }
  }
  if (!std::holds_alternative<BinEdges>(column_.bins)) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers_.push_back(number_at(i));
    return {};
  }
  chunk_.assign(numbers.size(), GrowingCodes::missing);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double number = number_at(i);
    if (!std::isnan(number)) chunk_[i] = static_cast<std::uint16_t>(bin_of(edges_, number));
  }
  codes_.append(chunk_, static_cast<std::uint32_t>(edges_.size()) + 1);
  return {};
}

Status AttributeBuilder::add_words(std::span<const PackedText> texts, Presence present) {
  chunk_.resize(texts.size());
  std::size_t good =
      present.everywhere() ? encode<true>(texts, present) : encode<false>(texts, present);
  if (good < texts.size()) return refused(texts[good], rows() + good);
  codes_.append(chunk_, dictionary_.size());
  return {};
}

// Returns how many texts it could encode. The innermost loop of reading a table: each text is
// looked up once, and only a new one takes the slow way.
template <bool all_present>
std::size_t AttributeBuilder::encode(std::span<const PackedText> texts, Presence present) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if ((!all_present && !present[i]) || texts[i].size() == 0) {
      chunk_[i] = GrowingCodes::missing;
      continue;
    }
    std::uint32_t code = dictionary_.find(texts[i]);
    if (code == Dictionary::none) [[unlikely]] {
      if (is_declared() || dictionary_.size() == largest_domain) return i;
      code = dictionary_.add(texts[i]);
    }
    chunk_[i] = static_cast<std::uint16_t>(code);
  }
  return texts.size();
}

Error AttributeBuilder::refused(const PackedText& text, std::size_t row) const {
  if (!is_declared()) {
    return bad_input(
        fmt::format("{} has more than 65,535 different values, too many to rank by; give it bins "
                    "or the role \"ignored\" in the policy",
                    column_.name));
  }
  std::string what =
      column_.role == Role::Private
          ? fmt::format("{} has a value in row {} that", column_.name, row + 1)
          : fmt::format("{} is \"{}\" in row {}, which", column_.name, text.view(), row + 1);
  return bad_input(what +
                   " its declared domain lacks; add the value to the domain in the policy, or "
                   "correct the row");
}

Status AttributeBuilder::cut_into_bins() {
  if (!std::holds_alternative<BinEdges>(column_.bins)) {
    edges_ = edges_from(column_, numbers_);
    chunk_.assign(numbers_.size(), GrowingCodes::missing);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (std::isnan(numbers_[i])) continue;
      chunk_[i] = static_cast<std::uint16_t>(bin_of(edges_, numbers_[i]));
    }
    numbers_ = {};
    if (edges_.size() >= largest_domain) {
      return bad_input(
          fmt::format("{} has {} bins; the most is 65,535", column_.name, edges_.size() + 1));
    }
    codes_.append(chunk_, static_cast<std::uint32_t>(edges_.size()) + 1);
  }
  // Labels take the numbers that the bins' codes already are.
  for (const std::string& label : bin_labels(edges_)) dictionary_.add(std::string_view(label));
  return {};
}

Status AttributeBuilder::check_domain(const std::vector<std::string>& values) const {
  std::size_t with_value = codes_.size() - codes_.missing_rows();
  if (!is_declared() && with_value == 0) {
    return bad_input(
        fmt::format("{} has no value in any row; give it the role \"ignored\" in the policy, or "
                    "declare its domain",
                    column_.name));
  }
  if (values.size() < 2) {
    return bad_input(fmt::format(
        "{} has one value only{}, so it cannot rank anybody; give it the role "
        "\"ignored\" in the policy, or declare its domain",
        column_.name, column_.role == Role::Private ? "" : ", " + shown(column_, values.front())));
  }
  bool from_rows = !is_declared() && !takes_numbers();
  if (column_.role == Role::Private && from_rows && with_value > rows_to_judge &&
      2 * values.size() > with_value) {
    return bad_input(fmt::format(
        "{} has {} different values in {} rows: a private attribute with more than half as many "
        "values as rows singles people out; give it bins, a domain or the role \"ignored\"",
        column_.name, values.size(), with_value));
  }
  std::string problem = not_sensitive_problem(column_, values);
  if (problem.empty()) problem = sensitive_sets_problem(column_, values);
  if (problem.empty()) problem = renamed_problem(column_, values);
  return problem.empty() ? Status{} : Status(bad_input(problem));
}

// Where each code of the dictionary stands in the domain.
std::vector<std::uint16_t> AttributeBuilder::final_order() const {
  std::vector<std::uint16_t> sorted(dictionary_.size());
  std::iota(sorted.begin(), sorted.end(), std::uint16_t{0});
  if (is_declared() || takes_numbers()) return sorted;
  const auto& texts = dictionary_.texts();
  std::sort(sorted.begin(), sorted.end(), [&](std::uint16_t left, std::uint16_t right) {
    return natural_order(texts[left], texts[right]);
  });
  std::vector<std::uint16_t> order(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) order[sorted[i]] = static_cast<std::uint16_t>(i);
  return order;
}

Result<BuiltAttribute> AttributeBuilder::finish() && {
  if (takes_numbers()) {
    if (auto cut = cut_into_bins(); !cut) return cut.error();
  }
  if (auto checked = check_domain(dictionary_.texts()); !checked) return checked.error();
  auto order = final_order();
  std::vector<std::string> values(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) values[order[i]] = dictionary_.texts()[i];

  BuiltAttribute built;
  if (is_declared() || takes_numbers()) {
    auto unused = values_nobody_has(values, codes_.count(dictionary_.size()));
    if (!unused.empty()) {
      built.warnings.push_back(fmt::format("no row has {} {}", column_.name, quoted_list(unused)));
    }
  }
  auto domain = Domain::of(std::move(values));
  if (!domain) return domain.error();
  auto visibility = column_.role == Role::Private ? Visibility::Private : Visibility::Public;
  built.attribute = {column_.name, visibility, column_.weight, std::move(*domain)};
  built.column = std::move(codes_).finish(order);
  return built;
}

}  // namespace rankveil
