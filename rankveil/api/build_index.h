// From a table and a policy to the file that is served.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/api/table_input.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::api {

struct IndexRequest {
  TableInput input;
  std::string output;
  bool unprotected = false;  // must be said: the order such an index serves gives values away
};

struct IndexResult {
  std::string output;
  bool replaced = false;  // there was an index of that name
  std::string scheme;
  std::uint64_t rows = 0;
  std::uint32_t public_attributes = 0;
  std::uint32_t private_attributes = 0;
  std::uint64_t file_bytes = 0;
  std::vector<std::string> warnings;
  double read_seconds = 0;   // from the source to coded columns
  double build_seconds = 0;  // from columns to the written file
};

// Replaces an index of the same name, and refuses to replace anything else. Refuses before reading
// when the output could not be written.
Result<IndexResult> build_index(const IndexRequest& request);

Json to_json(const IndexResult& result);

}  // namespace rankveil::api
