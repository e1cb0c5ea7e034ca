// Who holds all outputs of some people knows no more than who holds the first: by counting, over
// every truth that a tiny table can have and many keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/release/release.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using Truth = std::vector<int>;

// Everybody's strengths, as numbers that can be compared.
using Seen = std::vector<double>;

Seen seen_in(const Release& release, std::uint32_t rows) {
  Seen seen;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (double strength :
         testing_support::profile_of(release.profiles, RowId{row}, PrivateId{0}, 3)) {
      seen.push_back(strength);
    }
  }
  return seen;
}

// Two public columns, the second of which later outputs leave out.
Table table_with(const Truth& truth, bool second_column, std::size_t rows) {
  std::vector<std::vector<int>> codes;
  IntegerNames names;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<int> row = {static_cast<int>(i % 2)};
    if (second_column) row.push_back(0);
    row.push_back(truth[i]);
    codes.push_back(row);
    names.values.push_back(static_cast<std::int64_t>(100 + i));
  }
  std::vector<std::uint32_t> domains = {2};
  if (second_column) domains.push_back(2);
  domains.push_back(3);
  Table coded = testing_support::coded_table(codes, second_column ? 2 : 1, domains);
  Schema schema = coded.schema();
  schema.attributes.back().name = "secret";
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) columns.push_back(coded.column(AttributeId{i}));
  return Table(std::move(schema), std::move(columns), RowNames(std::move(names)));
}

struct Outputs {
  Seen first;
  Seen second;  // another output, without a column
  Seen third;   // after somebody left
  int moved = 0;
};

class Derived : public testing::TestWithParam<std::string> {
 protected:
  Outputs outputs_of(const Truth& truth, const SecretKey& key) const {
    Demand demand{.scheme = GetParam(), .l = 3, .min_group = 2};
    Workload none;
    Table table = table_with(truth, true, truth.size());
    auto rows = static_cast<std::uint32_t>(truth.size());
    auto first = first_release({.table = table, .workload = none, .demand = demand, .key = key});
    EXPECT_TRUE(first) << first.error().message;
    Outputs made{seen_in(*first, rows), {}, {}, 0};
    for (std::uint32_t i = 0; i < rows; ++i) {
      auto begin = made.first.begin() + 3 * i;
      made.moved += std::max_element(begin, begin + 3) - begin == truth[i] ? 0 : 1;
    }
    Release second = next(truth, *first, demand, key, rows);
    made.second = seen_in(second, rows);
    made.third = seen_in(next(truth, second, demand, key, rows - 1), rows - 1);
    return made;
  }

  Release next(const Truth& truth, const Release& before, const Demand& demand,
               const SecretKey& key, std::uint32_t rows) const {
    Index index =
        Index::build(public_part(before.table), before.profiles, {demand.scheme, 3, 10, {}});
    BuildRules rules;
    auto table = align(table_with(truth, false, rows), before.ledger, nullptr, rules);
    EXPECT_TRUE(table) << table.error().message;
    Workload none;
    auto made = next_release({.table = *table, .workload = none, .demand = demand, .key = key},
                             index, before.ledger, rules);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  GroupSizes::Hook tiny = GroupSizes::Hook(GroupSizes::all_one());
};

INSTANTIATE_TEST_SUITE_P(Schemes, Derived, testing::Values("swap", "cluster", "rr"),
                         [](const auto& scheme) { return scheme.param; });

// How often each truth led to what was seen.
using Counts = std::map<Truth, double>;

double share_of(const Counts& counts, const Truth& truth) {
  double sum = 0;
  for (const auto& [one, count] : counts) sum += count;
  auto found = counts.find(truth);
  return found == counts.end() ? 0 : found->second / sum;
}

TEST_P(Derived, OutputsTellNoMoreThanTheFirst) {
  constexpr int keys = 12;
  std::map<Seen, Counts> by_first;
  std::map<std::tuple<Seen, Seen, Seen>, Counts> by_all;
  int worlds = 0, half_moved = 0;
  Truth truth = {0, 0, 1, 1, 2, 2};
  do {
    for (std::uint64_t seed = 1; seed <= keys; ++seed) {
      Outputs made = outputs_of(truth, SecretKey::from_seed(seed));
      ++by_first[made.first][truth];
      ++by_all[{made.first, made.second, made.third}][truth];
      ++worlds;
      half_moved += 2 * made.moved >= static_cast<int>(truth.size()) ? 1 : 0;
    }
  } while (std::next_permutation(truth.begin(), truth.end()) && !HasFailure());
  EXPECT_EQ(by_all.size(), by_first.size());
  double largest = 0;
  for (const auto& [seen, counts] : by_all) {
    const Counts& of_first = by_first[std::get<0>(seen)];
    for (const auto& [one, count] : of_first) {
      largest = std::max(largest, std::abs(share_of(counts, one) - share_of(of_first, one)));
    }
  }
  EXPECT_LT(largest, 1e-12);
  if (GetParam() == "swap") {
    EXPECT_GT(half_moved, worlds / 4) << "where half of the rows show another's value, too";
  }
}

// ---- A larger l ----

// The first output under `l`, and the further one under `larger`.
struct TwoOutputs {
  Release first;
  Release further;
};

Release further_of(const Release& first, const Table& table, const Demand& demand,
                   const SecretKey& key, std::uint32_t larger) {
  Index index = Index::build(public_part(first.table), first.profiles,
                             {demand.scheme, 3, 10, Json().set("build", 1)});
  auto aligned = align(table, first.ledger, nullptr, {});
  EXPECT_TRUE(aligned);
  Workload none;
  BuildRules rules;
  rules.withdraw_after.reset();
  auto made = next_release({.table = *aligned, .workload = none, .demand = demand, .key = key},
                           index, first.ledger, rules, {.l = larger});
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

TwoOutputs two_outputs(const Table& table, std::uint32_t l, std::uint32_t larger,
                       const SecretKey& key) {
  Demand demand{.scheme = "swap", .l = l};
  Workload none;
  auto first = first_release({.table = table, .workload = none, .demand = demand, .key = key});
  EXPECT_TRUE(first) << first.error().message;
  Release further = further_of(*first, table, demand, key, larger);
  return {std::move(*first), std::move(further)};
}

std::vector<std::ptrdiff_t> tops(const Seen& seen) {
  std::vector<std::ptrdiff_t> values;
  for (auto at = seen.begin(); at != seen.end(); at += 3) {
    values.push_back(std::max_element(at, at + 3) - at);
  }
  return values;
}

// So Pr(truth | both) = Pr(truth | first), whatever somebody believes: further coins and words are
// independent of the first ones, and nothing else stands between the two outputs. Every other truth
// is put into the table before the further one is made.
TEST(FurtherOutputs, RestOnWhatTheFirstShowsAndOnTheKeyAlone) {
  GroupSizes::Hook tiny{GroupSizes::all_one()};
  int exchanged = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SecretKey key = SecretKey::from_seed(seed);
    Truth truth = {0, 1, 2, 0, 1, 2};
    TwoOutputs outputs = two_outputs(table_with(truth, true, truth.size()), 2, 4, key);
    Seen further = seen_in(outputs.further, 6);
    exchanged += tops(further) == tops(seen_in(outputs.first, 6)) ? 0 : 1;
    std::ranges::sort(truth);
    do {
      Release other = further_of(outputs.first, table_with(truth, true, truth.size()),
                                 {.scheme = "swap", .l = 2}, key, 4);
      ASSERT_EQ(seen_in(other, 6), further) << seed;
    } while (std::next_permutation(truth.begin(), truth.end()));
  }
  EXPECT_GT(exchanged, 5);
}

// Many values that nothing predicts, so that few who trade meet their own again.
TEST(FurtherOutputs, ShowOwnValuesAsOftenAsTheirLSays) {
  std::vector<std::vector<int>> codes;
  IntegerNames names;
  constexpr int rows = 4000;
  for (int i = 0; i < rows; ++i) {
    codes.push_back({i / 40 % 2, i % 40});
    names.values.push_back(i);
  }
  Table coded = testing_support::coded_table(codes, 1, {2, 40});
  Table table(coded.schema(), {coded.column(AttributeId{0}), coded.column(AttributeId{1})},
              RowNames(std::move(names)));
  TwoOutputs outputs = two_outputs(table, 2, 5, SecretKey::from_seed(7));
  int own = 0, own_further = 0, same = 0;
  auto shown = [&](const Release& release, int row) {
    auto profile = testing_support::profile_of(
        release.profiles, RowId{static_cast<std::uint32_t>(row)}, PrivateId{0}, 40);
    return std::max_element(profile.begin(), profile.end()) - profile.begin();
  };
  for (int row = 0; row < rows; ++row) {
    auto first = shown(outputs.first, row), further = shown(outputs.further, row);
    own += first == codes[static_cast<std::size_t>(row)][1] ? 1 : 0;
    own_further += further == codes[static_cast<std::size_t>(row)][1] ? 1 : 0;
    same += first == further ? 1 : 0;
  }
  EXPECT_NEAR(own / double{rows}, 1.0 / 2, 0.04);
  EXPECT_NEAR(own_further / double{rows}, 1.0 / 5, 0.04);
  EXPECT_NEAR(same / double{rows}, 2.0 / 5, 0.04);
  EXPECT_EQ(outputs.further.coverage.covered, 4000U);
}

}  // namespace
}  // namespace rankveil
