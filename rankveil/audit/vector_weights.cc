#include "rankveil/audit/vector_weights.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "rankveil/audit/feature_trie.h"

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
    : prior_(prior), columns_(columns), classes_(classes), order_(classes.count()) {
  std::vector<std::uint32_t> depths(columns.size());
  std::iota(depths.begin(), depths.end(), 0);
  std::vector<double> left;
  for (const LawColumn& column : columns) left.push_back(left_by(column));
  std::stable_sort(depths.begin(), depths.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return left[a] < left[b]; });
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t column : depths) {
      if (classes_.kind(a, column) != classes_.kind(b, column)) {
        return classes_.kind(a, column) < classes_.kind(b, column);
      }
    }
    return false;
  });
  trie_ = std::make_shared<const FeatureTrie>(columns, std::move(depths), prior.vectors());
}

// How many levels two classes begin alike in.
std::uint32_t SparseWeights::shared(std::uint32_t left, std::uint32_t right) const {
  std::uint32_t level = 0;
  while (level < trie_->depth() &&
         classes_.kind(left, trie_->column(level)) == classes_.kind(right, trie_->column(level))) {
    ++level;
  }
  return level;
}

// From nodes of the level above to those of their children that are not ruled out.
void SparseWeights::descend(std::uint32_t one, std::uint32_t level, std::span<const Reached> from,
                            std::vector<Reached>& to) const {
  std::uint32_t column = trie_->column(level);
  const auto& weights = columns_[column].weights[classes_.kind(one, column)];
  const auto& feature = trie_->level(level).feature;
  to.clear();
  auto reach = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t above, double likelihood) {
    for (std::uint32_t node = begin; node < end; ++node) {
      double weight = weights[feature[node]];
      if (weight > 0) to.push_back({node, above, likelihood * weight});
    }
  };
  if (level == 0) return reach(0, static_cast<std::uint32_t>(feature.size()), 0, 1);
  const auto& children = trie_->level(level - 1).children;
  for (std::uint32_t i = 0; i < from.size(); ++i) {
    reach(children[from[i].node], children[from[i].node + 1], i, from[i].likelihood);
  }
}

// Down the tree for the class that stands at `at`, from where the class before it went another way.
void SparseWeights::follow(std::uint32_t at, std::uint32_t begin, Paths& reached) const {
  std::uint32_t level = at == begin ? 0 : shared(order_[at - 1], order_[at]);
  for (; level < reached.size(); ++level) {
    descend(order_[at], level,
            level == 0 ? std::span<const Reached>() : std::span<const Reached>(reached[level - 1]),
            reached[level]);
  }
}

void SparseWeights::run(std::uint32_t begin, std::uint32_t end, const Visit& visit) const {
  Paths reached(trie_->depth());
  std::vector<Weighted> left;
  for (std::uint32_t i = begin; i < end; ++i) {
    follow(i, begin, reached);
    left.clear();
    for (const Reached& leaf : reached.back()) {
      std::uint32_t vector = trie_->example(leaf.node);
      left.push_back({vector, prior_.counts[vector] * leaf.likelihood});
    }
    visit(order_[i], left);
  }
}

// Weights of leaves, added up level by level.
void SparseWeights::sum_up(const Paths& reached, std::vector<std::vector<double>>& sums,
                           Marginals& marginals) const {
  for (std::uint32_t level = trie_->depth(); level-- > 0;) {
    sums[level].resize(reached[level].size());
    bool last = level + 1 == trie_->depth();
    if (!last) {
      std::fill(sums[level].begin(), sums[level].end(), 0);
      for (std::size_t i = 0; i < reached[level + 1].size(); ++i) {
        sums[level][reached[level + 1][i].above] += sums[level + 1][i];
      }
    }
    const LawColumn& column = columns_[trie_->column(level)];
    auto to = marginals.of(column.attribute);
    std::fill(to.begin(), to.end(), 0);  // another release of the attribute says the same
    for (std::size_t i = 0; i < reached[level].size(); ++i) {
      const Reached& here = reached[level][i];
      if (last) sums[level][i] = prior_.counts[trie_->example(here.node)] * here.likelihood;
      to[column.place_of[trie_->level(level).feature[here.node]]] += sums[level][i];
    }
  }
}

void SparseWeights::run_sums(std::uint32_t begin, std::uint32_t end, const VisitSums& visit) const {
  Paths reached(trie_->depth());
  std::vector<std::vector<double>> sums(trie_->depth());
  Marginals marginals(prior_);
  for (std::uint32_t i = begin; i < end; ++i) {
    follow(i, begin, reached);
    sum_up(reached, sums, marginals);
    visit(order_[i], marginals, !reached.back().empty());
  }
}

double SparseWeights::expected_left() const {
  constexpr std::uint32_t samples = 64;
  double left = 0;
  std::uint32_t step = std::max(1U, classes_.count() / samples), taken = 0;
  Paths reached(trie_->depth());
  for (std::uint32_t i = 0; i < classes_.count(); i += step, ++taken) {
    follow(i, i, reached);
    left += static_cast<double>(reached.back().size());
  }
  return taken > 0 ? left / taken * classes_.count() : 0;
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
  // Few nodes on top: most of the work is in the leaves.
  std::stable_sort(half.columns.begin(), half.columns.end(), [&](std::uint32_t a, std::uint32_t b) {
    return columns_[a].mass.size() < columns_[b].mass.size();
  });
  for (std::uint32_t c : half.columns) half.attributes.push_back(columns_[c].attribute);
  std::sort(half.attributes.begin(), half.attributes.end());
  half.attributes.erase(std::unique(half.attributes.begin(), half.attributes.end()),
                        half.attributes.end());
  half.trie = std::make_shared<const FeatureTrie>(columns_, half.columns, prior_.vectors());
  ListNumbers kinds;
  std::vector<std::uint32_t> list(half.columns.size());
  for (std::uint32_t one = 0; one < classes_.count(); ++one) {
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = classes_.kind(one, half.columns[i]);
    half.kinds_of.push_back(kinds.number(list).first);
  }
  return half;
}

// Of every node, for the kinds of a class.
void DenseWeights::likelihoods(const Half& half, std::uint32_t one, ByLevel& out) const {
  out.resize(std::max<std::size_t>(1, half.trie->depth()));
  if (half.trie->depth() == 0) out[0].assign(1, 1);
  for (std::uint32_t level = 0; level < half.trie->depth(); ++level) {
    std::uint32_t column = half.trie->column(level);
    const double* weights = columns_[column].weights[classes_.kind(one, column)].data();
    const auto& feature = half.trie->level(level).feature;
    out[level].resize(feature.size());
    if (level == 0) {
      for (std::size_t node = 0; node < feature.size(); ++node)
        out[0][node] = weights[feature[node]];
      continue;
    }
    const auto& children = half.trie->level(level - 1).children;
    for (std::size_t above = 0; above + 1 < children.size(); ++above) {
      double likelihood = out[level - 1][above];
      for (std::uint32_t node = children[above]; node < children[above + 1]; ++node) {
        out[level][node] = likelihood * weights[feature[node]];
      }
    }
  }
}

// Leaves times `sums`, added up level by level: what nodes weigh, by the value they stand for.
void DenseWeights::sum_up(const Half& half, std::span<const double> sums, ByLevel& weights,
                          Marginals& marginals) const {
  marginals.clear();
  for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) weights.back()[leaf] *= sums[leaf];
  for (std::uint32_t level = half.trie->depth(); level-- > 0;) {
    const FeatureTrie::Level& here = half.trie->level(level);
    const LawColumn& column = columns_[half.trie->column(level)];
    for (std::size_t above = 0; level + 1 < half.trie->depth() && above < here.feature.size();
         ++above) {
      double sum = 0;
      for (std::uint32_t node = here.children[above]; node < here.children[above + 1]; ++node) {
        sum += weights[level + 1][node];
      }
      weights[level][above] = sum;
    }
    auto to = marginals.of(column.attribute);
    std::fill(to.begin(), to.end(), 0);  // a release before this one said the same
    for (std::size_t node = 0; node < here.feature.size(); ++node) {
      to[column.place_of[here.feature[node]]] += weights[level][node];
    }
  }
}

void DenseWeights::run(std::uint32_t half, std::uint32_t begin, std::uint32_t end,
                       const Visit& visit) const {
  const Half& own = halves_[half];
  const Half& other = halves_[1 - half];
  Marginals marginals(prior_);
  ByLevel likelihood;
  std::vector<double> sums;  // the weight of each leaf, by the other half
  for (std::uint32_t i = begin; i < end; ++i) {
    std::uint32_t one = own.order[i];
    bool same = i > begin && other.kinds_of[one] == other.kinds_of[own.order[i - 1]];
    if (!same) {
      likelihoods(other, one, likelihood);
      sums.assign(own.trie->leaves(), 0);
      for (std::uint32_t v = 0; v < prior_.vectors(); ++v) {
        sums[own.trie->leaf_of(v)] += prior_.counts[v] * likelihood.back()[other.trie->leaf_of(v)];
      }
    }
    likelihoods(own, one, likelihood);
    sum_up(own, sums, likelihood, marginals);
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
