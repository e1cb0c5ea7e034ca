// What somebody asks for: per attribute nothing, one value, or any of several values (IN).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/table/schema.h"

namespace rankveil {

struct Query {
  // One entry per attribute of the schema; empty: the attribute does not count. Ascending,
  // without repeats.
  std::vector<std::vector<ValueId>> wanted;

  bool operator==(const Query&) const = default;
};

// The query that asks for nothing: every row scores 0.
Query empty_query(const Schema& schema);

// One wish as people type it: "city=Paris" or "city=Paris|Rome". A backslash keeps the next
// character as it is ("a\|b" is one value). Refuses unknown attributes and values, and then leaves
// the query as it was.
Status add_wish(const Schema& schema, std::string_view wish, Query& query);
// The same with the attribute apart, which may then have any name: "city", "Paris|Rome".
Status add_values(const Schema& schema, std::string_view name, std::string_view values,
                  Query& query);

// {"city": "Paris", "religion": ["none", "other"], "age": null}
Result<Query> query_from_json(const Schema& schema, const Json& json);
Json query_to_json(const Schema& schema, const Query& query);

}  // namespace rankveil
