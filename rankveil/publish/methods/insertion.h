// A box that grows: what Greedy Insertion and GRASP build.
#pragma once

#include <optional>
#include <vector>

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

struct Insertion {
  Point point = 0;
  Edges edges = {};    // of the box after it
  Counts counts = {};  // likewise
};

class Growth {
 public:
  // Nothing is chosen.
  explicit Growth(const Round& round);

  // The `number` best of all true positives that are left and not in the box yet: greatest balance
  // first, then by rank. Those inside would change nothing.
  std::vector<Insertion> best(std::size_t number) const;
  void insert(const Insertion& insertion);

  const std::vector<Point>& chosen() const { return chosen_; }
  const std::optional<Edges>& edges() const { return edges_; }  // none: nothing is chosen
  const Counts& counts() const { return counts_; }

 private:
  Edges edges_with(Point point) const;

  const Round& round_;
  std::vector<Point> outside_;
  std::vector<Point> chosen_;
  std::optional<Edges> edges_;
  Counts counts_;
};

}  // namespace rankveil::publish
