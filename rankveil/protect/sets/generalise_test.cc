#include "rankveil/protect/sets/generalise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/testing/set_tasks.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing_support::coded_table;
using testing_support::own_value;
using testing_support::OwnTask;
using testing_support::random_set_task;
using testing_support::set_of;
using testing_support::SetTask;

TEST(Generalise, GivesTheLastBlockTheRest) {
  OwnTask own{coded_table({{0}, {1}, {2}, {3}, {4}, {-1}}, 0, {5})};
  own.demand.l = 2;
  auto made = protect_generalise(own.task());
  ASSERT_TRUE(made);
  for (std::uint32_t row : {0U, 1U}) {
    EXPECT_THAT(set_of(made->profiles, row, 0, 5), ElementsAre(0, 1));
  }
  for (std::uint32_t row : {2U, 3U, 4U, 5U}) {
    EXPECT_THAT(set_of(made->profiles, row, 0, 5), ElementsAre(2, 3, 4));
  }
  EXPECT_THAT(made->report.set_sizes, ElementsAre(0, 0, 2, 4));
}

// Walks through the domain and starts a block whenever the last one is full and l more are left.
std::vector<std::uint32_t> plain_blocks(std::uint32_t domain, std::uint32_t l) {
  std::vector<std::uint32_t> block_of = {0};
  std::uint32_t begin = 0;
  for (std::uint32_t v = 1; v < domain; ++v) {
    bool starts = v - begin == l && domain - v >= l;
    if (starts) begin = v;
    block_of.push_back(block_of.back() + (starts ? 1 : 0));
  }
  return block_of;
}

TEST(Generalise, AgreesWithTheDefinitionOnRandomTables) {
  for (std::uint64_t seed = 0; seed < some_of(500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    SetTask own = random_set_task(rng);
    Task task = own.task();
    auto made = protect_generalise(task);
    ASSERT_TRUE(made);
    for (std::uint32_t j = 0; j < task.private_count(); ++j) {
      std::uint32_t domain = task.private_domain_sizes()[j];
      auto blocks = plain_blocks(domain, own.demand.l);
      for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
        if (!task.takes_part(RowId{row})) continue;
        int value = own_value(task, row, j);
        std::uint32_t block = value < 0 ? blocks.back() : blocks[static_cast<std::size_t>(value)];
        std::set<std::uint32_t> expected;
        for (std::uint32_t v = 0; v < domain; ++v) {
          if (blocks[v] == block) expected.insert(v);
        }
        ASSERT_EQ(set_of(made->profiles, row, j, domain), expected);
      }
    }
  }
}

}  // namespace
}  // namespace rankveil
