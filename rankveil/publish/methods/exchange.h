// Steps from one set of chosen true positives to a neighbour: what GRASP, theta and theta-rapid
// try.
//
// Only a chosen row that alone stands at an edge changes the box when it goes; all others are
// alike. So boxes are counted once for each of the few that matter, not for every row.
#pragma once

#include <optional>
#include <vector>

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

// Chosen rows whose going leaves the same box.
struct Leavers {
  std::vector<Point> points;
  std::optional<Edges> edges;  // the box around the others; none: there are no others
};
// Those that leave the box as it is, then the others, each alone, best first.
std::vector<Leavers> leavers(const Field& field, const std::vector<Point>& chosen);

// True positives that are left and not chosen, best first.
std::vector<Point> unchosen(const Field& field, const std::vector<Point>& chosen);

// A neighbour: somebody goes, somebody comes, or both. `ways` neighbours are alike: any of the
// leavers may go.
struct Step {
  const Leavers* leavers = nullptr;  // null: nobody goes
  std::optional<Point> comer = {};
  Edges edges = {};
  Counts counts = {};

  std::uint64_t ways() const { return leavers == nullptr ? 1 : leavers->points.size(); }
};

// The chosen rows after a step; `way` says which leaver goes.
std::vector<Point> after(const std::vector<Point>& chosen, const Step& step, std::uint64_t way);

// Counts the box of a step, unless its precision is below `least`; whether it is not.
bool count_step(const Round& round, double least, Step& step);

// Steps whose precision is within theta of the best one of all that were offered and keep k
// members.
class NearlyBest {
 public:
  NearlyBest(const Round& round, double theta) : round_(round), theta_(theta) {}
  void offer(Step step);
  // One at random, every way as likely as any other, and the chosen rows after it; one that meets
  // the demand where there is any. Nothing when no step keeps k members.
  std::optional<std::pair<Step, std::vector<Point>>> draw(const std::vector<Point>& chosen);

 private:
  const Round& round_;
  double theta_;
  double best_ = 0;
  std::vector<Step> steps_;
};

}  // namespace rankveil::publish
