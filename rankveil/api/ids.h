// Who the rows of an index are, for whoever has the key and the ids.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::api {

struct IdsRequest {
  connect::Source source;  // the table; only its column of ids is read
  std::string index_path;
  std::string key_path;
  std::string output;  // a CSV file of mode 0600: name, id
  std::uint32_t threads = 0;
};

struct IdsResult {
  std::string index_path;
  std::string output;
  IdForm form = IdForm::Keyed;
  std::uint64_t rows = 0;     // that were found
  std::uint64_t unknown = 0;  // rows of the index that the table does not have
};

// Writes one line for each row of the index, in its order: what it is called there, and its id.
// Refuses an index with plain ids, which needs no translation, another key than the index was made
// with, and, where rows have no names, a table with another number of rows.
Result<IdsResult> translate_ids(const IdsRequest& request);

Json to_json(const IdsResult& result);

}  // namespace rankveil::api
