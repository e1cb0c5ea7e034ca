#include "rankveil/attack/targets/order.h"

#include <cassert>

namespace rankveil::attack {

Schema with_orders(Schema schema) {
  std::vector<std::string> orders;
  for (const Attribute& attribute : schema.attributes) {
    orders.push_back(attribute.name + " up");
    orders.push_back(attribute.name + " down");
  }
  orders.insert(orders.end(), {std::string(no_field) + " up", std::string(no_field) + " down"});
  auto domain = Domain::of(std::move(orders));
  assert(domain && "attributes have names of their own, and are few");
  schema.attributes.push_back({order_attribute, Visibility::Private, 1, *std::move(domain)});
  return schema;
}

Query order_query(const Schema& asked, const Order& order) {
  Query query = empty_query(asked);
  query.wanted.back() = {
      ValueId{static_cast<std::uint16_t>(2 * +order.attribute + (order.descending ? 1 : 0))}};
  return query;
}

std::optional<Order> order_in(const Schema& asked, const Query& query) {
  bool has_order = !asked.attributes.empty() && asked.attributes.back().name == order_attribute &&
                   !query.wanted.back().empty();
  if (!has_order) return std::nullopt;
  std::uint32_t value = +query.wanted.back().front();
  return Order{AttributeId{value / 2}, value % 2 == 1};
}

}  // namespace rankveil::attack
