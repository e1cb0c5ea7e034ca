#include "rankveil/probe/graphql/filters.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace rankveil::probe {
namespace {

bool is_filter(std::string_view name) {
  return is_called(name, {"where", "filter", "filters", "condition", "conditions", "filterby",
                          "having", "criteria", "predicate"});
}

bool negates(std::string_view op) {
  const std::string letters = letters_of_name(op);
  return letters.starts_with("not") || letters.starts_with("isnot") ||
         is_called(op, {"ne", "neq", "nin", "ncontains", "nlike", "nilike", "ncontain",
                        "distinctfrom", "isdistinctfrom", "nicontains", "nsimilar", "nregex",
                        "niregex", "doesnotcontain", "nstartswith", "nendswith", "nbetween"});
}

bool is_equal_sign(std::string_view op) {
  return is_called(op, {"eq", "equals", "equal", "equalto", "is", "exact"});
}

// "gt" and its like, without those that take the end itself.
bool is_above(std::string_view op) { return is_called(op, {"gt", "greaterthan", "after"}); }
bool is_below(std::string_view op) { return is_called(op, {"lt", "lessthan", "before"}); }

std::string value_for(const GraphqlRef& type, std::string_view op) {
  if (is_called(op, {"between", "range"})) return "[${low}, ${high}]";
  return type.is_list ? "[${value}]" : "${value}";
}

// The operators of one argument, each once, whatever field they were met at.
class FilterReader {
 public:
  FilterReader(const GraphqlSchema& schema, const std::vector<std::string>& fields,
               const GraphqlRowId& id, GraphqlFilter& filter)
      : schema_(schema), fields_(fields), id_(id), filter_(filter) {}

  void read(const GraphqlType& type) {
    for (const GraphqlArgument& input : type.inputs) {
      if (is_field(input.name)) {
        read_field(input);
      } else {
        read_suffix(input);
      }
      if (input.name == id_.name) read_id(input);
    }
    add_range();
    for (const GraphqlArgument& input : type.inputs) read_logic(type, input);
  }

  // An argument that takes any object.
  void guess() {
    for (const char* op : {"eq", "_eq", "equals"}) {
      add(fmt::format("${{field}}: {{{}: ${{value}}}}", op), false);
    }
    add("${field}: ${value}", false);
    filter_.equal = "${field}: ${value}";
    filter_.own_row = fmt::format("{}: {}", id_.name, id_.text);
    for (const char* logic : {"or", "and", "OR", "AND", "_or", "_and"}) {
      add(fmt::format("{}: [{{{}}}]", logic, filter_.equal), false);
    }
  }

 private:
  bool is_field(const std::string& name) const {
    return std::ranges::find(fields_, name) != fields_.end();
  }

  void add(std::string text, bool negated) {
    const auto known = std::ranges::find(filter_.conditions, text, &GraphqlCondition::text);
    if (known == filter_.conditions.end()) filter_.conditions.push_back({std::move(text), negated});
  }

  // `religion: "x"` or `religion: {equals: "x"}`
  void read_field(const GraphqlArgument& input) {
    const GraphqlType* type = schema_.find(input.type.name);
    if (type == nullptr) return;
    if (!type->is_input()) {
      const std::string text = "${field}: " + value_for(input.type, "");
      add(text, false);
      if (filter_.equal.empty() && !input.type.is_list) filter_.equal = text;
      return;
    }
    for (const GraphqlArgument& op : type->inputs) {
      const GraphqlType* taken = schema_.find(op.type.name);
      const bool takes_value = taken != nullptr && !taken->is_input() && taken->name != "Boolean";
      if (!takes_value) continue;
      const std::string text =
          fmt::format("${{field}}: {{{}: {}}}", op.name, value_for(op.type, op.name));
      add(text, negates(op.name));
      if (is_equal_sign(op.name) && !op.type.is_list) filter_.equal = text;
      if (is_above(op.name)) above_ = fmt::format("{}: ${{low}}", op.name);
      if (is_below(op.name)) below_ = fmt::format("{}: ${{high}}", op.name);
    }
  }

  // `religion_contains: "x"`, `religionContains: "x"`
  void read_suffix(const GraphqlArgument& input) {
    for (const std::string& field : fields_) {
      if (!input.name.starts_with(field) || input.name.size() == field.size()) continue;
      const std::string op = input.name.substr(field.size());
      const bool begins_a_word =
          op.front() == '_' || std::isupper(static_cast<unsigned char>(op.front())) != 0;
      const GraphqlType* taken = schema_.find(input.type.name);
      const bool takes_value = taken != nullptr && !taken->is_input() && taken->name != "Boolean";
      if (!begins_a_word || !takes_value) continue;
      const std::string text = fmt::format("${{field}}{}: {}", op, value_for(input.type, op));
      add(text, negates(op));
      if (is_equal_sign(op) && filter_.equal.empty()) filter_.equal = text;
      if (is_above(op)) above_suffix_ = fmt::format("${{field}}{}: ${{low}}", op);
      if (is_below(op)) below_suffix_ = fmt::format("${{field}}{}: ${{high}}", op);
    }
  }

  void read_id(const GraphqlArgument& input) {
    const GraphqlType* type = schema_.find(input.type.name);
    if (type == nullptr) return;
    if (!type->is_input()) {
      filter_.own_row = fmt::format("{}: {}", id_.name, id_.text);
      return;
    }
    for (const GraphqlArgument& op : type->inputs) {
      if (!is_equal_sign(op.name)) continue;
      filter_.own_row = fmt::format("{}: {{{}: {}}}", id_.name, op.name, id_.text);
      return;
    }
  }

  void add_range() {
    if (!above_.empty() && !below_.empty()) {
      add(fmt::format("${{field}}: {{{}, {}}}", above_, below_), false);
    }
    if (!above_suffix_.empty() && !below_suffix_.empty()) {
      add(fmt::format("{}, {}", above_suffix_, below_suffix_), false);
    }
  }

  static bool is_and_or(std::string_view name) { return is_called(name, {"and", "or"}); }
  static bool is_not(std::string_view name) { return is_called(name, {"not", "nor"}); }

  static std::string inside(const GraphqlArgument& logic, const std::string& text) {
    const std::string object = "{" + text + "}";
    return logic.name + ": " + (logic.type.is_list ? "[" + object + "]" : object);
  }

  void read_logic(const GraphqlType& type, const GraphqlArgument& input) {
    if (!is_and_or(input.name) && !is_not(input.name)) return;
    const std::string plain = !filter_.equal.empty()       ? filter_.equal
                              : filter_.conditions.empty() ? std::string()
                                                           : filter_.conditions.front().text;
    if (plain.empty()) return;
    if (is_not(input.name)) {
      add(inside(input, plain), true);
      return;
    }
    add(inside(input, plain), false);
    for (const GraphqlArgument& other : type.inputs) {
      if (is_and_or(other.name)) add(inside(input, inside(other, plain)), false);
    }
  }

  const GraphqlSchema& schema_;
  const std::vector<std::string>& fields_;
  const GraphqlRowId& id_;
  GraphqlFilter& filter_;
  std::string above_, below_, above_suffix_, below_suffix_;
};

// Arguments that have names of fields themselves: people(religion: "x").
std::optional<GraphqlFilter> filter_of_arguments(const GraphqlSchema& schema,
                                                 const std::vector<GraphqlArgument>& arguments,
                                                 const std::vector<std::string>& fields,
                                                 const GraphqlRowId& id) {
  GraphqlFilter filter{.path = {}};
  const GraphqlType all{.name = {}, .kind = "INPUT_OBJECT", .inputs = arguments};
  FilterReader(schema, fields, id, filter).read(all);
  if (filter.conditions.empty()) return std::nullopt;
  return filter;
}

}  // namespace

std::vector<GraphqlFilter> filters_of(const GraphqlSchema& schema,
                                      const std::vector<GraphqlArgument>& arguments,
                                      const std::vector<std::string>& fields,
                                      const GraphqlRowId& id) {
  std::vector<GraphqlFilter> filters;
  for (const GraphqlSlot& slot : slots_of(schema, arguments)) {
    const GraphqlType* type = schema.find(slot.argument.type.name);
    if (type == nullptr || !is_filter(slot.argument.name)) continue;
    GraphqlFilter filter{.path = slot.path};
    FilterReader reader(schema, fields, id, filter);
    const bool takes_any = type->kind == "SCALAR" && type->name != "String" && type->name != "ID";
    if (type->is_input()) reader.read(*type);
    if (takes_any) reader.guess();
    if (!filter.conditions.empty()) filters.push_back(std::move(filter));
  }
  if (auto filter = filter_of_arguments(schema, arguments, fields, id)) {
    filters.push_back(std::move(*filter));
  }
  return filters;
}

}  // namespace rankveil::probe
