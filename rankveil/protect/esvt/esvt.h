// Equivalent sets with virtual tuples (ESVT).
//
// Every row is joined by l - 1 virtual tuples that differ from it, and from each other, in every
// private attribute; the ranking scores the mean of all l. The virtual tuples are chosen so that
// the workload's queries score each of them as much like the row as can be.
//
// Promises    a right guess at most once in l, against those who only query.
// Not         against those who know the scheme and the workload: they can see which member of a
//             set the others were made for.
// Missing     a row without a value has the l - 1 values of its virtual tuples there.
// Exact       branch and bound within demand.node_budget nodes a virtual tuple; report.solved and
//             report.proven count rows, a row being proven when all its virtual tuples are.
// Stable      what a query can tell apart is decided by the row's values and the workload alone.
//             Among values that no query of the workload tells apart, each row ranks all values of
//             the domain by a keyed number and takes the first that is free: the choice stays when
//             other rows come or go, and when the workload changes as long as it may.
// Cost        microseconds a distinct row for 10 attributes and 10 to 20 queries.
// Source      Equivalent sets, algorithm 1; weights in the objective as in the score, any l.
#pragma once

#include "rankveil/protect/task.h"

namespace rankveil {

// REQUIRES: check_demand.
Result<Protection> protect_esvt(const Task& task);

}  // namespace rankveil
