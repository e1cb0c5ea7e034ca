#include "rankveil/table/row_names.h"

#include <charconv>

namespace rankveil {

namespace {

struct Size {
  std::uint32_t operator()(const RowNumbers& names) const { return names.count; }
  std::uint32_t operator()(const IntegerNames& names) const {
    return static_cast<std::uint32_t>(names.values.size());
  }
  std::uint32_t operator()(const TextNames& names) const {
    return static_cast<std::uint32_t>(names.ends.size());
  }
};

struct Text {
  std::uint32_t row;
  RowNames::Digits& digits;

  std::string_view written(std::int64_t number) const {
    char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return {digits.data(), end};
  }
  std::string_view operator()(const RowNumbers&) const { return written(row); }
  std::string_view operator()(const IntegerNames& names) const {
    return written(names.values[row]);
  }
  std::string_view operator()(const TextNames& names) const {
    std::uint64_t begin = row == 0 ? 0 : names.ends[row - 1];
    return std::string_view(names.bytes).substr(begin, names.ends[row] - begin);
  }
};

}  // namespace

std::uint32_t RowNames::size() const { return std::visit(Size{}, names_); }

std::string RowNames::text(RowId row) const {
  Digits digits;
  return std::string(text(row, digits));
}

std::string_view RowNames::text(RowId row, Digits& digits) const {
  return std::visit(Text{+row, digits}, names_);
}

}  // namespace rankveil
