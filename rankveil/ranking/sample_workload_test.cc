#include "rankveil/ranking/sample_workload.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

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

std::size_t wishes_of(const Query& query) {
  std::size_t wishes = 0;
  for (const auto& wanted : query.wanted) {
    EXPECT_LE(wanted.size(), 1U);
    wishes += wanted.size();
  }
  return wishes;
}

bool is_striped(const Query& query) {
  std::set<ValueId> values;
  for (const auto& wanted : query.wanted) values.insert(wanted.begin(), wanted.end());
  return values.size() == 1;
}

TEST(TestWorkload, AsksForWholeRows) {
  Workload workload = test_workload(striped_table(50), TestQueries::Same, {.queries = 30});
  ASSERT_EQ(workload.entries.size(), 30U);
  for (const auto& [query, count] : workload.entries) {
    EXPECT_EQ(wishes_of(query), 4U);
    EXPECT_TRUE(is_striped(query));
    EXPECT_EQ(count, 1U);
  }
}

TEST(TestWorkload, DrawsUniformValuesOfEveryDomain) {
  Workload workload = test_workload(striped_table(1), TestQueries::Uniform, {.queries = 3000});
  std::map<std::pair<std::size_t, ValueId>, int> seen;
  for (const auto& [query, count] : workload.entries) {
    EXPECT_EQ(wishes_of(query), 4U);
    for (std::size_t i = 0; i < 4; ++i) ++seen[{i, query.wanted[i].at(0)}];
  }
  ASSERT_EQ(seen.size(), 12U);
  for (const auto& [value, times] : seen) EXPECT_NEAR(times, 1000, 130);
}

TEST(TestWorkload, AsksForHalfOfARowAndNeverForNothing) {
  Workload workload = test_workload(striped_table(50), TestQueries::Sparse, {.queries = 4000});
  std::vector<int> with_wishes(5, 0);
  for (const auto& [query, count] : workload.entries) {
    EXPECT_TRUE(is_striped(query));
    ++with_wishes[wishes_of(query)];
  }
  EXPECT_EQ(with_wishes[0], 0);
  EXPECT_NEAR(with_wishes[1], 1250, 150);
  EXPECT_NEAR(with_wishes[2], 1500, 150);
  EXPECT_NEAR(with_wishes[4], 250, 80);
}

TEST(TestWorkload, IsTheSameForTheSameSeedAndOtherForOtherKinds) {
  auto table = striped_table(3000);
  auto first_value = [&](TestQueries kind, std::uint64_t seed) {
    std::vector<ValueId> values;
    auto workload = test_workload(table, kind, {.seed = seed});
    for (const auto& entry : workload.entries) {
      for (const auto& wanted : entry.query.wanted) {
        if (!wanted.empty()) values.push_back(wanted[0]);
      }
    }
    return values;
  };
  EXPECT_EQ(first_value(TestQueries::Same, 1), first_value(TestQueries::Same, 1));
  EXPECT_NE(first_value(TestQueries::Same, 1), first_value(TestQueries::Same, 2));
  EXPECT_NE(first_value(TestQueries::Same, 1), first_value(TestQueries::Sparse, 1));
}

TEST(TestWorkload, OfAnEmptyTableIsEmpty) {
  for (TestQueries kind : all_test_queries) {
    EXPECT_TRUE(test_workload(striped_table(0), kind).entries.empty()) << test_queries_name(kind);
  }
}

TEST(SampleWorkload, OfAnEmptyTableIsEmpty) {
  EXPECT_TRUE(sample_workload(striped_table(0)).entries.empty());
}

}  // namespace
}  // namespace rankveil
