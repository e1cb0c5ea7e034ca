#include "rankveil/audit/dense_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "rankveil/audit/list_numbers.h"

namespace rankveil::audit {

namespace {

// As many classes share a pass over a part: their factors lie side by side.
constexpr std::uint32_t most_at_once = 8;

// The different values that an attribute has, in all its columns.
double features_of(std::span<const LawColumn> columns, std::uint32_t attribute) {
  double features = 1;
  for (const LawColumn& column : columns) {
    if (column.attribute == attribute) {
      features = std::max(features, static_cast<double>(column.mass.size()));
    }
  }
  return features;
}

// Two lists, such that about as many vectors are possible in each: the largest first, always to
// the list that has fewer.
std::array<std::vector<std::uint32_t>, 2> halved(std::span<const LawColumn> columns,
                                                 std::vector<std::uint32_t> attributes) {
  std::vector<double> sizes;
  for (std::uint32_t j = 0; j <= *std::max_element(attributes.begin(), attributes.end()); ++j) {
    sizes.push_back(std::log(1 + features_of(columns, j)));
  }
  std::stable_sort(attributes.begin(), attributes.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sizes[a] > sizes[b]; });
  std::array<std::vector<std::uint32_t>, 2> lists;
  std::array<double, 2> filled = {0, 0};
  for (std::uint32_t j : attributes) {
    std::size_t to = filled[0] <= filled[1] ? 0 : 1;
    lists[to].push_back(j);
    filled[to] += sizes[j];
  }
  return lists;
}

std::vector<std::uint32_t> numbers_to(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

void sort_by(const std::vector<std::uint32_t>& key, std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
    return key[a] != key[b] ? key[a] < key[b] : a < b;
  });
}

// Numbers for what two lists say together, put in place of the second.
void combine(const std::vector<std::uint32_t>& more, std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) {
    numbers = more;
    return;
  }
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    auto next = static_cast<std::uint32_t>(known.size());
    std::uint64_t pair = std::uint64_t{numbers[i]} << 32 | more[i];
    numbers[i] = known.try_emplace(pair, next).first->second;
  }
}

// Calls body(list of equals) for all runs of equal keys.
template <typename Body>
void for_each_run(const std::vector<std::uint32_t>& key, std::span<const std::uint32_t> sorted,
                  const Body& body) {
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && key[sorted[end]] == key[sorted[begin]]) ++end;
    body(sorted.subspan(begin, end - begin));
    begin = end;
  }
}

}  // namespace

// What a thread works in, by part. Whatever is under way in a part leaves the others alone that
// are neither above nor below it.
struct DenseWeights::Room {
  explicit Room(std::size_t parts, const Visit& visitor)
      : visit(visitor), factors(parts), sums(parts), weights(parts), sorted(parts) {}

  const Visit& visit;
  std::vector<std::vector<double>> factors;  // [leaf][class], of a few classes at once
  std::vector<std::vector<double>> sums;     // [leaf][class], the other side summed out
  std::vector<std::vector<double>> weights;  // [leaf], of one of them
  std::vector<std::vector<std::uint32_t>> sorted;
  std::vector<double> told;
};

DenseWeights::DenseWeights(const Prior& prior, std::span<const LawColumn> columns,
                           const ClassList& classes)
    : prior_(prior),
      columns_(columns),
      classes_(classes),
      counts_(prior.counts.begin(), prior.counts.end()) {
  top_ = make_part(numbers_to(prior.width), numbers_to(prior.vectors()));
  order_.fill(numbers_to(classes.count()));
  const Part& top = parts_[top_];
  for (std::size_t half = 0; half < top.sides.size(); ++half) {
    sort_by(parts_[top.sides[1 - half].part].kinds_of, order_[half]);
  }
}

std::uint32_t DenseWeights::first_attribute(std::uint32_t half) const {
  const Part& top = parts_[top_];
  const Part& part = top.sides.empty() ? top : parts_[top.sides[half].part];
  return part.attributes.front();
}

// Parts stand behind their sides.
std::uint32_t DenseWeights::make_part(std::vector<std::uint32_t> attributes,
                                      std::vector<std::uint32_t> example) {
  Part part;
  part.example = std::move(example);
  for (std::uint32_t c = 0; c < columns_.size(); ++c) {
    bool own =
        std::find(attributes.begin(), attributes.end(), columns_[c].attribute) != attributes.end();
    if (own) part.columns.push_back(c);
  }
  if (attributes.size() > 1) {
    for (auto& list : halved(columns_, attributes)) add_side(part, std::move(list));
    for (std::uint32_t side = 0; side < 2; ++side) arrange(part, side);
  }
  part.attributes = std::move(attributes);
  parts_.push_back(std::move(part));
  return static_cast<std::uint32_t>(parts_.size() - 1);
}

// Leaves of the part that are alike in some attributes become one.
void DenseWeights::add_side(Part& part, std::vector<std::uint32_t> attributes) {
  std::vector<std::uint32_t> own_columns;
  for (std::uint32_t c : part.columns) {
    bool own =
        std::find(attributes.begin(), attributes.end(), columns_[c].attribute) != attributes.end();
    if (own) own_columns.push_back(c);
  }
  ListNumbers numbers;
  std::vector<std::uint32_t> features(own_columns.size()), example;
  auto& leaf = part.side_leaf[part.sides.size()];
  leaf.reserve(part.example.size());
  for (std::uint32_t vector : part.example) {
    for (std::size_t i = 0; i < features.size(); ++i) {
      features[i] = columns_[own_columns[i]].feature_of[vector];
    }
    auto [number, is_new] = numbers.number(features);
    if (is_new) example.push_back(vector);
    leaf.push_back(number);
  }
  Side& side = part.sides.emplace_back();
  side.part = make_part(std::move(attributes), std::move(example));
  number_kinds(parts_[side.part]);
}

void DenseWeights::arrange(Part& part, std::uint32_t number) {
  Side& side = part.sides[number];
  const auto& leaf = part.side_leaf[number];
  side.begin.assign(parts_[side.part].example.size() + 1, 0);
  for (std::uint32_t to : leaf) ++side.begin[to + 1];
  std::partial_sum(side.begin.begin(), side.begin.end(), side.begin.begin());
  side.own = numbers_to(static_cast<std::uint32_t>(leaf.size()));
  sort_by(leaf, side.own);
  for (std::uint32_t own : side.own) side.other.push_back(part.side_leaf[1 - number][own]);
}

// Combinations of profiles, made of those of the sides.
void DenseWeights::number_kinds(Part& part) const {
  for (const Side& side : part.sides) combine(parts_[side.part].kinds_of, part.kinds_of);
  if (!part.sides.empty()) return;
  std::vector<std::uint32_t> kinds(classes_.count());
  for (std::uint32_t c : part.columns) {
    for (std::uint32_t one = 0; one < kinds.size(); ++one) kinds[one] = classes_.kind(one, c);
    combine(kinds, part.kinds_of);
  }
}

// Of every leaf, for the profiles of some classes.
template <std::uint32_t width>
void DenseWeights::likelihoods(std::uint32_t number, std::span<const std::uint32_t> ones,
                               Room& room) const {
  const Part& part = parts_[number];
  auto& out = room.factors[number];
  out.assign(part.example.size() * width, 1);
  if (part.sides.empty()) {
    for (std::uint32_t c : part.columns) {
      for (std::size_t i = 0; i < ones.size(); ++i) {
        const auto& weights = columns_[c].weights[classes_.kind(ones[i], c)];
        for (std::size_t leaf = 0; leaf < part.example.size(); ++leaf) {
          out[leaf * width + i] *= weights[columns_[c].feature_of[part.example[leaf]]];
        }
      }
    }
    return;
  }
  for (std::size_t side = 0; side < 2; ++side) {
    likelihoods<width>(part.sides[side].part, ones, room);
    const double* factors = room.factors[part.sides[side].part].data();
    for (std::size_t leaf = 0; leaf < part.example.size(); ++leaf) {
      const double* factor = factors + std::size_t{part.side_leaf[side][leaf]} * width;
      for (std::uint32_t i = 0; i < width; ++i) out[leaf * width + i] *= factor[i];
    }
  }
}

// The inner loop of all this.
template <std::uint32_t width>
void DenseWeights::sum_out(const Side& side, const Side& other, const std::vector<double>& weights,
                           std::span<const std::uint32_t> ones, Room& room) const {
  likelihoods<width>(other.part, ones, room);
  const double* factors = room.factors[other.part].data();
  auto& sums = room.sums[side.part];
  std::size_t leaves = side.begin.size() - 1;
  sums.resize(leaves * width);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    std::array<double, width> sum{};
    for (std::uint32_t i = side.begin[leaf]; i < side.begin[leaf + 1]; ++i) {
      double weight = weights[side.own[i]];
      const double* factor = factors + std::size_t{side.other[i]} * width;
      for (std::uint32_t r = 0; r < width; ++r) sum[r] += weight * factor[r];
    }
    std::copy(sum.begin(), sum.end(), sums.begin() + static_cast<std::ptrdiff_t>(leaf * width));
  }
}

// Goes on to one side, for classes that stand together when they are alike on the other.
void DenseWeights::descend_to(const Part& part, std::uint32_t number,
                              const std::vector<double>& weights,
                              std::span<const std::uint32_t> sorted, Room& room) const {
  const Side& side = part.sides[number];
  const Side& other = part.sides[1 - number];
  std::vector<std::span<const std::uint32_t>> runs;
  auto flush = [&] {
    std::array<std::uint32_t, most_at_once> ones{};
    for (std::size_t i = 0; i < runs.size(); ++i) ones[i] = runs[i].front();
    std::span<const std::uint32_t> first(ones.data(), runs.size());
    std::size_t width = runs.size() == 1 ? 1 : runs.size() <= 4 ? 4 : most_at_once;
    if (width == 1) sum_out<1>(side, other, weights, first, room);
    if (width == 4) sum_out<4>(side, other, weights, first, room);
    if (width == most_at_once) sum_out<most_at_once>(side, other, weights, first, room);
    auto& own = room.weights[side.part];
    own.resize(side.begin.size() - 1);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      for (std::size_t leaf = 0; leaf < own.size(); ++leaf) {
        own[leaf] = room.sums[side.part][leaf * width + i];
      }
      descend(side.part, own, runs[i], room);
    }
    runs.clear();
  };
  for_each_run(parts_[other.part].kinds_of, sorted, [&](std::span<const std::uint32_t> run) {
    runs.push_back(run);
    if (runs.size() == most_at_once) flush();
  });
  if (!runs.empty()) flush();
}

// For classes that are alike in all other attributes.
void DenseWeights::descend(std::uint32_t number, const std::vector<double>& weights,
                           std::span<const std::uint32_t> classes, Room& room) const {
  const Part& part = parts_[number];
  if (part.sides.empty()) return tell(part, weights, classes, room);
  auto& sorted = room.sorted[number];
  for (std::uint32_t side = 0; side < 2; ++side) {
    sorted.assign(classes.begin(), classes.end());
    sort_by(parts_[part.sides[1 - side].part].kinds_of, sorted);
    descend_to(part, side, weights, sorted, room);
  }
}

void DenseWeights::tell(const Part& part, const std::vector<double>& weights,
                        std::span<const std::uint32_t> classes, Room& room) const {
  std::uint32_t attribute = part.attributes.front();
  const LawColumn& first = columns_[part.columns.front()];
  for (std::uint32_t one : classes) {
    room.told.assign(prior_.codes[attribute].size(), 0);
    for (std::size_t leaf = 0; leaf < weights.size(); ++leaf) {
      double weight = weights[leaf];
      for (std::uint32_t c : part.columns) {
        std::uint32_t feature = columns_[c].feature_of[part.example[leaf]];
        weight *= columns_[c].weights[classes_.kind(one, c)][feature];
      }
      room.told[first.place_of[first.feature_of[part.example[leaf]]]] += weight;
    }
    room.visit(one, attribute, room.told);
  }
}

void DenseWeights::run(std::uint32_t half, std::uint32_t begin, std::uint32_t end,
                       const Visit& visit) const {
  const Part& top = parts_[top_];
  Room room(parts_.size(), visit);
  auto classes = std::span(order_[half]).subspan(begin, end - begin);
  if (!top.sides.empty()) return descend_to(top, half, counts_, classes, room);
  if (half == 0) tell(top, counts_, classes, room);
}

double DenseWeights::weight(std::uint32_t one, std::uint32_t vector) const {
  double weight = prior_.counts[vector];
  for (std::uint32_t c = 0; c < columns_.size(); ++c) {
    weight *= columns_[c].weights[classes_.kind(one, c)][columns_[c].feature_of[vector]];
  }
  return weight;
}

}  // namespace rankveil::audit
