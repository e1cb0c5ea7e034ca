// What a GraphQL service says about itself when it is introspected: types, their fields, and what
// fields take. Nothing here asks anybody.
//
//   auto schema = GraphqlSchema::parse(answer);   // to the question introspection()
//   const GraphqlType* people = schema->find("Person");
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/probe/field.h"

namespace rankveil::probe {

// "[PersonOrder!]!" is a list of PersonOrder that must be there.
struct GraphqlRef {
  std::string name = {};  // of the type inside
  std::string text = {};  // as it is written
  bool is_list = false;
  bool is_needed = false;
};

struct GraphqlArgument {
  std::string name;
  GraphqlRef type;
  bool has_default = false;
};

struct GraphqlMember {
  std::string name;
  GraphqlRef type;
  std::vector<GraphqlArgument> arguments = {};
};

struct GraphqlType {
  std::string name;
  std::string kind;                          // SCALAR, OBJECT, INTERFACE, UNION, ENUM, INPUT_OBJECT
  std::vector<GraphqlMember> members = {};   // of objects and interfaces
  std::vector<GraphqlArgument> inputs = {};  // of input objects
  std::vector<std::string> values = {};      // of enums

  bool is_object() const { return kind == "OBJECT" || kind == "INTERFACE"; }
  bool is_input() const { return kind == "INPUT_OBJECT"; }
  bool is_enum() const { return kind == "ENUM"; }
};

const GraphqlArgument* argument_called(const std::vector<GraphqlArgument>& arguments,
                                       std::string_view name);

class GraphqlSchema {
 public:
  // The question, as GraphQL.
  static const char* introspection();
  // Refuses an answer without a schema, with what the service said instead.
  static Result<GraphqlSchema> parse(const Json& answer);

  const GraphqlType* find(std::string_view name) const;
  const GraphqlType* queries() const { return find(queries_); }
  const GraphqlType* mutations() const { return find(mutations_); }  // null: there are none

  // A value by itself: a scalar or one of an enum, and not a list of them.
  bool is_plain(const GraphqlRef& type) const;
  // The field as probes know it: its type and, of an enum, what it may be.
  Field field_of(const GraphqlMember& member) const;
  // Plain members of a type that need no argument.
  std::vector<const GraphqlMember*> plain_members(const GraphqlType& type) const;

 private:
  std::map<std::string, GraphqlType, std::less<>> types_;
  std::string queries_;
  std::string mutations_;
};

}  // namespace rankveil::probe
