#include "rankveil/ranking/regular_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

namespace rankveil {

namespace {

constexpr std::uint32_t block_rows = 64;
constexpr std::uint32_t least_bits = 3;
// With more others, scoring them one by one costs more than reading their bits.
constexpr std::uint32_t rows_per_other = 32;

// The eight bits of a byte, each in a byte of its own.
constexpr std::array<std::uint64_t, 256> spread_bits = [] {
  std::array<std::uint64_t, 256> spread{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    for (std::uint32_t bit = 0; bit < 8; ++bit) spread[byte] |= ((byte >> bit) & 1) << (8 * bit);
  }
  return spread;
}();

using BlockStrengths = std::array<std::uint8_t, block_rows>;

// Strengths of a value in rows 64 block to 64 block + 63.
BlockStrengths strengths_of(const AttributePlanes& planes, std::uint32_t value,
                            std::uint32_t block) {
  std::array<std::uint64_t, block_rows / 8> eights{};
  for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
    const std::uint64_t* bitmap = planes.plane(value, bit).bits;
    if (bitmap == nullptr) continue;
    for (std::uint32_t i = 0; i < eights.size(); ++i) {
      eights[i] |= spread_bits[(bitmap[block] >> (8 * i)) & 255] << bit;
    }
  }
  BlockStrengths strengths;
  std::memcpy(strengths.data(), eights.data(), sizeof eights);
  return strengths;
}

bool are_graded(std::span<const AttributePlanes> attributes) {
  return std::all_of(attributes.begin(), attributes.end(), [](const AttributePlanes& attribute) {
    bool lists = std::any_of(attribute.planes.begin(), attribute.planes.end(),
                             [](const Plane& plane) { return !plane.rows.empty(); });
    return attribute.bits >= least_bits && !lists;
  });
}

// Rows of the block where some strength is neither 0 nor the level.
std::uint64_t irregular(const BlockStrengths& strengths, std::uint32_t level) {
  std::uint64_t rows = 0;
  for (std::uint32_t i = 0; i < block_rows; ++i) {
    bool is = strengths[i] != 0 && strengths[i] != level;
    rows |= std::uint64_t{is} << i;
  }
  return rows;
}

std::uint64_t rows_above_zero(const BlockStrengths& strengths) {
  std::uint64_t rows = 0;
  for (std::uint32_t i = 0; i < block_rows; ++i) rows |= std::uint64_t{strengths[i] != 0} << i;
  return rows;
}

}  // namespace

class RegularRows::Maker {
 public:
  Maker(std::span<const AttributePlanes> attributes, std::uint32_t rows)
      : attributes_(attributes), blocks_((rows + block_rows - 1) / block_rows) {
    made_.rows_ = rows;
    made_.first_ = {0};
    for (const AttributePlanes& attribute : attributes) {
      made_.first_.push_back(made_.first_.back() + attribute.domain_size());
    }
  }

  std::optional<RegularRows> make(std::size_t skew) {
    for_each_value([&](const AttributePlanes& planes, std::uint32_t value) {
      made_.levels_.push_back(common_level(planes, value));
    });
    if (find_others() > made_.rows_ / rows_per_other) return std::nullopt;
    std::vector<RowExtra> extras = extra_steps();
    std::uint32_t most = 0;
    for (const RowExtra& extra : extras) most = std::max(most, extra.units);
    auto extra_bitmaps = static_cast<std::uint32_t>(std::bit_width(most));
    std::size_t values = made_.levels_.size();
    auto bitmaps = std::make_shared<DensePlanes>(values + 1 + extra_bitmaps, made_.rows_, skew);
    fill_values(*bitmaps);
    std::copy(others_.begin(), others_.end(), bitmaps->plane(values));
    for (std::uint32_t bit = 0; bit < extra_bitmaps; ++bit) {
      made_.extras_.push_back({bitmaps->plane(values + 1 + bit), unit() << bit});
      for (const RowExtra& extra : extras) {
        if ((extra.units >> bit) & 1) bitmaps->set(values + 1 + bit, extra.position);
      }
    }
    made_.bitmaps_ = std::move(bitmaps);
    return std::move(made_);
  }

 private:
  template <typename Visit>
  void for_each_value(const Visit& visit) const {
    for (const AttributePlanes& planes : attributes_) {
      for (std::uint32_t value = 0; value < planes.domain_size(); ++value) visit(planes, value);
    }
  }

  // The strength above 0 that most rows have.
  std::uint32_t common_level(const AttributePlanes& planes, std::uint32_t value) const {
    std::array<std::uint32_t, 256> counts{};
    for (std::uint32_t block = 0; block < blocks_; ++block) {
      for (std::uint8_t strength : strengths_of(planes, value, block)) ++counts[strength];
    }
    counts[0] = 0;
    return static_cast<std::uint32_t>(std::max_element(counts.begin(), counts.end()) -
                                      counts.begin());
  }

  void fill_values(DensePlanes& bitmaps) const {
    std::size_t place = 0;
    for_each_value([&](const AttributePlanes& planes, std::uint32_t value) {
      std::uint64_t* bitmap = bitmaps.plane(place++);
      for (std::uint32_t block = 0; block < blocks_; ++block) {
        bitmap[block] = rows_above_zero(strengths_of(planes, value, block));
      }
    });
  }

  // Levels are multiples of it, so that few different weights are added up.
  std::uint32_t unit() const {
    std::uint32_t factor = 0;
    for (std::uint32_t level : made_.levels_) factor = std::gcd(factor, level);
    return std::max(factor, 1U);
  }

  // How many rows are not regular.
  std::size_t find_others() {
    others_.assign(blocks_, 0);
    std::size_t place = 0;
    for_each_value([&](const AttributePlanes& planes, std::uint32_t value) {
      for (std::uint32_t block = 0; block < blocks_; ++block) {
        others_[block] |= irregular(strengths_of(planes, value, block), made_.levels_[place]);
      }
      ++place;
    });
    std::size_t count = 0;
    for (std::uint64_t rows : others_) count += static_cast<std::size_t>(std::popcount(rows));
    return count;
  }

  // In units, rounded up.
  struct RowExtra {
    std::uint32_t position;
    std::uint32_t units;
  };

  std::vector<RowExtra> extra_steps() const {
    std::vector<RowExtra> extras;
    for (std::uint32_t block = 0; block < blocks_; ++block) {
      for (std::uint64_t left = others_[block]; left != 0; left &= left - 1) {
        std::uint32_t position =
            block * block_rows + static_cast<std::uint32_t>(std::countr_zero(left));
        extras.push_back({position, (most_above(position) + unit() - 1) / unit()});
      }
    }
    return extras;
  }

  // How far strengths of a row can be above its bitmaps, by the most of each attribute.
  std::uint32_t most_above(std::uint32_t position) const {
    std::uint32_t sum = 0;
    std::size_t place = 0;
    for (const AttributePlanes& planes : attributes_) {
      std::uint32_t most = 0;
      for (std::uint32_t value = 0; value < planes.domain_size(); ++value, ++place) {
        std::uint32_t strength = 0;
        for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
          if (planes.plane(value, bit).test(position)) strength |= 1U << bit;
        }
        std::uint32_t level = made_.levels_[place];
        most = std::max(most, strength > level ? strength - level : 0);
      }
      sum += most;
    }
    return sum;
  }

  std::span<const AttributePlanes> attributes_;
  std::uint32_t blocks_;
  std::vector<std::uint64_t> others_;
  RegularRows made_;
};

std::optional<RegularRows> RegularRows::of(std::span<const AttributePlanes> attributes,
                                           std::uint32_t rows, std::size_t skew) {
  if (attributes.empty() || rows == 0 || !are_graded(attributes)) return std::nullopt;
  return Maker(attributes, rows).make(skew);
}

std::size_t RegularRows::bytes() const {
  return (levels_.size() + 1 + extras_.size()) * plane_stride(rows_) * sizeof(std::uint64_t);
}

}  // namespace rankveil
