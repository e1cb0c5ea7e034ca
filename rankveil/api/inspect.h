// What there is to know about a table before protecting it, or about an index before serving it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rankveil/api/table_input.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/report.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/draft/draft_table.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/telling/crowds.h"
#include "rankveil/table/telling/near_copies.h"
#include "rankveil/table/telling/summary.h"

namespace rankveil::api {

struct InspectRequest {
  TableInput input;          // no policy: one is drafted. An index file is known by its content
  std::string write_policy;  // where the drafted policy goes; empty: nowhere
  bool force = false;        // replace a policy file that differs
  // Proposes which public columns to show, and how finely, so that most rows have a crowd; the
  // policy that is written shows them so.
  std::optional<CrowdsAsked> crowds = {};
};

struct TableReport {
  std::string name;
  std::string policy_path;     // empty: drafted
  std::string written_policy;  // empty: none was written
  Policy policy;
  TableSummary summary;
  std::vector<draft::ColumnSight> left_out;  // columns that no ranking uses: ignored or undecided
  std::optional<CrowdsProposal> crowds;
  // Private columns that say nearly the same and that the policy neither joins nor has apart.
  std::vector<NearCopies> near_copies;
  std::uint64_t index_bytes = 0;      // of the unprotected index, about; protected ones differ
  std::vector<std::string> hints;     // what the numbers mean, in sentences
  std::vector<std::string> warnings;  // what was left out and why
  double seconds = 0;

  bool drafted() const { return policy_path.empty(); }
};

struct IndexReport {
  std::string name;
  Schema schema;
  IndexInfo info;
  std::uint32_t rows = 0;  // live ones
  std::uint64_t file_bytes = 0;
  std::uint64_t memory_bytes = 0;
  BaseReport base;                    // what shares of groups tell by themselves
  std::vector<std::string> warnings;  // what its owner should look at
  double seconds = 0;
};

using InspectResult = std::variant<TableReport, IndexReport>;

// What an index claims and for how many rows, in words; nothing when it does not say by which
// scheme it was made.
std::string promise(const IndexInfo& info);

// An index is read whole and all its checksums are compared.
Result<InspectResult> inspect(const InspectRequest& request);

Json to_json(const InspectResult& result);

}  // namespace rankveil::api
