#include "rankveil/table/telling/summary.h"

#include <algorithm>
#include <array>

#include "rankveil/table/row_groups.h"

namespace rankveil {
namespace {

constexpr std::uint64_t small_group = 21;
// Where classes of group sizes end; the last one has no end.
constexpr std::array<std::uint64_t, 6> class_ends = {1, 5, small_group - 1, 100, 1'000, UINT64_MAX};

template <typename Codes>
void count_codes(const Codes& codes, std::vector<std::uint64_t>& counts) {
  for (auto code : codes) ++counts[code];
}

// Missing is counted behind the values.
std::vector<std::uint64_t> code_counts(const Column& column) {
  std::vector<std::uint64_t> counts(std::size_t{column.domain_size()} + 1);
  if (column.is_narrow()) {
    count_codes(column.narrow(), counts);
  } else {
    count_codes(column.wide(), counts);
  }
  return counts;
}

AttributeSummary summarize(const Attribute& attribute, const Column& column) {
  std::vector<std::uint64_t> counts = code_counts(column);
  AttributeSummary summary{attribute.name, attribute.is_private(), attribute.weight, {}, 0, 0};
  for (std::uint32_t i = 0; i < attribute.domain.size(); ++i) {
    summary.values.push_back({attribute.domain.values()[i], counts[i]});
  }
  summary.missing = counts.back();
  if (attribute.is_private()) summary.largest_l = attribute.domain.size();
  return summary;
}

std::vector<GroupSizeClass> count_by_class(const std::vector<std::uint32_t>& sizes) {
  std::vector<GroupSizeClass> classes;
  std::uint64_t least = 1;
  for (std::uint64_t end : class_ends) {
    classes.push_back({least, end, 0, 0});
    least = end + 1;
  }
  for (std::uint64_t size : sizes) {
    auto place = std::lower_bound(class_ends.begin(), class_ends.end(), size) - class_ends.begin();
    auto& own = classes[static_cast<std::size_t>(place)];
    ++own.groups;
    own.rows += size;
  }
  std::erase_if(classes, [](const GroupSizeClass& one) { return one.groups == 0; });
  return classes;
}

GroupSummary summarize_groups(std::vector<std::uint32_t> sizes) {
  GroupSummary summary{};
  if (sizes.empty()) return summary;
  summary.groups = sizes.size();
  summary.sizes = count_by_class(sizes);
  for (std::uint64_t size : sizes) {
    if (size == 1) ++summary.unique_rows;
    if (size < small_group) summary.rows_below_21 += size;
  }
  auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end());
  summary.smallest = *smallest;
  summary.largest = *largest;
  auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  summary.median = *middle;
  return summary;
}

std::vector<AttributeId> first_attributes(std::uint32_t count) {
  std::vector<AttributeId> attributes;
  for (std::uint32_t i = 0; i < count; ++i) attributes.push_back(AttributeId{i});
  return attributes;
}

}  // namespace

TableSummary summarize(const Table& table) {
  const Schema& schema = table.schema();
  TableSummary summary{};
  summary.rows = table.rows();
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    summary.attributes.push_back(summarize(schema.attributes[i], table.column(AttributeId{i})));
  }
  summary.public_groups =
      summarize_groups(group_sizes(table, first_attributes(schema.public_count())));
  summary.repeated_rows = table.rows() - group_sizes(table, first_attributes(schema.size())).size();
  summary.table_bytes = table.bytes();
  return summary;
}

}  // namespace rankveil
