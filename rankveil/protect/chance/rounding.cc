#include "rankveil/protect/chance/rounding.h"

#include <algorithm>
#include <cassert>

namespace rankveil {

Rounding::Rounding(std::uint32_t domain, std::uint32_t levels)
    : levels_(levels),
      ranges_(std::size_t{domain} * (levels + std::size_t{1})),
      listed_(domain, 0) {}

void Rounding::end_row() {
  bool silent =
      std::all_of(row_.begin(), row_.end(), [](const Strength& one) { return one.level == 0; });
  for (const auto& [value, level, strength] : row_) {
    if (silent) {
      silent_ = std::max(silent_, strength);
      continue;
    }
    Range& range = ranges_[value * (levels_ + std::size_t{1}) + level];
    range.least = std::min(range.least, strength);
    range.most = std::max(range.most, strength);
    ++listed_[value];
  }
  rows_ += silent ? 0 : 1;
  row_.clear();
}

void Rounding::add(const Rounding& other) {
  assert(ranges_.size() == other.ranges_.size() && "rows of one attribute");
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    ranges_[i].least = std::min(ranges_[i].least, other.ranges_[i].least);
    ranges_[i].most = std::max(ranges_[i].most, other.ranges_[i].most);
  }
  for (std::size_t v = 0; v < listed_.size(); ++v) listed_[v] += other.listed_[v];
  rows_ += other.rows_;
  silent_ = std::max(silent_, other.silent_);
}

double Rounding::largest(std::span<const StrengthSet> sets) const {
  double largest = silent_;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const Range& range = ranges_[i];
    if (range.most < range.least) continue;
    auto level = static_cast<std::uint32_t>(i % (levels_ + std::size_t{1}));
    const StrengthSet& set = sets[i / (levels_ + std::size_t{1})];
    double served = static_cast<double>(nearest_in(set, level)) / levels_;
    largest = std::max({largest, range.most - served, served - range.least});
  }
  for (std::size_t v = 0; v < listed_.size(); ++v) {
    if (listed_[v] == rows_) continue;
    largest = std::max(largest, static_cast<double>(nearest_in(sets[v], 0)) / levels_);
  }
  return largest;
}

std::vector<Rounding> no_rounding(const LevelProfiles& profiles) {
  std::vector<Rounding> attributes;
  for (std::uint32_t domain : profiles.domain_sizes()) {
    attributes.emplace_back(domain, profiles.levels());
  }
  return attributes;
}

double largest_rounding(const std::vector<Rounding>& attributes, const StrengthSets& sets) {
  double largest = 0;
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    largest = std::max(largest, attributes[j].largest(sets[j]));
  }
  return largest;
}

}  // namespace rankveil
