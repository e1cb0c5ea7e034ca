#include "rankveil/protect/estt/code_rows.h"

#include <algorithm>

namespace rankveil {

void CodeRows::set_shape(std::uint32_t size, std::uint32_t width) {
  size_ = size;
  width_ = width;
  stride_ = (width + 3) / 4 * 4;
  codes_.assign(std::size_t{size} * stride_, 0);
}

CodeRows::CodeRows(const Task& task, std::span<const RowId> rows) {
  set_shape(static_cast<std::uint32_t>(rows.size()), task.private_count());
  for (std::uint32_t j = 0; j < width_; ++j) {
    const Column& column = task.private_column(PrivateId{j});
    std::uint16_t* to = codes_.data() + j;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      to[i * stride_] = static_cast<std::uint16_t>(+column.value(rows[i]));
    }
  }
}

CodeRows::CodeRows(std::uint32_t width, const std::vector<std::uint16_t>& codes) {
  set_shape(static_cast<std::uint32_t>(codes.size() / width), width);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes_[i / width * stride_ + i % width] = codes[i];
  }
}

CodeRows CodeRows::part(std::uint32_t begin, std::uint32_t count) const {
  CodeRows rows;
  rows.set_shape(count, width_);
  auto from = codes_.begin() + static_cast<std::ptrdiff_t>(std::size_t{begin} * stride_);
  std::copy_n(from, rows.codes_.size(), rows.codes_.begin());
  return rows;
}

namespace {

std::vector<std::uint32_t> count_by_sorting(const CodeRows& rows, std::uint32_t attribute) {
  std::vector<std::uint16_t> codes;
  codes.reserve(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) codes.push_back(rows.code(i, attribute));
  std::sort(codes.begin(), codes.end());
  std::vector<std::uint32_t> counts;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i == 0 || codes[i] != codes[i - 1]) counts.push_back(0);
    ++counts.back();
  }
  return counts;
}

}  // namespace

std::vector<std::uint32_t> code_counts(const CodeRows& rows, std::uint32_t attribute) {
  constexpr std::uint32_t worth_a_table = 4096;
  if (rows.size() < worth_a_table) return count_by_sorting(rows, attribute);
  std::vector<std::uint32_t> counts(0x10000, 0);
  for (std::uint32_t i = 0; i < rows.size(); ++i) ++counts[rows.code(i, attribute)];
  std::erase(counts, 0U);
  return counts;
}

}  // namespace rankveil
