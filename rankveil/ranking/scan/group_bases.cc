#include "rankveil/ranking/scan/group_bases.h"

#include <algorithm>

namespace rankveil {

namespace {

// Floats hold whole numbers below this.
constexpr double float_limit = 1 << 24;

template <typename Count>
std::vector<const Count*> pointers(std::span<const ShareColumn> columns, const Count* counts) {
  std::vector<const Count*> all;
  all.reserve(columns.size());
  for (const ShareColumn& column : columns) all.push_back(counts + column.place);
  return all;
}

std::vector<double> weights_of(std::span<const ShareColumn> columns) {
  std::vector<double> all;
  all.reserve(columns.size());
  for (const ShareColumn& column : columns) all.push_back(column.weight);
  return all;
}

double total_weight(std::span<const ShareColumn> columns) {
  double total = 0;
  for (const ShareColumn& column : columns) total += column.weight;
  return total;
}

double sum_of(const ProfileKind& kind, std::span<const ShareColumn> columns, std::uint32_t group) {
  const std::uint32_t* counts = kind.shares.counts.items().data();
  double sum = 0;
  for (const ShareColumn& column : columns) sum += column.weight * counts[column.place + group];
  return sum;
}

// The sums of groups whose counts may not fit a byte.
void add_large_groups(const ProfileKind& kind, std::span<const ShareColumn> columns, float* sums) {
  for (std::uint32_t group : kind.large_groups) {
    sums[group] = static_cast<float>(sum_of(kind, columns, group));
  }
}

}  // namespace

GroupBases::GroupBases(const ProfileKind& kind, std::vector<ShareColumn> columns, double scale)
    : kind_(&kind),
      columns_(std::move(columns)),
      scale_(scale),
      counted_as_(smallest_counts()),
      lazy_(std::in_place) {}

// Those whose sums are whole numbers in floats.
GroupBases::CountedAs GroupBases::smallest_counts() const {
  double total = total_weight(columns_);
  if (total * kind_->largest_group >= float_limit) return CountedAs::Whole;
  if (!kind_->byte_counts.empty() && total * UINT8_MAX <= UINT16_MAX) return CountedAs::Bytes;
  return kind_->narrow_counts.empty() ? CountedAs::Whole : CountedAs::Narrow;
}

GroupBases::Added GroupBases::add_up() const {
  Added added;
  const ProfileKind& kind = *kind_;
  const kernels::Kernel& kernel = kernels::kernel_in_use();
  std::vector<double> weights = weights_of(columns_);
  auto count = static_cast<std::uint32_t>(columns_.size());
  std::size_t groups = kind.shares.groups();
  if (counted_as_ == CountedAs::Whole) {
    added.bases.resize(groups);
    auto counts = pointers(columns_, kind.shares.counts.items().data());
    kernel.bases({counts.data(), weights.data(), count, kind.shares.sizes.items().data(),
                  kind.factors.data(), scale_, groups},
                 added.bases.data());
    return added;
  }
  added.sums = std::make_unique_for_overwrite<float[]>(groups);
  if (counted_as_ == CountedAs::Bytes) {
    auto counts = pointers(columns_, kind.byte_counts.data());
    kernel.share_sums({counts.data(), nullptr, weights.data(), count, groups}, added.sums.get());
    add_large_groups(kind, columns_, added.sums.get());
  } else {
    auto counts = pointers(columns_, kind.narrow_counts.data());
    kernel.share_sums({nullptr, counts.data(), weights.data(), count, groups}, added.sums.get());
  }
  return added;
}

std::int64_t GroupBases::from_counts(std::uint32_t group) const {
  return from(kind_->factors[group], sum_of(*kind_, columns_, group), kind_->shares.sizes[group]);
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

void GroupBases::thresholds(std::uint32_t first, std::size_t count, const ReachTask& task,
                            std::uint8_t* out) const {
  const kernels::Kernel& kernel = kernels::kernel_in_use();
  auto floor = static_cast<double>(task.floor);
  double per_unit = 1 / static_cast<double>(task.unit);
  auto most = static_cast<std::int32_t>(task.most);
  const Added& all = added();
  if (all.sums == nullptr) {
    // These bases may be one too low.
    return kernel.thresholds({all.bases.data() + first, count, floor - 1, per_unit, most}, out);
  }
  // Five roundings of floats no larger than the floor, and that of a base to a whole number, must
  // not make a threshold too high.
  double sum = floor * per_unit;
  double slack = std::max(0.0, sum) * 0x1p-20 + 0.5 * per_unit;
  kernel.share_thresholds(
      {all.sums.get() + first, kind_->share_units.data() + first, count,
       static_cast<float>(sum - slack), static_cast<float>(scale_ * per_unit), most},
      out);
}

}  // namespace rankveil
