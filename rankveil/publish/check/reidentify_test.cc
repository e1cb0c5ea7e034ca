#include "rankveil/publish/check/reidentify.h"

#include <gtest/gtest.h>

namespace rankveil::publish {
namespace {

// Two groups by points: 9..8 and 7..6; then two rows that are not published.
struct Scene {
  Publication publication;
  Truth truth;

  Scene() {
    truth.ranking = {{9, 8, 7, 6, 2, 1}};
    truth.scores = truth.ranking[0];
    truth.texts = {{"age", {"20", "30", "40"}, {0, 1, 2, 2, 1, 0}},
                   {"pay", {"low", "high"}, {0, 0, 0, 1, 1, 1}}};
    publication.columns = {"points"};
    publication.score = "points";
    publication.top = 4;
    publication.k = 2;
    publication.groups = {group({8, 9}, {20, 30}, {{"low", 2}}),
                          group({6, 7}, {40, 40}, {{"high", 1}, {"low", 1}})};
  }

  static PublishedGroup group(Range points, Range age,
                              std::vector<std::pair<std::string, std::uint64_t>> pay) {
    PublishedGroup one{
        .ranges = {points}, .score = points, .members = 2, .true_positives = 2, .precision = 1};
    one.quasi = {{.column = "age", .range = age}};
    one.sensitive = {{.column = "pay", .values = std::move(pay)}};
    return one;
  }

  std::vector<Reidentification> run() const {
    Verification found = verify(publication, truth);
    EXPECT_TRUE(found.passed()) << found.problems.front();
    return reidentify(publication, truth, found);
  }
};

// Ages 20 and 30 occur outside, so only the two of 40 are surely in a group.
TEST(Reidentify, WhoKnowsQuasiIdentifiersMayNotKnowMembership) {
  auto results = Scene().run();
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].adversary, "quasi");
  EXPECT_EQ(results[0].victims, 4U);
  EXPECT_EQ(results[0].placed, 2U);
  EXPECT_EQ(results[0].unique, 0U);
  EXPECT_EQ(results[0].learned, 0U);
  EXPECT_EQ(results[0].largest, 0.5);
}

TEST(Reidentify, MembershipPlacesAllWhomOneGroupFits) {
  auto results = Scene().run();
  EXPECT_EQ(results[1].adversary, "membership");
  EXPECT_EQ(results[1].placed, 4U);
  EXPECT_EQ(results[1].unique, 2U);   // ages 20 and 30
  EXPECT_EQ(results[1].learned, 2U);  // everybody in the first group has low pay
  EXPECT_EQ(results[1].tested, 4U);
  EXPECT_EQ(results[1].largest, 1);
  EXPECT_EQ(results[1].company, 2);
}

TEST(Reidentify, ExactScoresAlwaysPlace) {
  auto results = Scene().run();
  EXPECT_EQ(results[2].adversary, "scores");
  EXPECT_EQ(results[2].placed, 4U);
  EXPECT_EQ(results[2].high, 1);
}

TEST(Reidentify, WithheldValuesTeachNothing) {
  Scene scene;
  for (PublishedGroup& group : scene.publication.groups) {
    group.sensitive = {{.column = "pay", .withheld = "a reason"}};
  }
  for (const Reidentification& result : scene.run()) {
    EXPECT_EQ(result.learned, 0U);
    EXPECT_EQ(result.largest, 0);
  }
}

TEST(Reidentify, OverlappingGroupsHideWhoIsWhere) {
  Scene scene;
  for (PublishedGroup& group : scene.publication.groups) group.quasi[0].range = Range{20, 40};
  auto results = scene.run();
  EXPECT_EQ(results[0].placed, 0U);
  EXPECT_EQ(results[1].placed, 0U);
}

// Before: low and high are as common. After, whoever is placed in the first group has low pay.
TEST(Reidentify, GuessesByWhatTheGroupShows) {
  auto results = Scene().run();
  ASSERT_EQ(results[1].columns.size(), 1U);
  const ColumnGuess& pay = results[1].columns[0];
  EXPECT_EQ(pay.column, "pay");
  EXPECT_EQ(pay.victims, 4U);
  EXPECT_EQ(pay.right_before, 2);  // one of two, four times
  EXPECT_EQ(pay.right, 3);         // both of the first group, half of the second
  EXPECT_EQ(pay.certain, 2U);
  EXPECT_EQ(pay.gain, 1);
  EXPECT_EQ(results[0].columns[0].certain, 0U) << "whom he cannot place he learns nothing about";
  EXPECT_EQ(results[0].columns[0].right, 2);
}

TEST(Reidentify, ARangeLeavesTheTablesValuesInIt) {
  connect::TextColumn pay{"pay", {"10", "20", "30", "90"}, {0, 0, 1, 2, 3, 3}};
  std::vector<PublishedGroup> groups(1);
  groups[0].members = 3;
  groups[0].sensitive = {{.column = "pay", .range = Range{10, 20}}};
  std::vector<Placement> victims = {{0, 0}, {2, 0}, {4, {}}};
  ColumnGuess guess = guess_column(pay, groups, victims);
  EXPECT_NEAR(guess.right, 1 + 0 + 0.5, 1e-12);  // 10 is twice as common as 20 in the range
  EXPECT_NEAR(guess.right_before, 0.5 + 0 + 0.5, 1e-12);
  EXPECT_NEAR(guess.largest, 2.0 / 3, 1e-12);
  EXPECT_NEAR(guess.gain, (2.0 / 3 - 1.0 / 3) / (1 - 1.0 / 3), 1e-12);
  EXPECT_EQ(guess.certain, 0U);
  EXPECT_TRUE(guess.is_number);
  groups[0].sensitive[0].range = Range{30, 30};
  EXPECT_EQ(guess_column(pay, groups, victims).certain, 2U);
}

TEST(Reidentify, NearlyCertainIsNotCertain) {
  connect::TextColumn disease{"disease", {"flu", "HIV"}, std::vector<std::uint32_t>(4984, 0)};
  disease.codes[0] = disease.codes[1] = 1;
  std::vector<PublishedGroup> groups(1);
  groups[0].members = 4984;
  groups[0].sensitive = {{.column = "disease", .values = {{"HIV", 2}, {"flu", 4982}}}};
  std::vector<Placement> victims = {{0, 0}, {2, 0}};
  ColumnGuess guess = guess_column(disease, groups, victims);
  EXPECT_EQ(guess.certain, 0U);
  EXPECT_GT(guess.largest, 0.999);
  groups[0].sensitive[0].values = {{"flu", 4984}};
  EXPECT_EQ(guess_column(disease, groups, victims).certain, 2U);
}

TEST(Reidentify, SaysWhatEachGroupTells) {
  auto results = Scene().run();
  const ColumnGuess& pay = results[1].columns[0];
  EXPECT_EQ(pay.commonest, 0.5);
  EXPECT_FALSE(pay.is_number);
  ASSERT_EQ(pay.groups.size(), 2U);
  EXPECT_EQ(pay.groups[0].largest, 1);
  EXPECT_EQ(pay.groups[0].rise, 0.5) << "half of the table have low pay";
  EXPECT_EQ(pay.groups[1].group, 1U);
  EXPECT_EQ(pay.groups[1].largest, 0.5);
  EXPECT_EQ(pay.groups[1].rise, 0);
  EXPECT_EQ(results[0].columns[0].groups.size(), 1U) << "he places people in the second only";
}

}  // namespace
}  // namespace rankveil::publish
