// A table, an index, a query: the library in one page.
#include <fmt/core.h>

#include "rankveil/connect/source.h"
#include "rankveil/ranking/index.h"

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

  const Table& table = loaded->table;
  Index index =
      Index::build(public_part(table), unprotected_profiles(table), {.scheme = "unprotected"});
  Query query = empty_query(index.schema());
  if (!add_wish(index.schema(), "religion=none", query)) return 1;

  for (const Hit& hit : index.rank(query, {.k = 3}).hits) {
    fmt::print("{} scores {}\n", index.name(hit.row), hit.score);
  }
}
