#include "rankveil/table/column.h"

#include <algorithm>
#include <cassert>

namespace rankveil {

namespace {

template <typename Code>
std::vector<Code> encode(std::uint32_t domain_size, std::span<const ValueId> values) {
  std::vector<Code> codes;
  codes.reserve(values.size());
  for (ValueId value : values) {
    assert((value == missing_value || +value < domain_size) && "a value outside its domain");
    codes.push_back(static_cast<Code>(value == missing_value ? domain_size : +value));
  }
  return codes;
}

}  // namespace

Column::Column(std::uint32_t domain_size, std::span<const ValueId> values)
    : domain_size_(domain_size) {
  bool some_missing = std::find(values.begin(), values.end(), missing_value) != values.end();
  if (domain_size + (some_missing ? 1 : 0) <= 256) {
    codes_ = encode<std::uint8_t>(domain_size, values);
  } else {
    codes_ = encode<std::uint16_t>(domain_size, values);
  }
}

std::size_t Column::size() const {
  return std::visit([](const auto& codes) { return codes.size(); }, codes_);
}

}  // namespace rankveil
