#include "rankveil/ranking/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Schema small_schema() {
  Schema schema;
  schema.attributes = {
      {"city", Visibility::Public, 1, *Domain::of({"Oslo", "Paris", "a|b", "a\\b"})},
      {"age", Visibility::Public, 1, *Domain::of({"1", "2.5", "true"})},
      {"a=b", Visibility::Private, 1, *Domain::of({"yes", "no"})},
  };
  return schema;
}

Result<Query> from_json(std::string_view text) {
  return query_from_json(small_schema(), *parse_json(text));
}

std::string refusal(std::string_view wish) {
  Query query = empty_query(small_schema());
  Status added = add_wish(small_schema(), wish, query);
  EXPECT_FALSE(added.ok()) << wish;
  EXPECT_EQ(query, empty_query(small_schema())) << "a refused wish leaves the query as it was";
  return added.ok() ? "" : added.error().message;
}

TEST(AddWish, TakesOneValueOrSeveral) {
  Query query = empty_query(small_schema());
  ASSERT_TRUE(add_wish(small_schema(), "city=Paris|Oslo|Paris", query));
  ASSERT_TRUE(add_wish(small_schema(), "age=2.5", query));
  EXPECT_THAT(query.wanted,
              ElementsAre(ElementsAre(ValueId{0}, ValueId{1}), ElementsAre(ValueId{1}), IsEmpty()));
}

TEST(AddWish, ABackslashKeepsTheNextCharacter) {
  Query query = empty_query(small_schema());
  ASSERT_TRUE(add_wish(small_schema(), R"(city=a\|b|a\\b)", query));
  EXPECT_THAT(query.wanted[0], ElementsAre(ValueId{2}, ValueId{3}));
}

TEST(AddWish, NamesWhatIsNotThere) {
  EXPECT_THAT(refusal("Paris"), HasSubstr("attribute=value"));
  EXPECT_THAT(refusal("town=Paris"), HasSubstr("\"town\""));
  EXPECT_THAT(refusal("city=Oslo|Rome"), HasSubstr("\"Rome\""));
  EXPECT_THAT(refusal("city="), HasSubstr("\"\""));
}

TEST(AddValues, TakesAttributesOfAnyName) {
  Query query = empty_query(small_schema());
  ASSERT_TRUE(add_values(small_schema(), "a=b", "no", query));
  EXPECT_THAT(query.wanted[2], ElementsAre(ValueId{1}));
}

TEST(QueryFromJson, TakesValuesListsAndNull) {
  auto query = from_json(R"({"city": ["Paris", "Oslo"], "age": [1, true], "a=b": null})");
  ASSERT_TRUE(query) << query.error().message;
  EXPECT_THAT(query->wanted, ElementsAre(ElementsAre(ValueId{0}, ValueId{1}),
                                         ElementsAre(ValueId{0}, ValueId{2}), IsEmpty()));
}

TEST(QueryFromJson, RefusesWhatIsNoQuery) {
  for (auto text : {"3", "[]", R"({"town": "Oslo"})", R"({"city": "Rome"})", R"({"city": [null]})",
                    R"({"city": [["Oslo"]]})", R"({"city": {"Oslo": 1}})"}) {
    EXPECT_FALSE(from_json(text)) << text;
  }
}

TEST(QueryToJson, IsReadBackEqual) {
  for (auto text : {"{}", R"({"city":"Oslo"})", R"({"city":["Oslo","a|b"],"a=b":"no"})"}) {
    auto query = from_json(text);
    ASSERT_TRUE(query);
    EXPECT_EQ(query_to_json(small_schema(), *query).dump(-1), text);
  }
}

TEST(AddWish, FindsTheBinOfANumberAndAnotherFormOfUnicode) {
  Schema schema;
  schema.attributes = {
      {"age", Visibility::Public, 1, *Domain::of({"<18", "18-25", ">=25"})},
      {"city", Visibility::Public, 1, *Domain::of({"K\u00f6ln", "Oslo"})},
  };
  Query query = empty_query(schema);
  ASSERT_TRUE(add_wish(schema, "age=19", query));
  ASSERT_TRUE(add_wish(schema, "city=Ko\u0308ln", query));
  EXPECT_THAT(query.wanted[0], ElementsAre(ValueId{1}));
  EXPECT_THAT(query.wanted[1], ElementsAre(ValueId{0}));
  EXPECT_FALSE(add_wish(schema, "city=Koln", query)) << "a mark makes another word";
}

}  // namespace
}  // namespace rankveil
