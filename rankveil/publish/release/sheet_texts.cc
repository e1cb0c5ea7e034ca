#include "rankveil/publish/release/sheet_texts.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "rankveil/table/number_text.h"

namespace rankveil::publish {

namespace {

constexpr std::string_view comma = ", ";
constexpr std::string_view withheld = "withheld: ";
constexpr std::string_view or_missing = " or (missing)";

using Parts = std::vector<std::string>;

// Parts with commas between them, each of which `is_part` takes; nothing: there is no such reading.
// Long parts are preferred: commas inside of a value stay there.
std::optional<Parts> split_at_parts(std::string_view text,
                                    const std::function<bool(std::string_view)>& is_part) {
  // From every place after a comma: where the part that starts there ends. Worked out from the end.
  std::vector<std::size_t> starts = {0};
  for (std::size_t at = text.find(comma); at != std::string_view::npos;
       at = text.find(comma, at + 1)) {
    starts.push_back(at + comma.size());
  }
  std::vector<std::size_t> next(starts.size() + 1, 0);  // index of the next start; 0: no reading
  for (std::size_t i = starts.size(); i-- > 0;) {
    for (std::size_t j = starts.size(); j > i && next[i] == 0; --j) {
      bool last = j == starts.size();
      if (!last && next[j] == 0) continue;
      std::size_t end = last ? text.size() : starts[j] - comma.size();
      if (end >= starts[i] && is_part(text.substr(starts[i], end - starts[i]))) next[i] = j;
    }
  }
  if (next[0] == 0) return std::nullopt;
  Parts parts;
  for (std::size_t i = 0; i < starts.size(); i = next[i]) {
    std::size_t end = next[i] == starts.size() ? text.size() : starts[next[i]] - comma.size();
    parts.emplace_back(text.substr(starts[i], end - starts[i]));
  }
  return parts;
}

Parts split_everywhere(std::string_view text) {
  Parts parts;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = std::min(text.find(comma, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + comma.size();
  }
  return parts;
}

std::optional<Range> range_from_text(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  std::size_t middle = text.find(comma);
  if (middle == std::string_view::npos) return std::nullopt;
  auto low = number_from_text(text.substr(1, middle - 1));
  auto high = number_from_text(text.substr(middle + 2, text.size() - middle - 3));
  if (!low || !high) return std::nullopt;
  return Range{*low, *high};
}

// "Boston: 3"; a value may hold a colon, too.
struct CountedValue {
  std::string_view value;
  std::uint64_t count = 0;
};
std::optional<CountedValue> counted_from_text(std::string_view text) {
  std::size_t colon = text.rfind(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  CountedValue found{text.substr(0, colon)};
  const char* end = text.data() + text.size();
  auto [at, problem] = std::from_chars(text.data() + colon + 2, end, found.count);
  if (problem != std::errc() || at != end) return std::nullopt;
  return found;
}

std::function<bool(std::string_view)> is_among(const connect::TextColumn& column) {
  return [known = std::set<std::string, std::less<>>(column.values.begin(), column.values.end())](
             std::string_view text) { return known.contains(text); };
}

}  // namespace

Generalised generalised_from_text(const connect::TextColumn& column, const std::string& text,
                                  bool has_hierarchy) {
  Generalised result{.column = column.name};
  const auto is_value = is_among(column);
  std::string_view rest = text;
  if (rest == missing_text && !is_value(rest)) {
    result.missing = true;
    return result;
  }
  if (rest.ends_with(or_missing) && !split_at_parts(rest, is_value)) {
    result.missing = true;
    rest.remove_suffix(or_missing.size());
  }
  if (has_hierarchy) {
    result.label = std::string(rest);
  } else if (auto range = range_from_text(rest); range && !is_value(rest)) {
    result.range = range;
  } else if (!rest.empty()) {
    result.values = split_at_parts(rest, is_value).value_or(split_everywhere(rest));
    // None of them is a value: the label of a hierarchy that nobody passed.
    if (std::ranges::none_of(result.values, is_value)) {
      result.label = std::string(rest);
      result.values.clear();
    }
  }
  return result;
}

Disclosure disclosure_from_text(const connect::TextColumn& column, const std::string& text) {
  Disclosure result{.column = column.name};
  if (text.starts_with(withheld)) {
    result.withheld = text.substr(withheld.size());
    return result;
  }
  std::string_view rest = text;
  std::size_t end = rest.find(']');
  if (auto range = range_from_text(rest.substr(0, end == std::string_view::npos ? 0 : end + 1))) {
    result.range = range;
    rest.remove_prefix(std::min(rest.size(), end + 1 + comma.size()));
  }
  if (rest.empty()) return result;
  const auto is_value = is_among(column);
  auto is_part = [&](std::string_view part) {
    auto counted = counted_from_text(part);
    return counted && (is_value(counted->value) || counted->value == missing_text);
  };
  for (const std::string& part : split_at_parts(rest, is_part).value_or(split_everywhere(rest))) {
    auto counted = counted_from_text(part).value_or(CountedValue{part});
    if (counted.value == missing_text && !is_value(missing_text)) {
      result.missing += counted.count;
    } else {
      result.values.emplace_back(counted.value, counted.count);
    }
  }
  return result;
}

bool looks_sensitive(const std::string& text) {
  return text.starts_with(withheld) || (!text.empty() && counted_from_text(text).has_value());
}

bool looks_like_range(const std::string& text) { return range_from_text(text).has_value(); }

}  // namespace rankveil::publish
