// The awkward table of campaign.h in a database, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "rankveil/connect/database.h"
#include "rankveil/table/table.h"

namespace rankveil::attack::testing_support {

inline constexpr std::string_view people_columns =
    "(id BIGINT PRIMARY KEY, city TEXT, age INTEGER, \"job title\" TEXT, religion TEXT, "
    "income TEXT)";

// A ranking as somebody would write it in SQL; understood by PostgreSQL and DuckDB.
inline constexpr std::string_view ranking_sql =
    "SELECT id FROM people ORDER BY -- the \"score\", isn't it\n"
    "  2 * coalesce(CAST(city = ANY(${all:city}) AS INTEGER), 0)\n"
    "  + coalesce(CAST(age = ANY(CAST(${all:age} AS INTEGER[])) AS INTEGER), 0)\n"
    "  $[+ CASE WHEN \"job title\" = ANY(${all:job title}) THEN 1 ELSE 0 END$]\n"
    "  + coalesce(CAST(religion = ANY(${all:religion}) AS INTEGER), 0)\n"
    "  + 2 * coalesce(CAST(income = ANY(${all:income}) AS INTEGER), 0) DESC,\n"
    "  id LIMIT ${k}";
inline constexpr std::string_view insert_sql =
    "INSERT INTO people VALUES (CAST(${id} AS BIGINT), ${one:city}, CAST(${one:age} AS INTEGER), "
    "${one:job title}, ${one:religion}, ${one:income})";

inline void fill_people(connect::Database& database, const std::string& name, const Table& table) {
  std::string sql =
      "INSERT INTO " + name + " VALUES (CAST($1 AS BIGINT), $2, CAST($3 AS INTEGER), $4, $5, $6)";
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    connect::Statement insert{sql, {std::int64_t{100 + row}}};
    for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
      insert.values.emplace_back(
          table.schema().attributes[i].domain.text(table.value(RowId{row}, AttributeId{i})));
    }
    auto done = database.run(insert);
    ASSERT_TRUE(done) << done.trouble().error.message;
  }
}

}  // namespace rankveil::attack::testing_support
