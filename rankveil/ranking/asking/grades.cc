#include "rankveil/ranking/asking/grades.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rankveil/ranking/asking/names.h"
#include "rankveil/ranking/asking/value_scale.h"
#include "rankveil/table/number_text.h"

namespace rankveil {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A range as numbers, or places.
struct Span {
  double low = -infinity;
  double high = infinity;
  bool with_low = true;
  bool with_high = true;

  bool holds(double at) const {
    return (at > low || (with_low && at == low)) && (at < high || (with_high && at == high));
  }
};

std::string range_words(const RangeText& range) {
  if (range.low && range.high) {
    return fmt::format("from {} to {}", range.low->value, range.high->value);
  }
  const RangeText::End& end = range.low ? *range.low : *range.high;
  return fmt::format("{}{}{}", range.low ? ">" : "<", end.included ? "= " : " ", end.value);
}

Error no_order(const Attribute& attribute, std::string_view what) {
  return bad_input(
      fmt::format("{} has no order, so nothing is {}; name its values", attribute.name, what));
}

// Where an end of a range, or an origin, stands.
Result<double> point_of(const Attribute& attribute, const ValueScale& scale,
                        const std::string& text) {
  if (scale.is_numeric()) {
    if (auto number = number_from_text(text)) return *number;
    return bad_input(fmt::format("\"{}\" is no number, and {} has numbers", text, attribute.name));
  }
  auto value = named_value(attribute, text);
  if (!value) return value.error();
  return scale.at[+*value];
}

Result<Span> span_of(const Attribute& attribute, const ValueScale& scale, const RangeText& range) {
  if (scale.kind == ValueScale::Kind::Unordered) {
    return no_order(attribute, range_words(range));
  }
  Span span;
  for (const auto* end : {&range.low, &range.high}) {
    if (!*end) continue;
    auto point = point_of(attribute, scale, (*end)->value);
    if (!point) return point.error();
    bool is_low = end == &range.low;
    (is_low ? span.low : span.high) = *point;
    (is_low ? span.with_low : span.with_high) = (*end)->included;
  }
  if (span.low > span.high) {
    return bad_input(fmt::format("nothing of {} lies {}; the lower end comes first", attribute.name,
                                 range_words(range)));
  }
  return span;
}

// The share of a bin that lies in a span. An open one counts by its edge.
double bin_share(const std::vector<double>& edges, std::size_t bin, const Span& span) {
  if (bin == 0) return span.low < edges.front() && span.high >= edges.front() ? 1 : 0;
  if (bin == edges.size()) return span.low <= edges.back() && span.high > edges.back() ? 1 : 0;
  double begin = edges[bin - 1];
  double end = edges[bin];
  if (begin == end) return span.holds(begin) ? 1 : 0;
  // Halves: the difference of two large numbers may be too large for one.
  double inside = std::min(end, span.high) / 2 - std::max(begin, span.low) / 2;
  return std::clamp(inside / (end / 2 - begin / 2), 0.0, 1.0);
}

Result<std::vector<double>> shares_of(const Attribute& attribute, const ValueScale& scale,
                                      const RangeText& range) {
  auto span = span_of(attribute, scale, range);
  if (!span) return span.error();
  std::vector<double> shares;
  for (std::size_t value = 0; value < scale.at.size(); ++value) {
    bool in_bins = scale.kind == ValueScale::Kind::Bins;
    double held = span->holds(scale.at[value]) ? 1 : 0;
    shares.push_back(in_bins ? bin_share(scale.edges, value, *span) : held);
  }
  if (std::ranges::any_of(shares, [](double share) { return share > 0; })) return shares;
  const auto& values = attribute.domain.values();
  if (values.empty()) return bad_input(fmt::format("{} has no values", attribute.name));
  auto place = [&](std::size_t wanted) {
    return values[static_cast<std::size_t>(std::ranges::find(scale.place, wanted) -
                                           scale.place.begin())];
  };
  return bad_input(fmt::format("no value of {} lies {}; they go from {} to {}", attribute.name,
                               range_words(range), place(1), place(values.size())));
}

// "30..40" as a range; nothing where a value is called so, there are no dots, or no order.
std::optional<RangeText> dotted_range(const Attribute& attribute, const std::string& text) {
  auto dots = text.find("..");
  if (dots == std::string::npos || find_value(attribute.domain, text)) return {};
  if (ValueScale::of(attribute.domain).kind == ValueScale::Kind::Unordered) return {};
  RangeText range;
  if (dots > 0) range.low = RangeText::End{text.substr(0, dots)};
  if (dots + 2 < text.size()) range.high = RangeText::End{text.substr(dots + 2)};
  if (!range.low && !range.high) return {};
  return range;
}

Result<std::vector<double>> shares_of(const Attribute& attribute, const ValueScale& scale,
                                      const ValuesText& form) {
  std::vector<double> shares(attribute.domain.size(), 0);
  for (const std::string& text : form.values) {
    if (auto range = dotted_range(attribute, text)) {
      auto inside = shares_of(attribute, scale, *range);
      if (!inside) return inside;
      std::ranges::transform(shares, *inside, shares.begin(),
                             [](double left, double right) { return std::max(left, right); });
      continue;
    }
    auto value = named_value(attribute, text);
    if (!value) return value.error();
    shares[+*value] = 1;
  }
  if (form.negated) {
    for (double& share : shares) share = 1 - share;
  }
  return shares;
}

Result<std::vector<double>> shares_of(const Attribute&, const ValueScale& scale,
                                      const OrderText& form) {
  auto [low, high] = std::ranges::minmax(scale.at);
  std::vector<double> shares;
  for (double at : scale.at) {
    double up = high > low ? (at / 2 - low / 2) / (high / 2 - low / 2) : 1;
    bool single = !(high > low);
    shares.push_back(form.more || single ? up : 1 - up);
  }
  return shares;
}

// As search engines have it: gauss and exp are a half at the scale, linear is nothing there.
double nearness(double distance, NearText::Shape shape) {
  switch (shape) {
    case NearText::Shape::Gauss:
      return std::exp2(-distance * distance);
    case NearText::Shape::Exp:
      return std::exp2(-distance);
    case NearText::Shape::Linear:
      break;
  }
  return std::max(0.0, 1 - distance);
}

Result<std::vector<double>> shares_of(const Attribute& attribute, const ValueScale& scale,
                                      const NearText& form) {
  if (scale.kind == ValueScale::Kind::Unordered) {
    return no_order(attribute, "near " + form.origin);
  }
  auto origin = point_of(attribute, scale, form.origin);
  if (!origin) return origin.error();
  double quarter = scale.quarter_span();
  double unit = form.scale.value_or(quarter > 0 ? quarter : 1);
  if (!(unit > 0)) return bad_input(fmt::format("a scale of {} does not work", unit));
  std::vector<double> shares;
  for (double at : scale.at) shares.push_back(nearness(std::abs(at - *origin) / unit, form.shape));
  return shares;
}

Result<std::vector<double>> shares_of(const Attribute& attribute, const ValueScale&,
                                      const GradesText& form) {
  std::vector<double> shares(attribute.domain.size(), 0);
  std::vector<bool> graded(shares.size(), false);
  for (const auto& [text, grade] : form.grades) {
    auto value = named_value(attribute, text);
    if (!value) return value.error();
    if (graded[+*value]) {
      return bad_input(
          fmt::format("{} of {} is graded twice, the second time as \"{}\"; grade it once",
                      attribute.domain.text(*value), attribute.name, text));
    }
    graded[+*value] = true;
    shares[+*value] = grade;
  }
  return shares;
}

// The number or bins that an end of a range parts.
Status check_uncut(const Attribute& attribute, const ValueScale& scale,
                   const std::optional<RangeText::End>& end) {
  if (!end || scale.kind != ValueScale::Kind::Bins) return {};
  auto point = number_from_text(end->value);
  if (!point || std::ranges::find(scale.edges, *point) != scale.edges.end()) return {};
  auto above =
      static_cast<std::size_t>(std::ranges::upper_bound(scale.edges, *point) - scale.edges.begin());
  std::string below = above > 0 ? fmt::format("{}", scale.edges[above - 1]) : "";
  std::string over = above < scale.edges.size() ? fmt::format("{}", scale.edges[above]) : "";
  return bad_input(fmt::format(
      "{} is known in bins, and {} lies inside {}, of which a condition takes all or nothing; say "
      "{}{}{}",
      attribute.name, end->value, attribute.domain.values()[above], below,
      below.empty() || over.empty() ? "" : " or ", over));
}

std::vector<bool> full_shares(const std::vector<double>& shares) {
  std::vector<bool> full;
  for (double share : shares) full.push_back(share >= 1);
  return full;
}

}  // namespace

Result<Grades> grades_of(const Attribute& attribute, const WishText& wish) {
  ValueScale scale = ValueScale::of(attribute.domain);
  if (attribute.domain.size() == 0 && !std::holds_alternative<ValuesText>(wish.form)) {
    return bad_input(fmt::format("the index has no values of {} to grade", attribute.name));
  }
  auto shares =
      std::visit([&](const auto& form) { return shares_of(attribute, scale, form); }, wish.form);
  if (!shares) return shares.error();
  Grades grades;
  for (double share : *shares) {
    grades.push_back(static_cast<std::uint8_t>(std::floor(share * full_grade + 0.5)));
  }
  return grades;
}

Result<std::vector<bool>> passing_values(const Attribute& attribute, const RangeText& test) {
  ValueScale scale = ValueScale::of(attribute.domain);
  for (const auto* end : {&test.low, &test.high}) {
    if (auto uncut = check_uncut(attribute, scale, *end); !uncut) return uncut.error();
  }
  auto shares = shares_of(attribute, scale, test);
  if (!shares) return shares.error();
  return full_shares(*shares);
}

Result<std::vector<bool>> passing_values(const Attribute& attribute, const ValuesText& test) {
  std::vector<bool> passing(attribute.domain.size(), false);
  for (const std::string& text : test.values) {
    if (auto range = dotted_range(attribute, text)) {
      auto inside = passing_values(attribute, *range);
      if (!inside) return inside;
      for (std::size_t v = 0; v < passing.size(); ++v) passing[v] = passing[v] || (*inside)[v];
      continue;
    }
    auto value = named_value(attribute, text);
    if (!value) return value.error();
    passing[+*value] = true;
  }
  if (test.negated) passing.flip();
  return passing;
}

}  // namespace rankveil
