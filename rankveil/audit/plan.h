// How much an audit can do in a given time, fixed before it begins: rows and queries.
//
//   auto plan = plan_attacks(task, {});
//   task.victims = plan->victims;
//   if (plan->query_budget) task.budget.queries = *plan->query_budget;
//
// Probe     where it is not plain that there is time for all, a few rows are attacked by every
// method
//           under rising budgets, on all threads at once, and what that took is scaled up. What
//           comes out hangs on the machine and on what else it does; an audit told the same victims
//           and budget does not, and gives the same report.
// Choice    the largest budget that leaves room for 200 victims, or for as many as there are; then
//           as many victims as there is time for, at most 1,000 and at least 20.
// Models    what they may cost hangs on the table alone, and is cut by that (people/effort.h).
// Not       other levels that read profiles, and checks: they look at all rows.
// Cost      about a sixth of the time that there is, at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rankveil/audit/audit.h"
#include "rankveil/audit/people/effort.h"
#include "rankveil/base/result.h"

namespace rankveil::audit {

struct PlanLimits {
  std::uint64_t victims = 1000;
  double seconds = 120;  // for attacks
};

struct Plan {
  std::uint64_t victims = 0;
  std::optional<std::uint64_t> query_budget = {};  // nothing: none is needed
  double seconds = 0;                              // that attacks are expected to take; 0: few
};

// Methods, seed and threads are those of the task; its victims and budget of queries are not read.
Result<Plan> plan_attacks(const AuditTask& task, const PlanLimits& limits);

// What models of people may cost; nothing where no level that the task asks for has any.
std::optional<Effort> effort_of(const AuditTask& task);

// So many seconds an audit of this shape might take on one core, seen from afar. Generous.
double rough_seconds(const Schema& schema, std::uint64_t rows, std::uint64_t victims,
                     std::size_t methods);

}  // namespace rankveil::audit
