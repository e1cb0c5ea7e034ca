#include "rankveil/ranking/planes.h"

#include <algorithm>

namespace rankveil {

namespace {

constexpr std::size_t skew_window = 4096 / sizeof(std::uint64_t);

}  // namespace

bool Plane::test(std::uint32_t row) const {
  if (bits != nullptr) return (bits[row / 64] >> (row % 64)) & 1;
  return std::binary_search(rows.begin(), rows.end(), row);
}

DensePlanes::DensePlanes(std::size_t count, std::uint32_t rows, std::size_t skew)
    : stride_(plane_stride(rows)),
      start_(skew * kernels::slack_words % skew_window),
      words_(count == 0 ? 0 : start_ + count * stride_) {}

DensePlanes DensePlanes::clone() const {
  DensePlanes copy(0, 0);
  copy.stride_ = stride_;
  copy.start_ = start_;
  copy.words_ = AlignedWords(words_.size());
  std::copy_n(words_.data(), words_.size(), copy.words_.data());
  return copy;
}

namespace {

bool are_alike(const Plane& left, const Plane& right, std::uint32_t rows) {
  if ((left.bits == nullptr) != (right.bits == nullptr)) return false;
  if (left.bits != nullptr) {
    return std::equal(left.bits, left.bits + (std::size_t{rows} + 63) / 64, right.bits);
  }
  return std::equal(left.rows.begin(), left.rows.end(), right.rows.begin(), right.rows.end());
}

}  // namespace

std::vector<std::uint8_t> plane_weights(const AttributePlanes& attribute, std::uint32_t rows) {
  std::vector<std::uint8_t> weights(attribute.planes.size());
  for (std::uint32_t value = 0; value < attribute.domain_size(); ++value) {
    for (std::uint32_t bit = 0; bit < attribute.bits; ++bit) {
      const Plane& plane = attribute.plane(value, bit);
      if (plane.is_empty()) continue;
      std::uint32_t first = 0;
      while (first < bit && !are_alike(attribute.plane(value, first), plane, rows)) ++first;
      std::uint8_t& weight = weights[value * attribute.bits + first];
      weight = static_cast<std::uint8_t>(weight + (1U << bit));
    }
  }
  return weights;
}

AttributePlanes planes_from_lists(const std::vector<std::vector<StrengthEntry>>& lists,
                                  std::uint32_t rows, std::uint32_t bits) {
  AttributePlanes made;
  made.bits = bits;
  made.planes.resize(lists.size() * bits);
  std::vector<std::size_t> dense;
  for (std::size_t value = 0; value < lists.size(); ++value) {
    if (lists[value].size() * sparse_share >= rows && !lists[value].empty()) dense.push_back(value);
  }
  auto words = std::make_shared<DensePlanes>(dense.size() * bits, rows);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      for (const auto& entry : lists[dense[i]]) {
        if ((entry.strength >> bit) & 1) words->set(i * bits + bit, entry.row);
      }
      made.planes[dense[i] * bits + bit].bits = words->plane(i * bits + bit);
    }
  }
  made.owners.push_back(words);
  auto is_dense = [&](std::size_t v) { return std::binary_search(dense.begin(), dense.end(), v); };
  for (std::size_t value = 0; value < lists.size(); ++value) {
    if (is_dense(value)) continue;
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      auto listed = std::make_shared<std::vector<std::uint32_t>>();
      for (const auto& entry : lists[value]) {
        if ((entry.strength >> bit) & 1) listed->push_back(entry.row);
      }
      if (listed->empty()) continue;
      made.planes[value * bits + bit].rows = *listed;
      made.owners.push_back(std::move(listed));
    }
  }
  return made;
}

}  // namespace rankveil
