#include "rankveil/graphs/attributes.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace rankveil::graph {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

Hierarchy Hierarchy::flat(const std::vector<std::string>& values) {
  Hierarchy tree;
  tree.names_ = values;
  tree.names_.emplace_back("*");
  tree.root_ = static_cast<std::uint32_t>(values.size());
  tree.parents_.assign(values.size() + 1, tree.root_);
  tree.leaves_.assign(values.size(), true);
  tree.leaves_.push_back(false);
  tree.measure();
  return tree;
}

// Categories are told apart by their name and how far they are from the root, so that a value may
// be called like what it generalises to.
Result<Hierarchy> Hierarchy::from_paths(const std::vector<std::vector<std::string>>& paths) {
  Hierarchy tree;
  std::map<std::pair<std::size_t, std::string>, std::uint32_t> known;
  std::map<std::string, bool> values;
  if (paths.empty()) return bad_input("a hierarchy needs at least one line");
  for (const auto& path : paths) {
    if (path.size() < 2) {
      return bad_input(
          fmt::format("\"{}\" has nothing above it; a line of a hierarchy goes up to "
                      "the root, as in Lyon,France,*",
                      path.empty() ? "" : path.front()));
    }
    if (path.back() != paths.front().back()) {
      return bad_input(
          fmt::format("\"{}\" goes up to \"{}\", others to \"{}\"; give all lines one "
                      "root",
                      path.front(), path.back(), paths.front().back()));
    }
    if (!values.emplace(path.front(), true).second) {
      return bad_input(fmt::format("\"{}\" stands on two lines", path.front()));
    }
    std::uint32_t parent = none;
    for (std::size_t up = 0; up < path.size(); ++up) {
      const std::string& name = path[path.size() - 1 - up];
      auto [place, fresh] =
          known.emplace(std::pair(up, name), static_cast<std::uint32_t>(tree.names_.size()));
      if (fresh) {
        tree.names_.push_back(name);
        tree.parents_.push_back(parent == none ? place->second : parent);
        tree.leaves_.push_back(false);
      } else if (parent != none && tree.parents_[place->second] != parent) {
        return bad_input(
            fmt::format("\"{}\" is below \"{}\" and below \"{}\"; a category has one "
                        "parent",
                        name, tree.names_[tree.parents_[place->second]], tree.names_[parent]));
      }
      parent = place->second;
    }
    tree.leaves_[parent] = true;
  }
  tree.measure();
  return tree;
}

void Hierarchy::measure() {
  depths_.assign(names_.size(), 0);
  heights_.assign(names_.size(), 0);
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    std::uint32_t up = 0;
    for (std::uint32_t at = i; at != parents_[at]; at = parents_[at]) {
      ++up;
      heights_[parents_[at]] = std::max(heights_[parents_[at]], up);
    }
    depths_[i] = up;
  }
}

Result<std::uint32_t> Hierarchy::leaf(std::string_view value) const {
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    if (leaves_[i] && names_[i] == value) return i;
  }
  return bad_input(fmt::format("\"{}\" is not in the hierarchy", value));
}

std::uint32_t Hierarchy::join(std::uint32_t left, std::uint32_t right) const {
  while (left != right) {
    if (depths_[left] >= depths_[right]) {
      left = parents_[left];
    } else {
      right = parents_[right];
    }
  }
  return left;
}

Blur::Blur(const Attributes& attributes)
    : attributes_(attributes),
      low_(attributes.numeric.size()),
      high_(attributes.numeric.size()),
      joined_(attributes.categorical.size()) {
  for (const NumericAttribute& attribute : attributes.numeric) {
    auto [low, high] = std::minmax_element(attribute.values.begin(), attribute.values.end());
    whole_.push_back(low == attribute.values.end() ? 0 : *high - *low);
  }
}

void Blur::clear() {
  empty_ = true;
  loss_ = 0;
}

void Blur::add(Node node) {
  loss_ = loss_with(node);
  for (std::size_t i = 0; i < low_.size(); ++i) {
    double value = attributes_.numeric[i].values[node];
    low_[i] = empty_ ? value : std::min(low_[i], value);
    high_[i] = empty_ ? value : std::max(high_[i], value);
  }
  for (std::size_t i = 0; i < joined_.size(); ++i) {
    const auto& attribute = attributes_.categorical[i];
    std::uint32_t value = attribute.values[node];
    joined_[i] = empty_ ? value : attribute.hierarchy.join(joined_[i], value);
  }
  empty_ = false;
}

double Blur::loss_with(Node node) const {
  if (empty_) return 0;
  double loss = 0;
  for (std::size_t i = 0; i < low_.size(); ++i) {
    double value = attributes_.numeric[i].values[node];
    loss += ratio(std::max(high_[i], value) - std::min(low_[i], value), whole_[i]);
  }
  for (std::size_t i = 0; i < joined_.size(); ++i) {
    const auto& attribute = attributes_.categorical[i];
    auto join = attribute.hierarchy.join(joined_[i], attribute.values[node]);
    loss += ratio(attribute.hierarchy.height(join), attribute.hierarchy.height());
  }
  return loss;
}

}  // namespace rankveil::graph
