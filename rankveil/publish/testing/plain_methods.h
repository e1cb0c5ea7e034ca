// The methods as their definitions read, for tests: every box is counted row by row.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "rankveil/base/random.h"
#include "rankveil/publish/demand.h"
#include "rankveil/publish/points.h"
#include "rankveil/publish/top.h"

namespace rankveil::publish::plain {

struct Inside {
  std::uint32_t positives = 0;
  std::uint32_t members = 0;

  std::int64_t balance() const { return 2 * std::int64_t{positives} - std::int64_t{members}; }
};

// What is left: the top first, best first, and everybody else.
struct Left {
  const Points& points;
  std::vector<Row> positives;
  std::vector<Row> others;

  Left(const Points& from, const Top& top) : points(from), positives(top.rows) {
    std::set<Row> in_top(top.rows.begin(), top.rows.end());
    for (Row row = 0; row < from.rows(); ++row) {
      if (!in_top.contains(row)) others.push_back(row);
    }
  }

  Inside count(const Box& box) const {
    Inside inside;
    for (Row row : positives) inside.positives += box.holds(points, row) ? 1 : 0;
    inside.members = inside.positives;
    for (Row row : others) inside.members += box.holds(points, row) ? 1 : 0;
    return inside;
  }
  void remove(const Box& box) {
    auto gone = [&](Row row) { return box.holds(points, row); };
    std::erase_if(positives, gone);
    std::erase_if(others, gone);
  }
};

inline bool accepts(const Inside& inside, const Demand& demand) {
  return inside.members >= demand.k &&
         precise_enough(inside.positives, inside.members, demand.precision);
}

inline bool at_edge(const Left& left, const Box& box, Row row) {
  for (std::size_t d = 0; d < box.low.size(); ++d) {
    double value = left.points.columns[d][row];
    if (value == box.low[d] || value == box.high[d]) return true;
  }
  return false;
}

inline std::optional<Box> greedy_deletion(const Left& left, const Demand& demand) {
  std::vector<Row> chosen = left.positives;
  for (;;) {
    Box box = box_around(left.points, chosen);
    Inside here = left.count(box);
    if (precise_enough(here.positives, here.members, demand.precision)) {
      return accepts(here, demand) ? std::optional(box) : std::nullopt;
    }
    std::optional<std::size_t> best;
    std::int64_t best_gain = 0;
    for (std::size_t i = 0; i < chosen.size() && chosen.size() > 1; ++i) {
      if (!at_edge(left, box, chosen[i])) continue;
      std::vector<Row> rest = chosen;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      Inside after = left.count(box_around(left.points, rest));
      if (after.members < demand.k) continue;
      std::int64_t gain = after.balance() - here.balance();
      if (!best || gain >= best_gain) {  // of equal ones the last in rank
        best = i;
        best_gain = gain;
      }
    }
    if (!best) return std::nullopt;
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(*best));
  }
}

inline std::optional<Box> greedy_insertion(const Left& left, const Demand& demand) {
  std::vector<Row> chosen;
  std::vector<Row> outside = left.positives;
  Inside here;
  for (;;) {
    std::optional<std::size_t> best;
    Inside best_counts;
    for (std::size_t i = 0; i < outside.size(); ++i) {
      std::vector<Row> with = chosen;
      with.push_back(outside[i]);
      Inside after = left.count(box_around(left.points, with));
      // Somebody inside already changes nothing; the definition would take him at no cost.
      if (!chosen.empty() && box_around(left.points, chosen).holds(left.points, outside[i]))
        continue;
      if (!best || after.balance() > best_counts.balance()) {
        best = i;
        best_counts = after;
      }
    }
    bool stop =
        !best || !precise_enough(best_counts.positives, best_counts.members, demand.precision);
    if (stop) break;
    chosen.push_back(outside[*best]);
    outside.erase(outside.begin() + static_cast<std::ptrdiff_t>(*best));
    here = best_counts;
  }
  if (chosen.empty() || !accepts(here, demand)) return std::nullopt;
  return box_around(left.points, chosen);
}

// The most true positives, and of those the fewest members, over the boxes of all subsets.
inline std::optional<Inside> best_of_all_subsets(const Left& left, const Demand& demand) {
  std::optional<Inside> best;
  std::set<std::pair<std::vector<double>, std::vector<double>>> seen;
  for (std::uint32_t subset = 1; subset < (1U << left.positives.size()); ++subset) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < left.positives.size(); ++i) {
      if (((subset >> i) & 1) != 0) rows.push_back(left.positives[i]);
    }
    Box box = box_around(left.points, rows);
    if (!seen.insert({box.low, box.high}).second) continue;
    Inside inside = left.count(box);
    if (!accepts(inside, demand)) continue;
    bool better = !best || inside.positives > best->positives ||
                  (inside.positives == best->positives && inside.members < best->members);
    if (better) best = inside;
  }
  return best;
}

// Few rows and few distinct values: many ties, at edges and in scores. Scores are sums.
inline Points random_points(Rng& rng, std::uint32_t most_rows) {
  Points points;
  auto rows = 5 + rng.below(most_rows - 4);
  auto dimensions = 1 + rng.below(4);
  std::uint64_t values = rng.below(2) == 0 ? 4 + rng.below(8) : 1'000'000;
  points.scores.assign(rows, 0);
  for (std::uint64_t d = 0; d < dimensions; ++d) {
    std::vector<double> column;
    for (std::uint64_t row = 0; row < rows; ++row) {
      column.push_back(static_cast<double>(rng.below(values)) / 16);
      points.scores[row] += column.back();
    }
    points.columns.push_back(std::move(column));
  }
  return points;
}

inline Demand random_demand(Rng& rng, const Points& points, std::uint32_t most_top) {
  Demand demand;
  demand.top = 1 + static_cast<std::uint32_t>(rng.below(std::min(points.rows(), most_top)));
  demand.k = 2 + static_cast<std::uint32_t>(rng.below(std::min(points.rows() - 1, demand.top + 2)));
  demand.precision = 0.3 + 0.1 * static_cast<double>(rng.below(8));
  demand.ties = rng.below(2) == 0 ? Ties::Include : Ties::Cut;
  demand.seed = rng();
  return demand;
}

}  // namespace rankveil::publish::plain
