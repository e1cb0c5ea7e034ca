#include "rankveil/ranking/scan/bound_feeds.h"

#include <algorithm>
#include <cassert>

namespace rankveil {

bool BoundFeeds::fit(std::span<const Wish> wishes, std::uint32_t first_private) {
  bool single = std::all_of(wishes.begin(), wishes.end(), [&](const Wish& wish) {
    return wish.attribute < first_private || wish.values->size() == 1;
  });
  auto again =
      std::adjacent_find(wishes.begin(), wishes.end(), [&](const Wish& left, const Wish& right) {
        return left.attribute == right.attribute && left.attribute >= first_private;
      });
  return single && again == wishes.end();
}

BoundFeeds::BoundFeeds(std::span<const Feed> units, std::span<const Wish> wishes,
                       std::uint32_t first_private, const StrengthBounds& bounds)
    : bounds_(&bounds), feeds_(units.begin(), units.end()) {
  for (const Wish& wish : wishes) {
    if (wish.attribute < first_private) continue;
    assert(wish.weight % StrengthBounds::parts == 0 && "a level has parts");
    std::uint32_t attribute = wish.attribute - first_private;
    std::uint32_t value = +wish.values->front();
    if (value >= bounds.domain_size(attribute)) continue;  // it came with later rows
    StrengthBounds::Bound bound = bounds.bound(attribute, value);
    std::int64_t weight = wish.weight / StrengthBounds::parts;
    assert(wish.grades == nullptr && "the grade of one value is part of its weight");
    if (bound.bitmap != nullptr) feeds_.push_back({bound.bitmap, weight * bound.step});
    constant_ += weight * bound.low;
    parts_.push_back({attribute, bound.excess, weight});
    extra_weight_ = std::max(extra_weight_, weight);  // of whichever attribute it is
  }
  if (parts_.empty()) return;
  for (const auto& [bitmap, step] : bounds.extras())
    feeds_.push_back({bitmap, extra_weight_ * step});
}

std::int64_t BoundFeeds::excess(std::uint32_t position) const {
  const std::uint16_t* codes = bounds_->codes(position);
  std::int64_t total = extra_weight_ * codes[bounds_->attributes()];
  for (const Part& part : parts_) total += part.weight * part.excess[codes[part.attribute]];
  return total;
}

std::int64_t BoundFeeds::score(std::uint32_t position) const {
  std::int64_t total = constant_ - excess(position);
  for (const Feed& feed : feeds_) total += feed.at(position);
  return total;
}

}  // namespace rankveil
