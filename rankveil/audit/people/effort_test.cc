#include "rankveil/audit/people/effort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/base/random.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::audit {
namespace {

using rankveil::testing_support::coded_table;
using testing::HasSubstr;

// `wide` private columns of so many values beside four of three, and three public ones.
Table table_of(std::uint32_t rows, std::uint32_t wide, std::uint32_t values) {
  std::vector<std::uint32_t> domains = {2, 5, 9, 3, 3, 3, 3};
  domains.insert(domains.end(), wide, values);
  Rng rng(rows + wide);
  std::vector<std::vector<int>> codes(rows);
  for (auto& row : codes) {
    for (std::uint32_t domain : domains) row.push_back(static_cast<int>(rng.below(domain)));
  }
  return coded_table(codes, 3, domains);
}

TEST(Effort, IsWholeWhereColumnsHaveFewValues) {
  Effort effort = effort_for(table_of(5000, 0, 0));
  EXPECT_FALSE(effort.is_cut());
  EXPECT_EQ(effort.learnt, Effort{}.learnt);
  EXPECT_GT(effort.seconds, 0);
}

TEST(Effort, GrowsWithRowsAndValues) {
  double few = effort_for(table_of(5000, 2, 10)).seconds;
  EXPECT_GT(effort_for(table_of(20000, 2, 10)).seconds, 2 * few);
  EXPECT_GT(effort_for(table_of(5000, 2, 200)).seconds, 2 * few);
}

TEST(Effort, IsCutUntilItFits) {
  Table table = table_of(20000, 3, 300);
  double whole = effort_for(table, 1e9).seconds;
  Effort half = effort_for(table, whole / 2);
  EXPECT_TRUE(half.is_cut());
  EXPECT_LE(half.seconds, whole / 2);
  Effort tenth = effort_for(table, whole / 10);
  EXPECT_LE(tenth.seconds, whole / 10);
  EXPECT_LE(tenth.learnt, half.learnt);
  EXPECT_LE(tenth.sets, half.sets);
}

// Whatever there is to look at, something is.
TEST(Effort, IsNeverNothing) {
  Effort least = effort_for(table_of(5000, 3, 300), 0);
  EXPECT_GE(least.learnt, 1000U);
  EXPECT_GE(least.sets, 1U);
  EXPECT_GT(least.lump, Effort{}.lump);
}

TEST(Effort, SaysWhatWasCut) {
  std::string text = effort_for(table_of(5000, 3, 300), 0).text();
  EXPECT_THAT(text,
              HasSubstr("Models of people learn from 5,000 rows, and those of what is shown from "
                        "5,000 (usually 20,000 and 60,000)"));
  EXPECT_THAT(text, HasSubstr("1 acquaintance of each kind, not 16"));
  EXPECT_THAT(text, HasSubstr("fewer than 160 people"));
}

}  // namespace
}  // namespace rankveil::audit
