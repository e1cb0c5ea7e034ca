#include "rankveil/publish/release/publication.h"

#include <fmt/core.h>

namespace rankveil::publish {

namespace {

std::string with_commas(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace

// Sums of parts have up to 17 digits, of which people need ten at most.
std::string text_of(const Range& range, RangeStyle style) {
  if (style == RangeStyle::Data) {
    return fmt::format("[{}, {}]", number_text(range.low), number_text(range.high));
  }
  return range.low == range.high ? fmt::format("{:.10g}", range.low)
                                 : fmt::format("{:.10g} to {:.10g}", range.low, range.high);
}

std::string number_text(double number) { return fmt::format("{}", number); }

std::string Generalised::text(RangeStyle style) const {
  std::string text = range ? text_of(*range, style) : label ? *label : with_commas(values);
  if (!missing) return text;
  return text.empty() ? std::string(missing_text) : fmt::format("{} or {}", text, missing_text);
}

std::string Disclosure::text(RangeStyle style) const {
  if (!is_shown()) return "withheld: " + withheld;
  std::vector<std::string> parts;
  if (range) parts.push_back(text_of(*range, style));
  for (const auto& [value, count] : values) parts.push_back(fmt::format("{}: {}", value, count));
  if (missing > 0) parts.push_back(fmt::format("{}: {}", missing_text, missing));
  return with_commas(parts);
}

}  // namespace rankveil::publish
