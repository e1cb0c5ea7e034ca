#include "rankveil/api/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/api/json_page.h"
#include "rankveil/api/json_schema_texts.h"
#include "rankveil/attack/targets/config.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

// "a, b" behind "known are " in a refusal.
std::vector<std::string> known_in(const std::string& refusal) {
  constexpr std::string_view before = "known are ";
  auto at = refusal.find(before);
  EXPECT_NE(at, std::string::npos) << refusal;
  std::vector<std::string> names(1);
  for (char c : refusal.substr(at + before.size())) {
    if (c == ' ' || c == ',') {
      if (!names.back().empty()) names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  std::erase(names, "and");
  return names;
}

std::vector<std::string> properties_of(const Json& schema) {
  std::vector<std::string> names;
  for (const auto& [name, property] : *schema.find("properties")->as_object()) {
    names.push_back(name);
  }
  return names;
}

const Json& at(const Json& json, std::initializer_list<const char*> path) {
  const Json* node = &json;
  for (const char* name : path) node = node->find(name);
  return *node;
}

TEST(JsonPage, HasATypeForEveryFieldOfTheReference) {
  auto outputs = read_json_page(json_page_text());
  ASSERT_TRUE(outputs) << outputs.error().message << "; write the row as | `field` | type | "
                       << "meaning |";
  EXPECT_GT(outputs->size(), 25U);
}

TEST(JsonPage, RefusesRowsThatCannotBeSchemas) {
  auto refusal = [](const std::string& row) {
    auto read = read_json_page("## rankveil x\n" + row);
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(refusal("| `a`, `b` | text, whole | two |"), "");
  EXPECT_EQ(refusal("| `a` | of three |"), "json.md, line 2: there is no type \"of three\"");
  EXPECT_EQ(refusal("| `a` | string | x |"), "json.md, line 2: there is no type \"string\"");
  EXPECT_EQ(refusal("| `a`, `b`, `c` | text, text | x |"),
            "json.md, line 2: `a`, `b`, `c` has 2 types for 3 fields");
}

TEST(JsonPage, MakesASchemaOfRows) {
  auto outputs = read_json_page(
      "## rankveil toy, an example\n| field | type | meaning |\n|---|---|---|\n"
      "| `row`, `row.id`, `row.score` | object or null, text, number? | of it |\n"
      "| `sizes.NAME`, `list[].x` | whole | more |\n");
  ASSERT_TRUE(outputs);
  ASSERT_EQ(outputs->size(), 1U);
  const Shape& shape = outputs->front().shape;
  EXPECT_EQ(outputs->front().name, "toy-example");
  ASSERT_EQ(shape.members.size(), 3U);
  EXPECT_THAT(shape.members[0].second.types, ElementsAre("object", "null"));
  EXPECT_TRUE(shape.members[0].second.members[1].second.optional);
  EXPECT_THAT(shape.members[1].second.named.front().types, ElementsAre("whole"));
  EXPECT_THAT(shape.members[2].second.items.front().members[0].second.types, ElementsAre("whole"));
}

TEST(JsonSchema, IsThereForEveryName) {
  for (const SchemaName& known : schema_names()) {
    auto schema = schema_of(known.name);
    ASSERT_TRUE(schema) << known.name;
    EXPECT_EQ(schema->text_at("title"), known.about);
    EXPECT_THAT(schema->text_at("$id"), HasSubstr(":schema:" + known.name));
  }
  auto missing = schema_of("adit");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "there is no schema \"adit\"; did you mean audit?");
}

TEST(JsonSchema, SaysTypesWhatMustBeThereAndThatNoMoreMay) {
  auto schema = *schema_of("query");
  EXPECT_EQ(at(schema, {"properties", "request", "properties", "k", "type"}).dump(-1),
            "\"integer\"");
  EXPECT_EQ(at(schema, {"properties", "row", "type"}).dump(-1), "[\"object\",\"null\"]");
  const Json& hit = at(schema, {"properties", "hits", "items", "properties"});
  EXPECT_EQ(at(hit, {"public", "additionalProperties", "type"}).dump(-1), "[\"string\",\"null\"]");
  EXPECT_EQ(at(schema, {"additionalProperties"}).dump(-1), "false");
  EXPECT_THAT(at(schema, {"required"}).dump(-1), HasSubstr("\"full_score\""));
  // By reference: findings of check-publication are those of an audit.
  auto check = *schema_of("check-publication");
  EXPECT_EQ(at(check, {"properties", "findings", "items"}).dump(),
            at(*schema_of("audit"), {"properties", "findings", "items"}).dump());
}

// A key that the parser knows and the schema does not, or the other way round, ends here.
TEST(JsonSchema, HasTheKeysOfPolicies) {
  auto schema = *schema_of("policy");
  auto refused = parse_policy("zzz = 1", "p.toml");
  ASSERT_FALSE(refused);
  EXPECT_THAT(properties_of(schema), UnorderedElementsAreArray(known_in(refused.error().message)))
      << "write the key into rankveil/api/schemas/policy.json";
  refused = parse_policy("[column.a]\nrole = \"public\"\nzzz = 1", "p.toml");
  ASSERT_FALSE(refused);
  EXPECT_THAT(properties_of(at(schema, {"properties", "column", "additionalProperties"})),
              UnorderedElementsAreArray(known_in(refused.error().message)))
      << "write the key into rankveil/api/schemas/policy.json";
}

TEST(JsonSchema, HasTheKeysOfTargets) {
  auto schema = *schema_of("target");
  const auto& kinds = *schema.find("oneOf")->as_array();
  ASSERT_EQ(kinds.size(), 5U);
  for (const Json& kind : kinds) {
    std::string name = *at(kind, {"properties", "kind", "const"}).as_text();
    auto refused = attack::parse_target("kind = \"" + name + "\"\nzzz = 1", "t.toml");
    ASSERT_FALSE(refused);
    EXPECT_THAT(properties_of(kind), UnorderedElementsAreArray(known_in(refused.error().message)))
        << "write the key of " << name << " into rankveil/api/schemas/target.json";
  }
}

}  // namespace
}  // namespace rankveil::api
