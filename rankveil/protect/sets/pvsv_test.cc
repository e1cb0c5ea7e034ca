#include "rankveil/protect/sets/pvsv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/testing/set_tasks.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing_support::coded_table;
using testing_support::own_value;
using testing_support::profile_of;
using testing_support::random_set_task;
using testing_support::set_of;
using testing_support::SetTask;

// From the definition: the own value, and the l - 1 others least asked for, ties by domain order.
std::set<std::uint32_t> plain_set(const Task& task, std::uint32_t row, std::uint32_t j) {
  std::uint32_t attribute = task.table.schema().public_count() + j;
  std::vector<std::tuple<std::uint64_t, std::uint32_t>> others;
  int own = own_value(task, row, j);
  for (std::uint32_t v = 0; v < task.table.schema().attributes[attribute].domain.size(); ++v) {
    std::uint64_t asked = 0;
    for (const auto& entry : task.workload.entries) {
      const auto& wanted = entry.query.wanted[attribute];
      bool asks = std::find(wanted.begin(), wanted.end(), ValueId{static_cast<std::uint16_t>(v)}) !=
                  wanted.end();
      if (asks) asked += entry.count;
    }
    if (static_cast<int>(v) != own) others.emplace_back(asked, v);
  }
  std::sort(others.begin(), others.end());
  std::set<std::uint32_t> set;
  if (own >= 0) set.insert(static_cast<std::uint32_t>(own));
  for (const auto& other : others) {
    if (set.size() < task.demand.l) set.insert(std::get<1>(other));
  }
  return set;
}

TEST(Pvsv, AgreesWithTheDefinitionOnRandomTables) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    SetTask own = random_set_task(rng);
    Task task = own.task();
    auto made = protect_pvsv(task);
    ASSERT_TRUE(made);
    std::vector<std::uint64_t> sizes;
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      for (std::uint32_t j = 0; j < task.private_count(); ++j) {
        if (!task.takes_part(RowId{row})) continue;
        std::uint32_t domain = task.private_domain_sizes()[j];
        auto set = set_of(made->profiles, row, j, domain);
        ASSERT_EQ(set, plain_set(task, row, j)) << "row " << row << " attribute " << j;
        ASSERT_EQ(set.size(), std::min(own.demand.l, domain));
        sizes.resize(std::max(sizes.size(), set.size() + 1));
        ++sizes[set.size()];
      }
    }
    EXPECT_EQ(made->report.set_sizes, sizes);
  }
}

TEST(Pvsv, CountsDomainsThatAreTooSmallAndGivesSharesToRowsThatTakeNoPart) {
  SetTask own{{coded_table({{0, 0}, {1, 1}, {0, 2}, {0, 0}}, 0, {2, 3})}};
  own.demand.l = 3;
  own.demand.min_group = 2;
  own.taking_part = {1, 1, 1, 0};
  auto made = protect_pvsv(own.task());
  ASSERT_TRUE(made);
  EXPECT_THAT(made->report.short_sets, ElementsAre(3, 0));
  EXPECT_EQ(made->report.rows_with_short_sets, 3U);
  EXPECT_EQ(made->report.rows_without_signal, 1U);
  EXPECT_THAT(profile_of(made->profiles, RowId{0}, PrivateId{0}, 2), ElementsAre(1, 1));
  EXPECT_THAT(profile_of(made->profiles, RowId{3}, PrivateId{0}, 2), ElementsAre(2. / 3, 1. / 3));
}

}  // namespace
}  // namespace rankveil
