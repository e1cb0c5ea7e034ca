#include "rankveil/protect/rows/open_rows.h"

#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/groups/profile_maker.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/testing/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

// Every third row is open, and takes no part.
std::vector<std::uint8_t> some_open(std::uint32_t rows) {
  std::vector<std::uint8_t> open(rows, 0);
  for (std::uint32_t row = 0; row < rows; row += 3) open[row] = 1;
  return open;
}

Profiles protected_profiles(const Table& table, const std::string& scheme,
                            const std::vector<std::uint8_t>& open) {
  Workload workload;
  Demand demand{.scheme = scheme, .l = 2};
  demand.any_epsilon = true;
  SecretKey key = SecretKey::from_seed(5);
  Task task{.table = table, .workload = workload, .demand = demand, .key = key};
  for (std::uint8_t mark : open) task.taking_part.push_back(mark == 0 ? 1 : 0);
  auto made = protect(task);
  EXPECT_TRUE(made) << scheme << ": " << made.error().message;
  return std::move(made->profiles);
}

TEST(OpenRows, MatchTheirOwnValuesAndNoOthersUnderEveryScheme) {
  Rng rng(8);
  Table table = random_table(rng, {.rows = 400, .publics = 2, .privates = 3, .largest_domain = 4});
  auto open = some_open(table.rows());
  for (const Scheme& scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    Profiles before = protected_profiles(table, std::string(scheme.name), open);
    Profiles after = with_open_rows(before, table, open);
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      for (std::uint32_t j = 0; j < 3; ++j) {
        AttributeId attribute{2 + j};
        for (std::uint32_t v = 0; v < table.schema()[attribute].domain.size(); ++v) {
          ValueId value{static_cast<std::uint16_t>(v)};
          double was = before.match(RowId{row}, PrivateId{j}, value);
          bool own = table.value(RowId{row}, attribute) == value;
          ASSERT_DOUBLE_EQ(after.match(RowId{row}, PrivateId{j}, value), open[row] == 0 ? was
                                                                         : own          ? 1.0
                                                                                        : 0.0)
              << "row " << row;
        }
      }
    }
  }
}

TEST(OpenRows, AreRankedByTheirOwnValues) {
  for (std::uint64_t seed = 0; seed < some_of(6U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng, {.rows = 700, .publics = 2, .privates = 3});
    auto open = some_open(table.rows());
    Profiles profiles =
        with_open_rows(protected_profiles(table, seed % 2 == 0 ? "swap" : "rr", open), table, open);
    expect_plain_answers(Served(table, profiles, seed % 3 == 0), rng);
  }
}

TEST(OpenRows, ChangeNothingWhereThereAreNone) {
  Rng rng(3);
  Table table = random_table(rng, {.rows = 50, .publics = 1, .privates = 2});
  Profiles profiles = with_open_rows(unprotected_profiles(table), table,
                                     std::vector<std::uint8_t>(table.rows(), 0));
  EXPECT_TRUE(profiles.unprotected());
}

}  // namespace
}  // namespace rankveil
