// From a table to an index that keeps a promise, and from one such index to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/api/columns_apart.h"
#include "rankveil/api/known_columns.h"
#include "rankveil/api/table_input.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/promise/claim.h"
#include "rankveil/promise/promise.h"
#include "rankveil/protect/demand.h"
#include "rankveil/protect/report.h"
#include "rankveil/protect/rows/telling_ids.h"

namespace rankveil::api {

struct ProtectRequest {
  TableInput input;      // its policy says the scheme, l, the ladder, and who is established
  std::string workload;  // queries to stay good at; empty: none
  std::string key_path;
  std::string output;
  Demand demand;                 // all but scheme and l
  bool allow_partial = false;    // leave out attributes with fewer than l values
  bool new_release = false;      // everything anew, whatever rows showed before
  bool new_key = false;          // the same, because the key is another one
  bool release_changed = false;  // rows whose values changed show something again
  bool people_changed = false;   // other people have other ids, and who is not there has left
  bool forget_gone = false;      // nothing stays of who left, not even a keyed hash of the id
  std::string ids_from;          // CSV of old and new ids; empty: ids are what they were
  // Days; nothing: as the policy says, which by itself says 30. `never`: rows keep what they show.
  struct Days {
    std::uint32_t days = 0;
    bool never = false;
  };
  std::optional<Days> withdraw_after;
  std::optional<std::uint32_t> batch_after;  // days; nothing: as the policy says
  std::optional<std::uint32_t> today;        // ledger/days.h; nothing: what the clock says
  bool dry_run = false;                      // all but writing the index and the ledger
};

struct LeftOut {
  std::string attribute;
  std::uint32_t values;
};

struct ProtectResult {
  std::string output;
  std::string ledger;  // its path
  std::string population;
  bool dry_run = false;    // nothing was written
  bool replaced = false;   // there was an index of that name
  bool continued = false;  // rows keep what they showed, there or in another output
  std::string scheme;
  std::string summary;  // of the scheme
  std::uint32_t l = 0;
  Promise promise;
  std::vector<NotSensitive> not_sensitive;   // values that the promise is not about
  std::vector<SensitiveSet> sensitive_sets;  // that it is about as it is about single values
  std::vector<KnownColumn> known;            // what public columns tell, as the policy accepts
  std::vector<ColumnsApart> apart;           // near-copies with coins of their own
  IdForm ids = IdForm::Plain;                // how rows are called
  std::vector<Telling> telling_ids;  // what plain ids tell that the policy has served all the same
  std::vector<AttributeBudget> epsilons;  // of all attributes; none: the scheme has no budgets
  std::vector<AdversaryLevel> holds_against;
  std::optional<AdversaryLevel> broken_by;
  std::string caution;
  bool shows_nothing = false;    // the scheme, of any row
  bool leans_on_groups = false;  // Scheme::leans_on_groups
  std::string fallback;          // for sets that stay short; empty: the scheme has none
  std::uint32_t release = 1;
  std::uint64_t rows = 0;
  std::uint32_t public_attributes = 0;
  std::uint32_t private_attributes = 0;
  std::uint64_t established_rows = 0;   // all rows when the policy has no rule
  std::uint64_t open_rows = 0;          // of people who chose to show their own values
  std::uint64_t hidden_rows = 0;        // of people who chose to show nothing of their own
  std::vector<std::string> attributes;  // private ones, as report.short_sets counts them
  std::vector<LeftOut> left_out;
  ReleaseCounts counts;
  Coverage coverage;                   // for how many rows the promise is made
  ProtectionReport report;             // of the rows that are released now
  std::optional<ReportSoFar> earlier;  // of those that were released before
  // Rows, also of earlier builds, that were protected among rows alike in fewer columns: the
  // promise ends before who knows the table by all of them. At most so many, once rows have left.
  // Nothing: it does not hang on that, or the ledger does not say.
  std::optional<std::uint64_t> coarser_rows;
  // Whoever adds rows adds cover: the policy does not say which rows are established.
  bool planted_rows_count = false;
  std::uint64_t file_bytes = 0;
  std::uint64_t peak_memory = 0;  // of the process so far, bytes
  double read_seconds = 0;
  double protect_seconds = 0;
  double write_seconds = 0;
  std::vector<std::string> warnings;
};

// The ledger of the key and the policy's population says what each row showed, in whatever output,
// and rows keep it. Refuses before anything is read what could not be written or has no key.
Result<ProtectResult> protect(const ProtectRequest& request);

Json to_json(const ProtectResult& result);
Json json_of_levels(const std::vector<AdversaryLevel>& levels);  // their names

// The demand that a policy and flags make together.
Demand demand_of(const ProtectRequest& request, const Policy& policy);

struct KeygenResult {
  std::string path;
  std::string fingerprint;
};
// `seed`: a key that anybody who guesses the number can make; for demonstrations and tests.
Result<KeygenResult> keygen(const std::string& path, std::optional<std::uint32_t> seed = {});
Json to_json(const KeygenResult& result);

}  // namespace rankveil::api
