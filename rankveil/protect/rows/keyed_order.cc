#include "rankveil/protect/rows/keyed_order.h"

#include <algorithm>

namespace rankveil {

namespace {

struct HashedRow {
  std::uint64_t hash;
  std::uint32_t row;
};

}  // namespace

std::vector<std::uint32_t> keyed_order(const RowNames& ids, const SecretKey& key) {
  KeyedStream stream(key, "row order");
  std::vector<HashedRow> rows(ids.size());
  RowNames::Digits digits;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    rows[row] = {stream.number(ids.text(RowId{row}, digits)), row};
  }
  std::ranges::sort(rows, [&](const HashedRow& left, const HashedRow& right) {
    if (left.hash != right.hash) return left.hash < right.hash;
    return ids.text(RowId{left.row}) < ids.text(RowId{right.row});
  });
  std::vector<std::uint32_t> order(rows.size());
  std::ranges::transform(rows, order.begin(), &HashedRow::row);
  return order;
}

}  // namespace rankveil
