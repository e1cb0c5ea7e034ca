#include "rankveil/table/draft/column_study.h"

#include <algorithm>
#include <numeric>

#include "rankveil/table/draft/value_lists.h"
#include "rankveil/table/ids.h"
#include "rankveil/table/number_text.h"

namespace rankveil::draft {

namespace {

bool is_short_code(std::string_view value) {
  return value.size() == 2 &&
         std::all_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Among AF, AS, EU and among US states, NA and ND are places.
bool holds_short_codes(const std::vector<std::string>& values) {
  auto codes = std::count_if(values.begin(), values.end(),
                             [](const std::string& value) { return is_short_code(value); });
  return codes >= 4 && 2 * static_cast<std::size_t>(codes) > values.size();
}

}  // namespace

std::vector<std::size_t> ColumnFacts::by_frequency() const {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return counts[left] > counts[right];
  });
  return order;
}

std::uint16_t ColumnStudy::meet(const PackedText& text) {
  if (is_numeric_ && !number_from_text(text.view()) && !is_missing_word(text.view())) {
    is_numeric_ = false;
  }
  if (values_.size() >= largest_domain) {
    facts_.is_exact = false;
    return ColumnFacts::no_code;
  }
  facts_.counts.push_back(0);
  return static_cast<std::uint16_t>(values_.add(text));
}

void ColumnStudy::add_value(const PackedText& text) {
  ++facts_.present;
  std::uint32_t found = values_.find(text);
  auto code = found == Dictionary::none ? meet(text) : static_cast<std::uint16_t>(found);
  if (code != ColumnFacts::no_code) ++facts_.counts[code];
  if (facts_.codes.size() < sampled_rows) facts_.codes.push_back(code);
  if (!is_numeric_ || facts_.numbers.size() >= sampled_rows) return;
  if (auto number = number_from_text(text.view())) facts_.numbers.push_back(*number);
}

void ColumnStudy::add(std::span<const PackedText> texts, Presence present) {
  facts_.rows += texts.size();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (present[i] && texts[i].size() > 0) {
      add_value(texts[i]);
    } else if (facts_.codes.size() < sampled_rows) {
      facts_.codes.push_back(ColumnFacts::no_code);
    }
  }
}

// Takes words for "no value" out of the values and numbers what stays anew.
void ColumnStudy::set_missing_apart() {
  const auto& texts = values_.texts();
  bool short_codes = holds_short_codes(texts);
  std::vector<std::uint16_t> now(texts.size(), ColumnFacts::no_code);
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (is_missing_word(texts[i]) && !(short_codes && is_short_code(texts[i]))) {
      facts_.missing.push_back(texts[i]);
      facts_.present -= facts_.counts[i];
      continue;
    }
    now[i] = static_cast<std::uint16_t>(facts_.values.size());
    facts_.values.push_back(texts[i]);
    counts.push_back(facts_.counts[i]);
  }
  for (std::uint16_t& code : facts_.codes) {
    if (code != ColumnFacts::no_code) code = now[code];
  }
  facts_.counts = std::move(counts);
}

ColumnFacts ColumnStudy::finish() && {
  set_missing_apart();
  facts_.distinct = facts_.values.size() + (facts_.is_exact ? 0 : 1);
  facts_.is_numeric = is_numeric_ && facts_.present > 0;
  return std::move(facts_);
}

}  // namespace rankveil::draft
