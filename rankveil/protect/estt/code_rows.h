// The private values of the rows of one group, side by side, for comparing rows quickly.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil {

class CodeRows {
 public:
  CodeRows() = default;
  // A missing value is a value of its own.
  CodeRows(const Task& task, std::span<const RowId> rows);
  // Row by row; for tests.
  CodeRows(std::uint32_t width, const std::vector<std::uint16_t>& codes);

  std::uint32_t size() const { return size_; }
  std::uint32_t width() const { return width_; }  // attributes
  std::uint16_t code(std::uint32_t row, std::uint32_t attribute) const {
    return codes_[std::size_t{row} * stride_ + attribute];
  }

  // In how many attributes two rows are equal.
  std::uint32_t same(std::uint32_t left, std::uint32_t right) const {
    const std::uint16_t* a = codes_.data() + std::size_t{left} * stride_;
    const std::uint16_t* b = codes_.data() + std::size_t{right} * stride_;
    std::uint64_t equal = 0;
    for (std::uint32_t i = 0; i < stride_; i += 4) equal += equal_in_word(a + i, b + i);
    return static_cast<std::uint32_t>(equal) - (stride_ - width_);
  }

  // The rows of [begin, begin + count) alone.
  CodeRows part(std::uint32_t begin, std::uint32_t count) const;

 private:
  // Four codes at a time. A code of x is 0 where both are equal; adding 0x7FFF to its lower bits
  // sets the highest one exactly where it is not.
  static std::uint64_t equal_in_word(const std::uint16_t* a, const std::uint16_t* b) {
    constexpr std::uint64_t low = 0x7FFF7FFF7FFF7FFFU;
    std::uint64_t left;
    std::uint64_t right;
    std::memcpy(&left, a, sizeof left);
    std::memcpy(&right, b, sizeof right);
    std::uint64_t x = left ^ right;
    std::uint64_t equal = ~(((x & low) + low) | x | low);
    return ((equal >> 15) * 0x0001000100010001U) >> 48;
  }

  void set_shape(std::uint32_t size, std::uint32_t width);

  std::uint32_t size_ = 0;
  std::uint32_t width_ = 0;
  std::uint32_t stride_ = 0;  // the width, rounded up to four; what is over is 0
  std::vector<std::uint16_t> codes_;
};

// How often each code of an attribute occurs, in no particular order.
std::vector<std::uint32_t> code_counts(const CodeRows& rows, std::uint32_t attribute);

}  // namespace rankveil
