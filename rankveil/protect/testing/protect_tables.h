// Small tasks for tests of schemes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rankveil/protect/task.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil::testing_support {

// A task with all it points to. Change `demand`, `workload` and `key` before calling task().
struct OwnTask {
  Table table;
  Workload workload = {};
  Demand demand = {.levels = 255, .bitmaps = most_bitmaps};  // close to what is exact
  SecretKey key = SecretKey::from_seed(1);

  Task task() const { return {table, workload, demand, key}; }
};

// A table from rows of codes: the first `publics` columns are public. -1: missing. Domains are as
// large as given.
inline Table coded_table(const std::vector<std::vector<int>>& rows, std::uint32_t publics,
                         const std::vector<std::uint32_t>& domains) {
  Schema schema;
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < domains.size(); ++i) {
    Attribute attribute;
    attribute.visibility = i < publics ? Visibility::Public : Visibility::Private;
    attribute.name = (i < publics ? "a" : "b") + std::to_string(i);
    attribute.domain = numbered_domain(domains[i]);
    schema.attributes.push_back(std::move(attribute));
    std::vector<ValueId> values;
    for (const auto& row : rows) {
      values.push_back(row[i] < 0 ? missing_value : ValueId{static_cast<std::uint16_t>(row[i])});
    }
    columns.emplace_back(domains[i], values);
  }
  return Table(std::move(schema), std::move(columns),
               RowNames(RowNumbers{static_cast<std::uint32_t>(rows.size())}));
}

// A workload of `size` random queries, some asked several times.
inline Workload random_workload(Rng& rng, const Schema& schema, std::uint32_t size) {
  Workload workload;
  for (std::uint32_t i = 0; i < size; ++i) {
    workload.entries.push_back({random_query(rng, schema), 1 + rng.below(3)});
  }
  return workload;
}

// Every strength of one attribute of a row.
inline std::vector<double> profile_of(const Profiles& profiles, RowId row, PrivateId attribute,
                                      std::uint32_t domain) {
  std::vector<double> strengths;
  for (std::uint32_t v = 0; v < domain; ++v) {
    strengths.push_back(profiles.match(row, attribute, ValueId{static_cast<std::uint16_t>(v)}));
  }
  return strengths;
}

}  // namespace rankveil::testing_support
