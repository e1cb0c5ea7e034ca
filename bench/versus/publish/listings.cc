#include "bench/versus/publish/listings.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace rankveil::versus {

namespace {

using publish::Box;
using publish::box_around;
using publish::Demand;
using publish::Points;
using publish::precise_enough;
using publish::Row;

struct Inside {
  std::int64_t positives = 0;
  std::int64_t members = 0;

  std::int64_t balance() const { return 2 * positives - members; }
};

struct Left {
  const Points& points;
  std::vector<Row> positives;           // best first
  std::vector<std::uint8_t> in_top;     // by row
  std::vector<std::uint8_t> published;  // by row

  Inside count(const Box& box) const {
    Inside inside;
    for (Row row = 0; row < points.rows(); ++row) {
      if (published[row] != 0 || !box.holds(points, row)) continue;
      ++inside.members;
      inside.positives += in_top[row];
    }
    return inside;
  }
};

Left sorted(const Points& points, std::uint32_t top) {
  std::vector<Row> rows(points.rows());
  std::iota(rows.begin(), rows.end(), Row{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Row a, Row b) { return points.scores[a] > points.scores[b]; });
  std::size_t length = top;
  while (length < rows.size() && points.scores[rows[length]] == points.scores[rows[top - 1]]) {
    ++length;
  }
  rows.resize(length);
  Left left{points, rows, std::vector<std::uint8_t>(points.rows(), 0),
            std::vector<std::uint8_t>(points.rows(), 0)};
  for (Row row : rows) left.in_top[row] = 1;
  return left;
}

bool at_edge(const Points& points, const Box& box, Row row) {
  for (std::size_t d = 0; d < box.low.size(); ++d) {
    double value = points.columns[d][row];
    if (value == box.low[d] || value == box.high[d]) return true;
  }
  return false;
}

std::optional<Box> deletion(const Left& left, const Demand& demand) {
  std::vector<Row> chosen = left.positives;
  for (;;) {
    Box box = box_around(left.points, chosen);
    Inside here = left.count(box);
    if (precise_enough(here.positives, here.members, demand.precision)) {
      return here.members >= demand.k ? std::optional(box) : std::nullopt;
    }
    std::optional<std::size_t> best;
    std::int64_t best_balance = 0;
    for (std::size_t i = 0; i < chosen.size() && chosen.size() > 1; ++i) {
      if (!at_edge(left.points, box, chosen[i])) continue;
      std::vector<Row> rest = chosen;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      Inside after = left.count(box_around(left.points, rest));
      if (after.members < demand.k) continue;
      if (best && after.balance() < best_balance) continue;
      best = i;
      best_balance = after.balance();
    }
    if (!best) return std::nullopt;
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(*best));
  }
}

std::optional<Box> insertion(const Left& left, const Demand& demand) {
  std::vector<Row> chosen;
  Inside here;
  for (;;) {
    std::optional<Row> best;
    Inside best_counts;
    for (Row row : left.positives) {
      if (!chosen.empty() && box_around(left.points, chosen).holds(left.points, row)) continue;
      std::vector<Row> with = chosen;
      with.push_back(row);
      Inside after = left.count(box_around(left.points, with));
      if (best && after.balance() <= best_counts.balance()) continue;
      best = row;
      best_counts = after;
    }
    if (!best || !precise_enough(best_counts.positives, best_counts.members, demand.precision)) {
      break;
    }
    chosen.push_back(*best);
    here = best_counts;
  }
  bool valid = !chosen.empty() && here.members >= demand.k;
  return valid ? std::optional(box_around(left.points, chosen)) : std::nullopt;
}

}  // namespace

std::vector<Box> run_listing(const Points& points, const Demand& demand) {
  Left left = sorted(points, demand.top);
  std::vector<Box> boxes;
  while (!left.positives.empty()) {
    auto box =
        demand.method == "greedy-deletion" ? deletion(left, demand) : insertion(left, demand);
    if (!box) break;
    boxes.push_back(*box);
    std::erase_if(left.positives, [&](Row row) { return box->holds(points, row); });
    for (Row row = 0; row < points.rows(); ++row) {
      if (box->holds(points, row)) left.published[row] = 1;
    }
  }
  return boxes;
}

}  // namespace rankveil::versus
