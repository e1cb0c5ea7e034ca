// A table, a protected index, a query: the library in one page.
#include <fmt/core.h>

#include "rankveil/connect/source.h"
#include "rankveil/protect/rows/keyed_order.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/arranged.h"

int main(int argc, char** argv) {
  using namespace rankveil;
  if (argc != 2) return 2;

  auto policy = parse_policy(R"(
    [column.id]
    role = "id"
    [column.city]
    role = "public"
    [column.religion]
    role = "private"
  )",
                             "policy");
  auto loaded = connect::read_table({.path = argv[1]}, *policy);
  if (!loaded) return fmt::print("{}\n", loaded.error().message), 1;

  SecretKey key = SecretKey::random();
  // Equal scores go by the order of rows: that of the file may tell something.
  Table table = arranged(loaded->table, keyed_order(loaded->table.names(), key));
  Demand demand{.scheme = "swap", .l = 3};
  auto made = protect({table, {}, demand, key});
  if (!made) return fmt::print("{}\n", made.error().message), 1;
  Index index = Index::build(public_part(table), made->profiles, {.scheme = "swap", .l = 3});
  Query query = empty_query(index.schema());
  if (!add_wish(index.schema(), "religion=none", query)) return 1;

  Answer answer = index.rank(query, {.k = 3});
  for (const Hit& hit : answer.hits) {
    fmt::print("{} scores {:.3f}\n", index.name(hit.row),
               static_cast<double>(hit.score) * answer.unit);
  }
}
