// What a baseline was written from, so that it is not held against something else.
//
// What ties it is what stays the same while one product is built again and again: the name of the
// target (its file, without folders: CI jobs check out where they like), its kind, its attributes,
// and the scheme with its l. Rows come and go, so their number and fingerprint only make a note.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/audit/audit_report.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::audit {

class JsonFields;

struct BaselineOrigin {
  std::string target = {};       // the last part of its path
  std::string target_kind = {};  // "index", "table", "publication", ...
  std::string scheme = {};
  std::uint64_t l = 0;
  std::string promise = {};                          // in words
  std::vector<std::string> public_attributes = {};   // sorted
  std::vector<std::string> private_attributes = {};  // sorted
  std::uint64_t rows = 0;
  std::string fingerprint = {};
};

BaselineOrigin origin_of(const Subject& subject);
Json to_json(const BaselineOrigin& origin);
BaselineOrigin read_origin(JsonFields fields);

// What differs, "the scheme was pvsv and is swap; l was 2 and is 3"; empty: it fits.
std::string misfit(const BaselineOrigin& then, const BaselineOrigin& now);
// A sentence when the rows are others than they were; else empty.
std::string changed_rows(const BaselineOrigin& then, const BaselineOrigin& now);

}  // namespace rankveil::audit
