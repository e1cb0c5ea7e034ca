#include "rankveil/table/row_names.h"

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
  std::string operator()(const RowNumbers&) const { return std::to_string(row); }
  std::string operator()(const IntegerNames& names) const {
    return std::to_string(names.values[row]);
  }
  std::string operator()(const TextNames& names) const {
    std::uint64_t begin = row == 0 ? 0 : names.ends[row - 1];
    return names.bytes.substr(begin, names.ends[row] - begin);
  }
};

}  // namespace

std::uint32_t RowNames::size() const { return std::visit(Size{}, names_); }

std::string RowNames::text(RowId row) const { return std::visit(Text{+row}, names_); }

}  // namespace rankveil
