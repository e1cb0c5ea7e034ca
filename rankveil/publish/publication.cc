#include "rankveil/publish/publication.h"

#include <fmt/core.h>

namespace rankveil::publish {

namespace {

std::string with_commas(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string range_text(const Range& range) {
  return fmt::format("[{}, {}]", number_text(range.low), number_text(range.high));
}

}  // namespace

std::string number_text(double number) { return fmt::format("{}", number); }

std::string Generalised::text() const {
  std::string text = range ? range_text(*range) : label ? *label : with_commas(values);
  if (!missing) return text;
  return text.empty() ? std::string(missing_text) : fmt::format("{} or {}", text, missing_text);
}

std::string Disclosure::text() const {
  if (!is_shown()) return "withheld: " + withheld;
  std::vector<std::string> parts;
  if (range) parts.push_back(range_text(*range));
  for (const auto& [value, count] : values) parts.push_back(fmt::format("{}: {}", value, count));
  if (missing > 0) parts.push_back(fmt::format("{}: {}", missing_text, missing));
  return with_commas(parts);
}

}  // namespace rankveil::publish
