#include "rankveil/audit/vector_weights.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "rankveil/audit/feature_trie.h"
#include "rankveil/audit/list_numbers.h"

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

void Marginals::add(const Prior& prior, std::span<const std::uint32_t> vectors,
                    std::span<const double> masses) {
  for (std::uint32_t vector : vectors) {
    const std::uint32_t* places = prior.places.data() + std::size_t{vector} * prior.width;
    double mass = masses[vector];
    for (std::uint32_t j = 0; j < prior.width; ++j) values_[begin_[j] + places[j]] += mass;
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

SparseWeights::Walk::Walk(const SparseWeights& weights)
    : weights_(weights),
      trie_(*weights.trie_),
      reached_(trie_.depth()),
      sums_(trie_.depth()),
      marginals_(weights.prior_) {}

// How many levels two classes begin alike in.
std::uint32_t SparseWeights::Walk::shared(std::uint32_t left, std::uint32_t right) const {
  const ClassList& classes = weights_.classes_;
  std::uint32_t level = 0;
  while (level < trie_.depth() &&
         classes.kind(left, trie_.column(level)) == classes.kind(right, trie_.column(level))) {
    ++level;
  }
  return level;
}

// From nodes of the level above to those of their children that are not ruled out.
void SparseWeights::Walk::descend(std::uint32_t level) {
  std::uint32_t column = trie_.column(level);
  const double* weights =
      weights_.columns_[column].weights[weights_.classes_.kind(one_, column)].data();
  const auto& feature = trie_.level(level).feature;
  std::vector<Reached>& to = reached_[level];
  to.clear();
  auto reach = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t above, double likelihood) {
    for (std::uint32_t node = begin; node < end; ++node) {
      double weight = weights[feature[node]];
      if (weight > 0) to.push_back({node, above, likelihood * weight});
    }
  };
  if (level == 0) return reach(0, static_cast<std::uint32_t>(feature.size()), 0, 1);
  const auto& children = trie_.level(level - 1).children;
  const std::vector<Reached>& from = reached_[level - 1];
  for (std::uint32_t i = 0; i < from.size(); ++i) {
    reach(children[from[i].node], children[from[i].node + 1], i, from[i].likelihood);
  }
}

// Down the tree from where the class before went another way.
void SparseWeights::Walk::go_to(std::uint32_t at) {
  std::uint32_t before = std::exchange(one_, weights_.order_[at]);
  std::uint32_t level = before == nowhere ? 0 : shared(before, one_);
  for (; level < trie_.depth(); ++level) descend(level);
}

void SparseWeights::Walk::list(std::vector<std::uint32_t>& vectors) const {
  for (const Reached& leaf : reached_.back()) vectors.push_back(trie_.example(leaf.node));
}

void SparseWeights::Walk::list(std::vector<Weighted>& vectors) const {
  for (const Reached& leaf : reached_.back()) {
    std::uint32_t vector = trie_.example(leaf.node);
    vectors.push_back({vector, weights_.prior_.counts[vector] * leaf.likelihood});
  }
}

// Weights of one level, from those of the level below.
void SparseWeights::Walk::sum_level(std::uint32_t level, std::span<const double> masses) {
  const std::vector<Reached>& reached = reached_[level];
  std::vector<double>& sums = sums_[level];
  sums.assign(reached.size(), 0);
  if (level + 1 == trie_.depth()) {
    for (std::size_t i = 0; i < reached.size(); ++i) {
      sums[i] = masses[trie_.example(reached[i].node)] * reached[i].likelihood;
    }
    return;
  }
  const std::vector<Reached>& below = reached_[level + 1];
  for (std::size_t i = 0; i < below.size(); ++i) sums[below[i].above] += sums_[level + 1][i];
}

Marginals& SparseWeights::Walk::sums(std::span<const double> masses) {
  for (std::uint32_t level = trie_.depth(); level-- > 0;) {
    sum_level(level, masses);
    const LawColumn& column = weights_.columns_[trie_.column(level)];
    const auto& feature = trie_.level(level).feature;
    auto to = marginals_.of(column.attribute);
    std::fill(to.begin(), to.end(), 0);  // another release of the attribute says the same
    for (std::size_t i = 0; i < reached_[level].size(); ++i) {
      to[column.place_of[feature[reached_[level][i].node]]] += sums_[level][i];
    }
  }
  return marginals_;
}

void SparseWeights::run(std::uint32_t begin, std::uint32_t end, const Visit& visit) const {
  Walk walk(*this);
  std::vector<Weighted> left;
  for (std::uint32_t at = begin; at < end; ++at) {
    walk.go_to(at);
    left.clear();
    walk.list(left);
    visit(walk.one(), left);
  }
}

void SparseWeights::run_sums(std::uint32_t begin, std::uint32_t end, std::span<const double> masses,
                             const VisitSums& visit) const {
  Walk walk(*this);
  for (std::uint32_t at = begin; at < end; ++at) {
    walk.go_to(at);
    visit(walk.one(), walk.sums(masses), walk.left() > 0);
  }
}

double SparseWeights::expected_left() const {
  constexpr std::uint32_t samples = 64;
  double left = 0;
  std::uint32_t step = std::max(1U, classes_.count() / samples), taken = 0;
  Walk walk(*this);
  for (std::uint32_t at = 0; at < classes_.count(); at += step, ++taken) {
    walk.go_to(at);
    left += static_cast<double>(walk.left());
  }
  return taken > 0 ? left / taken * classes_.count() : 0;
}

}  // namespace rankveil::audit
