#include "rankveil/publish/groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/publish/method.h"

namespace rankveil::publish {

namespace {

// Forms groups one by one, and keeps the field in step with what is published.
class Forming {
 public:
  Forming(const Points& points, const Demand& demand, Formed& formed)
      : points_(points),
        demand_(demand),
        formed_(formed),
        method_(*find_method(demand.method)),
        rng_(demand.seed),
        field_(std::make_unique<Field>(Field::of_table(points, formed.top.rows))) {
    count();
  }

  // Whether there may be more.
  bool next() {
    Round round{points_, *field_, counter_.get(), demand_, formed_.top.threshold, rng_};
    Selected selected = method_.select(round);
    formed_.gave_up = selected.gave_up;
    for (const Selection& selection : selected.selections) publish(selection);
    if (selected.selections.empty() || field_->positives_left() == 0) return false;
    if (2 * field_->positives_left() <= field_->positives()) cut();
    return true;
  }

 private:
  bool is_member(const Selection& selection, Point point) const {
    if (!field_->is_left(point) || !field_->holds(selection.edges, point)) return false;
    return !selection.above_threshold ||
           points_.scores[field_->row(point)] >= formed_.top.threshold;
  }

  void publish(const Selection& selection) {
    Group group{.box = field_->box(selection.edges)};
    if (selection.above_threshold) group.least_score = formed_.top.threshold;
    for (Point point = 0; point < field_->size(); ++point) {
      if (!is_member(selection, point)) continue;
      if (point < field_->positives()) ++group.true_positives;
      group.members.push_back(field_->row(point));
      field_->remove(point);
      if (counter_) counter_->remove(point);
    }
    std::ranges::sort(group.members);
    auto [low, high] =
        std::ranges::minmax(group.members, {}, [&](Row row) { return points_.scores[row]; });
    group.score_low = points_.scores[low];
    group.score_high = points_.scores[high];
    formed_.groups.push_back(std::move(group));
  }

  // To what is left, once that is half as much: all later rounds are the quicker for it.
  void cut() {
    std::vector<Row> positives, others;
    for (Point point = 0; point < field_->size(); ++point) {
      if (!field_->is_left(point)) continue;
      (point < field_->positives() ? positives : others).push_back(field_->row(point));
    }
    counter_.reset();
    field_ = std::make_unique<Field>(points_, positives, others);
    count();
  }

  void count() {
    if (method_.counts_boxes) counter_ = std::make_unique<Counter>(*field_);
  }

  const Points& points_;
  const Demand& demand_;
  Formed& formed_;
  const Method& method_;
  Rng rng_;
  std::unique_ptr<Field> field_;
  std::unique_ptr<Counter> counter_;
};

Formed form(const Points& points, const Demand& demand, std::size_t most_groups) {
  Formed formed{.top = find_top(points, demand.top, demand.ties), .groups = {}};
  Forming forming(points, demand, formed);
  while (forming.next() && formed.groups.size() < most_groups) {
  }
  return formed;
}

bool succeeds(const Points& points, const Demand& demand) {
  return !form(points, demand, 1).groups.empty();
}

// The highest of [low, high) that `works`, where low is known to work and high is known not to; for
// heuristics that work here and there, some one that works.
template <typename Works>
std::uint32_t highest(std::uint32_t low, std::uint32_t high, const Works& works) {
  while (high - low > 1) {
    std::uint32_t middle = low + (high - low) / 2;
    (works(middle) ? low : high) = middle;
  }
  return low;
}

Row complete_rows(const Points& points) {
  return static_cast<Row>(
      std::ranges::count_if(points.scores, [](double score) { return score != no_score; }));
}

}  // namespace

Status check_demand(const Demand& demand, Row rows, Row complete) {
  if (find_method(demand.method) == nullptr) {
    auto names = method_names();
    return wrong_use(fmt::format("there is no method \"{}\"; {}", demand.method,
                                 did_you_mean(demand.method, names, "there are " + listed(names))));
  }
  if (!(demand.precision > 0 && demand.precision <= 1)) {
    return wrong_use(fmt::format(
        "a precision of {} cannot be had; use a number above 0 and up to 1", demand.precision));
  }
  if (demand.top == 0) return wrong_use("a top of 0 rows has nobody in it; use 1 or more");
  if (demand.k < 2) {
    return wrong_use(fmt::format("k = {} hides nobody; use 2 or more", demand.k));
  }
  if (demand.alpha == 0 || demand.starts == 0) {
    return wrong_use("alpha and starts must be 1 or more");
  }
  if (!(demand.theta >= 0 && demand.theta <= 1)) {
    return wrong_use(fmt::format("theta must be a number from 0 to 1, not {}", demand.theta));
  }
  if (demand.k > rows) {
    return bad_input(fmt::format("k is {} and the table has {}; no group can have so many members",
                                 demand.k, counted(rows, "row")));
  }
  if (demand.top > complete) {
    return bad_input(fmt::format("the top {} of {} cannot be had; ask for {} at most", demand.top,
                                 counted(complete, "row"), complete));
  }
  return {};
}

std::uint64_t Formed::true_positives() const {
  std::uint64_t sum = 0;
  for (const Group& group : groups) sum += group.true_positives;
  return sum;
}

std::uint64_t Formed::members() const {
  std::uint64_t sum = 0;
  for (const Group& group : groups) sum += group.members.size();
  return sum;
}

double Formed::covered() const {
  return static_cast<double>(true_positives()) / static_cast<double>(top.rows.size());
}

double Formed::precision() const {
  return groups.empty() ? 0
                        : static_cast<double>(true_positives()) / static_cast<double>(members());
}

Result<Formed> form_groups(const Points& points, const Demand& demand) {
  if (points.dimensions() == 0 || points.dimensions() > most_dimensions) {
    return wrong_use(fmt::format("{} ranking columns were given; use 1 to {}", points.dimensions(),
                                 most_dimensions));
  }
  auto checked = check_demand(demand, points.rows(), complete_rows(points));
  if (!checked) return checked.error();
  return form(points, demand, SIZE_MAX);
}

Nearest nearest_demand(const Points& points, const Demand& demand) {
  auto with_precision = [&](std::uint32_t hundredths) {
    Demand weaker = demand;
    weaker.precision = hundredths / 100.0;
    return weaker;
  };
  auto with_k = [&](std::uint32_t k) {
    Demand weaker = demand;
    weaker.k = k;
    return weaker;
  };
  Nearest nearest;
  auto above = static_cast<std::uint32_t>(std::ceil(demand.precision * 100 - 1e-9));
  auto precise = [&](std::uint32_t at) { return succeeds(points, with_precision(at)); };
  if (above > 1 && precise(1)) nearest.precision = highest(1, above, precise) / 100.0;
  auto anonymous = [&](std::uint32_t k) { return succeeds(points, with_k(k)); };
  if (demand.k > 2 && anonymous(2)) nearest.k = highest(2, demand.k, anonymous);
  return nearest;
}

}  // namespace rankveil::publish
