#include "rankveil/publish/points.h"

#include <algorithm>
#include <cassert>

namespace rankveil::publish {

bool Box::holds(const Points& points, Row row) const {
  for (std::size_t d = 0; d < low.size(); ++d) {
    double value = points.columns[d][row];
    // Written so that NaN is outside.
    if (!(value >= low[d] && value <= high[d])) return false;
  }
  return true;
}

Box box_around(const Points& points, std::span<const Row> rows) {
  assert(!rows.empty() && "a box is drawn around something");
  Box box;
  for (const auto& column : points.columns) {
    auto [low, high] = std::minmax_element(rows.begin(), rows.end(),
                                           [&](Row a, Row b) { return column[a] < column[b]; });
    box.low.push_back(column[*low]);
    box.high.push_back(column[*high]);
  }
  return box;
}

}  // namespace rankveil::publish
