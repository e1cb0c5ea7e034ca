#include "rankveil/protect/release/telling_shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/protect/release/release.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::coded_table;
using testing_support::OwnTask;

// One private attribute; counts of its values and how many rows have the group.
struct HandGroup {
  std::vector<std::uint32_t> counts;
  std::uint32_t size;
  std::uint32_t rows;
};

Profiles served_by(const std::vector<HandGroup>& groups) {
  auto domain = static_cast<std::uint32_t>(groups[0].counts.size());
  GroupShares shares(static_cast<std::uint32_t>(groups.size()), {domain});
  std::vector<std::uint32_t> group_of;
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    shares.set_size(g, groups[g].size);
    for (std::uint16_t v = 0; v < domain; ++v) {
      shares.set_count(g, PrivateId{0}, ValueId{v}, groups[g].counts[v]);
    }
    group_of.insert(group_of.end(), groups[g].rows, g);
  }
  auto rows = static_cast<std::uint32_t>(group_of.size());
  return GroupedProfiles{{0, 1}, LevelProfiles(rows, {domain}, 1), group_of, shares};
}

// The rows of such profiles, as far as they matter: no public column.
Table diagnoses(const Profiles& served, std::uint32_t values) {
  std::vector<std::string> names;
  for (std::uint32_t v = 0; v < values; ++v) names.push_back("d" + std::to_string(v));
  Schema schema;
  schema.attributes = {
      {.name = "diagnosis", .visibility = Visibility::Private, .domain = *Domain::of(names)}};
  std::vector<ValueId> nothing(served.rows(), missing_value);
  return Table(schema, {Column(values, nothing)}, RowNames(RowNumbers{served.rows()}));
}

BaseReport told_by(const std::vector<HandGroup>& groups, const SharesServed& how = {}) {
  Profiles served = served_by(groups);
  auto values = static_cast<std::uint32_t>(groups[0].counts.size());
  return telling_shares(diagnoses(served, values), served, how);
}

TEST(TellingShares, NameAClinicWhereAllHaveOneValue) {
  BaseReport told = told_by({{{250, 250, 0}, 500, 500}, {{0, 0, 25}, 25, 25}});
  EXPECT_EQ(told.groups, 2U);
  EXPECT_EQ(told.pure, 1U);
  EXPECT_EQ(told.telling, 1U);
  EXPECT_EQ(told.telling_rows, 25U);
  EXPECT_THAT(told.told, ElementsAre("diagnosis=d2 in 1 group (25 rows)"));
  EXPECT_THAT(telling_shares_warnings(told, 3),
              ElementsAre(HasSubstr("In 1 of 2 groups (25 rows) the shares alone tell a private "
                                    "value, by a gain above 1/3")));
}

TEST(TellingShares, SayNothingWhereGroupsAreLikeTheTable) {
  BaseReport told = told_by({{{30, 20}, 50, 50}, {{20, 30}, 50, 70}});
  EXPECT_EQ(told.groups, 2U);
  EXPECT_EQ(told.telling, 0U);
  EXPECT_THAT(telling_shares_warnings(told, 3), IsEmpty());
}

// Half of the table has d0. A group of 40 in which 30 have it gains 1/2; with 20 rows of the
// table's mixed in its share is 40 of 60, which alone would gain no more than 1/3.
TEST(TellingShares, TakeOutWhatEverybodyKnowsWasMixedIn) {
  std::vector<HandGroup> groups = {{{40, 20}, 60, 40}, {{20, 40}, 60, 40}};
  EXPECT_EQ(told_by(groups).telling, 0U);
  BaseReport told = told_by(groups, {.mixed_in = 20});
  EXPECT_EQ(told.telling, 2U);
  EXPECT_EQ(told.pure, 0U);
  groups = {{{50, 10}, 60, 40}, {{10, 50}, 60, 40}};
  EXPECT_EQ(told_by(groups, {.mixed_in = 20}).pure, 2U);
}

TEST(TellingShares, AGroupThatIsServedTwiceIsOne) {
  BaseReport told = told_by({{{9, 1}, 10, 10}, {{9, 1}, 10, 5}, {{1, 9}, 10, 30}});
  EXPECT_EQ(told.groups, 2U);
  EXPECT_THAT(told.told, ElementsAre("diagnosis=d1 in 1 group (30 rows)",
                                     "diagnosis=d0 in 1 group (15 rows)"));
}

// Counted once more, as the words have it.
TEST(TellingShares, AgreeWithCountingOneByOne) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    std::vector<HandGroup> groups(2 + rng.below(6));
    double rows = 0, has[3] = {0, 0, 0};
    for (HandGroup& group : groups) {
      group = {{0, 0, 0}, static_cast<std::uint32_t>(5 + rng.below(60)), 0};
      std::uint64_t likely = rng.below(3);
      for (std::uint32_t i = 0; i < group.size; ++i) {
        ++group.counts[rng.below(2) == 0 ? likely : rng.below(3)];
      }
      group.rows = group.size;
      rows += group.size;
      for (int v = 0; v < 3; ++v) has[v] += group.counts[static_cast<std::size_t>(v)];
    }
    std::uint32_t l = 2 + static_cast<std::uint32_t>(rng.below(4));
    std::uint64_t telling = 0;
    for (const HandGroup& group : groups) {
      bool tells = false;
      for (int v = 0; v < 3; ++v) {
        double share = static_cast<double>(group.counts[static_cast<std::size_t>(v)]) / group.size;
        tells = tells || (share - has[v] / rows) / (1 - has[v] / rows) > 1.0 / l + 1e-9;
      }
      telling += tells ? 1 : 0;
    }
    EXPECT_EQ(told_by(groups, {.l = l}).telling, telling) << "seed " << seed;
  }
}

// 25 of 3,000 rows are a clinic; all of its people have what one in a hundred has elsewhere.
OwnTask a_clinic() {
  Rng rng(3);
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 2975; ++i) {
    codes.push_back({static_cast<int>(rng.below(4)), rng.below(100) == 0 ? 5 : i % 5});
  }
  for (int i = 0; i < 25; ++i) codes.push_back({4, 5});
  return OwnTask{coded_table(codes, 1, {5, 6})};
}

// Where rows show single values, the clinic is told by what it shows; else by the shares of its
// group.
TEST(TellingShares, ReleasesAndIndexesTellOfAClinic) {
  for (const char* scheme : {"swap", "cluster"}) {
    SCOPED_TRACE(scheme);
    OwnTask own = a_clinic();
    own.demand.scheme = scheme;
    auto release = first_release(own.task());
    ASSERT_TRUE(release);
    const BaseReport& told = release->report.base;
    auto warnings = telling_shares_warnings(told, own.demand.l);
    ASSERT_EQ(warnings.size(), 1U);
    if (own.demand.scheme == "swap") {
      EXPECT_THAT(warnings[0], HasSubstr("of 25 rows with a0=v4, 2"));
      EXPECT_THAT(warnings[0], HasSubstr(" show b1=v5 ("));
    } else {
      EXPECT_THAT(told.told, ElementsAre("b1=v5 in 1 group (25 rows)"));
      EXPECT_EQ(told.pure, 1U);
    }
    Index index = Index::build(public_part(release->table), release->profiles,
                               {.scheme = scheme, .l = own.demand.l});
    BaseReport read = telling_shares(index);
    EXPECT_EQ(read.told, told.told);
    EXPECT_EQ(read.told_values, told.told_values);
    EXPECT_EQ(read.groups, told.groups);
  }
}

// So large that it is a base group of its own.
TEST(TellingShares, BaseGroupsOfSwapTell) {
  OwnTask own = a_clinic();
  std::vector<std::vector<int>> codes;
  Rng rng(3);
  for (int i = 0; i < 2700; ++i) codes.push_back({static_cast<int>(rng.below(4)), i % 5});
  for (int i = 0; i < 300; ++i) codes.push_back({4, 5});
  own.table = coded_table(codes, 1, {5, 6});
  auto release = first_release(own.task());
  ASSERT_TRUE(release);
  EXPECT_EQ(release->report.base.telling, 1U);
  EXPECT_EQ(release->report.base.pure, 1U);
  EXPECT_EQ(release->report.base.telling_rows, 300U);
  EXPECT_THAT(release->report.base.told, ElementsAre("b1=v5 in 1 group (300 rows)"));
}

TEST(TellingShares, NothingIsServedByGroups) {
  Profiles served(LevelProfiles(10, {2}, 1));
  BaseReport told = telling_shares(diagnoses(served, 2), served, {});
  EXPECT_EQ(told.groups, 0U);
  EXPECT_THAT(told.told, IsEmpty());
}

}  // namespace
}  // namespace rankveil
