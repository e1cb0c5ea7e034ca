// What names, values and numbers of a request mean in a schema, in cases worked out by hand.
#include "rankveil/ranking/asking/bound_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Ages in bins, incomes in numbers, schools in an order of the owner's.
Schema people() {
  Schema schema;
  schema.attributes = {
      {"city", Visibility::Public, 1, *Domain::of({"Oslo", "Paris", "Rome"})},
      {"age", Visibility::Public, 2, *Domain::of({"<20", "20-30", "30-50", ">=50"})},
      {"income", Visibility::Public, 1, *Domain::of({"0", "10", "20", "40"})},
      {"school", Visibility::Public, 1, *Domain::of({"none", "high school", "college"})},
      {"religion", Visibility::Private, 3, *Domain::of({"none", "other"})},
  };
  return schema;
}

Result<BoundRequest> bound_of(const Request& request) {
  Schema schema = people();
  return bind_request(schema, attribute_weights(schema), request);
}

Result<BoundRequest> bound_wish(std::string_view text) {
  Request request;
  request.prefer.push_back(*parse_wish(text));
  return bound_of(request);
}

std::vector<int> wish_grades(std::string_view text) {
  auto bound = bound_wish(text);
  EXPECT_TRUE(bound) << text << ": " << bound.error().message;
  if (!bound) return {};
  return {bound->wishes[0].grades.begin(), bound->wishes[0].grades.end()};
}

Result<BoundRequest> bound_where(std::string_view text) {
  Request request;
  request.where.push_back(*parse_condition(text));
  return bound_of(request);
}

// By value whether it passes, and whether null does, as 0 and 1.
std::vector<int> passing_of(std::string_view text) {
  auto bound = bound_where(text);
  EXPECT_TRUE(bound) << text << ": " << bound.error().message;
  if (!bound) return {};
  const BoundCondition& test = bound->where->parts.front();
  std::vector<int> passing(test.passing.begin(), test.passing.end());
  passing.push_back(test.null_passes ? 1 : 0);
  return passing;
}

std::string refused_wish(std::string_view text) {
  auto bound = bound_wish(text);
  EXPECT_FALSE(bound) << text;
  return bound ? "" : bound.error().message;
}

std::string refused_where(std::string_view text) {
  auto bound = bound_where(text);
  EXPECT_FALSE(bound) << text;
  return bound ? "" : bound.error().message;
}

TEST(GradesOf, ValuesAreAllOrNothing) {
  EXPECT_THAT(wish_grades("city=Paris|Rome"), ElementsAre(0, 120, 120));
  EXPECT_THAT(wish_grades("city!=Paris"), ElementsAre(120, 0, 120));
  EXPECT_THAT(wish_grades("age=25"), ElementsAre(0, 120, 0, 0));
}

TEST(GradesOf, BinsCountInRangesByTheirShare) {
  EXPECT_THAT(wish_grades("age>=30"), ElementsAre(0, 0, 120, 120));
  EXPECT_THAT(wish_grades("age=25..35"), ElementsAre(0, 60, 30, 0));
  EXPECT_THAT(wish_grades("age<=45"), ElementsAre(120, 120, 90, 0));
  EXPECT_THAT(wish_grades("age<20"), ElementsAre(120, 0, 0, 0));
  EXPECT_THAT(wish_grades("age=..25|40.."), ElementsAre(120, 60, 60, 120));
  EXPECT_THAT(wish_grades("age!=25..35"), ElementsAre(120, 60, 90, 120));
}

TEST(GradesOf, NumbersAndPlacesAreInRangesOrNot) {
  EXPECT_THAT(wish_grades("income=10..20"), ElementsAre(0, 120, 120, 0));
  EXPECT_THAT(wish_grades("income>10"), ElementsAre(0, 0, 120, 120));
  EXPECT_THAT(wish_grades("school>=high school"), ElementsAre(0, 120, 120));
  EXPECT_THAT(wish_grades("school<'high school'"), ElementsAre(120, 0, 0));
}

// Ages stand at 20, 25, 40 and 50.
TEST(GradesOf, OrderIsLinearByNumberElseByPlace) {
  EXPECT_THAT(wish_grades("age:more"), ElementsAre(0, 20, 80, 120));
  EXPECT_THAT(wish_grades("income:less"), ElementsAre(120, 90, 60, 0));
  EXPECT_THAT(wish_grades("school:more"), ElementsAre(0, 60, 120));
  EXPECT_THAT(wish_grades("city:more"), ElementsAre(0, 60, 120));
}

TEST(GradesOf, NearnessFallsWithTheDistance) {
  EXPECT_THAT(wish_grades("income~10/20"), ElementsAre(60, 120, 60, 0));
  EXPECT_THAT(wish_grades("income~10"), ElementsAre(0, 120, 0, 0)) << "a quarter of 40 is 10";
  EXPECT_THAT(wish_grades("income~10/10:exp"), ElementsAre(60, 120, 60, 15));
  EXPECT_THAT(wish_grades("income~10/10:gauss"), ElementsAre(60, 120, 60, 0));
  EXPECT_THAT(wish_grades("school~none/4"), ElementsAre(120, 90, 60));
}

TEST(GradesOf, AreAsTold) {
  EXPECT_THAT(wish_grades(R"({"attribute": "religion", "grades": {"none": 1, "other": 0.333}})"),
              ElementsAre(120, 40));
}

TEST(GradesOf, AreToldOncePerValue) {
  EXPECT_THAT(refused_wish(R"({"attribute": "age", "grades": {"21": 1, "29": 0.5}})"),
              HasSubstr("20-30 of age is graded twice, the second time as \"29\""));
}

// "Oslo..Rome" is no range there, but perhaps a value typed wrongly.
TEST(GradesOf, KnowNoRangesWithoutAnOrder) {
  EXPECT_THAT(refused_wish("city=Par..is"), HasSubstr("did you mean Paris?"));
  EXPECT_THAT(refused_where("city = 'Par..is'"), HasSubstr("did you mean Paris?"));
  EXPECT_THAT(refused_wish("city>Oslo"), testing::EndsWith("name its values"));
}

TEST(GradesOf, RefusesWhatHasNoMeaning) {
  EXPECT_THAT(refused_wish("town=Oslo"), HasSubstr("there is no attribute \"town\""));
  EXPECT_THAT(refused_wish("city=Pari"), HasSubstr("did you mean Paris?"));
  EXPECT_THAT(refused_wish("city>=Paris"), HasSubstr("city has no order"));
  EXPECT_THAT(refused_wish("city~Paris"), HasSubstr("city has no order"));
  EXPECT_THAT(refused_wish("income>=many"), HasSubstr("\"many\" is no number"));
  EXPECT_THAT(refused_wish("income=30..20"), HasSubstr("the lower end comes first"));
  EXPECT_THAT(refused_wish("income>40"), HasSubstr("no value of income lies > 40; they go from 0"));
  EXPECT_THAT(refused_wish("income=11..19"), HasSubstr("no value of income"));
  EXPECT_THAT(refused_wish("school>=university"), HasSubstr("school has no value"));
  EXPECT_THAT(refused_wish("city=Paris^0"), HasSubstr("weight 0 does not work"));
  EXPECT_THAT(refused_wish("city=Paris^-2"), HasSubstr("weight -2 does not work"));
}

TEST(BoundWishes, HaveWeights) {
  Request request;
  for (auto text : {"age=25", "religion=none^0.5", "city=Paris"}) {
    request.prefer.push_back(*parse_wish(text));
  }
  auto bound = bound_of(request);
  ASSERT_TRUE(bound);
  EXPECT_THAT(bound->weights.units, ElementsAre(20, 5, 10));
  EXPECT_EQ(bound->weights.per_one, 10);
  EXPECT_EQ(grade_steps(bound->wishes), 1U);
}

TEST(BoundWishes, JoinPlainValuesOfAnAttribute) {
  Request request;
  for (auto text : {"city=Paris", "city=Rome", "city=Paris^2"}) {
    request.prefer.push_back(*parse_wish(text));
  }
  auto bound = bound_of(request);
  ASSERT_TRUE(bound);
  ASSERT_EQ(bound->wishes.size(), 2U);
  EXPECT_EQ(to_text(bound->wishes[0].text), "city=Paris|Rome");
}

// Ranges add up where they overlap, and so stay wishes of their own.
TEST(BoundWishes, JoinNoRanges) {
  Request request;
  for (auto text : {"income=10..20", "income=20..40", "income=0", "income=10"}) {
    request.prefer.push_back(*parse_wish(text));
  }
  auto bound = bound_of(request);
  ASSERT_TRUE(bound);
  ASSERT_EQ(bound->wishes.size(), 3U);
  EXPECT_THAT(bound->wishes[1].grades, ElementsAre(0, 0, 120, 120));
  EXPECT_EQ(to_text(bound->wishes[2].text), "income=0|10");
}

TEST(BoundWishes, HaveAsFewStepsAsTheirGradesNeed) {
  EXPECT_EQ(grade_steps(bound_wish("school:more")->wishes), 2U);
  EXPECT_EQ(grade_steps(bound_wish("age:more")->wishes), 6U);
  EXPECT_EQ(grade_steps(bound_wish("income~10/10:exp")->wishes), 8U);
}

// What is unknown passes neither a test nor its opposite.
TEST(BoundConditions, TreatNullAsSqlDoes) {
  EXPECT_THAT(passing_of("city = Paris"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(passing_of("not city = Paris"), ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(passing_of("city not in (Paris, Rome)"), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(passing_of("city is null"), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(passing_of("not city is null"), ElementsAre(1, 1, 1, 0));
}

TEST(BoundConditions, TakeNumbersBinsAndPlaces) {
  EXPECT_THAT(passing_of("age < 30"), ElementsAre(1, 1, 0, 0, 0));
  EXPECT_THAT(passing_of("age = 45"), ElementsAre(0, 0, 1, 0, 0));
  EXPECT_THAT(passing_of("age between 20 and 50"), ElementsAre(0, 1, 1, 0, 0));
  EXPECT_THAT(passing_of("not age >= 50"), ElementsAre(1, 1, 1, 0, 0));
  EXPECT_THAT(passing_of("income <= 15"), ElementsAre(1, 1, 0, 0, 0));
  EXPECT_THAT(passing_of("income = 5..25"), ElementsAre(0, 1, 1, 0, 0));
  EXPECT_THAT(passing_of("school > none"), ElementsAre(0, 1, 1, 0));
}

TEST(BoundConditions, AreRefusedWithASentence) {
  EXPECT_THAT(refused_where("religion = none"), HasSubstr("--prefer"));
  EXPECT_THAT(refused_where("religion = none"), HasSubstr("religion is private"));
  EXPECT_THAT(refused_where("cty = Paris"), HasSubstr("did you mean city?"));
  EXPECT_THAT(refused_where("city = Rom"), HasSubstr("did you mean Rome?"));
  EXPECT_THAT(refused_where("city <= Paris"), HasSubstr("city has no order"));
  EXPECT_THAT(refused_where("age <= 35"),
              HasSubstr("35 lies inside 30-50, of which a condition takes all or nothing; say 30 "
                        "or 50"));
  EXPECT_THAT(refused_where("age >= 60"), HasSubstr("say 50"));
  EXPECT_THAT(refused_where("age between 50 and 20"), HasSubstr("the lower end comes first"));
}

TEST(BoundKeys, HaveADigitForEachPlace) {
  Request request;
  request.sort = *parse_sort("-income, school");
  auto bound = bound_of(request);
  ASSERT_TRUE(bound);
  EXPECT_THAT(bound->keys[0].digits, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(bound->keys[1].digits, ElementsAre(3, 2, 1));
}

TEST(BoundNames, AreTakenOnce) {
  Request request;
  request.columns = {"age", "city", "age"};
  request.facets = {"city", "city"};
  auto bound = bound_of(request);
  ASSERT_TRUE(bound);
  EXPECT_THAT(bound->columns, ElementsAre(AttributeId{1}, AttributeId{0}));
  EXPECT_THAT(bound->facets, ElementsAre(AttributeId{0}));
}

TEST(BoundKeys, AndNamesAreRefusedWithASentence) {
  auto refused = [](auto member, std::string_view text) {
    Request request;
    member(request, text);
    auto bound = bound_of(request);
    EXPECT_FALSE(bound) << text;
    return bound ? std::string() : bound.error().message;
  };
  auto sort = [](Request& request, std::string_view text) { request.sort = *parse_sort(text); };
  auto facets = [](Request& request, std::string_view text) {
    request.facets = *parse_names(text);
  };
  EXPECT_THAT(refused(sort, "incom"), HasSubstr("did you mean income?"));
  EXPECT_THAT(refused(sort, "age, -age"), HasSubstr("twice"));
  EXPECT_THAT(refused(facets, "religion"), HasSubstr("religion is private"));
  EXPECT_THAT(refused(facets, "citi"), HasSubstr("did you mean city?"));
}

}  // namespace
}  // namespace rankveil
