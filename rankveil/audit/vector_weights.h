// Weighs the private vectors of a group by how likely they lead to the profiles of a row.
//
// Rows with the same profiles form a class and are weighed once. Vectors that a profile rules out
// are dropped attribute by attribute, and classes that begin alike share the work. Where nothing is
// ruled out, see dense_weights.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rankveil/audit/likelihood.h"
#include "rankveil/audit/prior.h"

namespace rankveil::audit {

class FeatureTrie;

// One attribute of one release in one group: how each vector leads to each profile. Vectors that
// are alike to the law in this attribute share a feature.
struct LawColumn {
  std::uint32_t attribute = 0;
  std::vector<std::uint32_t> kinds;          // profiles that rows of the group have
  std::vector<std::uint32_t> kind_of;        // per row of the group: place in `kinds`
  std::vector<std::uint32_t> feature_of;     // per vector
  std::vector<std::uint32_t> place_of;       // per feature: its value in the prior
  std::vector<double> mass;                  // per feature: rows
  std::vector<std::vector<double>> weights;  // [kind][feature]

  bool rules_nothing_out() const;
};

// The profiles of a group's rows; feature_of and weights are still empty.
LawColumn column_of(const KnownGroup& group, const std::vector<std::uint32_t>& kinds,
                    std::uint32_t attribute);
using Weigh = std::function<double(std::uint32_t kind, std::uint32_t code, std::uint32_t pattern)>;
using Pattern = std::function<std::uint32_t(std::uint32_t vector)>;
// Fills features and weights. `pattern` may be empty: values alone count.
void fill_weights(const Prior& prior, const Pattern& pattern, const Weigh& weigh,
                  LawColumn& column);

// Rows of a group with the same profiles in all columns.
struct ClassList {
  std::vector<std::uint32_t> class_of;              // per row, in the order they were given in
  std::vector<std::vector<std::uint32_t>> members;  // per class: rows
  std::vector<std::uint32_t> rows;                  // per class: how many
  std::vector<std::uint32_t> kinds;                 // [class][column]
  std::uint32_t columns = 0;

  std::uint32_t count() const { return static_cast<std::uint32_t>(rows.size()); }
  std::uint32_t kind(std::uint32_t one, std::uint32_t column) const {
    return kinds[std::size_t{one} * columns + column];
  }
};
// `rows`: numbers inside the group.
ClassList classes_of(std::span<const LawColumn> columns, std::span<const std::uint32_t> rows);

// What one profile says about its own attribute, by place; all 0 when no value leads to it.
std::vector<double> posterior_of(const LawColumn& column, std::size_t kind, std::size_t places);

struct Weighted {
  std::uint32_t vector;
  double weight;  // count x likelihood
};

// What weights say about every attribute: [attribute][place], summing to 1. Kept in one piece, and
// used again for the next class.
class Marginals {
 public:
  explicit Marginals(const Prior& prior);

  void clear();
  std::span<double> of(std::uint32_t attribute);
  std::span<const double> of(std::uint32_t attribute) const;
  void add(const Prior& prior, std::span<const Weighted> vectors);
  void add(const Prior& prior, std::span<const std::uint32_t> vectors,
           std::span<const double> masses);
  // False when there is no weight at all.
  bool normalise();
  void set_to_shares(const Prior& prior);

 private:
  std::vector<std::size_t> begin_;
  std::vector<double> values_;
};

// Weights of vectors, class by class. Several threads may walk at once.
class SparseWeights {
 public:
  SparseWeights(const Prior& prior, std::span<const LawColumn> columns, const ClassList& classes);

  class Walk;

  // Calls visit(class, vectors that are left, in no order) for the classes that stand at
  // [begin, end) of an order in which they share the most.
  using Visit = std::function<void(std::uint32_t one, std::span<const Weighted> left)>;
  void run(std::uint32_t begin, std::uint32_t end, const Visit& visit) const;
  // The same with what their weights come to, attribute by attribute and not normalised; nothing is
  // left when `any` is false. `masses` stand for the counts of vectors.
  using VisitSums = std::function<void(std::uint32_t one, Marginals& marginals, bool any)>;
  void run_sums(std::uint32_t begin, std::uint32_t end, std::span<const double> masses,
                const VisitSums& visit) const;
  // How many vectors are left for all classes together, judging by some of them.
  double expected_left() const;

 private:
  const Prior& prior_;
  std::span<const LawColumn> columns_;
  const ClassList& classes_;
  std::shared_ptr<const FeatureTrie> trie_;  // columns that rule out most on top
  std::vector<std::uint32_t> order_;         // classes
};

// Goes through classes one after another, and keeps what the next has in common with the last.
class SparseWeights::Walk {
 public:
  explicit Walk(const SparseWeights& weights);

  // To the class that stands at `at`.
  void go_to(std::uint32_t at);
  std::uint32_t one() const { return one_; }  // where it stands now
  std::size_t left() const { return reached_.back().size(); }
  void list(std::vector<std::uint32_t>& vectors) const;  // adds those left to the end
  void list(std::vector<Weighted>& vectors) const;
  Marginals& sums(std::span<const double> masses);

 private:
  static constexpr std::uint32_t nowhere = 0xFFFFFFFF;
  struct Reached {
    std::uint32_t node;
    std::uint32_t above;  // among those reached one level up
    double likelihood;
  };
  std::uint32_t shared(std::uint32_t left, std::uint32_t right) const;
  void descend(std::uint32_t level);
  void sum_level(std::uint32_t level, std::span<const double> masses);

  const SparseWeights& weights_;
  const FeatureTrie& trie_;
  std::uint32_t one_ = nowhere;
  std::vector<std::vector<Reached>> reached_;  // [level]
  std::vector<std::vector<double>> sums_;      // [level], as reached
  Marginals marginals_;
};

}  // namespace rankveil::audit
