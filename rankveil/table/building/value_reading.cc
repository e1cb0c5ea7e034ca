#include "rankveil/table/building/value_reading.h"

#include <algorithm>
#include <limits>

#include "rankveil/table/number_text.h"

namespace rankveil {

ValueReading::ValueReading(const ColumnPolicy& column) {
  const auto& domain = column.domain;
  if (column.missing) {
    for (const std::string& word : *column.missing) {
      if (std::find(domain.begin(), domain.end(), word) != domain.end()) continue;
      add(word, "");
      if (auto number = number_from_text(word)) missing_numbers_.push_back(*number);
    }
  }
  for (const auto& list : column.same) {
    for (std::size_t i = 1; i < list.size(); ++i) add(list[i], list[0]);
  }
}

void ValueReading::add(const std::string& text, const std::string& read_as) {
  if (texts_.find(std::string_view(text)) != Dictionary::none) return;
  texts_.add(std::string_view(text));
  read_as_.push_back(read_as);
}

std::vector<PackedText> ValueReading::read(std::span<const PackedText> texts) const {
  std::vector<PackedText> result(texts.begin(), texts.end());
  for (PackedText& text : result) {
    if (text.size() == 0) continue;
    std::uint32_t found = texts_.find(text);
    if (found != Dictionary::none) text = std::string_view(read_as_[found]);
  }
  return result;
}

std::vector<double> ValueReading::read(std::span<const double> numbers) const {
  std::vector<double> result(numbers.begin(), numbers.end());
  for (double& number : result) {
    if (std::find(missing_numbers_.begin(), missing_numbers_.end(), number) !=
        missing_numbers_.end()) {
      number = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return result;
}

}  // namespace rankveil
