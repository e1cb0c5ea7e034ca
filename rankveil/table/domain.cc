#include "rankveil/table/domain.h"

#include <fmt/core.h>

#include <charconv>

namespace rankveil {

namespace {

std::optional<double> as_number(std::string_view text) {
  double number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number != number) return std::nullopt;  // "nan" is text: it has no place in an order
  return number;
}

}  // namespace

Result<Domain> Domain::of(std::vector<std::string> values) {
  if (values.size() > largest_domain) {
    return bad_input(fmt::format("a domain of {} values is too large; the most is {}",
                                 values.size(), largest_domain));
  }
  Domain domain;
  domain.values_ = std::move(values);
  for (std::size_t i = 0; i < domain.values_.size(); ++i) {
    bool fresh =
        domain.ids_.emplace(domain.values_[i], ValueId{static_cast<std::uint16_t>(i)}).second;
    if (!fresh) {
      return bad_input(fmt::format("value \"{}\" stands twice in a domain", domain.values_[i]));
    }
  }
  return domain;
}

std::optional<ValueId> Domain::find(std::string_view text) const {
  auto found = ids_.find(text);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

bool natural_order(std::string_view left, std::string_view right) {
  auto left_number = as_number(left);
  auto right_number = as_number(right);
  if (left_number.has_value() != right_number.has_value()) return left_number.has_value();
  if (left_number && *left_number != *right_number) return *left_number < *right_number;
  return left < right;
}

}  // namespace rankveil
