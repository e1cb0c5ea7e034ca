#include "rankveil/publish/methods/exchange.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

namespace rankveil::publish {

namespace {

// The lowest (or highest) rank in one dimension, who alone has it, and the next one.
struct End {
  std::uint32_t rank = 0;
  std::optional<Point> alone = {};
  std::uint32_t next = 0;  // the edge when that one goes
};

template <typename Better>
End end_of(const Field& field, std::size_t d, const std::vector<Point>& chosen, Better better) {
  End end{field.rank(d, chosen.front()), chosen.front(), field.rank(d, chosen.front())};
  bool has_next = false;
  for (std::size_t i = 1; i < chosen.size(); ++i) {
    std::uint32_t rank = field.rank(d, chosen[i]);
    if (better(rank, end.rank)) {
      end = {rank, chosen[i], end.rank};
      has_next = true;
    } else if (rank == end.rank) {
      end.alone.reset();
    } else if (!has_next || better(rank, end.next)) {
      end.next = rank;
      has_next = true;
    }
  }
  return end;
}

}  // namespace

std::vector<Leavers> leavers(const Field& field, const std::vector<Point>& chosen) {
  if (chosen.size() == 1) return {{chosen, std::nullopt}};
  Edges whole = field.edges_around(chosen);
  std::vector<Leavers> each;
  auto entry = [&](Point point) -> Edges& {
    auto found = std::ranges::find(each, point, [](const Leavers& one) { return one.points[0]; });
    if (found != each.end()) return *found->edges;
    each.push_back({{point}, whole});
    return *each.back().edges;
  };
  for (std::size_t d = 0; d < field.dimensions(); ++d) {
    End low = end_of(field, d, chosen, std::less<>());
    if (low.alone) entry(*low.alone).low[d] = low.next;
    End high = end_of(field, d, chosen, std::greater<>());
    if (high.alone) entry(*high.alone).high[d] = high.next;
  }
  std::ranges::sort(each, {}, [](const Leavers& one) { return one.points[0]; });
  Leavers alike{{}, whole};
  for (Point point : chosen) {
    bool matters =
        std::ranges::any_of(each, [&](const Leavers& one) { return one.points[0] == point; });
    if (!matters) alike.points.push_back(point);
  }
  if (!alike.points.empty()) each.insert(each.begin(), std::move(alike));
  return each;
}

std::vector<Point> unchosen(const Field& field, const std::vector<Point>& chosen) {
  std::vector<std::uint8_t> is_chosen(field.positives(), 0);
  for (Point point : chosen) is_chosen[point] = 1;
  std::vector<Point> others;
  for (Point point : field.left_positives()) {
    if (is_chosen[point] == 0) others.push_back(point);
  }
  return others;
}

std::vector<Point> after(const std::vector<Point>& chosen, const Step& step, std::uint64_t way) {
  std::vector<Point> result = chosen;
  if (step.leavers != nullptr) std::erase(result, step.leavers->points[way]);
  if (step.comer) result.push_back(*step.comer);
  return result;
}

bool count_step(const Round& round, double least, Step& step) {
  if (step.leavers != nullptr) {
    if (!step.leavers->edges && !step.comer) return false;
    step.edges = step.leavers->edges ? *step.leavers->edges
                                     : round.field.edges_around(std::span(&*step.comer, 1));
  }
  if (step.comer) round.field.stretch(step.edges, *step.comer);
  std::uint32_t positives = round.counter->positives(step.edges);
  std::uint32_t limit = Counter::no_limit;
  if (least > 0) limit = static_cast<std::uint32_t>(positives / least + 1e-9) - positives;
  std::uint32_t others = round.counter->others(step.edges, limit);
  step.counts = {positives, positives + others};
  return others <= limit;
}

void NearlyBest::offer(Step step) {
  if (!count_step(round_, std::max(0.0, best_ - theta_), step)) return;
  if (step.counts.members < round_.demand.k) return;
  best_ = std::max(best_, step.counts.precision());
  steps_.push_back(step);
}

std::optional<std::pair<Step, std::vector<Point>>> NearlyBest::draw(
    const std::vector<Point>& chosen) {
  std::erase_if(steps_,
                [&](const Step& step) { return step.counts.precision() < best_ - theta_ - 1e-9; });
  auto accepted = [&](const Step& step) { return round_.accepts(step.counts); };
  if (std::ranges::any_of(steps_, accepted)) std::erase_if(steps_, std::not_fn(accepted));
  std::uint64_t ways = 0;
  for (const Step& step : steps_) ways += step.ways();
  if (ways == 0) return std::nullopt;
  std::uint64_t drawn = round_.rng.below(ways);
  for (const Step& step : steps_) {
    if (drawn < step.ways()) return std::pair(step, after(chosen, step, drawn));
    drawn -= step.ways();
  }
  assert(false && "one of the ways was drawn");
  return std::nullopt;
}

}  // namespace rankveil::publish
