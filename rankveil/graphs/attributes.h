// What is known of people besides their friends: numbers, and categories that generalise.
//
// SaNGreeA counts how much of it a set blurs: a number becomes the range of the set's numbers, a
// category the lowest common ancestor of the set's categories in a hierarchy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

// A tree of categories whose leaves are the values people have.
class Hierarchy {
 public:
  // One line per value: the value, then what it generalises to, step by step, up to the root.
  // Refuses lines of different roots, a value twice, and one parent's name with two parents.
  static Result<Hierarchy> from_paths(const std::vector<std::vector<std::string>>& paths);
  // One root above all values.
  static Hierarchy flat(const std::vector<std::string>& values);

  // The tree's number of a value people can have.
  Result<std::uint32_t> leaf(std::string_view value) const;
  std::uint32_t join(std::uint32_t left, std::uint32_t right) const;  // lowest common ancestor
  // Levels from the category down to its lowest leaf.
  std::uint32_t height(std::uint32_t category) const { return heights_[category]; }
  std::uint32_t height() const { return heights_[root_]; }

 private:
  void measure();
  std::vector<std::string> names_;
  std::vector<std::uint32_t> parents_;  // the root's is itself
  std::vector<std::uint32_t> depths_;
  std::vector<std::uint32_t> heights_;
  std::vector<bool> leaves_;
  std::uint32_t root_ = 0;
};

// One attribute of all nodes.
struct NumericAttribute {
  std::string name;
  std::vector<double> values;
};
struct CategoricalAttribute {
  std::string name;
  Hierarchy hierarchy;
  std::vector<std::uint32_t> values;  // leaves of the hierarchy
};

struct Attributes {
  std::vector<NumericAttribute> numeric;
  std::vector<CategoricalAttribute> categorical;

  std::size_t size() const { return numeric.size() + categorical.size(); }
};

// How much of its members' attributes a set blurs; grows member by member.
class Blur {
 public:
  explicit Blur(const Attributes& attributes);

  void clear();
  void add(Node node);
  // The sum, over attributes, of range / whole range and height / whole height; in [0, size()].
  double loss() const { return loss_; }
  double loss_with(Node node) const;

 private:
  const Attributes& attributes_;
  std::vector<double> whole_;  // the range of each number over all nodes
  std::vector<double> low_, high_;
  std::vector<std::uint32_t> joined_;
  double loss_ = 0;
  bool empty_ = true;
};

}  // namespace rankveil::graph
