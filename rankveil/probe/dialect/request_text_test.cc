#include "rankveil/probe/dialect/request_text.h"

#include <gtest/gtest.h>

namespace rankveil::probe {
namespace {

using Spelling = RequestText::Spelling;

std::string filled(std::string_view text, Spelling spelling, const Places& places) {
  auto parsed = RequestText::parse(text, spelling, "it");
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? parsed->fill(places) : "";
}

Places awkward() {
  Places places;
  places.url = "/api/people";
  places.field = "a \"b\"/c";
  places.id = "7/../8";
  places.value = {"it's 50% \"x\"\\", true};
  places.low = {"17", false};
  places.row.set("city", "Oslo");
  return places;
}

TEST(RequestText, PathsGetPercentSignsAndKeepTheirOwnSlashes) {
  EXPECT_EQ(filled("${url}/${id}", Spelling::Path, awkward()), "/api/people/7%2F..%2F8");
}

TEST(RequestText, ParametersAreFilledPlainly) {
  EXPECT_EQ(filled("where[${field}]", Spelling::Parameter, awkward()), "where[a \"b\"/c]");
  EXPECT_EQ(filled("${low}", Spelling::Parameter, awkward()), "17");
}

TEST(RequestText, JsonStaysJsonWhateverIsFilledIn) {
  const Places places = awkward();
  for (const char* text :
       {R"({"${field}": ${value}})", R"({"${field}": "^${value|regex}"})",
        R"([{"id": "${id}", "n": ${low}, "row": ${row}, "v": "${value|odata}"}])",
        R"({"a": ${id}, "b": ${value|regex}, "text": "${row}"})"}) {
    for (Spelling spelling : {Spelling::Json, Spelling::Parameter}) {
      const std::string json = filled(text, spelling, places);
      EXPECT_TRUE(parse_json(json)) << json;
    }
  }
  auto json = parse_json(filled(R"({"${field}": ${value}})", Spelling::Json, places));
  ASSERT_TRUE(json);
  ASSERT_NE(json->find(places.field), nullptr);
  EXPECT_EQ(*json->find(places.field)->as_text(), places.value.text);
}

TEST(RequestText, NumbersHaveNoQuotesInJsonAndOData) {
  const Places places = awkward();
  EXPECT_EQ(filled(R"({"x": ${low}})", Spelling::Json, places), R"({"x": 17})");
  EXPECT_EQ(filled("x eq ${low|odata}", Spelling::Parameter, places), "x eq 17");
}

TEST(RequestText, ODataDoublesQuotes) {
  EXPECT_EQ(filled("x eq ${value|odata}", Spelling::Parameter, awkward()),
            "x eq 'it''s 50% \"x\"\\'");
}

TEST(RequestText, RegularExpressionsMatchTheValueItself) {
  Places places;
  places.value = {"a.b*[c]", true};
  EXPECT_EQ(filled("^${value|regex}$", Spelling::Parameter, places), R"(^a\.b\*\[c\]$)");
}

TEST(RequestText, GraphqlNamesAreBareAndValuesQuoted) {
  Places places;
  places.collection = "people";
  places.field = "religion";
  places.direction = "ASC";
  places.value = {"zz\"y", true};
  EXPECT_EQ(filled("{ ${collection}(orderBy: {${field}: ${direction}}, f: ${value}) { id } }",
                   Spelling::Graphql, places),
            R"({ people(orderBy: {religion: ASC}, f: "zz\"y") { id } })");
}

TEST(RequestText, TwoDollarsStandForThemselves) {
  Places places;
  places.field = "x";
  EXPECT_EQ(filled("$${field} ${field} $", Spelling::Parameter, places), "${field} x $");
}

TEST(RequestText, UnknownPlacesAreNamedWithTheNearest) {
  auto text = RequestText::parse("${feild}", Spelling::Path, "path");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message,
            "path has a place ${feild} that is not known; did you mean field?");
  auto form = RequestText::parse("${value|sql}", Spelling::Path, "path");
  ASSERT_FALSE(form);
  EXPECT_NE(form.error().message.find("there are odata, regex, bare"), std::string::npos);
  EXPECT_FALSE(RequestText::parse("${value", Spelling::Path, "path"));
  EXPECT_FALSE(RequestText::parse("${value|}", Spelling::Path, "path"));
}

}  // namespace
}  // namespace rankveil::probe
