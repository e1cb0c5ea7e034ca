#include "rankveil/ranking/sample_workload.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

Attribute attribute(const std::string& name, Visibility visibility) {
  return {name, visibility, 1, *Domain::of({"a", "b", "c"})};
}

// Two public and two private attributes; row r has value r % 3 everywhere.
Table striped_table(std::uint32_t rows) {
  Schema schema;
  for (const char* name : {"p", "q"}) {
    schema.attributes.push_back(attribute(name, Visibility::Public));
  }
  for (const char* name : {"x", "y"}) {
    schema.attributes.push_back(attribute(name, Visibility::Private));
  }
  std::vector<ValueId> values;
  for (std::uint32_t r = 0; r < rows; ++r) values.push_back(ValueId{std::uint16_t(r % 3)});
  std::vector<Column> columns(4, Column(3, values));
  return {schema, columns, RowNames(RowNumbers{rows})};
}

TEST(SampleWorkload, AsksForAFewValuesPublicAndPrivate) {
  Workload workload = sample_workload(striped_table(50), {.queries = 200, .seed = 7});
  ASSERT_EQ(workload.entries.size(), 200U);
  for (const auto& [query, count] : workload.entries) {
    int wishes = 0;
    for (const auto& wanted : query.wanted) {
      wishes += wanted.empty() ? 0 : 1;
      EXPECT_LE(wanted.size(), 2U);
    }
    EXPECT_GE(wishes, 2);
    EXPECT_FALSE(query.wanted[2].empty() && query.wanted[3].empty());
    EXPECT_GE(count, 1U);
  }
}

TEST(SampleWorkload, IsTheSameForTheSameSeed) {
  auto table = striped_table(50);
  auto texts = [&](std::uint64_t seed) {
    std::string all;
    for (const auto& entry : sample_workload(table, {.seed = seed}).entries) {
      all += query_to_json(table.schema(), entry.query).dump(-1);
    }
    return all;
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
}

TEST(SampleWorkload, OfAnEmptyTableIsEmpty) {
  EXPECT_TRUE(sample_workload(striped_table(0)).entries.empty());
}

}  // namespace
}  // namespace rankveil
