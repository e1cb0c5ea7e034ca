// Rows in, rows out: tables, workloads and policies from files, through DuckDB.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/table/draft/draft_table.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/table.h"

namespace rankveil::connect {

// Where rows come from. One of:
//   path               .csv .tsv .csv.gz .parquet .json .ndjson .jsonl (and .gz of these)
//   path + table       a DuckDB file (.duckdb, .db) and one of its tables
//   path + sql         a DuckDB file and a SELECT over it
//   sql                any SELECT, e.g. over read_parquet('part-*.parquet')
struct Source {
  std::string path = {};
  std::string table = {};
  std::string sql = {};
  // How the text of a CSV file is written: utf-8, latin-1 or utf-16. Empty: utf-16 where the file
  // begins with the mark of it, else utf-8.
  std::string encoding = {};
  // Whether one reader goes over a CSV file from its beginning, which takes longer (relation.h).
  bool in_one_go = false;

  std::string name() const;  // how messages call it
  // The files that are read, as far as names tell: the path, and every text in quotes in the SQL
  // that names a file, or several ('part-*.csv').
  std::vector<std::string> files() const;
};

struct ReadOptions {
  std::uint32_t threads = 0;  // 0: all cores
  Progress progress;
};

// What a person chose, where the policy names a column of `consent`.
enum class Consent : std::uint8_t {
  Protected,  // also where the cell is empty
  Open,       // own values are shown
  Hidden,     // nothing of their own is shown
};

// Whose rows a table's are, and what they may be used for. Each list is empty, or has one item a
// row (person_names: one a person).
struct RowPeople {
  // Whether the policy's `established` accepts the row. Empty: the policy has no such rule.
  std::vector<std::uint8_t> established = {};
  // Consent as a number, the same on all rows of a person: where they differ, what shows least.
  std::vector<std::uint8_t> consent = {};  // empty: all protected
  // The number of the row's person, in the order of their first rows. Empty: each row its own.
  std::vector<std::uint32_t> person_of = {};
  std::vector<std::string> person_names = {};
  // The row's place among those of its person, from 0: by the policy's `time`, equal and missing
  // times (behind all others) in the order of the file. Empty as person_of is.
  std::vector<std::uint32_t> place_of = {};
};

// A table and what its owner should know: columns the policy does not name, unused declared values.
struct LoadedTable : RowPeople {
  Table table;
  std::vector<std::string> warnings;
};

// Reads the columns the policy names (deny by default) in one streaming pass; text is never held
// longer than its chunk. Refuses, in one sentence: a column the policy names and the source lacks,
// repeated or missing ids, a domain of one value, a private column of nearly unique values, more
// than 65,535 values, a value outside a declared domain, text where bins need numbers, a row
// without a person where the policy names persons, a choice of `consent` that is none, nothing to
// rank by (no public or private attribute), no rows at all.
Result<LoadedTable> read_table(const Source& source, const Policy& policy,
                               const ReadOptions& options = {});

// A first policy guessed from names and values, that leaves undecided what it does not know (see
// table/draft/draft_table.h). A unique column is the id.
using PolicyDraft = draft::TableDraft;
Result<PolicyDraft> draft_policy(const Source& source, const ReadOptions& options = {});

// .csv, .tsv, .parquet: one column per attribute, `count` if there is one. .ndjson, .jsonl: one
// query a line (see ranking/workload.h). `ignored`: columns that the policy ignores, which are
// called so where somebody asks for them.
Result<Workload> read_workload(const std::string& path, const Schema& schema,
                               const std::vector<std::string>& ignored = {});

// .csv, .csv.gz or .parquet by the name's ending. Missing values are empty. Written to a temporary
// name, then renamed.
Status write_table(const Table& table, const std::string& path, const Progress& progress = {});
Status write_workload_csv(const Workload& workload, const Schema& schema, const std::string& path);

}  // namespace rankveil::connect
