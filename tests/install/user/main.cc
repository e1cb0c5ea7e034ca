// Four people, one wish: what a first program against rankveil looks like.
#include <cstdio>

#include "rankveil/ranking/index.h"

namespace {

using rankveil::Column;
using rankveil::Domain;
using rankveil::ValueId;

// City is public, religion is private.
rankveil::Result<rankveil::Table> four_people() {
  auto cities = Domain::of({"Paris", "Rome"});
  if (!cities) return cities.error();
  auto religions = Domain::of({"none", "other"});
  if (!religions) return religions.error();
  rankveil::Schema schema;
  schema.attributes.push_back({.name = "city", .domain = *cities});
  schema.attributes.push_back(
      {.name = "religion", .visibility = rankveil::Visibility::Private, .domain = *religions});
  const std::vector<ValueId> city = {ValueId{0}, ValueId{1}, ValueId{1}, ValueId{1}};
  const std::vector<ValueId> religion = {ValueId{0}, ValueId{1}, ValueId{0}, ValueId{0}};
  return rankveil::Table(schema, {Column(2, city), Column(2, religion)},
                         rankveil::RowNames(rankveil::RowNumbers{4}));
}

int fail(const rankveil::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  auto table = four_people();
  if (!table) return fail(table.error());
  auto index =
      rankveil::Index::build(rankveil::public_part(*table), rankveil::unprotected_profiles(*table),
                             {.scheme = "unprotected"});
  rankveil::Query query = rankveil::empty_query(table->schema());
  for (const char* wish : {"city=Rome", "religion=none"}) {
    if (auto added = rankveil::add_wish(table->schema(), wish, query); !added) {
      return fail(added.error());
    }
  }
  const auto answer = index.rank(query, {.k = 2});
  for (const auto& hit : answer.hits) {
    std::printf("row %s scores %g\n", index.name(hit.row).c_str(),
                static_cast<double>(hit.score) * answer.unit);
  }
  const bool right = answer.hits.size() == 2 && +answer.hits[0].row == 2 &&
                     +answer.hits[1].row == 3 && answer.hits[0].score == 2;
  return right ? 0 : 1;
}
