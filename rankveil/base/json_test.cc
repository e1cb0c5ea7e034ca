#include "rankveil/base/json.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

TEST(Json, PrintsWhatItParsed) {
  const std::string text = R"({"b":[1,2.5,"x\n",null,true],"a":{"deep":-7}})";
  auto json = parse_json(text);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->dump(-1), text);
}

TEST(Json, FindsMembersByName) {
  auto json = parse_json(R"({"count":3,"query":{}})");
  ASSERT_TRUE(json);
  ASSERT_NE(json->find("count"), nullptr);
  EXPECT_EQ(*json->find("count")->as_integer(), 3);
  EXPECT_EQ(json->find("nothing"), nullptr);
}

TEST(Json, NamesThePlaceOfASyntaxError) {
  auto json = parse_json(R"({"a": )");
  ASSERT_FALSE(json);
  EXPECT_NE(json.error().message.find("byte"), std::string::npos);
}

TEST(Json, RefusesNumbersNoDoubleHolds) {
  EXPECT_FALSE(parse_json("1e999"));
  EXPECT_FALSE(parse_json(R"({"a": [-1e999]})"));
  EXPECT_TRUE(parse_json("1e308"));
}

TEST(Json, RefusesBottomlessNesting) {
  EXPECT_FALSE(parse_json(std::string(100'000, '[')));
  EXPECT_FALSE(parse_json(std::string(200, '[') + std::string(200, ']')));
  EXPECT_TRUE(parse_json(std::string(60, '[') + std::string(60, ']')));
}

}  // namespace
}  // namespace rankveil
