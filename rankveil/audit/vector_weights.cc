#include "rankveil/audit/vector_weights.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace rankveil::audit {

bool LawColumn::rules_nothing_out() const {
  for (const auto& of_kind : weights) {
    for (double weight : of_kind) {
      if (weight <= 0) return false;
    }
  }
  return true;
}

LawColumn column_of(const KnownGroup& group, const std::vector<std::uint32_t>& kinds,
                    std::uint32_t attribute) {
  LawColumn column;
  column.attribute = attribute;
  column.kind_of.reserve(group.rows.size());
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  for (RowId row : group.rows) {
    auto next = static_cast<std::uint32_t>(column.kinds.size());
    auto [place, is_new] = known.try_emplace(kinds[+row], next);
    if (is_new) column.kinds.push_back(kinds[+row]);
    column.kind_of.push_back(place->second);
  }
  return column;
}

void fill_weights(const Prior& prior, const Pattern& pattern, const Weigh& weigh,
                  LawColumn& column) {
  std::vector<std::uint32_t> patterns;  // per feature
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
  column.feature_of.reserve(prior.vectors());
  for (std::uint32_t v = 0; v < prior.vectors(); ++v) {
    std::uint32_t own = pattern ? pattern(v) : 0;
    std::uint32_t place = prior.place(v, column.attribute);
    auto next = static_cast<std::uint32_t>(patterns.size());
    auto [found, is_new] = known.try_emplace({place, own}, next);
    if (is_new) {
      patterns.push_back(own);
      column.place_of.push_back(place);
      column.mass.push_back(0);
    }
    column.feature_of.push_back(found->second);
    column.mass[found->second] += prior.counts[v];
  }
  for (std::uint32_t kind : column.kinds) {
    auto& weights = column.weights.emplace_back();
    for (std::size_t f = 0; f < patterns.size(); ++f) {
      std::uint32_t code = prior.codes[column.attribute][column.place_of[f]];
      weights.push_back(weigh(kind, code, patterns[f]));
    }
  }
}

namespace {

struct ListHash {
  std::size_t operator()(const std::vector<std::uint32_t>& list) const {
    std::uint64_t hash = list.size();
    for (std::uint32_t part : list) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

// Numbers for lists, in the order they come.
class ListNumbers {
 public:
  // Whether it was new.
  std::pair<std::uint32_t, bool> number(const std::vector<std::uint32_t>& list) {
    auto [place, is_new] = numbers_.try_emplace(list, static_cast<std::uint32_t>(numbers_.size()));
    return {place->second, is_new};
  }

 private:
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, ListHash> numbers_;
};

}  // namespace

ClassList classes_of(std::span<const LawColumn> columns, std::span<const std::uint32_t> rows) {
  ClassList classes;
  classes.columns = static_cast<std::uint32_t>(columns.size());
  classes.class_of.reserve(rows.size());
  ListNumbers numbers;
  std::vector<std::uint32_t> kinds(columns.size());
  for (std::uint32_t row : rows) {
    for (std::size_t c = 0; c < columns.size(); ++c) kinds[c] = columns[c].kind_of[row];
    auto [one, is_new] = numbers.number(kinds);
    if (is_new) {
      classes.rows.push_back(0);
      classes.members.emplace_back();
      classes.kinds.insert(classes.kinds.end(), kinds.begin(), kinds.end());
    }
    ++classes.rows[one];
    classes.members[one].push_back(row);
    classes.class_of.push_back(one);
  }
  return classes;
}

std::vector<double> posterior_of(const LawColumn& column, std::size_t kind, std::size_t places) {
  std::vector<double> posterior(places, 0);
  double sum = 0;
  for (std::size_t f = 0; f < column.mass.size(); ++f) {
    double weight = column.mass[f] * column.weights[kind][f];
    posterior[column.place_of[f]] += weight;
    sum += weight;
  }
  for (double& p : posterior) p = sum > 0 ? p / sum : 0;
  return posterior;
}

Marginals::Marginals(const Prior& prior) : begin_{0} {
  for (const auto& codes : prior.codes) begin_.push_back(begin_.back() + codes.size());
  values_.resize(begin_.back(), 0);
}

void Marginals::clear() { std::fill(values_.begin(), values_.end(), 0); }

std::span<double> Marginals::of(std::uint32_t attribute) {
  return std::span(values_).subspan(begin_[attribute], begin_[attribute + 1] - begin_[attribute]);
}

std::span<const double> Marginals::of(std::uint32_t attribute) const {
  return std::span(values_).subspan(begin_[attribute], begin_[attribute + 1] - begin_[attribute]);
}

void Marginals::add(const Prior& prior, std::span<const Weighted> vectors) {
  for (const Weighted& one : vectors) {
    const std::uint32_t* places = prior.places.data() + std::size_t{one.vector} * prior.width;
    for (std::uint32_t j = 0; j < prior.width; ++j) values_[begin_[j] + places[j]] += one.weight;
  }
}

bool Marginals::normalise() {
  bool any = true;
  for (std::uint32_t j = 0; j + 1 < begin_.size(); ++j) {
    auto values = of(j);
    double sum = std::accumulate(values.begin(), values.end(), 0.0);
    any &= sum > 0;
    for (double& value : values) value = sum > 0 ? value / sum : 0;
  }
  return any;
}

void Marginals::set_to_shares(const Prior& prior) {
  for (std::uint32_t j = 0; j < prior.width; ++j) {
    std::copy(prior.shares[j].begin(), prior.shares[j].end(), of(j).begin());
  }
}

namespace {

// The share of vectors that a profile leaves, on average over rows.
double left_by(const LawColumn& column) {
  std::vector<double> left(column.kinds.size(), 0);
  for (std::size_t kind = 0; kind < left.size(); ++kind) {
    for (std::size_t f = 0; f < column.mass.size(); ++f) {
      if (column.weights[kind][f] > 0) left[kind] += column.mass[f];
    }
  }
  double sum = 0;
  for (std::uint32_t kind : column.kind_of) sum += left[kind];
  return sum;
}

}  // namespace

SparseWeights::SparseWeights(const Prior& prior, std::span<const LawColumn> columns,
                             const ClassList& classes)
    : prior_(prior),
      columns_(columns),
      classes_(classes),
      depths_(columns.size()),
      order_(classes.count()) {
  std::iota(depths_.begin(), depths_.end(), 0);
  std::vector<double> left;
  for (const LawColumn& column : columns) left.push_back(left_by(column));
  std::stable_sort(depths_.begin(), depths_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return left[a] < left[b]; });
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t column : depths_) {
      if (classes_.kind(a, column) != classes_.kind(b, column)) {
        return classes_.kind(a, column) < classes_.kind(b, column);
      }
    }
    return false;
  });
  for (std::uint32_t v = 0; v < prior.vectors(); ++v) {
    all_.push_back({v, static_cast<double>(prior.counts[v])});
  }
}

// How many columns two classes begin alike in.
std::uint32_t SparseWeights::shared(std::uint32_t left, std::uint32_t right) const {
  std::uint32_t depth = 0;
  while (depth < depths_.size() &&
         classes_.kind(left, depths_[depth]) == classes_.kind(right, depths_[depth])) {
    ++depth;
  }
  return depth;
}

void SparseWeights::filter(std::uint32_t one, std::uint32_t depth, std::span<const Weighted> from,
                           std::vector<Weighted>& to) const {
  const LawColumn& column = columns_[depths_[depth]];
  const auto& weights = column.weights[classes_.kind(one, depths_[depth])];
  // Written in any case, and kept by moving on: whether it is kept nobody could foretell.
  to.resize(from.size());
  std::size_t kept = 0;
  for (const Weighted& weighted : from) {
    double weight = weights[column.feature_of[weighted.vector]];
    to[kept] = {weighted.vector, weighted.weight * weight};
    kept += weight > 0 ? 1 : 0;
  }
  to.resize(kept);
}

void SparseWeights::run(std::uint32_t begin, std::uint32_t end, const Visit& visit) const {
  std::vector<std::vector<Weighted>> left(depths_.size());
  for (std::uint32_t i = begin; i < end; ++i) {
    std::uint32_t depth = i == begin ? 0 : shared(order_[i - 1], order_[i]);
    for (; depth < depths_.size(); ++depth) {
      std::span<const Weighted> from = depth == 0 ? std::span(all_) : std::span(left[depth - 1]);
      filter(order_[i], depth, from, left[depth]);
    }
    visit(order_[i], left.empty() ? std::span(all_) : std::span<const Weighted>(left.back()));
  }
}

DenseWeights::DenseWeights(const Prior& prior, std::span<const LawColumn> columns,
                           const ClassList& classes)
    : prior_(prior), columns_(columns), classes_(classes) {
  // Columns of one attribute stay together, so that each half has its attributes to itself.
  std::vector<std::vector<std::uint32_t>> parts(halves);
  for (std::uint32_t c = 0; c < columns.size(); ++c) {
    parts[columns[c].attribute < (prior.width + 1) / 2 ? 0 : 1].push_back(c);
  }
  for (auto& part : parts) halves_.push_back(make_half(std::move(part)));
  for (std::uint32_t half = 0; half < halves; ++half) {
    const auto& other = halves_[1 - half].kinds_of;
    auto& order = halves_[half].order;
    order.resize(classes.count());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return other[a] < other[b]; });
  }
}

DenseWeights::Half DenseWeights::make_half(std::vector<std::uint32_t> columns) const {
  Half half;
  half.columns = std::move(columns);
  for (std::uint32_t c : half.columns) half.attributes.push_back(columns_[c].attribute);
  std::sort(half.attributes.begin(), half.attributes.end());
  half.attributes.erase(std::unique(half.attributes.begin(), half.attributes.end()),
                        half.attributes.end());
  std::vector<std::uint32_t> list(half.columns.size());
  ListNumbers parts, kinds;
  for (std::uint32_t v = 0; v < prior_.vectors(); ++v) {
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = columns_[half.columns[i]].feature_of[v];
    auto [part, is_new] = parts.number(list);
    if (is_new) half.example.push_back(v);
    half.part_of.push_back(part);
  }
  for (std::uint32_t one = 0; one < classes_.count(); ++one) {
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = classes_.kind(one, half.columns[i]);
    half.kinds_of.push_back(kinds.number(list).first);
  }
  return half;
}

// Of every part, for the kinds of a class.
void DenseWeights::likelihoods(const Half& half, std::uint32_t one,
                               std::vector<double>& out) const {
  out.assign(half.example.size(), 1);
  for (std::uint32_t c : half.columns) {
    const auto& weights = columns_[c].weights[classes_.kind(one, c)];
    const auto& feature_of = columns_[c].feature_of;
    for (std::size_t part = 0; part < out.size(); ++part) {
      out[part] *= weights[feature_of[half.example[part]]];
    }
  }
}

void DenseWeights::run(std::uint32_t half, std::uint32_t begin, std::uint32_t end,
                       const Visit& visit) const {
  const Half& own = halves_[half];
  const Half& other = halves_[1 - half];
  Marginals marginals(prior_);
  std::vector<double> likelihood, sums;  // sums: the weight of each part, by the other half
  for (std::uint32_t i = begin; i < end; ++i) {
    std::uint32_t one = own.order[i];
    bool same = i > begin && other.kinds_of[one] == other.kinds_of[own.order[i - 1]];
    if (!same) {
      likelihoods(other, one, likelihood);
      sums.assign(own.example.size(), 0);
      for (std::uint32_t v = 0; v < prior_.vectors(); ++v) {
        sums[own.part_of[v]] += prior_.counts[v] * likelihood[other.part_of[v]];
      }
    }
    likelihoods(own, one, likelihood);
    marginals.clear();
    for (std::uint32_t j : own.attributes) {
      auto to = marginals.of(j);
      for (std::size_t part = 0; part < sums.size(); ++part) {
        to[prior_.place(own.example[part], j)] += sums[part] * likelihood[part];
      }
    }
    visit(one, marginals);
  }
}

double DenseWeights::weight(std::uint32_t one, std::uint32_t vector) const {
  double weight = prior_.counts[vector];
  for (std::uint32_t c = 0; c < columns_.size(); ++c) {
    weight *= columns_[c].weights[classes_.kind(one, c)][columns_[c].feature_of[vector]];
  }
  return weight;
}

}  // namespace rankveil::audit
