// Checking a publication against the table it was made of.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/api/publish.h"
#include "rankveil/publish/check/reidentify.h"
#include "rankveil/publish/check/verify.h"

namespace rankveil::api {

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
};

struct CheckResult {
  std::string file;
  std::string table;
  publish::Publication publication;  // as read, with what the request replaced
  publish::Verification verification;
  std::vector<publish::Reidentification> adversaries = {};  // empty: not asked for
};

Result<CheckResult> check_publication(const CheckRequest& request);

Json to_json(const CheckResult& result);

// What check_publication starts from; the re-identification audit does, too.
struct ReadPublication {
  publish::Publication publication;
  publish::Truth truth;
  std::vector<std::string> notes = {};  // how a sheet was read
};
Result<ReadPublication> read_publication(const CheckRequest& request);

}  // namespace rankveil::api
