// How a ranking that orders its rows by one column is asked.
//
//   Schema asked = with_orders(schema);                  // one attribute more: "sort by"
//   target.query(order_query(asked, {AttributeId{3}, true}));
//
// An order is a value of that attribute, "income down", so that questions, logs and transcripts are
// those of every other ranking. `words` say how the service spells it: ?sort=-income.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/ranking/query.h"
#include "rankveil/table/schema.h"

namespace rankveil::attack {

// [sort] of a target file.
struct OrderWords {
  std::string up = "asc", down = "desc";
  // How the service calls columns that the table calls otherwise.
  std::vector<std::pair<std::string, std::string>> fields = {};
};

struct Order {
  AttributeId attribute{};
  bool descending = false;

  bool operator==(const Order&) const = default;
};

inline constexpr const char* order_attribute = "sort by";
// What the service is asked to order by where the column is `order_attribute` itself: a name that
// it does not have.
inline constexpr const char* no_field = "rankveil_no_such_column";

// REQUIRES: no attribute is called `order_attribute`, and there are fewer than half as many as a
// domain may have values.
Schema with_orders(Schema schema);
Query order_query(const Schema& asked, const Order& order);
// Nothing: the query asks for no order.
std::optional<Order> order_in(const Schema& asked, const Query& query);

}  // namespace rankveil::attack
