#include "rankveil/ranking/bound_feeds.h"

#include <algorithm>

namespace rankveil {

bool BoundFeeds::fit(std::span<const Wish> wishes, std::uint32_t first_private) {
  return std::all_of(wishes.begin(), wishes.end(), [&](const Wish& wish) {
    return wish.attribute < first_private || wish.values->size() == 1;
  });
}

BoundFeeds::BoundFeeds(std::span<const Feed> units, std::span<const Wish> wishes,
                       std::uint32_t first_private, const RegularRows& rows)
    : rows_(&rows), feeds_(units.begin(), units.end()) {
  std::int64_t largest = 0;  // what a step counts at most
  for (const Wish& wish : wishes) {
    if (wish.attribute < first_private) continue;
    std::uint32_t attribute = wish.attribute - first_private;
    std::uint32_t value = +wish.values->front();
    largest = std::max(largest, wish.weight);
    // A value that came with later rows is nobody's here.
    if (value >= rows.domain_size(attribute) || rows.level(attribute, value) == 0) continue;
    feeds_.push_back({rows.bitmap(attribute, value), wish.weight * rows.level(attribute, value)});
  }
  if (largest == 0) return;
  for (const auto& [bitmap, steps] : rows.extras()) feeds_.push_back({bitmap, largest * steps});
}

}  // namespace rankveil
