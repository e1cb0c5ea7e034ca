#include "rankveil/ranking/plane_weights.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

namespace rankveil {

namespace {

using RowList = std::vector<std::uint32_t>;

// Rows in which two bitmaps differ, null being an empty one. None when there are more than `few`.
std::optional<RowList> differing_bits(const std::uint64_t* left, const std::uint64_t* right,
                                      std::uint32_t rows, std::size_t few) {
  RowList found;
  for (std::uint32_t word = 0; std::uint64_t{word} * 64 < rows; ++word) {
    std::uint64_t differ = (left ? left[word] : 0) ^ (right ? right[word] : 0);
    for (; differ != 0; differ &= differ - 1) {
      std::uint32_t row = word * 64 + static_cast<std::uint32_t>(std::countr_zero(differ));
      if (row >= rows) break;
      if (found.size() == few) return std::nullopt;
      found.push_back(row);
    }
  }
  return found;
}

std::optional<RowList> differing_rows(const Plane& left, const Plane& right, std::uint32_t rows,
                                      std::size_t few) {
  if (left.rows.empty() && right.rows.empty()) {
    return differing_bits(left.bits, right.bits, rows, few);
  }
  if (left.bits != nullptr || right.bits != nullptr) return std::nullopt;
  RowList found;
  std::set_symmetric_difference(left.rows.begin(), left.rows.end(), right.rows.begin(),
                                right.rows.end(), std::back_inserter(found));
  return found.size() <= few ? std::optional(found) : std::nullopt;
}

}  // namespace

StandIns::StandIns(const AttributePlanes& attribute, std::uint32_t value, std::uint32_t rows,
                   std::uint32_t few) {
  for (std::uint32_t bit = 0; bit < attribute.bits; ++bit) {
    const Plane& plane = attribute.plane(value, bit);
    std::uint8_t read = none;
    std::optional<RowList> wrong = differing_rows(plane, {}, rows, few);
    for (std::uint32_t first = 0; first < bit && !(wrong && wrong->empty()); ++first) {
      if (read_[first] != first) continue;
      std::size_t fewer = wrong ? wrong->size() - 1 : few;
      auto here = differing_rows(attribute.plane(value, first), plane, rows, fewer);
      if (!here) continue;
      read = static_cast<std::uint8_t>(first);
      wrong = std::move(here);
    }
    read_.push_back(wrong ? read : static_cast<std::uint8_t>(bit));
    if (wrong) wrong_rows_.insert(wrong_rows_.end(), wrong->begin(), wrong->end());
  }
}

std::uint32_t StandIns::planes_read() const {
  std::uint32_t count = 0;
  for (std::uint32_t bit = 0; bit < read_.size(); ++bit) count += read_[bit] == bit ? 1 : 0;
  return count;
}

std::vector<std::uint8_t> StandIns::weights() const {
  std::vector<std::uint8_t> weights(read_.size());
  for (std::uint32_t bit = 0; bit < read_.size(); ++bit) {
    if (read_[bit] == none) continue;
    std::uint8_t& weight = weights[read_[bit]];
    weight = static_cast<std::uint8_t>(weight + (1U << bit));
  }
  return weights;
}

std::vector<std::uint8_t> plane_weights(const AttributePlanes& attribute, std::uint32_t rows) {
  std::vector<std::uint8_t> weights;
  for (std::uint32_t value = 0; value < attribute.domain_size(); ++value) {
    std::vector<std::uint8_t> mine = StandIns(attribute, value, rows, 0).weights();
    weights.insert(weights.end(), mine.begin(), mine.end());
  }
  return weights;
}

}  // namespace rankveil
