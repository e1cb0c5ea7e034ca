// What an audit is pointed at: an index, a table (its unprotected ranking), or the description of a
// live ranking; with the truth that it is held against.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/api/table_input.h"
#include "rankveil/attack/targets/live_target.h"
#include "rankveil/audit/arena.h"
#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/sort/sort_arena.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::api {

// What is believed about the defense of a live ranking.
enum class Defense { Guess, Unprotected, Sets, Graded };
std::optional<Defense> defense_from_name(std::string_view name);  // "guess", "unprotected", ...

struct TargetInput {
  std::string target;         // an index, a table, or a target file (.toml)
  TableInput input;           // the truth and its policy; a target that is a table needs no other
  std::string workload;       // queries that the index was tuned for; empty: none
  std::string ledger;         // what says who was released when; empty: where the policy says
  std::string key_path = {};  // only of an index that does not call its rows by their ids
  // Rows of an answer; 0: 100, and of a target that orders by a column all.
  std::uint32_t k = 0;
  Defense defense = Defense::Guess;
  bool allow_remote = false;  // live targets on other machines
  std::string log = {};       // of a live target: everything asked and answered, to resume from
};

// Stays where it is: the arena points into it.
struct OpenedTarget {
  std::string kind;  // "index", "table", "sql", "http", "program"
  Policy policy;
  Table table;  // as it was read
  Table truth;  // as the target numbers rows and values, without what it refuses
  std::vector<std::uint8_t> established;  // by row of the truth; empty: all rows are
  std::optional<Index> index;             // none: a live ranking
  std::optional<Profiles> profiles;
  std::optional<audit::Mechanism> mechanism;  // of a live ranking: as the policy declares it
  std::shared_ptr<attack::LiveTarget> live;   // none: in this process
  std::optional<audit::SortArena> sort;       // of a live ranking that orders by a column
  std::vector<audit::Effect> refused;         // what a live ranking refuses to be asked for
  std::vector<std::vector<AttributeId>> ladder;
  Demand demand;  // what is promised: the index's, else the policy's
  audit::Arena arena;
  std::vector<std::string> warnings;
};

// Refuses: no policy, no table to compare with, files that cannot be read, an index of another
// table.
Result<std::unique_ptr<OpenedTarget>> open_audit_target(const TargetInput& input);

}  // namespace rankveil::api
