#include "rankveil/publish/check/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/publish/methods/method.h"
#include "rankveil/publish/release/describe.h"
#include "rankveil/publish/testing/plain_methods.h"

namespace rankveil::publish {
namespace {

using testing::HasSubstr;

constexpr const char* hierarchy_text = "a,ab,*\nb,ab,*\nc,c,*\nd,de,*\ne,de,*\n";

connect::TextColumn random_text(Rng& rng, Row rows, const std::string& name,
                                const std::vector<std::string>& values) {
  connect::TextColumn column{.name = name, .values = values, .codes = {}};
  for (Row row = 0; row < rows; ++row) {
    bool missing = rng.below(12) == 0;
    column.codes.push_back(missing ? connect::TextColumn::missing
                                   : static_cast<std::uint32_t>(rng.below(values.size())));
  }
  return column;
}

Diversity random_diversity(Rng& rng) {
  Diversity diversity;
  if (rng.below(2) == 0) diversity.distinct = 2 + static_cast<std::uint32_t>(rng.below(3));
  if (rng.below(2) == 0) diversity.entropy = 1.2 + rng.uniform() * 2;
  if (!diversity.is_asked() || rng.below(3) == 0) diversity.closeness = 0.1 + rng.uniform() / 2;
  return diversity;
}

// A table with all that a publication may touch.
struct Case {
  Points points;
  Demand demand;
  Score score;
  Truth truth;
  Surroundings surroundings;

  explicit Case(std::uint64_t seed) : score(*Score::parse("x")) {
    Rng rng(seed);
    points = plain::random_points(rng, 150);
    demand = plain::random_demand(rng, points, 25);
    std::string names;
    for (std::size_t d = 0; d < points.dimensions(); ++d) {
      names += (d == 0 ? "c" : ",c") + std::to_string(d);
    }
    score = *Score::of_list(names);
    truth.ranking = points.columns;
    truth.scores = points.scores;
    truth.texts = {random_text(rng, points.rows(), "age", {"18", "25.5", "31", "60", "9"}),
                   random_text(rng, points.rows(), "team", {"a", "b", "c", "d", "e"}),
                   random_text(rng, points.rows(), "city", {"x", "y", "z"}),
                   random_text(rng, points.rows(), "salary", {"10", "20", "30", "15"}),
                   random_text(rng, points.rows(), "illness", {"p", "q", "r"})};
    truth.hierarchies.emplace("team", *Hierarchy::parse(hierarchy_text, "tree"));
    surroundings.quasi = {&truth.texts[0], &truth.texts[1], &truth.texts[2]};
    surroundings.hierarchies = truth.hierarchies;
    surroundings.sensitive = {&truth.texts[3], &truth.texts[4]};
    surroundings.diversity = random_diversity(rng);
  }

  Publication publish() const {
    return describe(*form_groups(points, demand), demand, score, false, surroundings);
  }
};

TEST(Verify, EveryGroupOfEveryMethodPasses) {
  std::uint64_t groups = 0;
  std::uint64_t shown = 0;
  std::uint64_t withheld = 0;
  for (std::uint64_t seed = 0; seed < some_of(2500U); ++seed) {
    Case one(seed);
    ASSERT_TRUE(check_surroundings(one.surroundings).ok());
    for (const Method& method : methods()) {
      one.demand.method = method.name;
      Publication publication = one.publish();
      if (publication.groups.empty()) continue;  // it says so, and publishes nothing
      Verification verification = verify(publication, one.truth);
      ASSERT_TRUE(verification.passed())
          << method.name << ", seed " << seed << ": " << verification.problems.front();
      EXPECT_TRUE(verification.notes.empty());
      groups += publication.groups.size();
      for (const PublishedGroup& group : publication.groups) {
        for (const Disclosure& sensitive : group.sensitive)
          ++(sensitive.is_shown() ? shown : withheld);
      }
    }
  }
  EXPECT_GT(groups, some_of(10'000U));
  EXPECT_GT(shown, some_of(1000U));
  EXPECT_GT(withheld, some_of(1000U));
}

// Some publication with a group and everything shown.
Case good_case() {
  for (std::uint64_t seed = 0;; ++seed) {
    Case one(seed);
    one.demand.method = "greedy-insertion";
    one.surroundings.diversity = {.distinct = 2};
    Publication publication = one.publish();
    bool good = !publication.groups.empty() && publication.groups[0].members >= 6 &&
                publication.groups[0].sensitive[0].is_shown() &&
                publication.groups[0].sensitive[1].is_shown() && publication.precision < 1;
    if (good) return one;
  }
}

// What the verifier says when something is changed.
std::string says(const std::function<void(Publication&)>& change) {
  Case one = good_case();
  Publication publication = one.publish();
  EXPECT_TRUE(verify(publication, one.truth).passed());
  change(publication);
  Verification verification = verify(publication, one.truth);
  return verification.passed() ? "passed" : testing::PrintToString(verification.problems);
}

TEST(Verify, FindsWhatIsNotTrue) {
  using P = Publication;
  EXPECT_THAT(says([](P& p) { ++p.groups[0].members; }), HasSubstr("members are stated"));
  EXPECT_THAT(says([](P& p) { ++p.groups[0].true_positives; }), HasSubstr("true positives are"));
  EXPECT_THAT(says([](P& p) { p.groups[0].precision += 0.01; }), HasSubstr("a precision of"));
  EXPECT_THAT(says([](P& p) { p.groups[0].score.low += 0.01; }), HasSubstr("narrower"));
  EXPECT_THAT(says([](P& p) { p.groups[0].score.high -= 0.01; }), HasSubstr("narrower"));
  EXPECT_THAT(says([](P& p) { p.covered += 0.01; }), HasSubstr("covered"));
  EXPECT_THAT(says([](P& p) { p.precision -= 0.01; }), HasSubstr("for all groups"));
  EXPECT_THAT(says([](P& p) { ++p.top_rows; }), HasSubstr("a top of"));
  EXPECT_THAT(says([](P& p) { p.groups[0].ranges[0].low += 1000; }), HasSubstr("members"));
  EXPECT_THAT(says([](P& p) { p.groups[0].quasi[0].range = Range{-2, -1}; }), HasSubstr("age"));
  EXPECT_THAT(says([](P& p) { p.groups[0].quasi[1].label = "nobody"; }), HasSubstr("team"));
  EXPECT_THAT(says([](P& p) { p.groups[0].quasi[2].values = {"v"}; }), HasSubstr("city"));
  EXPECT_THAT(says([](P& p) {
                p.groups[0].sensitive[0].range = Range{1, 2};
              }),
              HasSubstr("salary"));
  EXPECT_THAT(says([](P& p) { ++p.groups[0].sensitive[1].values[0].second; }),
              HasSubstr("illness"));
  EXPECT_THAT(says([](P& p) { ++p.groups[0].sensitive[1].missing; }), HasSubstr("missing"));
  EXPECT_THAT(says([](P& p) { p.groups.clear(); }), HasSubstr("no group"));
}

TEST(Verify, FindsDemandsThatAreNotMet) {
  using P = Publication;
  EXPECT_THAT(says([](P& p) { p.k = 1000; }), HasSubstr("fewer than 1000"));
  EXPECT_THAT(says([](P& p) { p.least_precision = 1; }), HasSubstr("below 1"));
  EXPECT_THAT(says([](P& p) { p.diversity.distinct = 10; }), HasSubstr("different values"));
  EXPECT_THAT(says([](P& p) { p.diversity.entropy = 10; }), HasSubstr("entropy"));
  EXPECT_THAT(says([](P& p) { p.diversity.closeness = 0; }), HasSubstr("away from the table"));
}

TEST(Verify, ARowCountsForTheFirstGroupThatHoldsIt) {
  Publication publication{.method = "elsewhere", .score = "x", .columns = {"x"}, .top = 3};
  publication.k = 2;
  publication.groups = {
      {.ranges = {{3, 5}}, .score = {3, 5}, .members = 3, .true_positives = 3, .precision = 1},
      {.ranges = {{2, 5}}, .score = {2, 2}, .members = 1, .precision = 0}};
  Truth truth{.ranking = {{5, 4, 3, 2, 1}}, .scores = {5, 4, 3, 2, 1}};
  Verification verification = verify(publication, truth);
  EXPECT_EQ(verification.groups[0].members, 3U);
  EXPECT_EQ(verification.groups[1].members, 1U);
  ASSERT_EQ(verification.problems.size(), 1U);
  EXPECT_EQ(verification.problems[0], "group 2: it has 1 members, fewer than 2");
}

TEST(Publication, ReadsBackFromJson) {
  Publication publication = good_case().publish();
  std::string text = to_json(publication).dump();
  auto again = publication_from_json(*parse_json(text));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(to_json(*again).dump(), text);
}

TEST(Publication, SaysWhatIsWrongWithJson) {
  auto says_of = [](const char* text) {
    auto read = publication_from_json(*parse_json(text));
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(says_of("{}"), "this is no publication: \"method\" must be a text");
  EXPECT_EQ(says_of("[]"), "this is no publication: \"method\" must be a text");
  Json json = to_json(good_case().publish());
  json.set("groups", Json(3));  // the first of two members counts
  EXPECT_TRUE(publication_from_json(json));
}

TEST(Publication, SheetsReadBackTheirGroups) {
  Case one = good_case();
  Publication publication = one.publish();
  auto again = publication_from_sheet(to_sheet(publication), publication.columns);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->groups.size(), publication.groups.size());
  for (std::size_t i = 0; i < again->groups.size(); ++i) {
    EXPECT_EQ(again->groups[i].ranges, publication.groups[i].ranges);
    EXPECT_EQ(again->groups[i].score, publication.groups[i].score);
    EXPECT_EQ(again->groups[i].members, publication.groups[i].members);
  }
  auto wrong = publication_from_sheet(to_sheet(publication), {"nothing"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "this is no publication: there is no column \"nothing_low\"");
}

TEST(Publication, PagesHoldNoMarkupFromTheTable) {
  Publication publication{.method = "m", .score = "x", .columns = {"<b>|x"}, .top = 1};
  publication.groups = {{.ranges = {{1, 2}}, .score = {1, 2}, .members = 2}};
  EXPECT_EQ(to_html(publication, "<script>").find("<script>"), std::string::npos);
  EXPECT_THAT(to_html(publication, "t"), HasSubstr("&lt;b&gt;|x"));
  EXPECT_THAT(to_markdown(publication), HasSubstr("<b>\\|x"));
}

// Eight rows by one score; the best four are a group. Both columns are half and half there, as in
// the table, but in two of four combinations only.
struct TwoColumns {
  Points points;
  Score score = *Score::of_list("c0");
  Truth truth;
  Surroundings surroundings;

  TwoColumns() {
    points.columns = {{8, 7, 6, 5, 4, 3, 2, 1}};
    points.scores = points.columns[0];
    truth.ranking = points.columns;
    truth.scores = points.scores;
    truth.texts = {{"left", {"a", "b"}, {0, 1, 0, 1, 0, 1, 0, 1}},
                   {"right", {"x", "y"}, {0, 1, 0, 1, 1, 0, 1, 0}}};
    surroundings.sensitive = {&truth.texts[0], &truth.texts[1]};
  }
  Publication publish(double closeness) {
    surroundings.diversity = {.closeness = closeness};
    Demand demand{.top = 4, .k = 4, .precision = 1};
    demand.method = "perfect-recall";
    return describe(*form_groups(points, demand), demand, score, false, surroundings);
  }
};

TEST(Verify, SensitiveColumnsAreHeldBackWhenTheyAreFarTogether) {
  TwoColumns two;
  auto published = two.publish(0.4);
  ASSERT_EQ(published.groups.size(), 1U);
  for (const Disclosure& one : published.groups[0].sensitive) {
    EXPECT_THAT(one.withheld, HasSubstr("left, right together: its values are 0.500 away"));
  }
  EXPECT_TRUE(verify(published, two.truth).passed());
  published = two.publish(0.6);
  for (const Disclosure& one : published.groups[0].sensitive) EXPECT_TRUE(one.is_shown());
  EXPECT_TRUE(verify(published, two.truth).passed());
}

TEST(Verify, FindsSensitiveColumnsThatAreFarTogether) {
  TwoColumns two;
  auto published = two.publish(0.6);
  published.diversity.closeness = 0.4;  // as if it had been promised
  auto found = verify(published, two.truth);
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_THAT(found.problems[0], HasSubstr("shown together 0.5000 away"));
}

// A sum of parts has 17 digits; readers see ten, and one way to write a range.
TEST(Ranges, AreDataWithEveryDigitOrWords) {
  const Range range{0.1 + 0.2, 52};
  EXPECT_EQ(text_of(range), "[0.30000000000000004, 52]");
  EXPECT_EQ(text_of(range, RangeStyle::Words), "0.3 to 52");
  EXPECT_EQ(text_of({4, 4}, RangeStyle::Words), "4");
  const Generalised age{.column = "age", .range = Range{4, 52}};
  EXPECT_EQ(age.text(), "[4, 52]") << "as files have it, to be read back";
  EXPECT_EQ(age.text(RangeStyle::Words), "4 to 52");
}

}  // namespace
}  // namespace rankveil::publish
