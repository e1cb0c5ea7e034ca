// Three people, one wish: what a first program against rankveil looks like.
#include <cstdio>

#include "rankveil/ranking/query.h"
#include "rankveil/table/table.h"

namespace {

rankveil::Result<rankveil::Table> three_people() {
  auto cities = rankveil::Domain::of({"Paris", "Rome"});
  if (!cities) return cities.error();
  rankveil::Schema schema;
  schema.attributes.push_back({.name = "city", .domain = *cities});
  const std::vector<rankveil::ValueId> lives_in = {rankveil::ValueId{0}, rankveil::ValueId{1},
                                                   rankveil::ValueId{1}};
  rankveil::Column city(cities->size(), lives_in);
  return rankveil::Table(schema, {city}, rankveil::RowNames(rankveil::RowNumbers{3}));
}

int fail(const rankveil::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  auto table = three_people();
  if (!table) return fail(table.error());
  rankveil::Query query = rankveil::empty_query(table->schema());
  auto wish = rankveil::add_wish(table->schema(), "city=Rome", query);
  if (!wish) return fail(wish.error());
  std::puts(rankveil::query_to_json(table->schema(), query).dump(-1).c_str());
  return table->rows() == 3 ? 0 : 1;
}
