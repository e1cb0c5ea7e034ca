#include "rankveil/publish/methods/perfect.h"

namespace rankveil::publish {

namespace {

// Where ties were cut, rows beside the top have the least score, too, and are members.
Counts count_above(const Round& round, const Edges& edges) {
  const Field& field = round.field;
  Counts counts{field.positives_left(), field.positives_left()};
  for (Point point = field.others_begin(); point < field.size(); ++point) {
    if (!field.is_left(point) || !field.holds(edges, point)) continue;
    if (round.points.scores[field.row(point)] >= round.threshold) ++counts.members;
  }
  return counts;
}

}  // namespace

Selected perfect_recall(const Round& round) {
  Edges edges = round.field.edges_around(round.field.left_positives());
  if (!round.accepts(round.field.count(edges))) return {};
  return {{{edges}}};
}

Selected perfect_precision(const Round& round) {
  Edges edges = round.field.edges_around(round.field.left_positives());
  if (!round.accepts(count_above(round, edges))) return {};
  return {{{edges, true}}};
}

}  // namespace rankveil::publish
