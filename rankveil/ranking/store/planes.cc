#include "rankveil/ranking/store/planes.h"

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

std::size_t AttributePlanes::bitmaps() const {
  return static_cast<std::size_t>(std::count_if(
      planes.begin(), planes.end(), [](const Plane& plane) { return plane.bits != nullptr; }));
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

namespace {

void take_bits(std::span<const std::uint32_t> positions, const std::uint64_t* from,
               std::uint64_t* to) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    to[i / 64] |= ((from[positions[i] / 64] >> (positions[i] % 64)) & 1) << (i % 64);
  }
}

std::vector<std::uint32_t> taken_rows(std::span<const std::uint32_t> positions,
                                      std::span<const std::uint32_t> from) {
  std::vector<std::uint32_t> taken;
  std::size_t i = 0;
  for (std::uint32_t position : from) {
    while (i < positions.size() && positions[i] < position) ++i;
    if (i < positions.size() && positions[i] == position) {
      taken.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return taken;
}

}  // namespace

AttributePlanes planes_at(std::span<const std::uint32_t> positions,
                          const AttributePlanes& attribute, std::size_t skew) {
  AttributePlanes made;
  made.bits = attribute.bits;
  auto rows = static_cast<std::uint32_t>(positions.size());
  auto dense = std::make_shared<DensePlanes>(attribute.bitmaps(), rows, skew);
  made.owners.push_back(dense);
  std::size_t next = 0;
  for (const Plane& plane : attribute.planes) {
    Plane& mine = made.planes.emplace_back();
    if (plane.bits != nullptr) {
      take_bits(positions, plane.bits, dense->plane(next));
      mine.bits = dense->plane(next++);
    } else if (!plane.rows.empty()) {
      auto list = std::make_shared<std::vector<std::uint32_t>>(taken_rows(positions, plane.rows));
      mine.rows = *list;
      made.owners.push_back(std::move(list));
    }
  }
  return made;
}

}  // namespace rankveil
