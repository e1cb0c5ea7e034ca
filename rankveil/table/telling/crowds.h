// Which public columns to show, and how finely, so that most rows have a crowd.
//
// A row has a crowd when enough rows share all public values with it. Every column that is shown
// splits crowds; bins that are coarser split less. Nobody finds the best choice by hand, so a
// greedy search proposes one, with the price of each step.
//
//   auto proposed = propose_crowds(table, policy, {.share = 0.95, .crowd = 50});
//   for (const CrowdStep& step : proposed.steps) ...   // the curve
//   policy = with_crowds(policy, proposed);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/table/policy/policy.h"
#include "rankveil/table/table.h"

namespace rankveil {

struct CrowdsAsked {
  double share = 0.95;       // of rows that must have a crowd
  std::uint32_t crowd = 50;  // rows that share all public values, the row itself among them
  std::uint32_t threads = 0;
};

// A column is shown, or shown more finely than before.
struct CrowdStep {
  std::string column;
  Binning bins = {};     // none: as the policy has it
  bool is_whole = true;  // with all values that the policy gives it
  std::uint32_t values = 0;
  // Of what the public columns say together one by one, how much is shown: the mean over columns of
  // entropy shown / entropy of the column as the policy has it. 1: all columns as they are.
  double kept = 0;
  double covered = 0;  // share of rows that have a crowd
};

struct CrowdsProposal {
  CrowdsAsked asked;
  std::uint32_t columns = 0;           // public ones of the policy
  double covered_by_all = 0;           // share of rows that have a crowd when all of them are shown
  std::vector<CrowdStep> steps = {};   // within the share, in the order taken
  std::vector<CrowdStep> beyond = {};  // what further steps would cost
};

// Greedy: of all steps that leave the share, the one that shows most for the rows it costs. Exact
// counts. Coarser bins are made of columns of numbers only, by joining neighbours.
// Cost: a pass over the rows for each step and each way to take the next; 30 s at 300,000 x 50.
CrowdsProposal propose_crowds(const Table& table, const Policy& policy, const CrowdsAsked& asked);

// The policy in which public columns are shown as proposed, and those that are not are ignored.
Policy with_crowds(Policy policy, const CrowdsProposal& proposed);

}  // namespace rankveil
