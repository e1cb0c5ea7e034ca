#include "rankveil/base/text/json_pointer.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

TEST(JsonPointer, FindsWhatStandsThere) {
  Json json =
      *parse_json(R"({"user": {"to/ken": "a", "~": "b"}, "hits": [{"id": 4}, {"id": 17}]})");
  EXPECT_EQ(find_at(json, ""), &json);
  EXPECT_EQ(*find_at(json, "/user/to~1ken")->as_text(), "a");
  EXPECT_EQ(*find_at(json, "/user/~0")->as_text(), "b");
  EXPECT_EQ(*find_at(json, "/hits/1/id")->as_integer(), 17);
}

TEST(JsonPointer, IsNullWhereNothingStands) {
  Json json = *parse_json(R"({"hits": [1]})");
  for (const char* pointer : {"hits", "/hits/1", "/hits/x", "/hits/0/id", "/none", "/"}) {
    EXPECT_EQ(find_at(json, pointer), nullptr) << pointer;
  }
}

}  // namespace
}  // namespace rankveil
