#include "rankveil/protect/pvst/cover/group.h"

#include <algorithm>

#include "rankveil/base/parallel.h"

namespace rankveil::cover {

namespace {

// A code gets a plane when at least one candidate in this many has it: an attribute then has at
// most as many planes.
constexpr std::uint32_t dense_share = 64;

}  // namespace

LineBits last_line_of(std::uint32_t positions) {
  LineBits bits = {};
  std::uint32_t filled = positions % positions_per_line;
  if (filled == 0 && positions > 0) filled = positions_per_line;
  for (std::uint32_t i = 0; i < words_per_line && filled > i * 64; ++i) {
    std::uint32_t here = filled - i * 64;
    bits[i] = here >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
  }
  return bits;
}

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

void Group::build(std::span<const RowId> rows, std::uint32_t threads) {
  constexpr std::uint32_t lane_piece = 1U << 14;
  forget();
  collect(rows);
  sort();
  lanes_.resize(std::size_t{size()} * lane_words_);
  parallel_for((size() + lane_piece - 1) / lane_piece, threads, [&](std::size_t i) {
    auto begin = static_cast<std::uint32_t>(i) * lane_piece;
    fill_lanes(begin, std::min(begin + lane_piece, size()));
  });
  auto each_attribute = [&](auto body) {
    parallel_for(vectors_.attributes(), threads,
                 [&](std::size_t j) { body(static_cast<std::uint32_t>(j)); });
  };
  each_attribute([&](std::uint32_t j) { count_values(j); });
  lay_out_planes();
  each_attribute([&](std::uint32_t j) { fill_planes(j); });
  last_line_ = last_line_of(size());
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
  if (!sort_by_counting()) {
    std::sort(order_.begin(), order_.end(), [](const Ordered& a, const Ordered& b) {
      return a.loss != b.loss ? a.loss < b.loss : a.member < b.member;
    });
  }
  position_of_.resize(members_.size());
  rows_.resize(members_.size());
  losses_.resize(members_.size());
  for (std::uint32_t p = 0; p < order_.size(); ++p) {
    position_of_[order_[p].member] = p;
    rows_[p] = members_[order_[p].member];
    losses_[p] = order_[p].loss;
  }
}

// Where losses lie close together: linear, and keeps the order of members. False where not.
bool Group::sort_by_counting() {
  Loss least = order_[0].loss, most = order_[0].loss;
  for (const Ordered& one : order_) {
    least = std::min(least, one.loss);
    most = std::max(most, one.loss);
  }
  if (order_.size() < 64 || static_cast<std::uint64_t>(most - least) > order_.size()) return false;
  std::vector<std::uint32_t> begin(static_cast<std::size_t>(most - least) + 2, 0);
  for (const Ordered& one : order_) ++begin[static_cast<std::size_t>(one.loss - least) + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  unordered_.swap(order_);
  order_.resize(unordered_.size());
  for (const Ordered& one : unordered_) {
    order_[begin[static_cast<std::size_t>(one.loss - least)]++] = one;
  }
  return true;
}

void Group::fill_lanes(std::uint32_t begin, std::uint32_t end) {
  std::fill(lanes_.begin() + std::ptrdiff_t{begin} * lane_words_,
            lanes_.begin() + std::ptrdiff_t{end} * lane_words_, 0);
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    std::uint32_t shift = j % lanes_per_word * 8;
    for (std::uint32_t p = begin; p < end; ++p) {
      std::uint64_t code = vectors_.code(rows_[p], j) & largest_lane;
      lanes_[std::size_t{p} * lane_words_ + j / lanes_per_word] |= code << shift;
    }
  }
}

// Counts candidates by code; plane_of_ holds the counts for now.
void Group::count_values(std::uint32_t j) {
  std::vector<std::uint32_t>& counts = plane_of_[j];
  for (std::uint32_t p = 0; p < size(); ++p) {
    std::uint32_t at = code(p, j);
    if (counts[at] == unused) {
      counts[at] = 0;
      codes_[j].push_back(at);
    }
    ++counts[at];
  }
  values_[j] = static_cast<std::uint32_t>(codes_[j].size()) - (has_missing(j) ? 1 : 0);
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

void Group::fill_planes(std::uint32_t j) {
  for (std::uint32_t p = 0; p < size(); ++p) {
    std::uint32_t place = plane_of_[j][code(p, j)];
    if (place < first_rare) {
      words_.data()[place * stride_ + p / 64] |= std::uint64_t{1} << (p % 64);
    } else {
      rare_[place - first_rare].push_back(p);
    }
  }
}

}  // namespace rankveil::cover
