#include "rankveil/probe/graphql/writing.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <optional>

#include "rankveil/probe/graphql/ways.h"

namespace rankveil::probe {
namespace {

bool is_id(std::string_view name, const GraphqlListing& listing) {
  return name == listing.id ||
         is_called(name, {"id", "documentid", "objectid", "nodeid", "uuid", "pk", "rowid"});
}

bool is_needed(const GraphqlArgument& argument) {
  return argument.type.is_needed && !argument.has_default;
}

// A place in the arguments of a mutation.
struct Place {
  std::vector<std::string> path;
  std::string type;  // as a variable of it is declared
};

class Mutation {
 public:
  Mutation(const GraphqlSchema& schema, const GraphqlListing& listing,
           const std::vector<std::string>& fields, const GraphqlMember& member)
      : schema_(schema), listing_(listing), fields_(fields), member_(member) {
    look(member.arguments, {}, 0);
  }

  const std::optional<Place>& row() const { return row_; }
  const std::optional<Place>& id() const { return id_; }
  // The members of the row are arguments, or stand beside its id.
  bool is_flat() const { return is_flat_; }

  // Whether nothing is needed but the row and its id.
  bool is_complete() const {
    return std::ranges::all_of(member_.arguments, [&](const GraphqlArgument& argument) {
      return !is_needed(argument) || (row_ && row_->path.front() == argument.name) ||
             (id_ && id_->path.front() == argument.name) || (is_flat_ && is_field(argument.name));
    });
  }

  // What the answer shows: the row, the object with the row in it, or nothing of use. `pointer`:
  // where the row's id is.
  std::string selection(std::string& pointer) const {
    const GraphqlType* type = schema_.find(member_.type.name);
    if (type == nullptr || !type->is_object()) return "";
    pointer = "/data/made";
    if (has_id(*type)) {
      pointer += (member_.type.is_list ? "/0/" : "/") + listing_.id;
      return fmt::format(" {{ {} }}", listing_.id);
    }
    for (const GraphqlMember& inside : type->members) {
      const GraphqlType* row = schema_.find(inside.type.name);
      if (row == nullptr || row->name != listing_.row.name) continue;
      pointer += fmt::format("/{}{}/{}", inside.name, inside.type.is_list ? "/0" : "", listing_.id);
      return fmt::format(" {{ {} {{ {} }} }}", inside.name, listing_.id);
    }
    pointer.clear();
    return " { __typename }";
  }

  const GraphqlMember& member() const { return member_; }

 private:
  bool is_field(const std::string& name) const {
    return name != listing_.id && std::ranges::find(fields_, name) != fields_.end();
  }

  bool has_id(const GraphqlType& type) const {
    return std::ranges::any_of(type.members, [&](const GraphqlMember& member) {
      return member.name == listing_.id && schema_.is_plain(member.type);
    });
  }

  std::size_t fields_in(const std::vector<GraphqlArgument>& arguments) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        arguments, [&](const GraphqlArgument& argument) { return is_field(argument.name); }));
  }

  void look(const std::vector<GraphqlArgument>& arguments, const std::vector<std::string>& path,
            int depth) {
    for (const GraphqlArgument& argument : arguments) {
      std::vector<std::string> below = path;
      below.push_back(argument.name);
      if (schema_.is_plain(argument.type)) {
        if (!id_ && is_id(argument.name, listing_)) id_ = Place{below, argument.type.text};
        continue;
      }
      const GraphqlType* type = schema_.find(argument.type.name);
      if (type == nullptr || !type->is_input()) continue;
      const std::size_t known = fields_in(type->inputs);
      const bool holds_id = std::ranges::any_of(type->inputs, [&](const GraphqlArgument& input) {
        return is_id(input.name, listing_) && is_needed(input);
      });
      const bool is_row = known > best_ && !is_called(argument.name, {"where", "filter"});
      if (is_row) {
        best_ = known;
        row_ = Place{below, argument.type.text};
        is_flat_ = holds_id;
      }
      if (depth < 2 && (!is_row || holds_id)) look(type->inputs, below, depth + 1);
    }
    if (depth == 0 && !row_ && fields_in(arguments) > 0) {
      row_ = Place{{""}, ""};
      is_flat_ = true;
    }
  }

  const GraphqlSchema& schema_;
  const GraphqlListing& listing_;
  const std::vector<std::string>& fields_;
  const GraphqlMember& member_;
  std::optional<Place> row_;
  std::optional<Place> id_;
  std::size_t best_ = 0;
  bool is_flat_ = false;
};

// A request with variables: JSON around GraphQL.
RequestTemplate with_variables(const std::string& text, const std::string& variables) {
  const std::string quoted = Json(text).dump(-1);
  const std::string body =
      fmt::format(R"({{"query": {}, "variables": {{{}}}}})", quoted, variables);
  RequestTemplate request;
  request.method = "POST";
  request.path = *RequestText::parse("${url}", RequestText::Spelling::Path, "");
  auto parsed = RequestText::parse(body, RequestText::Spelling::Json, "it");
  assert(parsed && "names of GraphQL have no places in them");
  request.body = std::move(*parsed);
  return request;
}

class WritingMaker {
 public:
  WritingMaker(const GraphqlSchema& schema, const GraphqlListing& listing,
               const std::vector<std::string>& fields, Dialect& dialect)
      : schema_(schema), listing_(listing), fields_(fields), dialect_(dialect) {}

  void make() {
    if (schema_.mutations() != nullptr) {
      make_create();
      make_change();
      make_remove();
    }
    make_read();
    make_find();
  }

 private:
  // The mutation with the shortest name that does it to one row.
  std::optional<Mutation> mutation(std::initializer_list<std::string_view> verbs, bool needs_row,
                                   bool needs_id) const {
    std::optional<Mutation> found;
    const GraphqlMember* best = nullptr;
    for (const GraphqlMember& member : schema_.mutations()->members) {
      if (!is_of_rows(member.name) || !does(member.name, verbs) || member.type.is_list) continue;
      const bool is_better = best == nullptr || member.name.size() < best->name.size();
      Mutation mutation(schema_, listing_, fields_, member);
      const bool fits =
          (!needs_row || mutation.row()) && (!needs_id || mutation.id()) && mutation.is_complete();
      if (!fits || !is_better) continue;
      best = &member;
      found.emplace(schema_, listing_, fields_, member);
    }
    return found;
  }

  static bool does(const std::string& name, std::initializer_list<std::string_view> verbs) {
    const std::string letters = letters_of_name(name);
    return std::ranges::any_of(verbs, [&](std::string_view verb) {
      return letters.starts_with(verb) || letters.ends_with(verb);
    });
  }

  bool is_of_rows(const std::string& name) const {
    const std::string letters = letters_of_name(name);
    std::string one = letters_of_name(listing_.root.name);
    if (one.ends_with('s')) one.pop_back();
    return letters.find(letters_of_name(listing_.row.name)) != std::string::npos ||
           letters.find(one) != std::string::npos;
  }

  std::string id_variable() const {
    return listing_.has_number_ids ? R"("id": ${id|bare})" : R"("id": "${id}")";
  }

  // A row or a change as an argument: a variable, or its members beside others.
  RequestTemplate request(const Mutation& mutation, const std::string& what, bool with_id) const {
    std::string pointer;
    const std::string selection = mutation.selection(pointer);
    std::vector<GraphqlPart> parts;
    if (what.empty() || !mutation.is_flat()) {
      std::string declared;
      std::string variables;
      const auto declare = [&](const std::string& name, const std::string& type,
                               const std::string& value) {
        declared += fmt::format("{}${}: {}", declared.empty() ? "" : ", ", name, type);
        variables += (variables.empty() ? "" : ", ") + value;
      };
      if (with_id) {
        parts.push_back({mutation.id()->path, "$id"});
        declare("id", mutation.id()->type, id_variable());
      }
      if (!what.empty()) {
        parts.push_back({mutation.row()->path, "$row"});
        declare("row", mutation.row()->type, fmt::format(R"("row": ${{{}}})", what));
      }
      return with_variables(fmt::format("mutation({}) {{ made: {}{}{} }}", declared,
                                        mutation.member().name, in_brackets(parts), selection),
                            variables);
    }
    std::vector<std::string> path = mutation.row()->path;
    if (!path.back().empty()) path.emplace_back();
    const std::string id = listing_.has_number_ids ? "${id|bare}" : "${id}";
    if (with_id) parts.push_back({mutation.id()->path, id});
    parts.push_back({path, fmt::format("${{{}|bare}}", what)});
    return graphql_request(fmt::format("mutation {{ made: {}{}{} }}", mutation.member().name,
                                       in_brackets(parts), selection));
  }

  void make_create() {
    const auto made = mutation({"create", "insert", "add"}, true, false);
    if (!made) return;
    std::string pointer;
    made->selection(pointer);
    if (pointer.empty()) return;
    dialect_.create = CreateTemplate{request(*made, "row", false), pointer_to(pointer)};
  }

  void make_change() {
    const auto made = mutation({"update", "edit", "patch", "modify", "change"}, true, true);
    if (made) dialect_.change = request(*made, "change", true);
  }

  void make_remove() {
    const auto made = mutation({"delete", "remove", "destroy"}, false, true);
    if (made) dialect_.remove = request(*made, "", true);
  }

  // By a query for one row, else by a condition.
  void make_read() {
    for (const GraphqlMember& member : schema_.queries()->members) {
      const bool gives_row = member.type.name == listing_.row.name && !member.type.is_list;
      if (!gives_row) continue;
      const Mutation query(schema_, listing_, fields_, member);
      if (!query.id() || !query.is_complete()) continue;
      const std::string text =
          fmt::format("query($id: {}) {{ row: {}{} {{ {} ${{field}} }} }}", query.id()->type,
                      member.name, in_brackets({{query.id()->path, "$id"}}), listing_.id);
      dialect_.read = ReadTemplate{with_variables(text, id_variable()), pointer_to("/data/row")};
      return;
    }
    const auto parts = equal_to(schema_, listing_, fields_, listing_.id,
                                listing_.has_number_ids ? "${id|bare}" : "${id}");
    if (parts.empty()) return;
    const std::string where = listing_.list.empty()      ? "/data/rows/0"
                              : listing_.list == "edges" ? "/data/rows/edges/0/node"
                                                         : "/data/rows/" + listing_.list + "/0";
    dialect_.read = ReadTemplate{
        graphql_request(fmt::format("{{ rows: {}{} {} }}", listing_.root.name, in_brackets(parts),
                                    listing_.selection(listing_.id + " ${field}"))),
        pointer_to(where)};
  }

  void make_find() {
    const auto parts = equal_to(schema_, listing_, fields_, "${mark_field}", "${mark}");
    if (parts.empty()) return;
    dialect_.find =
        graphql_request(fmt::format("{{ rows: {}{} {} }}", listing_.root.name, in_brackets(parts),
                                    listing_.selection(listing_.id + " ${mark_field}")));
  }

  const GraphqlSchema& schema_;
  const GraphqlListing& listing_;
  const std::vector<std::string>& fields_;
  Dialect& dialect_;
};

}  // namespace

void add_writing(const GraphqlSchema& schema, const GraphqlListing& listing,
                 const std::vector<std::string>& fields, Dialect& dialect) {
  WritingMaker(schema, listing, fields, dialect).make();
}

}  // namespace rankveil::probe
