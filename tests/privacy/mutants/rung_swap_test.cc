#include "tests/privacy/mutants/rung_swap.h"

#include <gtest/gtest.h>

#include <string>

#include "rankveil/base/random.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil {
namespace {

// 2,000 rows in 500 public groups of few; the private value of a row is its public one, but for one
// row in five.
Table telling_table() {
  Rng rng(1);
  Schema schema;
  std::vector<std::vector<ValueId>> columns(3);
  for (int r = 0; r < 2000; ++r) {
    auto a = static_cast<std::uint16_t>(rng.below(10));
    auto b = static_cast<std::uint16_t>(rng.below(50));
    auto own = rng.below(5) == 0 ? static_cast<std::uint16_t>(rng.below(10)) : a;
    columns[0].push_back(ValueId{a});
    columns[1].push_back(ValueId{b});
    columns[2].push_back(ValueId{own});
  }
  std::vector<Column> made;
  for (std::uint32_t c = 0; c < 3; ++c) {
    std::uint32_t size = c == 1 ? 50 : 10;
    schema.attributes.push_back({"c" + std::to_string(c),
                                 c == 2 ? Visibility::Private : Visibility::Public, 1,
                                 testing_support::numbered_domain(size)});
    made.emplace_back(size, columns[c]);
  }
  return Table(std::move(schema), std::move(made), RowNames(RowNumbers{2000}));
}

// Of rows whose shown value is that of their public column: how many show their own.
double kept_where_it_fits(const Table& table, const Profiles& profiles) {
  const auto& signals = std::get<GroupedProfiles>(profiles.kinds()).signals;
  double fits = 0;
  double own = 0;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    ValueId fitting = table.value(RowId{row}, AttributeId{0});
    if (signals.strength(RowId{row}, PrivateId{0}, fitting) == 0) continue;
    ++fits;
    own += table.value(RowId{row}, AttributeId{2}) == fitting ? 1 : 0;
  }
  return own / fits;
}

// Shares of those who fit their public column among all who show it: with a model, most rows that
// moved fit as well; on coarse rungs a tenth does.
double share_that_fits(const Table& table, const Profiles& profiles) {
  const auto& signals = std::get<GroupedProfiles>(profiles.kinds()).signals;
  double fits = 0;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    ValueId fitting = table.value(RowId{row}, AttributeId{0});
    fits += signals.strength(RowId{row}, PrivateId{0}, fitting) > 0 ? 1 : 0;
  }
  return fits / table.rows();
}

// Of the table itself.
double share_that_has_what_fits(const Table& table) {
  double fits = 0;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    ValueId fitting = table.value(RowId{row}, AttributeId{0});
    fits += table.value(RowId{row}, AttributeId{2}) == fitting ? 1 : 0;
  }
  return fits / table.rows();
}

TEST(RungSwap, ShowsByWhatFitsWhoKeptTheirOwnAndSwapDoesNot) {
  Table table = telling_table();
  Workload none;
  Demand demand;
  SecretKey key = SecretKey::from_seed(1);
  Task task{table, none, demand, key};
  auto rungs = testing_support::protect_rung_swap(task);
  auto fitted = protect(task);
  ASSERT_TRUE(rungs && fitted);
  // A third keeps its own: .82 of these fit, and of those who moved .1 fit by chance.
  EXPECT_NEAR(share_that_fits(table, rungs->profiles), (.82 + 2 * .1) / 3, .04);
  // The model's ridge takes .03 off what fits: a regression of the same ridge in scipy says .766 of
  // rows that moved fit where .798 have what fits.
  EXPECT_NEAR(share_that_fits(table, fitted->profiles), share_that_has_what_fits(table), .04);
  EXPECT_GT(kept_where_it_fits(table, rungs->profiles), .93);
  EXPECT_LT(kept_where_it_fits(table, fitted->profiles), .92);
}

}  // namespace
}  // namespace rankveil
