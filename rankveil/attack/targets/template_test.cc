#include "rankveil/attack/targets/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "rankveil/attack/targets/answer.h"

namespace rankveil::attack {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Schema& schema() {
  static const Schema schema = [] {
    Schema made;
    made.attributes = {
        {"city", Visibility::Public, 1, *Domain::of({"Oslo", "a\"b", "x&y, z", "'; DROP"})},
        {"age", Visibility::Public, 1, *Domain::of({"20", "30.5", "true"})},
    };
    return made;
  }();
  return schema;
}

using Wanted = std::vector<std::vector<ValueId>>;
const Wanted nothing = {{}, {}};
const Wanted one = {{ValueId{1}}, {ValueId{1}}};
const Wanted several = {{ValueId{0}, ValueId{2}}, {ValueId{0}}};

Filling filling(const Wanted& wanted) {
  return {.schema = schema(), .values = wanted, .k = 7, .id = "r-1"};
}
Template parsed(std::string_view text, Template::Use use = Template::Use::Query) {
  auto made = Template::parse(text, schema(), use, "the query");
  EXPECT_TRUE(made) << made.error().message;
  return made ? *made : Template();
}
std::string template_refusal(std::string_view text, Template::Use use = Template::Use::Query) {
  auto made = Template::parse(text, schema(), use, "the query");
  EXPECT_FALSE(made) << text;
  return made ? "" : made.error().message;
}
std::string url(std::string_view text, const Wanted& wanted) {
  return parsed(text).as_url(filling(wanted));
}
std::string json(std::string_view text, const Wanted& wanted) {
  return parsed(text).as_json(filling(wanted));
}

TEST(Template, UrlsGetPercentSigns) {
  EXPECT_EQ(url("/s?k=${k}&c=${one:city}", one), "/s?k=7&c=a%22b");
  EXPECT_EQ(url("/s?c=${all:city}", several), "/s?c=Oslo,x%26y%2C%20z");
  EXPECT_EQ(url("/s?c=${one:city}", nothing), "/s?c=");
  EXPECT_EQ(url("/s?q=${query}", one),
            "/s?q=%7B%22city%22%3A%5B%22a%5C%22b%22%5D%2C%22age%22%3A%5B%2230.5%22%5D%7D");
}

TEST(Template, SectionsAreLeftOutOrRepeated) {
  std::string_view text = "/s?k=${k}$[&c=${each:city}$]$[&age=${all:age}$]";
  EXPECT_EQ(url(text, nothing), "/s?k=7");
  EXPECT_EQ(url(text, several), "/s?k=7&c=Oslo&c=x%26y%2C%20z&age=20");
  EXPECT_EQ(url("$[${each:city}+${one:age};$]", several), "Oslo+20;x%26y%2C%20z+20;");
  EXPECT_EQ(url("$[${each:city}+${one:age};$]", {{ValueId{0}}, {}}), "");
}

TEST(Template, JsonGetsQuotesWhereThereAreNone) {
  EXPECT_EQ(json(R"({"c": ${one:city}, "k": ${k}})", one), R"({"c": "a\"b", "k": 7})");
  EXPECT_EQ(json(R"({"c": ${all:city}})", several), R"({"c": ["Oslo","x&y, z"]})");
  EXPECT_EQ(json(R"({"c": ${all:city}, "o": ${one:age}})", nothing), R"({"c": null, "o": null})");
  EXPECT_EQ(json(R"({"q": "city:${one:city} \" ${all:age}"})", one),
            R"({"q": "city:a\"b \" 30.5"})");
  EXPECT_EQ(json("${query}", several), R"({"city":["Oslo","x&y, z"],"age":["20"]})");
}

TEST(Template, BareValuesGoWithoutQuotes) {
  EXPECT_EQ(json("[${one:age|bare}, ${all:age|bare}]", several), "[20, [20]]");
  EXPECT_THAT(template_refusal("${one:city|bare}"), HasSubstr("leave |bare out"));
}

TEST(Template, SqlGetsParameters) {
  auto statement = parsed("SELECT id WHERE c = ANY(${all:city}) AND a = ${one:age} LIMIT ${k}")
                       .as_sql(filling(several));
  EXPECT_EQ(statement.sql,
            "SELECT id WHERE c = ANY(CAST($1 AS TEXT[])) AND a = CAST($2 AS TEXT) LIMIT CAST($3 AS "
            "BIGINT)");
  ASSERT_EQ(statement.values.size(), 3U);
  EXPECT_EQ(statement.values[0], connect::SqlValue(std::vector<std::string>{"Oslo", "x&y, z"}));
  EXPECT_EQ(statement.values[1], connect::SqlValue("20"));
  EXPECT_EQ(statement.values[2], connect::SqlValue(std::int64_t{7}));
  auto none = parsed("${all:city}").as_sql(filling(nothing));
  EXPECT_EQ(none.values[0], connect::SqlValue(std::monostate{}));
}

TEST(Template, SqlPlacesMayNotStandInQuotes) {
  EXPECT_FALSE(parsed("SELECT '${one:city}'").check_sql("it"));
  EXPECT_FALSE(parsed("SELECT \"${one:city}\"").check_sql("it"));
  EXPECT_FALSE(parsed("SELECT 1 -- ${one:city}").check_sql("it"));
  EXPECT_FALSE(parsed("SELECT /* ' */ 'x ${one:city}'").check_sql("it"));
  EXPECT_TRUE(parsed("SELECT 'it''s', /* ' */ ${one:city} -- '\n, ${k}").check_sql("it"));
}

TEST(Template, NewRowsAreFilledIn) {
  Wanted row = wanted_of_row(std::vector{ValueId{1}, missing_value});
  auto insert = parsed("${id} ${row} ${one:age}", Template::Use::Insert);
  EXPECT_TRUE(insert.has_id());
  EXPECT_EQ(insert.as_json(filling(row)), R"("r-1" {"city":"a\"b","age":null} null)");
  EXPECT_EQ(parsed("/people/${id}", Template::Use::Remove).as_url(filling(row)), "/people/r-1");
}

TEST(Template, KnowsWhatItTakes) {
  Template mixed = parsed("${one:city} ${all:age}");
  EXPECT_FALSE(mixed.takes_sets(0));
  EXPECT_TRUE(mixed.takes_sets(1));
  EXPECT_TRUE(mixed.names(0));
  EXPECT_FALSE(parsed("${one:city}").names(1));
  EXPECT_TRUE(parsed("${query}").names(1));
  EXPECT_TRUE(parsed("${query}").takes_sets(1));
}

TEST(Template, DollarsStandForThemselves) {
  EXPECT_EQ(url("$1$$$${k}$$[$$]$", nothing), "$1$$${k}$[$]$");
  EXPECT_EQ(url("a b${one:city}\"", nothing), "a%20b%22") << "blanks are encoded";
}

TEST(Template, SaysWhatIsWrong) {
  EXPECT_THAT(template_refusal("${kk}"), HasSubstr("the query has ${kk}, which is not known here"));
  EXPECT_THAT(template_refusal("${one:citi}"), HasSubstr("did you mean city?"));
  EXPECT_THAT(template_refusal("${one:city"), HasSubstr("without its }"));
  EXPECT_THAT(template_refusal("$[${one:city}"), HasSubstr("without its end"));
  EXPECT_THAT(template_refusal("$]"), HasSubstr("does not begin"));
  EXPECT_THAT(template_refusal("$[$[${one:city}$]$]"), HasSubstr("inside a section"));
  EXPECT_THAT(template_refusal("$[ $]"), HasSubstr("without an attribute"));
  EXPECT_THAT(template_refusal("${each:city}"), HasSubstr("outside a section"));
  EXPECT_THAT(template_refusal("$[${each:city}${each:age}$]"), HasSubstr("two attributes"));
  EXPECT_THAT(template_refusal("${id}"), HasSubstr("not known here"));
  EXPECT_THAT(template_refusal("${all:city}", Template::Use::Insert), HasSubstr("${row}"));
  EXPECT_THAT(template_refusal("${one:city}", Template::Use::Remove), HasSubstr("known are ${id}"));
}

std::vector<std::string> ids(std::string_view pointer, std::string_view answer) {
  auto found = IdPointer::parse(pointer)->read(answer);
  return found ? *found : std::vector{"error: " + found.error().message};
}

TEST(IdPointer, FindsIdsInAnswers) {
  EXPECT_THAT(ids("/hits/*/id", R"({"hits":[{"id":4},{"id":"x"}]})"), ElementsAre("4", "x"));
  EXPECT_THAT(ids("/ids", R"({"ids":["a",-2]})"), ElementsAre("a", "-2"));
  EXPECT_THAT(ids("", "[1,2]"), ElementsAre("1", "2"));
  EXPECT_THAT(ids("/0/a~1b~0c", R"([{"a/b~c":"x"}])"), ElementsAre("x"));
  EXPECT_THAT(ids("/*/*", "[[1,2],[3]]"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(ids("/ids", R"({"ids":[]})"), ElementsAre());
}

TEST(IdPointer, SaysWhatItDidNotFind) {
  EXPECT_THAT(ids("/hits", R"({"error":"busy"})")[0],
              HasSubstr(R"(nothing at "/hits": {"error":)"));
  EXPECT_THAT(ids("/ids", R"({"ids":[1.5]})")[0], HasSubstr("but has 1.5"));
  EXPECT_THAT(ids("", "[[1]]")[0], HasSubstr("but has [1]"));
  EXPECT_THAT(ids("/3", "[1]")[0], HasSubstr("nothing at"));
  EXPECT_THAT(ids("", "<html>\n")[0], HasSubstr("<html> "));
  EXPECT_FALSE(IdPointer::parse("hits"));
}

TEST(ValueEnds, OfNumbersAndRanges) {
  auto text = [](std::string_view value) {
    auto ends = ends_of(value);
    return ends ? ends->low + ".." + ends->high : std::string("none");
  };
  EXPECT_EQ(text("<18"), "..18");
  EXPECT_EQ(text("18-25"), "18..25");
  EXPECT_EQ(text(">=50"), "50..");
  EXPECT_EQ(text("-5 to 5.5"), "-5..5.5");
  EXPECT_EQ(text("-7"), "-7..-7");
  EXPECT_EQ(text("1e3-2e-1"), "1e3..2e-1");
  for (const char* other : {"", "low", "a-b", "18-", "<x", "40k-60k"}) {
    EXPECT_EQ(text(other), "none") << other;
  }
}

TEST(Template, FillsEndsAndPages) {
  Schema schema;
  schema.attributes = {{"income", Visibility::Private, 1, *Domain::of({"<18", "18-25", ">=25"})}};
  auto filled = [&](std::string_view text, int value, std::string cursor = "") {
    std::vector<std::vector<ValueId>> values(1);
    if (value >= 0) values[0] = {ValueId{static_cast<std::uint16_t>(value)}};
    Filling filling{.schema = schema, .values = values, .k = 10};
    filling.page = 2;
    filling.offset = 20;
    filling.cursor = std::move(cursor);
    auto made = Template::parse(text, schema, Template::Use::Query, "t");
    EXPECT_TRUE(made) << made.error().message;
    return std::pair(made->as_url(filling), made->as_json(filling));
  };
  const char* range = "?a$[&gte=${low:income}$]$[&lt=${high:income}$]";
  EXPECT_EQ(filled(range, 0).first, "?a&lt=18");
  EXPECT_EQ(filled(range, 1).first, "?a&gte=18&lt=25");
  EXPECT_EQ(filled(range, 2).first, "?a&gte=25");
  EXPECT_EQ(filled(range, -1).first, "?a");
  const char* body = R"({"from": ${low:income}, "to": ${high:income}, "text": "<${high:income}"})";
  EXPECT_EQ(filled(body, 1).second, R"({"from": 18, "to": 25, "text": "<25"})");
  EXPECT_EQ(filled(body, 2).second, R"({"from": 25, "to": null, "text": "<"})");
  EXPECT_EQ(filled("?${page},${page0},${offset}", 0).first, "?3,2,20");
  EXPECT_EQ(filled("?a$[&c=${cursor}$]", 0).first, "?a");
  EXPECT_EQ(filled("?a$[&c=${cursor}$]", 0, "x y").first, "?a&c=x%20y");
  EXPECT_EQ(filled(R"({"c": ${cursor}, "d": "${cursor}"})", 0).second, R"({"c": null, "d": ""})");
}

TEST(Template, OrdersAreNamesAndWordsOfTheFile) {
  Schema people;
  people.attributes = {{"in\"come", Visibility::Private, 1, *Domain::of({"low", "high"})}};
  const Schema asked = with_orders(people);
  const OrderWords words{.up = "", .down = "-", .fields = {{"in\"come", "year's pay"}}};
  auto made = Template::parse("?sort=${direction}${field}", asked, Template::Use::Query, "t");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->has_order());
  auto filled = [&](bool down, const OrderWords& spelt) {
    const Query query = order_query(asked, {AttributeId{0}, down});
    EXPECT_EQ(order_in(asked, query), (Order{AttributeId{0}, down}));
    Filling filling{.schema = asked, .values = query.wanted};
    fill_order(spelt, query, filling);
    return std::pair(made->as_url(filling), made->as_sql(filling).sql);
  };
  EXPECT_EQ(filled(true, words).first, "?sort=-year%27s%20pay");
  EXPECT_EQ(filled(false, words).first, "?sort=year%27s%20pay");
  EXPECT_EQ(filled(true, {}).second, "?sort=desc\"in\"\"come\"") << "no name ends its quotes";
  const std::array<const Template*, 1> only = {&*made};
  EXPECT_TRUE(check_all_named(only, asked, "t")) << "an order asks for no values";
  const std::vector<std::vector<ValueId>> row = {{ValueId{1}}, {}};
  EXPECT_EQ(row_object({.schema = asked, .values = row}).dump(-1), R"({"in\"come":"high"})");
  EXPECT_FALSE(Template::parse("?a=${field}", asked, Template::Use::Insert, "t"));
}

TEST(Template, RefusesEndsOfWhatHasNone) {
  Schema schema;
  schema.attributes = {{"religion", Visibility::Private, 1, *Domain::of({"none", "hindu"})}};
  auto made = Template::parse("?a=${low:religion}", schema, Template::Use::Query, "t");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "t has the ends of religion, but its value \"none\" is neither a number nor a range of "
            "them; give the column bins in the policy, or write ${one:religion}");
}

}  // namespace
}  // namespace rankveil::attack
