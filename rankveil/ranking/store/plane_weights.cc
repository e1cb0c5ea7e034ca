#include "rankveil/ranking/store/plane_weights.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

namespace rankveil {

namespace {

using RowList = std::vector<std::uint32_t>;

// The rows that are looked at.
struct Range {
  std::uint32_t rows;
  const std::uint64_t* apart;  // these are not; may be null

  std::uint64_t apart_in(std::uint32_t word) const { return apart != nullptr ? apart[word] : 0; }
  bool has(std::uint32_t row) const { return ((apart_in(row / 64) >> (row % 64)) & 1) == 0; }
};

// Rows in which two bitmaps differ, or agree when they should be opposites; null is an empty one.
// None when there are more than `few`.
std::optional<RowList> wrong_bits(const std::uint64_t* left, const std::uint64_t* right,
                                  bool opposite, const Range& range, std::size_t few) {
  std::uint64_t flip = opposite ? ~std::uint64_t{0} : 0;
  RowList found;
  for (std::uint32_t word = 0; std::uint64_t{word} * 64 < range.rows; ++word) {
    std::uint64_t differ = (left ? left[word] : 0) ^ (right ? right[word] : 0) ^ flip;
    for (differ &= ~range.apart_in(word); differ != 0; differ &= differ - 1) {
      std::uint32_t row = word * 64 + static_cast<std::uint32_t>(std::countr_zero(differ));
      if (row >= range.rows) break;
      if (found.size() == few) return std::nullopt;
      found.push_back(row);
    }
  }
  return found;
}

// The same for planes. Lists of rows are of few: they have no opposites.
std::optional<RowList> rows_told_wrong(const Plane& left, const Plane& right, bool opposite,
                                       const Range& range, std::size_t few) {
  if (left.rows.empty() && right.rows.empty()) {
    return wrong_bits(left.bits, right.bits, opposite, range, few);
  }
  if (opposite || left.bits != nullptr || right.bits != nullptr) return std::nullopt;
  RowList found;
  std::set_symmetric_difference(left.rows.begin(), left.rows.end(), right.rows.begin(),
                                right.rows.end(), std::back_inserter(found));
  std::erase_if(found, [&](std::uint32_t row) { return !range.has(row); });
  return found.size() <= few ? std::optional(found) : std::nullopt;
}

}  // namespace

// From the highest on: it counts more than all lower ones together, so that no weight is below 1.
StandIns::StandIns(const AttributePlanes& attribute, std::uint32_t value, std::uint32_t rows,
                   std::uint32_t few, const std::uint64_t* apart)
    : read_(attribute.bits) {
  Range range{rows, apart};
  for (std::uint32_t bit = attribute.bits; bit-- > 0;) {
    const Plane& plane = attribute.plane(value, bit);
    StandIn best{bit, false};
    std::optional<RowList> wrong;
    auto consider = [&](std::uint32_t other, const Plane& like, bool opposite) {
      if (wrong && wrong->empty()) return;
      auto here = rows_told_wrong(plane, like, opposite, range, wrong ? wrong->size() - 1 : few);
      if (!here) return;
      best = {other, opposite};
      wrong = std::move(here);
    };
    for (bool opposite : {false, true}) consider(none, {}, opposite);
    for (std::uint32_t other = attribute.bits; other-- > bit + 1;) {
      if (read_[other].plane != other) continue;
      for (bool opposite : {false, true}) {
        consider(other, attribute.plane(value, other), opposite);
      }
    }
    read_[bit] = best;
    if (wrong) wrong_rows_.insert(wrong_rows_.end(), wrong->begin(), wrong->end());
  }
}

std::uint32_t StandIns::planes_read() const {
  std::uint32_t count = 0;
  for (std::uint32_t bit = 0; bit < read_.size(); ++bit) count += read_[bit].plane == bit ? 1 : 0;
  return count;
}

std::uint8_t StandIns::constant() const {
  std::uint32_t constant = 0;
  for (std::uint32_t bit = 0; bit < read_.size(); ++bit) {
    if (read_[bit].opposite) constant += 1U << bit;
  }
  return static_cast<std::uint8_t>(constant);
}

std::vector<std::uint8_t> StandIns::weights() const {
  std::vector<std::uint8_t> weights(read_.size());
  for (std::uint32_t bit = 0; bit < read_.size(); ++bit) {
    if (read_[bit].plane == none) continue;
    std::uint8_t& weight = weights[read_[bit].plane];
    auto levels = static_cast<std::uint8_t>(1U << bit);
    weight = static_cast<std::uint8_t>(read_[bit].opposite ? weight - levels : weight + levels);
  }
  return weights;
}

StrengthWeights plane_weights(const AttributePlanes& attribute, std::uint32_t rows) {
  StrengthWeights all;
  for (std::uint32_t value = 0; value < attribute.domain_size(); ++value) {
    StandIns mine(attribute, value, rows, 0);
    std::vector<std::uint8_t> weights = mine.weights();
    all.constants.push_back(mine.constant());
    all.planes.insert(all.planes.end(), weights.begin(), weights.end());
  }
  return all;
}

}  // namespace rankveil
