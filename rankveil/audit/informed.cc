#include <algorithm>

#include "rankveil/audit/group_judge.h"
#include "rankveil/audit/group_runs.h"
#include "rankveil/audit/levels.h"

namespace rankveil::audit {

namespace {

// The release multiplies the odds of the true vector by a factor that does not hang on what
// somebody believed before: (after / before) / ((1 - after) / (1 - before)).
double belief_after(const OwnBelief& own, double belief) {
  if (belief <= 0 || belief >= 1) return belief;
  if (own.before >= 1) return belief;  // there is nothing to tell it from
  double odds = belief / (1 - belief) * own.after * (1 - own.before);
  double against = (1 - own.after) * own.before;
  return odds + against > 0 ? odds / (odds + against) : belief;
}

}  // namespace

Result<std::vector<InformedPoint>> informed_curve(const Observed& observed,
                                                  std::span<const double> beliefs) {
  if (!observed.mechanism) {
    return wrong_use(
        "what a release tells somebody who believes something hangs on the scheme; "
        "say which one it is");
  }
  auto knowledge = Knowledge::make(observed, 0);
  if (!knowledge) return knowledge.error();
  const KnownGroups& groups = (*knowledge)->groups();
  std::vector<std::vector<OwnBelief>> own(groups.groups.size());
  auto believe = [&](std::size_t, std::uint32_t group, std::uint32_t threads) {
    own[group] = GroupJudge(**knowledge, group, threads).own_beliefs();
  };
  for_each_group(groups, batches_of(groups), 0, believe);
  std::vector<InformedPoint> curve;
  std::uint32_t counted = 0;
  for (std::uint32_t row = 0; row < observed.table.rows(); ++row) {
    counted += (*knowledge)->counts(RowId{row}) ? 1 : 0;
  }
  for (double belief : beliefs) {
    InformedPoint& point = curve.emplace_back();
    point.belief = belief;
    for (std::size_t group = 0; group < own.size(); ++group) {
      for (std::size_t i = 0; i < own[group].size(); ++i) {
        if (!(*knowledge)->counts(groups.groups[group].rows[i])) continue;
        double after = belief_after(own[group][i], belief);
        point.largest = std::max(point.largest, after);
        point.mean += after / counted;
      }
    }
  }
  return curve;
}

}  // namespace rankveil::audit
