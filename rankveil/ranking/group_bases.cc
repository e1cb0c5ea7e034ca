#include "rankveil/ranking/group_bases.h"

#include <algorithm>

namespace rankveil {

namespace {

// Floats hold whole numbers below this.
constexpr double float_limit = 1 << 24;
// Adding and taking away 1.5 x 2^52 rounds to a whole number, as kernels do.
constexpr double rounder = 6755399441055744.0;

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

// The sums of groups whose counts may not fit a byte.
void add_large_groups(const ProfileKind& kind, std::span<const ShareColumn> columns, float* sums) {
  const std::uint32_t* counts = kind.shares.counts.items().data();
  for (std::uint32_t group : kind.large_groups) {
    double sum = 0;
    for (const ShareColumn& column : columns) sum += column.weight * counts[column.place + group];
    sums[group] = static_cast<float>(sum);
  }
}

}  // namespace

GroupBases::GroupBases(const ProfileKind& kind, std::span<const ShareColumn> columns, double scale)
    : kind_(&kind), scale_(scale) {
  const kernels::Kernel& kernel = kernels::kernel_in_use();
  std::vector<double> weights = weights_of(columns);
  auto count = static_cast<std::uint32_t>(columns.size());
  std::size_t groups = kind.shares.groups();
  double total = total_weight(columns);
  bool floats_do = total * kind.largest_group < float_limit;
  if (!kind.byte_counts.empty() && floats_do && total * UINT8_MAX <= UINT16_MAX) {
    sums_ = std::make_unique_for_overwrite<float[]>(groups);
    auto counts = pointers(columns, kind.byte_counts.data());
    kernel.share_sums({counts.data(), nullptr, weights.data(), count, groups}, sums_.get());
    add_large_groups(kind, columns, sums_.get());
  } else if (!kind.narrow_counts.empty() && floats_do) {
    sums_ = std::make_unique_for_overwrite<float[]>(groups);
    auto counts = pointers(columns, kind.narrow_counts.data());
    kernel.share_sums({nullptr, counts.data(), weights.data(), count, groups}, sums_.get());
  } else {
    bases_.resize(groups);
    auto counts = pointers(columns, kind.shares.counts.items().data());
    kernel.bases({counts.data(), weights.data(), count, kind.shares.sizes.items().data(),
                  kind.factors.data(), scale, groups},
                 bases_.data());
  }
}

std::int64_t GroupBases::of(std::uint32_t group) const {
  if (sums_ == nullptr) return static_cast<std::int64_t>(bases_[group]);
  double size = kind_->shares.sizes[group];
  double base = kind_->factors[group] * static_cast<double>(sums_[group]) / size * scale_;
  return static_cast<std::int64_t>((base + rounder) - rounder);
}

void GroupBases::thresholds(std::uint32_t first, std::size_t count, const ReachTask& task,
                            std::uint8_t* out) const {
  const kernels::Kernel& kernel = kernels::kernel_in_use();
  auto floor = static_cast<double>(task.floor);
  double per_unit = 1 / static_cast<double>(task.unit);
  auto most = static_cast<std::int32_t>(task.most);
  if (sums_ == nullptr) {
    return kernel.thresholds({bases_.data() + first, count, floor, per_unit, most}, out);
  }
  // Five roundings of floats no larger than the floor, and that of a base to a whole number, must
  // not make a threshold too high.
  double sum = floor * per_unit;
  double slack = std::max(0.0, sum) * 0x1p-20 + 0.5 * per_unit;
  kernel.share_thresholds(
      {sums_.get() + first, kind_->share_units.data() + first, count,
       static_cast<float>(sum - slack), static_cast<float>(scale_ * per_unit), most},
      out);
}

}  // namespace rankveil
