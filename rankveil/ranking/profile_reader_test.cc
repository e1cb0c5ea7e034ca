#include "rankveil/ranking/profile_reader.h"

#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil {
namespace {

std::vector<Match> by_asking_for_every_value(const Index& index, RowId row, PrivateId attribute) {
  std::vector<Match> profile;
  const Schema& schema = index.schema();
  std::uint32_t domain = schema.attributes[schema.public_count() + +attribute].domain.size();
  for (std::uint32_t v = 0; v < domain; ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    double strength = index.match(row, attribute, value);
    if (strength > 0) profile.push_back({value, strength});
  }
  return profile;
}

void expect_same_profiles(const Index& index) {
  ProfileReader reader(index);
  std::vector<Match> profile;
  for (std::uint32_t row = 0; row < index.rows(); ++row) {
    for (std::uint32_t j = 0; j < index.schema().private_count(); ++j) {
      reader.read(RowId{row}, PrivateId{j}, profile);
      ASSERT_EQ(profile, by_asking_for_every_value(index, RowId{row}, PrivateId{j}))
          << "row " << row << ", attribute " << j;
    }
  }
}

Profiles some_profiles(Rng& rng, const Table& table, std::uint64_t kind) {
  using namespace testing_support;
  switch (kind) {
    case 0:
      return unprotected_profiles(table);
    case 1:
      return random_levels(rng, table, 1);
    case 2:
      return random_levels(rng, table, 5);
    default:
      return random_grouped(rng, table, 1 + static_cast<std::uint32_t>(rng.below(5)), {1, 2},
                            1 + static_cast<std::uint32_t>(rng.below(4)));
  }
}

TEST(ProfileReader, SaysWhatMatchSaysForEveryValue) {
  for (std::uint64_t seed = 0; seed < some_of(400U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    testing_support::RandomShape shape{.rows = static_cast<std::uint32_t>(rng.below(120)),
                                       .publics = 1,
                                       .privates = 1 + static_cast<std::uint32_t>(rng.below(3))};
    if (seed % 7 == 0) shape.largest_domain = 300;  // rare values are kept as lists
    Table table = testing_support::random_table(rng, shape);
    expect_same_profiles(Index::build(public_part(table), some_profiles(rng, table, seed % 4), {}));
    if (HasFatalFailure()) return;
  }
}

TEST(ProfileReader, ReadsIndexesOfSeveralSegmentsWithDeletedRows) {
  for (std::uint64_t kind = 0; kind < 4; ++kind) {
    Rng rng(kind);
    testing_support::RandomShape shape{.rows = 90, .publics = 1, .privates = 2};
    Table table = testing_support::random_table(rng, shape);
    Profiles profiles = some_profiles(rng, table, kind);
    Index index = Index::build(public_part(table), profiles, {});
    auto grown = index.append(public_part(table), profiles);
    ASSERT_TRUE(grown) << grown.error().message;
    expect_same_profiles(grown->erase(std::vector{RowId{3}, RowId{100}}));
  }
}

}  // namespace
}  // namespace rankveil
