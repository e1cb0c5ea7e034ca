// Small tables, protected or not, for the tests of audits.
#pragma once

#include <string>

#include "rankveil/audit/arena.h"
#include "rankveil/base/keys/keyed.h"
#include "rankveil/base/random.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/table.h"

namespace rankveil::audit::testing_support {

inline Attribute attribute(const std::string& name, Visibility visibility, std::uint32_t domain) {
  std::vector<std::string> values;
  for (std::uint32_t v = 0; v < domain; ++v) values.push_back(name + std::to_string(v));
  Attribute made;
  made.name = name;
  made.visibility = visibility;
  made.domain = *Domain::of(std::move(values));
  return made;
}

// Independent, uniform values: three public attributes with 4, 3 and 2 values, two private ones
// with 4 and 5. Rows are called r0, r1, ...
inline Table small_table(std::uint32_t rows, std::uint64_t seed) {
  Schema schema;
  schema.attributes = {
      attribute("city", Visibility::Public, 4), attribute("age", Visibility::Public, 3),
      attribute("job", Visibility::Public, 2), attribute("faith", Visibility::Private, 4),
      attribute("diet", Visibility::Private, 5)};
  Rng rng(seed);
  std::vector<Column> columns;
  for (const Attribute& made : schema.attributes) {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < rows; ++row) {
      values.push_back(ValueId{static_cast<std::uint16_t>(rng.below(made.domain.size()))});
    }
    columns.emplace_back(made.domain.size(), values);
  }
  TextNames names;
  for (std::uint32_t row = 0; row < rows; ++row) {
    names.bytes += "r" + std::to_string(row);
    names.ends.push_back(names.bytes.size());
  }
  return Table(std::move(schema), std::move(columns), RowNames(std::move(names)));
}

// A ranking, and all that an audit of it needs. Stays where it is.
struct SmallRanking {
  Table table;
  std::optional<Mechanism> mechanism;
  Profiles profiles;
  Index index;
  Arena arena;
};

inline SmallRanking unprotected(std::uint32_t rows, std::uint64_t seed, std::uint32_t k = 20) {
  Table table = small_table(rows, seed);
  Profiles profiles = unprotected_profiles(table);
  Index index = Index::build(public_part(table), profiles, {});
  Arena arena = index_arena(index, profiles, table, {}, k);
  return {std::move(table), {}, std::move(profiles), std::move(index), std::move(arena)};
}

inline SmallRanking protected_table(Table table, const Demand& demand, std::uint64_t seed,
                                    std::uint32_t k = 20) {
  Mechanism mechanism;
  mechanism.demand = demand;
  SecretKey key = SecretKey::from_seed(seed + 1000);
  auto made = protect({.table = table,
                       .workload = mechanism.workload,
                       .demand = mechanism.demand,
                       .key = key,
                       .threads = 1});
  Index index =
      Index::build(public_part(table), made->profiles, {.scheme = demand.scheme, .l = demand.l});
  Arena arena = index_arena(index, made->profiles, table, mechanism, k);
  return {std::move(table), mechanism, std::move(made->profiles), std::move(index),
          std::move(arena)};
}

inline SmallRanking protected_by(const std::string& scheme, std::uint32_t l, std::uint32_t rows,
                                 std::uint64_t seed, std::uint32_t k = 20) {
  return protected_table(small_table(rows, seed), {.scheme = scheme, .l = l}, seed, k);
}

inline std::vector<std::uint32_t> first_rows(std::uint32_t count) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < count; ++row) rows.push_back(row);
  return rows;
}

}  // namespace rankveil::audit::testing_support
