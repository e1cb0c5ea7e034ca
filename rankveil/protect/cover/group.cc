#include "rankveil/protect/cover/group.h"

#include <algorithm>

namespace rankveil::cover {

namespace {

// A code gets a plane when at least one candidate in this many has it: an attribute then has at
// most as many planes.
constexpr std::uint32_t dense_share = 64;

}  // namespace

Group::Group(const Vectors& vectors)
    : vectors_(vectors),
      member_of_number_(vectors.count, unused),
      values_(vectors.attributes()),
      codes_(vectors.attributes()),
      lane_words_(lane_words(vectors)) {
  for (std::uint32_t j = 0; j < vectors.attributes(); ++j) {
    plane_of_.emplace_back(vectors.domain(j) + 1, unused);
  }
}

void Group::build(std::span<const RowId> rows) {
  forget();
  collect(rows);
  sort();
  count_values();
  lay_out_planes();
  fill_planes();
  fill_lanes();
}

// What the last group left in tables over all vectors and codes.
void Group::forget() {
  for (std::uint32_t row : members_) member_of_number_[vectors_.number[row]] = unused;
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    for (std::uint32_t code : codes_[j]) plane_of_[j][code] = unused;
    codes_[j].clear();
  }
}

void Group::collect(std::span<const RowId> rows) {
  members_.clear();
  member_of_.clear();
  for (RowId row : rows) {
    std::uint32_t& member = member_of_number_[vectors_.number[+row]];
    if (member == unused) {
      member = static_cast<std::uint32_t>(members_.size());
      members_.push_back(+row);
    }
    member_of_.push_back(member);
  }
}

void Group::sort() {
  order_.clear();
  for (std::uint32_t member = 0; member < members_.size(); ++member) {
    order_.push_back({vectors_.loss[vectors_.number[members_[member]]], member});
  }
  // Members ascend by row.
  std::sort(order_.begin(), order_.end(), [](const Ordered& a, const Ordered& b) {
    return a.loss != b.loss ? a.loss < b.loss : a.member < b.member;
  });
  position_of_.resize(members_.size());
  rows_.clear();
  losses_.clear();
  for (std::uint32_t p = 0; p < order_.size(); ++p) {
    position_of_[order_[p].member] = p;
    rows_.push_back(members_[order_[p].member]);
    losses_.push_back(order_[p].loss);
  }
}

// Counts candidates by code; plane_of_ holds the counts for now.
void Group::count_values() {
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    for (std::uint32_t row : rows_) {
      std::uint32_t code = vectors_.code(row, j);
      if (plane_of_[j][code] == unused) {
        plane_of_[j][code] = 0;
        codes_[j].push_back(code);
      }
      ++plane_of_[j][code];
    }
    std::uint32_t missing = has_missing(j) ? 1 : 0;
    values_[j] = static_cast<std::uint32_t>(codes_[j].size()) - missing;
  }
}

void Group::lay_out_planes() {
  std::uint32_t planes = 1;  // the first is empty
  std::size_t rare = 0;
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    for (std::uint32_t code : codes_[j]) {
      std::uint32_t& place = plane_of_[j][code];
      bool dense = std::uint64_t{place} * dense_share >= size() || codes_[j].size() <= dense_share;
      if (dense || code == vectors_.domain(j)) {
        place = planes++;
      } else {
        place = first_rare + static_cast<std::uint32_t>(rare++);
      }
    }
  }
  if (rare_.size() < rare) rare_.resize(rare);
  for (std::size_t i = 0; i < rare; ++i) rare_[i].clear();
  lines_ = (size() + positions_per_line - 1) / positions_per_line;
  // An odd number of lines from plane to plane: planes read together stay out of each other's way.
  stride_ = std::size_t{lines_ | 1U} * words_per_line;
  std::size_t words = planes * stride_;
  if (words_.size() < words) {
    words_ = AlignedWords(words + words / 2);
  } else {
    std::fill_n(words_.data(), words, 0);
  }
}

void Group::fill_planes() {
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    for (std::uint32_t p = 0; p < size(); ++p) {
      std::uint32_t place = plane_of_[j][vectors_.code(rows_[p], j)];
      if (place < first_rare) {
        words_.data()[place * stride_ + p / 64] |= std::uint64_t{1} << (p % 64);
      } else {
        rare_[place - first_rare].push_back(p);
      }
    }
  }
  for (std::uint32_t i = 0; i < words_per_line; ++i) {
    std::uint64_t first = (std::uint64_t{lines_} - 1) * positions_per_line + i * 64;
    std::uint64_t bits = size() <= first ? 0 : std::min<std::uint64_t>(64, size() - first);
    last_line_[i] = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }
}

void Group::fill_lanes() {
  lanes_.assign(std::size_t{size()} * lane_words_, 0);
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    std::uint32_t shift = j % lanes_per_word * 8;
    for (std::uint32_t p = 0; p < size(); ++p) {
      std::uint64_t code = vectors_.code(rows_[p], j) & largest_lane;
      lanes_[std::size_t{p} * lane_words_ + j / lanes_per_word] |= code << shift;
    }
  }
}

}  // namespace rankveil::cover
