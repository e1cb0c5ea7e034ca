// What people write, read and printed.
#include "rankveil/ranking/asking/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/ranking/testing/random_requests.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests
using testing::HasSubstr;

// A condition as it prints: with the parentheses that it was read with.
std::string read_condition(std::string_view text) {
  auto condition = parse_condition(text);
  return condition ? to_text(*condition) : "refused: " + condition.error().message;
}

std::string read_wish(std::string_view text) {
  auto wish = parse_wish(text);
  return wish ? to_text(*wish) : "refused: " + wish.error().message;
}

template <typename Form>
Form form_of(std::string_view text) {
  auto wish = parse_wish(text);
  EXPECT_TRUE(wish) << text;
  return wish ? std::get<Form>(wish->form) : Form{};
}

TEST(Conditions, AreReadAsSqlReadsThem) {
  EXPECT_EQ(read_condition("a=1 or b = 2 AND not c<>3"), "a = 1 or (b = 2 and not c != 3)");
  EXPECT_EQ(read_condition("(a=1 or b=2) and c in (x, 'y z','it''s')"),
            "(a = 1 or b = 2) and c in (x, 'y z', 'it''s')");
  EXPECT_EQ(read_condition("age between 30 and 40 and x not in (1)"),
            "age between 30 and 40 and x != 1");
  EXPECT_EQ(read_condition("\"net worth\" >= -2.5 and b is not null and c is null"),
            "\"net worth\" >= -2.5 and b is not null and c is null");
  EXPECT_EQ(read_condition("age < '<18' and Köln = 'and'"), "age < '<18' and Köln = 'and'");
}

TEST(Conditions, SayWhereTheyCannotBeRead) {
  EXPECT_THAT(read_condition(""), HasSubstr("ends where the name of an attribute"));
  EXPECT_THAT(read_condition("city"), HasSubstr("ends where a comparison"));
  EXPECT_THAT(read_condition("city = "), HasSubstr("ends where a value"));
  EXPECT_THAT(read_condition("city = Paris Rome"), HasSubstr("\"Rome\" at character 14"));
  EXPECT_THAT(read_condition("city = Paris)"), HasSubstr("and, or, or the end"));
  EXPECT_THAT(read_condition("(city = Paris"), HasSubstr("\")\""));
  EXPECT_THAT(read_condition("city in (a b)"), HasSubstr("\",\" or \")\""));
  EXPECT_THAT(read_condition("city = 'Paris"), HasSubstr("does not end"));
  EXPECT_THAT(read_condition("city = a|b"), HasSubstr("single quotes"));
  EXPECT_THAT(read_condition("city = \"Paris\""), HasSubstr("'Paris'"));
  EXPECT_THAT(read_condition("a between 1 or 2"), HasSubstr("where and should follow"));
  EXPECT_THAT(read_condition(std::string(100, '(') + "a=1"), HasSubstr("nested deeper"));
}

TEST(Wishes, HaveAFormForEachOfTheirMeanings) {
  EXPECT_EQ(form_of<ValuesText>("city=Paris|New York|a\\|b").values,
            (std::vector<std::string>{"Paris", "New York", "a|b"}));
  EXPECT_TRUE(form_of<ValuesText>("city!='it''s'").negated);
  EXPECT_EQ(form_of<ValuesText>("city='s-Hertogenbosch").values.front(), "'s-Hertogenbosch");
  EXPECT_EQ(form_of<RangeText>("age>=30"), (RangeText{RangeText::End{"30"}, {}}));
  EXPECT_EQ(form_of<RangeText>("age<30"), (RangeText{{}, RangeText::End{"30", false}}));
  EXPECT_EQ(form_of<OrderText>("income:less"), OrderText{false});
  EXPECT_EQ(form_of<NearText>("age~30/10:gauss"), (NearText{"30", 10, NearText::Shape::Gauss}));
  EXPECT_EQ(form_of<NearText>("age~30"), NearText{"30"});
}

TEST(Wishes, TakeTheirWeightFromBehind) {
  EXPECT_EQ(parse_wish("city=Paris^2")->weight, 2.0);
  EXPECT_EQ(parse_wish("age~30/10^0.5")->weight, 0.5);
  EXPECT_EQ(parse_wish("income:more^1e3")->weight, 1000.0);
  EXPECT_EQ(parse_wish("city=Paris")->weight, std::nullopt);
  EXPECT_EQ(form_of<ValuesText>("city=x\\^2").values.front(), "x^2");
  EXPECT_EQ(form_of<ValuesText>("city='x^2'").values.front(), "x^2");
  EXPECT_EQ(form_of<ValuesText>("city=x^two").values.front(), "x^two");
}

TEST(Wishes, MayBeObjects) {
  EXPECT_EQ(read_wish(R"({"attribute": "a", "values": ["x", 1], "weight": 2})"), "a=x|1^2");
  EXPECT_EQ(read_wish(R"({"attribute": "a b", "not": true})"), "a b!=true");
  EXPECT_EQ(read_wish(R"({"attribute": "a", "range": [30, null]})"), "a>=30");
  EXPECT_EQ(read_wish(R"({"attribute": "a", "near": 30, "scale": 5, "shape": "exp"})"),
            "a~30/5:exp");
  EXPECT_EQ(read_wish(R"({"attribute": "a", "order": "more"})"), "a:more");
  EXPECT_EQ(read_wish(R"({"attribute": "a", "range": [1, 2]})"),
            R"({"attribute":"a","range":["1","2"]})");
  EXPECT_EQ(read_wish(R"({"attribute": "a", "grades": {"x": 1, "y": 0.5}})"),
            R"({"attribute":"a","grades":{"x":1.0,"y":0.5}})");
}

TEST(Wishes, AreRefusedWithASentence) {
  EXPECT_THAT(read_wish("Paris"), HasSubstr("is no wish"));
  EXPECT_THAT(read_wish("age~30/0"), HasSubstr("scale"));
  EXPECT_THAT(read_wish("age~30/-1"), HasSubstr("scale"));
  EXPECT_THAT(read_wish("age~30:round"), HasSubstr("linear, gauss and exp"));
  EXPECT_THAT(read_wish("income:most"), HasSubstr(":more or :less"));
  EXPECT_THAT(read_wish("{"), HasSubstr("the wish is"));
  for (auto text : {R"({"attribute": "a"})", R"({"values": ["x"]})",
                    R"({"attribute": "a", "values": "x", "not": "y"})",
                    R"({"attribute": "a", "values": "x", "scale": 3})",
                    R"({"attribute": "a", "near": 3, "wight": 3})"}) {
    EXPECT_THAT(read_wish(text), HasSubstr("a wish as an object has")) << text;
  }
  EXPECT_THAT(read_wish(R"({"attribute": "a", "grades": {"x": 1.5}})"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(read_wish(R"({"attribute": "a", "range": [null, null]})"), HasSubstr("one end"));
  EXPECT_THAT(read_wish(R"({"attribute": "a", "values": []})"), HasSubstr("empty"));
}

TEST(SortKeys, AreNamesWithSigns) {
  auto keys = parse_sort("-income, age,-\"net worth\", \"-x\"");
  ASSERT_TRUE(keys) << keys.error().message;
  EXPECT_EQ(*keys, (std::vector<SortText>{
                       {"income", true}, {"age", false}, {"net worth", true}, {"-x", false}}));
  EXPECT_EQ(to_text(*keys), "-income, age, -\"net worth\", \"-x\"");
  for (auto text : {"", "a,", "a b", ",", "a;b", "- a"}) EXPECT_FALSE(parse_sort(text)) << text;
}

TEST(Requests, AreObjectsOfJson) {
  auto json = parse_json(R"({"where": "city = Paris", "prefer": ["a=1^2", {"attribute": "b",
      "order": "less"}], "sort": ["-income", "age"], "order": ["prefer", "sort"], "k": 5,
      "offset": 10, "columns": "city, age", "facets": ["city"], "explain": true})");
  auto request = request_from_json(*json);
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(to_json(*request).dump(-1),
            R"({"where":["city = Paris"],"prefer":["a=1^2","b:less"],"sort":["-income","age"],)"
            R"("order":["prefer","sort"],"k":5,"offset":10,"columns":["city","age"],)"
            R"("facets":["city"],"explain":true})");
}

// Quotes, commas and capitals of a list's entry belong to the name.
TEST(Requests, TakeNamesOfListsAsTheyStand) {
  auto request = request_from_json(*parse_json(
      R"({"sort": ["-net worth", "a, b", "--x"], "columns": ["\"a\"", "null"], "facets": "b, c"})"));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->sort,
            (std::vector<SortText>{{"net worth", true}, {"a, b", false}, {"-x", true}}));
  EXPECT_EQ(request->columns, (std::vector<std::string>{"\"a\"", "null"}));
  EXPECT_EQ(request->facets, (std::vector<std::string>{"b", "c"}));
}

TEST(Requests, PrintNamesThatReadBackEqual) {
  for (const char* name :
       {"a", "net worth", "a, b", "-x", "--x", "-", "", "\"q\"", "it's", "and"}) {
    for (bool descends : {false, true}) {
      Request request{
          .sort = {{"b", !descends}, {name, descends}}, .columns = {name, "b"}, .facets = {name}};
      std::string printed = to_json(request).dump(-1);
      auto again = request_from_json(*parse_json(printed));
      ASSERT_TRUE(again) << printed << ": " << again.error().message;
      EXPECT_EQ(*again, request) << printed;
    }
  }
}

TEST(Requests, AreTextsInUtf8) {
  EXPECT_THAT(read_wish("\xFF:more"), HasSubstr("not UTF-8"));
  EXPECT_THAT(read_wish("city=K\xF6ln"), HasSubstr("not UTF-8"));
  EXPECT_THAT(read_condition("city = K\xF6ln"), HasSubstr("not UTF-8"));
  EXPECT_FALSE(parse_sort("K\xF6ln"));
  EXPECT_FALSE(parse_names("K\xF6ln"));
  EXPECT_EQ(read_wish("Köln:more"), "Köln:more");
}

TEST(Requests, TakeTheShortFormOfValues) {
  auto request = request_from_json(
      *parse_json(R"({"prefer": {"religion": ["none", "other"], "city": "Paris", "age": null}})"));
  ASSERT_TRUE(request) << request.error().message;
  ASSERT_EQ(request->prefer.size(), 2U);
  EXPECT_EQ(to_text(request->prefer[0]), "religion=none|other");
}

TEST(Requests, AreRefusedWithASentence) {
  for (auto [text, part] : {std::pair{"3", "must be a JSON object"},
                            {R"({"wher": "a = 1"})", "did you mean \"where\"?"},
                            {R"({"k": 0})", "from 1 up"},
                            {R"({"offset": -1})", "from 0 up"},
                            {R"({"k": 1.5})", "whole number"},
                            {R"({"explain": 1})", "true or false"},
                            {R"({"order": "sort"})", "is no order"},
                            {R"({"where": 3})", "a text or a list of texts"},
                            {R"({"prefer": 3})", "a wish as an object has"},
                            {R"({"sort": "a b"})", "commas"}}) {
    auto request = request_from_json(*parse_json(text));
    ASSERT_FALSE(request) << text;
    EXPECT_THAT(request.error().message, HasSubstr(part));
  }
}

TEST(Requests, ReadBackEqual) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    Table table = with_orders(rng, random_table(rng, {3, 3, 3}));
    Request request = RandomRequests(rng, table.schema()).next();
    std::string printed = to_json(request).dump(-1);
    auto again = request_from_json(*parse_json(printed));
    ASSERT_TRUE(again) << printed << ": " << again.error().message;
    EXPECT_EQ(*again, request) << "seed " << seed << ": " << printed;
  }
}

}  // namespace
}  // namespace rankveil
