// Checking a publication against the table it was made of: whether it says the truth and keeps its
// demands, what it gives away to people who know something about somebody in it, and whether a gate
// should fail.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/api/publish.h"
#include "rankveil/audit/gate.h"
#include "rankveil/audit/publication_audit.h"

namespace rankveil::api {

// Where a report goes beside the terminal; empty: nowhere.
struct ReportFiles {
  std::string output = {};  // JSON
  std::string html = {};    // one page, for people
  std::string junit = {};   // XML, for CI systems
  std::string sarif = {};   // JSON, for code hosts
};

struct CheckRequest {
  std::string publication;  // .json as `publish` writes it; .csv or .parquet with the ranges
  // The score is needed for .csv and .parquet alone, and so are `top`, `k` and `precision`: a JSON
  // file states them. Where given, they replace what the file says.
  RankingInput input;
  std::optional<std::uint32_t> top = {};
  std::optional<std::uint32_t> k = {};
  std::optional<double> precision = {};
  std::optional<publish::Ties> ties = {};
  // .csv and .parquet alone. Columns that neither names and that the table has, too, are guessed:
  // those with counts or withheld cells are sensitive, and so are ranges of numbers where `quasi`
  // alone is given; all others are quasi-identifiers.
  std::vector<std::string> quasi = {};
  std::vector<std::string> sensitive = {};
  // What is given replaces what the file says. It is a problem when there is no column to test.
  publish::Diversity diversity = {};
  std::vector<std::pair<std::string, std::string>> hierarchies = {};
  bool adversaries = false;  // also say whom adversaries can place, and what they learn
  // The gate, and where the report goes. Any of them asks for adversaries, too.
  std::vector<audit::Rule> fail_on = {};
  std::string baseline = {};
  std::string write_baseline = {};
  ReportFiles files = {};

  bool asks_adversaries() const;
};

struct CheckResult {
  audit::PublicationReport report;
  Status written = {};  // which files could not be; the others are
};

// What can be refused is refused before the table is read.
Result<CheckResult> check_publication(const CheckRequest& request);

}  // namespace rankveil::api
