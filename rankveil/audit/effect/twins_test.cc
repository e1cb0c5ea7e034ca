#include "rankveil/audit/effect/twins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "rankveil/base/random.h"

namespace rankveil::audit {
namespace {

using TwinRow = std::vector<ValueId>;
// What a row is worth for a query; the larger, the earlier. Equal ones go by planting.
using Worth = std::function<double(const TwinRow&, const Query&, std::uint32_t number)>;

class TwinTarget : public attack::Target {
 public:
  TwinTarget(const Worth& worth, std::size_t k) : worth_(worth), k_(k) {}
  Result<std::vector<std::uint32_t>> query(const Query& query) override {
    std::vector<std::uint32_t> order(rows_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return worth_(rows_[a], query, a) > worth_(rows_[b], query, b);
    });
    order.resize(std::min(k_, order.size()));
    return order;
  }
  Result<std::uint32_t> insert(std::span<const ValueId> values) override {
    rows_.emplace_back(values.begin(), values.end());
    return static_cast<std::uint32_t>(rows_.size() - 1);
  }
  bool takes_inserts() const override { return true; }

 private:
  const Worth& worth_;
  std::size_t k_;
  std::vector<TwinRow> rows_;
};

Twins twins_under(const Worth& worth, std::size_t k = 10) {
  Arena arena;
  arena.knowledge.schema.attributes = {
      {"city", Visibility::Public, 1, *Domain::of({"Paris", "Rome"})},
      {"religion", Visibility::Private, 1, *Domain::of({"none", "hindu", "muslim"})},
      {"smokes", Visibility::Private, 1, *Domain::of({"yes", "no"})},
      {"planet", Visibility::Private, 1, *Domain::of({"earth"})}};
  arena.fresh = [&]() -> Result<std::unique_ptr<attack::Target>> {
    return std::unique_ptr<attack::Target>(new TwinTarget(worth, k));
  };
  auto twins = plant_twins(arena, 3);
  EXPECT_TRUE(twins);
  return *twins;
}

double matches(const TwinRow& row, const Query& query, std::size_t end) {
  double sum = 0;
  for (std::size_t i = 0; i < end; ++i) {
    sum += std::ranges::find(query.wanted[i], row[i]) != query.wanted[i].end() ? 1 : 0;
  }
  return sum;
}

TEST(Twins, StayWhereOnlyPublicValuesRank) {
  Twins twins =
      twins_under([](const auto& row, const auto& query, auto) { return matches(row, query, 1); });
  EXPECT_EQ(twins.pairs, 2U) << "a value alone has no twin";
  EXPECT_TRUE(twins.stay_in_order());
  EXPECT_EQ(twins.moved_by, "");
}

TEST(Twins, MoveWhereWishesMatch) {
  Twins twins =
      twins_under([](const auto& row, const auto& query, auto) { return matches(row, query, 3); });
  EXPECT_EQ(twins.seen, 2U);
  EXPECT_EQ(twins.stayed, 0U);
  EXPECT_EQ(twins.moved_by, "smokes");
}

TEST(Twins, MoveWhereAHiddenColumnSorts) {
  Twins twins = twins_under([](const auto& row, const auto&, auto) {
    return row[1] == missing_value ? 9.0 : static_cast<double>(+row[1]);
  });
  EXPECT_EQ(twins.stayed, 1U) << "smokes does not move them";
  EXPECT_EQ(twins.moved_by, "religion");
  EXPECT_FALSE(twins.stay_in_order());
}

TEST(Twins, OutOfSightAreNotSaidToStay) {
  Twins twins = twins_under([](const auto&, const auto&, auto) { return 0.0; }, 1);
  EXPECT_EQ(twins.seen, 0U);
  EXPECT_FALSE(twins.stay_in_order());
  EXPECT_EQ(twins.moved_by, "");
}

}  // namespace
}  // namespace rankveil::audit
