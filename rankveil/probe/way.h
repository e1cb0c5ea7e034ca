// A way of asking: what one request template of a dialect does with a field.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankveil::probe {

enum class Kind {
  Sort,    // rows come in the order of the field
  Filter,  // only rows whose value fits a condition come; bare, negated, nested or by an operator
  Search,  // a search box that looks into the field
  Count,   // how many rows fit a condition
  Aggregate,  // a sum, mean, least or greatest value
  GroupBy,    // counts by value, facets
  Cursor,     // a page's cursor holds the value of its last row
  Relation,   // by way of another table: a sort or condition on "author.income"
  Column,     // the request names the field among those that it wants to see
};

// "sort", "filter", ..., "group_by".
std::string_view to_text(Kind kind);
std::optional<Kind> parse_kind(std::string_view text);

struct Way {
  std::string name;  // unique in its dialect: "where[or][0].greater_than"
  Kind kind = Kind::Sort;
  std::string dialect = {};  // "payload"
  // The operator named it: a service that does not know it leaves the question open (BLIND). Else a
  // way that does nothing for public fields either is ABSENT.
  bool required = false;
  bool compares = false;  // its request has both ends of a range
};

}  // namespace rankveil::probe
