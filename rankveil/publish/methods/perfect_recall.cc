#include "rankveil/publish/methods/perfect_recall.h"

namespace rankveil::publish {

Selected perfect_recall(const Round& round) {
  Edges edges = round.field.edges_around(round.field.left_positives());
  if (!round.accepts(round.field.count(edges))) return {};
  return {{{edges}}};
}

}  // namespace rankveil::publish
