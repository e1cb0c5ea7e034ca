#include "rankveil/ranking/scan/group_bases.h"

#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil {

GroupBases::GroupBases(const ProfileKind& kind, std::vector<ShareColumn> columns, double scale)
    : kind_(&kind), columns_(std::move(columns)), scale_(scale) {
  counts_.reserve(columns_.size());
  weights_.reserve(columns_.size());
  for (const ShareColumn& column : columns_) {
    counts_.push_back(kind.shares.counts.items().data() + column.place);
    weights_.push_back(column.weight);
  }
}

std::int64_t GroupBases::of(std::uint32_t group) const {
  double sum = 0;
  for (std::size_t c = 0; c < counts_.size(); ++c) sum += weights_[c] * counts_[c][group];
  return from(kind_->factors[group], sum, kind_->shares.sizes[group]);
}

// What is left over says how far off the estimate was. Whole numbers all, the scale a power of two;
// factor x sum is below 2^53.
std::int64_t GroupBases::rounded(std::int64_t estimate, double factor_sum, double size) const {
  using Wide = __int128;
  auto rows = static_cast<std::int64_t>(size);
  Wide twice = static_cast<Wide>(static_cast<std::int64_t>(factor_sum)) *
               static_cast<std::int64_t>(2 * scale_);
  auto left = static_cast<std::int64_t>(twice - static_cast<Wide>(estimate) * 2 * rows);
  for (; left >= rows; left -= 2 * rows) ++estimate;
  for (; left < -rows; left += 2 * rows) --estimate;
  return estimate;
}

void GroupBases::limits(std::uint32_t first, std::size_t count, const ReachTask& task,
                        std::uint8_t* out) const {
  // Exact bases are rounded to whole numbers, perhaps up: hence the 1.
  kernels::kernel_in_use().group_limits(
      {counts_.data(), weights_.data(), static_cast<std::uint32_t>(counts_.size()),
       kind_->shares.sizes.items().data(), kind_->factors.data(), first, count, scale_,
       static_cast<double>(task.floor - 1), 1 / static_cast<double>(task.unit),
       static_cast<std::int32_t>(task.most)},
      out);
}

}  // namespace rankveil
