#include "rankveil/base/text/json_values.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace rankveil {
namespace {

struct TwoNumbers {
  std::uint32_t first = 0;
  std::int32_t second = 0;

  static void items(auto& self, auto visit) {
    visit(self.first);
    visit(self.second);
  }
};

struct AllKinds {
  bool flag = false;
  std::uint16_t number = 0;
  double real = 0;
  std::string text;
  std::optional<TwoNumbers> both;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> flat;
  std::vector<std::pair<std::string, std::vector<std::string>>> named;
  Json any;

  static void fields(auto& self, auto visit) {
    visit("flag", self.flag);
    visit("number", self.number);
    visit("real", self.real);
    visit("text", self.text);
    visit("both", self.both);
    visit("flat", self.flat);
    visit("named", self.named);
    visit("any", self.any);
  }
};

constexpr const char* all_kinds =
    R"({"flag":true,"number":65535,"real":0.5,"text":"a","both":[7,-8],"flat":[1,2,3,4],)"
    R"("named":{"x":["y","z"],"w":[]},"any":{"k":[null]}})";

TEST(JsonValues, AreWrittenAsTheyAreRead) {
  AllKinds value;
  ASSERT_TRUE(read_json(*parse_json(all_kinds), value));
  EXPECT_EQ(value.both->second, -8);
  EXPECT_EQ(value.flat[1], (std::pair<std::uint32_t, std::uint64_t>{3, 4}));
  EXPECT_EQ(value.named[0].second[1], "z");
  EXPECT_EQ(json_of(value).dump(-1), all_kinds);
  value.both.reset();
  EXPECT_NE(json_of(value).dump(-1).find(R"("both":null)"), std::string::npos);
}

TEST(JsonValues, OfAnotherKindAreRefused) {
  for (auto [from, to] :
       {std::pair("true", "1"), std::pair("65535", "65536"), std::pair("65535", "-1"),
        std::pair("0.5", "\"0.5\""), std::pair("[7,-8]", "[7]"), std::pair("[7,-8]", "[7,-8,9]"),
        std::pair("[1,2,3,4]", "[1,2,3]"), std::pair("\"z\"", "2"),
        std::pair("\"any\"", "\"other\"")}) {
    std::string text = all_kinds;
    text.replace(text.find(from), std::string_view(from).size(), to);
    AllKinds value;
    EXPECT_FALSE(read_json(*parse_json(text), value)) << text;
  }
}

}  // namespace
}  // namespace rankveil
