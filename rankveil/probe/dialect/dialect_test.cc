#include "rankveil/probe/dialect/dialect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "rankveil/probe/dialect/answer_search.h"

namespace rankveil::probe {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view text) {
  auto dialect = parse_dialect(text, "d.toml");
  EXPECT_FALSE(dialect);
  return dialect ? "" : dialect.error().message;
}

const WayTemplate* way_called(const Dialect& dialect, std::string_view name) {
  for (const WayTemplate& way : dialect.ways) {
    if (way.way.name == name) return &way;
  }
  return nullptr;
}

Places some_places() {
  Places places{.url = "/api/people",
                .collection = "people",
                .field = "religion",
                .direction = "-",
                .cursor = "c",
                .id = "17",
                .link = "/api/posts",
                .by = "author",
                .public_field = "city",
                .mark = "rvprobe1"};
  places.value = {"zz'\"q", true};
  places.low = {"zz'\"p", true};
  places.high = {"zz'\"r", true};
  places.row.set("city", "Oslo");
  places.change.set("religion", "zz");
  return places;
}

TEST(Dialect, WaysAreEveryCombinationOfTheirLists) {
  auto dialect = parse_dialect(R"(
name = "shop"
[[way]]
name = "where[${logic}].${operator}"
kind = "filter"
query = ["where[${logic}][0][${field}][${operator}]=${value}"]
[way.each]
logic = ["or", "AND"]
operator = ["eq", "like"]
)",
                               "d.toml");
  ASSERT_TRUE(dialect) << dialect.error().message;
  ASSERT_EQ(dialect->ways.size(), 4);
  EXPECT_EQ(dialect->ways[1].way.name, "where[or].like");
  EXPECT_EQ(dialect->ways[2].way.name, "where[AND].eq");
  EXPECT_EQ(dialect->ways[2].way.dialect, "shop");
  EXPECT_EQ(fill(dialect->ways[2].request, some_places()).path,
            "/api/people?where%5BAND%5D%5B0%5D%5Breligion%5D%5Beq%5D=zz%27%22q");
}

TEST(Dialect, FormsAndGraphqlAndBodiesAreSentAsWhatTheyAre) {
  auto dialect = parse_dialect(R"(
name = "shop"
[[way]]
name = "form"
kind = "sort"
form = ["sort=${direction}${field}", "limit=${limit}"]
[way.headers]
X-Override = "GET"
[[way]]
name = "graphql"
kind = "sort"
graphql = '{ ${collection}(orderBy: {${field}: ${direction}}) { id } }'
directions = ["ASC", "DESC"]
[[way]]
name = "json"
kind = "filter"
body = '{"where": {"${field}": ${value}}}'
)",
                               "d.toml");
  ASSERT_TRUE(dialect) << dialect.error().message;
  const PlainRequest form = fill(dialect->ways[0].request, some_places());
  EXPECT_EQ(form.method, "POST");
  EXPECT_EQ(form.body, "sort=-religion&limit=10");
  ASSERT_EQ(form.headers.size(), 2);
  EXPECT_EQ(form.headers[1].second, "application/x-www-form-urlencoded");
  const PlainRequest graphql = fill(dialect->ways[1].request, some_places());
  EXPECT_EQ(graphql.body, R"({"query":"{ people(orderBy: {religion: -}) { id } }"})");
  EXPECT_EQ(dialect->ways[1].directions[1], "DESC");
  EXPECT_EQ(fill(dialect->ways[2].request, some_places()).body,
            R"({"where": {"religion": "zz'\"q"}})");
}

TEST(Dialect, RefusalsNameTheLineAndTheWayOut) {
  EXPECT_THAT(refusal("name = 'x'"), HasSubstr("way is missing"));
  EXPECT_THAT(refusal("name = 'x'\nways = 3"), HasSubstr("d.toml, line 2"));
  EXPECT_THAT(
      refusal("name = 'x'\n[[way]]\nname = 'a'\nkind = 'sorted'"),
      HasSubstr("kind in [[way]] is \"sorted\"; did you mean sort? there are sort, filter"));
  EXPECT_THAT(
      refusal("name = 'x'\n[[way]]\nname = 'a'\nkind = 'sort'\nquery = ['s=${feild}']"),
      HasSubstr("line 5: query in [[way]] of the way \"a\" has a place ${feild} that is not "
                "known; did you mean field?"));
  EXPECT_THAT(refusal("name = 'x'\n[[way]]\nname = 'a'\nkind = 'sort'\nquery = ['sort']"),
              HasSubstr("write each as \"name=value\""));
  EXPECT_THAT(refusal("name = 'x'\n[[way]]\nname = 'a'\nkind = 'sort'\nmethod = 'OPTIONS'"),
              HasSubstr("must be GET, POST"));
  EXPECT_THAT(refusal("name = 'x'\n[[way]]\nname = 'a'\nkind = 'sort'\nform=['a=b']\nbody='{}'"),
              HasSubstr("more than one of form, body and graphql"));
  EXPECT_THAT(refusal("name = 'x'\nrows = 'data'\n"), HasSubstr("write it as /data/rows"));
  EXPECT_THAT(refusal("name = 'x'\ndirections = ['up']"), HasSubstr("must be two texts"));
  EXPECT_THAT(refusal("name = 'x'\n[refused]\nstatus = [200]"),
              HasSubstr("whole numbers from 400 to 599"));
}

TEST(Dialect, NamesOfWaysAreTheirOwn) {
  EXPECT_THAT(refusal("name = 'x'\n[[way]]\nname = 'a'\nkind = 'sort'\n[way.each]\nk = ['1', '2']"),
              HasSubstr("is \"a\" a second time"));
}

TEST(Dialect, WaysHaveALimit) {
  std::string list = "[";
  for (int i = 0; i < 60; ++i) list += "'" + std::to_string(i) + "',";
  EXPECT_THAT(refusal("name = 'x'\n[[way]]\nname = '${a}${b}'\nkind = 'sort'\n[way.each]\na = " +
                      list + "]\nb = " + list + "]"),
              HasSubstr("at most 2,000 ways"));
}

TEST(Dialect, NamesThatAreNoDialectAreRefusedWithTheNearest) {
  auto dialect = open_dialect("paylaod");
  ASSERT_FALSE(dialect);
  EXPECT_THAT(dialect.error().message, HasSubstr("did you mean payload?"));
  EXPECT_FALSE(open_dialect("./there-is-no-such.toml"));
}

// ---- Those that come with the program ----

class Builtin : public testing::TestWithParam<BuiltinDialect> {};

TEST_P(Builtin, IsReadAndCanWrite) {
  auto dialect = parse_dialect(GetParam().text, GetParam().name);
  ASSERT_TRUE(dialect) << dialect.error().message;
  EXPECT_EQ(dialect->name, GetParam().name);
  EXPECT_FALSE(dialect->summary.empty());
  EXPECT_TRUE(dialect->can_write());
}

TEST_P(Builtin, NoTwoWaysSendTheSameRequest) {
  auto dialect = parse_dialect(GetParam().text, GetParam().name);
  ASSERT_TRUE(dialect) << dialect.error().message;
  std::set<std::string> sent;
  for (const WayTemplate& way : dialect->ways) {
    PlainRequest request = fill(way.request, some_places());
    std::string all =
        std::string(to_text(way.way.kind)) + request.method + request.path + request.body;
    for (const auto& [name, value] : request.headers) all += name + value;
    EXPECT_TRUE(sent.insert(all).second) << way.way.name;
  }
}

// Each way names the field, or asks for a value of it: else it asks nothing.
TEST_P(Builtin, EveryWayAsksSomething) {
  auto dialect = parse_dialect(GetParam().text, GetParam().name);
  ASSERT_TRUE(dialect) << dialect.error().message;
  for (const WayTemplate& way : dialect->ways) {
    const bool asks = way.request.has("field") || way.request.has("value");
    EXPECT_TRUE(asks) << way.way.name;
    EXPECT_TRUE(way.way.kind != Kind::Sort || way.has_direction()) << way.way.name;
    EXPECT_TRUE(way.way.kind != Kind::Relation || way.request.has("by")) << way.way.name;
    EXPECT_EQ(way.way.name.find("${"), std::string::npos) << way.way.name;
  }
}

// Parameters that are JSON stay so, whatever the values are.
TEST_P(Builtin, BodiesAreJson) {
  auto dialect = parse_dialect(GetParam().text, GetParam().name);
  ASSERT_TRUE(dialect) << dialect.error().message;
  for (const WayTemplate& way : dialect->ways) {
    Places places = some_places();
    places.direction = way.directions[1];
    if (!way.request.body.empty()) {
      EXPECT_TRUE(parse_json(fill(way.request, places).body)) << way.way.name;
    }
    for (const Parameter& parameter : way.request.query) {
      const std::string value = parameter.value.fill(places);
      EXPECT_TRUE(!value.starts_with('{') || parse_json(value)) << way.way.name << ": " << value;
    }
  }
  EXPECT_TRUE(parse_json(fill(dialect->create->request, some_places()).body));
  EXPECT_TRUE(parse_json(fill(*dialect->change, some_places()).body));
}

INSTANTIATE_TEST_SUITE_P(All, Builtin, testing::ValuesIn(builtin_dialects()),
                         [](const testing::TestParamInfo<BuiltinDialect>& dialect) {
                           std::string name(dialect.param.name);
                           std::erase(name, '-');
                           return name;
                         });

// What is known to leak on real services must be asked.
TEST(BuiltinDialects, AskWhatOnceLeaked) {
  auto payload = open_dialect("payload");
  ASSERT_TRUE(payload) << payload.error().message;
  for (const char* name : {"sort", "sort as second key", "sort[]", "sort[0]", "sort by POST",
                           "where[OR] equals", "where[And] equals", "sort through a relation"}) {
    EXPECT_NE(way_called(*payload, name), nullptr) << name;
  }
  auto parse = open_dialect("parse");
  ASSERT_TRUE(parse) << parse.error().message;
  for (const char* name :
       {"order", "where", "where $or", "where $and", "where $nor", "where $regex", "count $or",
        "where $inQuery $or", "where $or by POST"}) {
    EXPECT_NE(way_called(*parse, name), nullptr) << name;
  }
}

// ---- Answers ----

TEST(AnswerSearch, FindsRowsWhereverTheyAre) {
  for (const char* text : {R"([{"id": 1}])", R"({"n": 1, "results": [{"id": 1}]})",
                           R"({"errors": [], "data": {"people": [{"id": 1}]}})",
                           R"({"data": {"people": {"edges": [{"node": {"id": 1}}]}}})"}) {
    auto answer = parse_json(text);
    ASSERT_TRUE(answer);
    const Json* rows = search_rows(*answer);
    ASSERT_NE(rows, nullptr) << text;
    EXPECT_EQ(id_text(search_id(rows->as_array()->front())), "1") << text;
  }
}

TEST(AnswerSearch, NoRowsAreAnEmptyListAndNotNothing) {
  auto answer = parse_json(R"({"results": [], "count": 0})");
  ASSERT_TRUE(answer);
  ASSERT_NE(search_rows(*answer), nullptr);
  EXPECT_TRUE(search_rows(*answer)->as_array()->empty());
  auto none = parse_json(R"({"count": 0})");
  ASSERT_TRUE(none);
  EXPECT_EQ(search_rows(*none), nullptr);
}

TEST(Pointer, FollowsNamesAndNumbers) {
  auto answer = parse_json(R"({"a/b": [{"c~": 7}]})");
  ASSERT_TRUE(answer);
  auto pointer = Pointer::parse("/a~1b/0/c~0");
  ASSERT_TRUE(pointer);
  ASSERT_NE(pointer->find(*answer), nullptr);
  EXPECT_EQ(*pointer->find(*answer)->as_integer(), 7);
  EXPECT_EQ(Pointer::parse("/a~1b/1")->find(*answer), nullptr);
  EXPECT_FALSE(Pointer::parse("a"));
}

}  // namespace
}  // namespace rankveil::probe
