#include "rankveil/ranking/apart/few_rows.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace rankveil {

namespace {

using kernels::words_per_line;

class FewScores {
 public:
  FewScores(std::uint32_t rows, std::int64_t* scores) : words_((rows + 63) / 64), scores_(scores) {
    std::fill(scores, scores + rows, 0);
  }

  void add(const AttributePlanes& planes, const Wish& wish) {
    planes.bits > 1 ? add_strengths(planes, wish) : add_union(planes, wish);
  }

 private:
  struct Line {
    std::uint64_t words[words_per_line] = {};

    void join(const Plane& plane, std::size_t count) {
      for (std::size_t i = 0; plane.bits != nullptr && i < count; ++i) words[i] |= plane.bits[i];
      for (std::uint32_t row : plane.rows) words[row / 64] |= std::uint64_t{1} << (row % 64);
    }
  };

  // Strengths of all asked values count.
  void add_strengths(const AttributePlanes& planes, const Wish& wish) {
    for (ValueId value : *wish.values) {
      if (+value >= planes.domain_size()) continue;
      for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
        Line line;
        line.join(planes.plane(+value, bit), words_);
        add(line, wish.weight << bit);
      }
    }
  }

  // Any of the values counts, once.
  void add_union(const AttributePlanes& planes, const Wish& wish) {
    Line line;
    for (ValueId value : *wish.values) {
      if (+value < planes.domain_size()) line.join(planes.plane(+value), words_);
    }
    add(line, wish.weight);
  }

  void add(const Line& line, std::int64_t weight) {
    for (std::size_t i = 0; i < words_; ++i) {
      for (std::uint64_t left = line.words[i]; left != 0; left &= left - 1) {
        scores_[i * 64 + static_cast<std::size_t>(std::countr_zero(left))] += weight;
      }
    }
  }

  std::size_t words_;  // of the line that are used
  std::int64_t* scores_;
};

// Planes are many, and each of them is somewhere else.
void prefetch(const AttributePlanes& planes, const Wish& wish) {
  for (ValueId value : *wish.values) {
    if (+value >= planes.domain_size()) continue;
    for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
      __builtin_prefetch(planes.plane(+value, bit).bits);
    }
  }
}

}  // namespace

void score_few(const Segment& segment, const QueryPlan& query, std::int64_t* scores) {
  assert(segment.rows <= most_few_rows && "rows of one line");
  for (const Wish& wish : query.wishes) prefetch(segment.attributes[wish.attribute], wish);
  FewScores few(segment.rows, scores);
  for (const Wish& wish : query.wishes) few.add(segment.attributes[wish.attribute], wish);
  if (!segment.groups) return;
  for (std::size_t run = 0; run < segment.groups->runs.size(); ++run) {
    std::int64_t base = query.bases.of(segment.groups->runs[run].group);
    std::int64_t* end = scores + segment.run_end(run);
    for (std::int64_t* i = scores + segment.groups->runs[run].begin; i < end; ++i) *i += base;
  }
}

}  // namespace rankveil
