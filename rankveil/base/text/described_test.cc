#include "rankveil/base/text/described.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace rankveil {
namespace {

struct Toy {
  std::string name;
  bool open = false;
  std::optional<double> share;
  friend bool operator==(const Toy&, const Toy&) = default;
};

template <typename Field>
void describe(Field& field, Toy& toy) {
  field("name", toy.name, "what it is called");
  field("open", toy.open, "whether it can be seen");
  field("share", toy.share, "of all; null where nobody counted");
  field("letters", toy.name.size(), "of its name");
}

struct ToyBox {
  std::uint32_t number = 0;
  Toy first;
  std::optional<Toy> spare;
  std::vector<Toy> toys;
  std::vector<std::string> labels;
  friend bool operator==(const ToyBox&, const ToyBox&) = default;
};

template <typename Field>
void describe(Field& field, ToyBox& box) {
  field("number", box.number, "of the box");
  field("first", box.first, "the first");
  field("spare", box.spare, "one more");
  field("toys", box.toys, "all of them");
  field("labels", box.labels, "on the box");
}

ToyBox box() {
  return {.number = 4294967295,
          .first = {"ball", true, 0.25},
          .spare = {},
          .toys = {{"car", false, {}}, {"doll", true, 1}},
          .labels = {"a", "b"}};
}

TEST(Described, IsWrittenInTheOrderOfItsFields) {
  EXPECT_EQ(json_of(box()).dump(-1),
            R"({"number":4294967295,"first":{"name":"ball","open":true,"share":0.25,"letters":4},)"
            R"("spare":null,"toys":[{"name":"car","open":false,"share":null,"letters":3},)"
            R"({"name":"doll","open":true,"share":1.0,"letters":4}],"labels":["a","b"]})");
}

TEST(Described, IsReadBack) {
  auto with_spare = box();
  with_spare.spare = Toy{"kite", false, 0.5};
  for (const ToyBox& one : {ToyBox{}, box(), with_spare}) {
    auto again = from_json<ToyBox>(json_of(one), "the box");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, one);
  }
}

TEST(Described, RefusesWhatIsMissingOrOfAnotherKind) {
  const auto refusal = [](const std::string& from, const std::string& to) {
    std::string text = json_of(box()).dump(-1);
    text.replace(text.find(from), from.size(), to);
    auto read = from_json<ToyBox>(*parse_json(text), "the box");
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(refusal("\"number\":4294967295,", ""), "the box, \"number\" is missing");
  EXPECT_EQ(refusal("4294967295", "4294967296"), "the box, \"number\" is no whole");
  EXPECT_EQ(refusal("4294967295", "-1"), "the box, \"number\" is no whole");
  EXPECT_EQ(refusal("\"car\"", "3"), "the box, \"toys\", number 1, \"name\" is no text");
  EXPECT_EQ(refusal("0.25", "\"much\""), "the box, \"first\", \"share\" is no number");
  EXPECT_EQ(refusal("[\"a\",\"b\"]", "{}"), "the box, \"labels\" is no list");
}

TEST(Described, IsTheTableOfThePage) {
  EXPECT_EQ(page_rows<ToyBox>(),
            "| `number` | whole | of the box |\n"
            "| `first.name` | text | what it is called |\n"
            "| `first.open` | bool | whether it can be seen |\n"
            "| `first.share` | number or null | of all; null where nobody counted |\n"
            "| `first.letters` | whole | of its name |\n"
            "| `spare` | object or null | one more |\n"
            "| `spare.name` | text | what it is called |\n"
            "| `spare.open` | bool | whether it can be seen |\n"
            "| `spare.share` | number or null | of all; null where nobody counted |\n"
            "| `spare.letters` | whole | of its name |\n"
            "| `toys` | list | all of them |\n"
            "| `toys[].name` | text | what it is called |\n"
            "| `toys[].open` | bool | whether it can be seen |\n"
            "| `toys[].share` | number or null | of all; null where nobody counted |\n"
            "| `toys[].letters` | whole | of its name |\n"
            "| `labels`, `labels[]` | list, text | on the box |\n");
}

}  // namespace
}  // namespace rankveil
