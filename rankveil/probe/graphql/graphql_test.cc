#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/probe/dialect/answer_search.h"
#include "rankveil/probe/graphql/introspect.h"
#include "rankveil/probe/graphql/sdl.h"
#include "rankveil/probe/graphql/ways.h"

namespace rankveil::probe {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

GraphqlSchema schema_of(std::string_view sdl) {
  auto schema = GraphqlSchema::parse(introspected(sdl));
  EXPECT_TRUE(schema) << schema.error().message;
  return std::move(*schema);
}

// One schema for everybody; strangers see id and name.
Dialect dialect_made_of(std::string_view sdl, std::string_view collection = "people") {
  const GraphqlSchema schema = schema_of(sdl);
  auto listing = find_listing(schema, collection);
  EXPECT_TRUE(listing) << listing.error().message;
  return graphql_dialect(schema, schema, *listing, {"id", "name"});
}

std::vector<std::string> way_names(const Dialect& dialect) {
  std::vector<std::string> names;
  for (const WayTemplate& way : dialect.ways) names.push_back(way.way.name);
  return names;
}

Places graphql_places() {
  Places places{.url = "/graphql", .collection = "people", .field = "lastIncome", .id = "17"};
  places.direction = "desc";
  places.mark = "rvprobe1";
  places.mark_field = "name";
  places.value = {"zz\"q", true};
  places.low = {"4", false};
  places.high = {"6", false};
  places.row.set("name", "a \"b\"");
  places.change.set("income", 5);
  return places;
}

std::string query_sent(const RequestTemplate& request) {
  auto body = parse_json(fill(request, graphql_places()).body);
  EXPECT_TRUE(body);
  return body ? body->text_at("query") : "";
}

std::string asked_by(const Dialect& dialect, std::string_view name) {
  for (const WayTemplate& way : dialect.ways) {
    if (way.way.name == name) return query_sent(way.request);
  }
  ADD_FAILURE() << "no way is called " << name << ": "
                << testing::PrintToString(way_names(dialect));
  return "";
}

constexpr const char* people =
    "type Person { id: ID! name: String lastIncome: Int friends: [Person] } ";

std::string service(const std::string& arguments, const std::string& more = "") {
  return std::string(people) + "type Query { people(" + arguments + "): [Person!]! } " + more;
}

// ---- Listings ----

TEST(Graphql, KnowsListsAndPagesOfRows) {
  for (const char* type :
       {"type Page { nodes: [Person] totalCount: Int }",
        "type Page { docs: [Person] totalDocs: Int }",
        "type Page { edges: [Edge] count: Int pageInfo: Info } type Edge { node: Person } "
        "type Info { endCursor: String }"}) {
    const GraphqlSchema schema =
        schema_of(std::string(people) + type + " type Query { everybody(first: Int): Page }");
    auto listing = find_listing(schema, "");
    ASSERT_TRUE(listing) << type << listing.error().message;
    EXPECT_EQ(listing->root.name, "everybody");
    EXPECT_EQ(listing->row.name, "Person");
    EXPECT_THAT(listing->count, Not(IsEmpty())) << type;
  }
}

TEST(Graphql, SaysWhichListingsThereAre) {
  const GraphqlSchema schema = schema_of(
      std::string(people) +
      "type Post { id: ID! } type Query { people: [Person] posts: [Post] one(id: ID!): Person }");
  EXPECT_TRUE(find_listing(schema, "Person")) << "by the type of its rows, too";
  auto none = find_listing(schema, "");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("--collection: there are people, posts"));
  EXPECT_FALSE(find_listing(schema, "orders"));
}

TEST(Graphql, TakesNoNameThatIsNone) {
  Json answer = introspected("type Query { people: [Person] } type Person { id: ID! }");
  auto text = answer.dump(-1);
  text.replace(text.find("\"id\""), 4, "\"id ${row}\"");
  auto schema = GraphqlSchema::parse(*parse_json(text));
  ASSERT_TRUE(schema);
  EXPECT_FALSE(find_listing(*schema, "people")) << "its rows have no id any more";
}

TEST(Graphql, ARefusalSaysWhatTheServiceSaid) {
  auto schema =
      GraphqlSchema::parse(*parse_json(R"({"errors": [{"message": "introspection is off"}]})"));
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().message, HasSubstr("introspection is off"));
}

// ---- Orders ----

TEST(Graphql, OrdersAreSpeltAsTheirTypeSays) {
  const Dialect words = dialect_made_of(service(
      "orderBy: [Order!]", "enum Order { NAME_ASC NAME_DESC LAST_INCOME_ASC LAST_INCOME_DESC }"));
  EXPECT_EQ(words.ways.front().directions[1], "_DESC");
  EXPECT_THAT(asked_by(words, "orderBy: fielddirection (_DESC)"),
              HasSubstr("people(orderBy: LAST_INCOMEdesc)"))
      << "the direction is the caller's";
  const Dialect object = dialect_made_of(
      service("order_by: [By!]", "input By { name: Dir lastIncome: Dir } enum Dir { asc desc }"));
  EXPECT_THAT(asked_by(object, "order_by: {field: direction} (desc)"),
              HasSubstr("order_by: {lastIncome: desc}"));
  const Dialect nested =
      dialect_made_of(service("orderBy: By",
                              "input By { name: How } input How { sort: Dir nulls: Nulls } "
                              "enum Dir { asc desc } enum Nulls { first last }"));
  EXPECT_THAT(asked_by(nested, "orderBy: {field: {sort: direction}} (desc)"),
              HasSubstr("{lastIncome: {sort: desc}}"));
  const Dialect pair =
      dialect_made_of(service("orderBy: By",
                              "input By { field: F! direction: Dir! } enum F { NAME LAST_INCOME } "
                              "enum Dir { ASC DESC }"));
  EXPECT_THAT(asked_by(pair, "orderBy: {field: field, direction: direction} (DESC)"),
              HasSubstr("{field: LAST_INCOME, direction: desc}"));
  const Dialect texts = dialect_made_of(service("sort: [String] limit: Int"));
  EXPECT_THAT(asked_by(texts, "sort: \"directionfield\""),
              HasSubstr("(sort: \"desclastIncome\", limit: 10)"));
  EXPECT_THAT(way_names(texts), Contains("sort: \"field:direction\" (desc)"));
  const Dialect beside =
      dialect_made_of(service("sortBy: String sortOrder: Dir", "enum Dir { ASC DESC }"));
  EXPECT_THAT(asked_by(beside, "sortBy: \"field\", sortOrder: direction (DESC)"),
              HasSubstr("(sortBy: \"lastIncome\", sortOrder: desc)"));
  const Dialect below =
      dialect_made_of(service("options: Options", "input Options { sort: String limit: Int }"));
  EXPECT_THAT(asked_by(below, "options: {sort: \"directionfield\"}"),
              HasSubstr("(options: {sort: \"desclastIncome\", limit: 10})"));
}

// ---- Conditions ----

constexpr const char* conditions =
    "input Where { id: Text name: Text lastIncome: Number OR: [Where!] AND: [Where!] NOT: Where } "
    "input Text { equals: String contains: String in: [String!] not: String isNull: Boolean } "
    "input Number { equals: Int gt: Int lt: Int }";

TEST(Graphql, ConditionsHaveEveryOperatorAndLogic) {
  const Dialect dialect = dialect_made_of(service("where: Where", conditions));
  EXPECT_THAT(
      way_names(dialect),
      IsSupersetOf({"where: {field: {equals: value}}", "where: {field: {contains: value}}",
                    "where: {field: {in: [value]}}", "where: {OR: [{field: {equals: value}}]}",
                    "where: {AND: [{OR: [{field: {equals: value}}]}]}",
                    "where: {NOT: {field: {equals: value}}}"}));
  EXPECT_THAT(way_names(dialect), Not(Contains("where: {field: {isNull: value}}")));
  EXPECT_THAT(asked_by(dialect, "where: {field: {equals: value}}"),
              HasSubstr(R"(people(where: {lastIncome: {equals: "zz\"q"}}))"));
  EXPECT_THAT(asked_by(dialect, "where: {field: {gt: low, lt: high}}"),
              HasSubstr("{lastIncome: {gt: 4, lt: 6}}"));
  EXPECT_THAT(asked_by(dialect, "where: {field: {not: value}}"),
              HasSubstr(R"(where: {id: {equals: "17"}, lastIncome: {not: "zz\"q"}})"))
      << "of the own row alone";
}

TEST(Graphql, ConditionsMayBeArgumentsOrAnyObject) {
  const Dialect flat =
      dialect_made_of(service("name: String lastIncome: Int name_contains: String"));
  EXPECT_THAT(way_names(flat), IsSupersetOf({"field: value", "field_contains: value"}));
  EXPECT_THAT(asked_by(flat, "field_contains: value"),
              HasSubstr(R"(people(lastIncome_contains: "zz\"q"))"));
  const Dialect any = dialect_made_of(service("filter: JSON", "scalar JSON"));
  EXPECT_THAT(way_names(any),
              IsSupersetOf({"filter: {field: value}", "filter: {OR: [{field: value}]}",
                            "filter: {field: {_eq: value}}"}));
}

TEST(Graphql, SearchesCountsGroupsAndCursorsAreWays) {
  const Dialect dialect = dialect_made_of(
      std::string(people) + conditions +
      "type Query { people(search: String where: Where first: Int orderBy: [O!]): Page "
      "people_aggregated(where: Where groupBy: [String]): [Sums!] countPeople(where: Where): Int } "
      "enum O { name_ASC name_DESC } "
      "type Page { nodes: [Person] totalCount: Int pageInfo: Info } type Info { endCursor: String "
      "} "
      "type Sums { group: JSON countAll: Int max: Max } type Max { lastIncome: Int } scalar JSON");
  EXPECT_THAT(way_names(dialect),
              IsSupersetOf({"search: \"value\"", "totalCount of where: {field: {equals: value}}",
                            "cursor of orderBy: fielddirection (_DESC)", "column",
                            "people_aggregated.max", "people_aggregated groupBy: [\"field\"]",
                            "people_aggregated.countAll of where: {field: {equals: value}}",
                            "countPeople of where: {field: {equals: value}}"}));
  EXPECT_EQ(asked_by(dialect, "people_aggregated.max"),
            "{ rows: people_aggregated { max { lastIncome } } }");
  EXPECT_EQ(asked_by(dialect, "column"),
            "{ rows: people(where: {id: {equals: \"17\"}}) { nodes { id lastIncome } } }");
}

// ---- Writing ----

TEST(Graphql, WritesWithVariables) {
  const Dialect dialect = dialect_made_of(service(
      "where: Where",
      std::string(conditions) +
          "type Mutation { createPerson(data: New!): Person createPersonGroup(data: New!): Int "
          "updatePerson(id: ID!, data: Change!): Person deletePerson(id: ID!): Person } "
          "input New { name: String lastIncome: Int } input Change { lastIncome: Int }"));
  ASSERT_TRUE(dialect.can_write());
  EXPECT_EQ(fill(dialect.create->request, graphql_places()).body,
            R"({"query": "mutation($row: New!) { made: createPerson(data: $row) { id } }", )"
            R"("variables": {"row": {"name":"a \"b\""}}})");
  EXPECT_EQ(dialect.create->id->text(), "/data/made/id");
  EXPECT_EQ(fill(*dialect.change, graphql_places()).body,
            R"({"query": "mutation($id: ID!, $row: Change!) { made: updatePerson(id: $id, )"
            R"(data: $row) { id } }", "variables": {"id": "17", "row": {"income":5}}})");
  EXPECT_EQ(query_sent(*dialect.remove),
            "mutation($id: ID!) { made: deletePerson(id: $id) { id } }");
  EXPECT_EQ(query_sent(dialect.read->request),
            R"({ rows: people(where: {id: {equals: "17"}}) { id lastIncome } })");
  EXPECT_EQ(query_sent(*dialect.find),
            R"({ rows: people(where: {name: {equals: "rvprobe1"}}) { id name } })");
}

TEST(Graphql, WritesIntoPayloadsAndFlatArguments) {
  const Dialect relay = dialect_made_of(service(
      "",
      "type Mutation { createPerson(input: C!): Made updatePerson(input: U!): Made "
      "deletePerson(input: D!): Made } type Made { person: Person } "
      "input C { clientMutationId: String fields: F } input F { name: String lastIncome: Int } "
      "input U { id: ID! patch: F! } input D { id: ID! }"));
  EXPECT_EQ(query_sent(relay.create->request),
            "mutation($row: F) { made: createPerson(input: {fields: $row}) { person { id } } }");
  EXPECT_EQ(relay.create->id->text(), "/data/made/person/id");
  EXPECT_EQ(query_sent(*relay.change),
            "mutation($id: ID!, $row: F!) { made: updatePerson(input: {id: $id, patch: $row}) "
            "{ person { id } } }");
  const Dialect flat =
      dialect_made_of(service("",
                              "type Mutation { addPerson(name: String!, lastIncome: Int): Person "
                              "updatePerson(id: ID!, name: String, lastIncome: Int): Person "
                              "removePerson(id: ID!): Boolean }"));
  EXPECT_EQ(query_sent(flat.create->request),
            R"(mutation { made: addPerson(name: "a \"b\"") { id } })");
  EXPECT_EQ(query_sent(*flat.change),
            R"(mutation { made: updatePerson(id: "17", income: 5) { id } })");
  EXPECT_EQ(query_sent(*flat.remove), "mutation($id: ID!) { made: removePerson(id: $id) }");
}

TEST(Graphql, SaysThatItCannotWriteWhereAMutationNeedsMore) {
  const Dialect dialect = dialect_made_of(
      service("",
              "type Mutation { createPerson(data: New!, captcha: String!): Person } "
              "input New { name: String }"));
  EXPECT_FALSE(dialect.create);
  EXPECT_FALSE(dialect.can_write());
}

// ---- Values ----

TEST(Graphql, WordsOfAnEnumHaveNoQuotes) {
  const GraphqlSchema schema = schema_of(
      "type Query { people: [Person] } type Person { id: ID! plan: Plan seen: DateTime n: Float } "
      "enum Plan { FREE PAID } scalar DateTime");
  const GraphqlType& row = *schema.find("Person");
  const Field plan = schema.field_of(row.members[1]);
  EXPECT_THAT(plan.choices, ElementsAre("FREE", "PAID"));
  EXPECT_TRUE(plan.is_word);
  EXPECT_EQ(schema.field_of(row.members[2]).type, FieldType::Date);
  EXPECT_EQ(schema.field_of(row.members[3]).type, FieldType::Number);
}

}  // namespace
}  // namespace rankveil::probe
