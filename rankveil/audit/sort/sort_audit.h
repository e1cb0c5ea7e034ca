// The audit of a ranking that orders by one column: lists, marks in them, and what follows.
//
// Everything but the attack is as in other audits: findings, verdicts, control, transcript.
#pragma once

#include "rankveil/audit/audit.h"
#include "rankveil/audit/sort/sort_arena.h"

namespace rankveil::audit {

// Refuses methods that are none of an order.
Result<AuditReport> run_sort_audit(const AuditTask& task, const SortArena& arena);

}  // namespace rankveil::audit
