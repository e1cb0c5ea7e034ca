#include "rankveil/publish/methods/greedy_insertion.h"

#include "rankveil/publish/methods/insertion.h"

namespace rankveil::publish {

Selected greedy_insertion(const Round& round) {
  Growth growth(round);
  for (;;) {
    auto best = growth.best(1);
    if (best.empty()) break;
    const Counts& after = best.front().counts;
    if (!precise_enough(after.positives, after.members, round.demand.precision)) break;
    growth.insert(best.front());
  }
  Selected selected;
  if (growth.edges() && round.accepts(growth.counts())) {
    selected.selections.push_back({*growth.edges()});
  }
  return selected;
}

}  // namespace rankveil::publish
