#include "rankveil/probe/graphql/orders.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "rankveil/probe/dialect/request_text.h"

namespace rankveil::probe {
namespace {

using Directions = std::array<std::string, 2>;

bool is_order(std::string_view name) {
  return is_called(name, {"order", "orderby", "sort", "sortby", "sorting", "ordering", "orders",
                          "sorts", "orderings", "sortings"});
}
bool is_direction(std::string_view name) {
  return is_called(name, {"direction", "dir", "order", "orderdirection", "sortdirection",
                          "sortorder", "orderdir", "sortdir"});
}

bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Of an enum: the word that begins like "asc", and like "desc".
std::optional<Directions> directions_in(const GraphqlType& type) {
  Directions found;
  for (const std::string& value : type.values) {
    const std::string letters = letters_of_name(value);
    if (found[0].empty() && letters.starts_with("asc")) found[0] = value;
    if (found[1].empty() && letters.starts_with("desc")) found[1] = value;
  }
  return found[0].empty() || found[1].empty() ? std::nullopt : std::optional(found);
}

class OrderReader {
 public:
  OrderReader(const GraphqlSchema& schema, const std::vector<GraphqlArgument>& arguments,
              const std::vector<std::string>& fields)
      : schema_(schema), slots_(slots_of(schema, arguments)), fields_(fields) {}

  std::vector<GraphqlOrder> read() {
    for (const GraphqlSlot& slot : slots_) {
      const GraphqlType* type = schema_.find(slot.argument.type.name);
      if (type == nullptr || !is_order(slot.argument.name)) continue;
      if (type->is_input()) {
        read_object(slot, *type);
      } else if (type->is_enum()) {
        read_words(slot, *type);
      } else {
        read_texts(slot);
      }
    }
    return std::move(orders_);
  }

 private:
  void add(std::vector<GraphqlPart> parts, Directions directions) {
    orders_.push_back({std::move(parts), std::move(directions)});
  }

  // "-income", "income:desc", "income DESC"
  void read_texts(const GraphqlSlot& slot) {
    if (add_beside(slot, R"("${field}")")) return;
    add({{slot.path, R"("${direction}${field}")"}}, {"", "-"});
    for (const char* joint : {":", "_", " "}) {
      const std::string text = fmt::format(R"("${{field}}{}${{direction}}")", joint);
      if (joint[0] == ':') add({{slot.path, text}}, {"asc", "desc"});
      if (joint[0] != ':') add({{slot.path, text}}, {"ASC", "DESC"});
    }
  }

  // INCOME_DESC, income_DESC, or income with a direction beside it.
  void read_words(const GraphqlSlot& slot, const GraphqlType& type) {
    const auto spells = [&](bool constant, const std::string& joint, const std::string& end) {
      return std::ranges::any_of(fields_, [&](const std::string& field) {
        return has_name(type.values, (constant ? constant_of(field) : field) + joint + end);
      });
    };
    for (const bool constant : {false, true}) {
      const std::string field = constant ? "${field|constant}" : "${field}";
      for (const Directions& ends : {Directions{"_ASC", "_DESC"}, Directions{"_asc", "_desc"},
                                     Directions{"Asc", "Desc"}, Directions{"ASC", "DESC"}}) {
        if (!spells(constant, "", ends[1])) continue;
        add({{slot.path, field + "${direction}"}}, ends);
      }
      if (!spells(constant, "", "")) continue;
      if (!add_beside(slot, field)) add({{slot.path, field}}, {"", ""});
    }
  }

  // The direction is an argument of its own.
  bool add_beside(const GraphqlSlot& slot, const std::string& field) {
    for (const GraphqlSlot& other : slots_) {
      const bool is_near = other.path.size() == slot.path.size() && other.path != slot.path &&
                           (slot.path.size() == 1 || other.path.front() == slot.path.front());
      if (!is_near || !is_direction(other.argument.name)) continue;
      const GraphqlType* type = schema_.find(other.argument.type.name);
      if (type == nullptr || type->is_input()) continue;
      const auto words = type->is_enum() ? directions_in(*type) : std::nullopt;
      if (type->is_enum() && !words) continue;
      add({{slot.path, field}, {other.path, words ? "${direction}" : R"("${direction}")"}},
          words ? *words : Directions{"asc", "desc"});
      return true;
    }
    return false;
  }

  void read_object(const GraphqlSlot& slot, const GraphqlType& type) {
    for (const GraphqlArgument& input : type.inputs) {
      if (!has_name(fields_, input.name)) continue;
      if (add_member(slot, input.type)) break;
    }
    const GraphqlArgument* name = nullptr;
    const GraphqlArgument* direction = nullptr;
    for (const GraphqlArgument& input : type.inputs) {
      if (is_called(input.name, {"field", "by", "key", "column", "property", "name", "on"})) {
        name = &input;
      } else if (is_direction(input.name) || is_called(input.name, {"sort", "ordering"})) {
        direction = &input;
      }
    }
    if (name != nullptr && direction != nullptr) add_pair(slot, *name, *direction);
  }

  // {income: desc}, {income: {sort: desc}}
  bool add_member(const GraphqlSlot& slot, const GraphqlRef& taken) {
    const GraphqlType* type = schema_.find(taken.name);
    if (type == nullptr) return false;
    if (!type->is_input()) {
      const auto words = type->is_enum() ? directions_in(*type) : std::nullopt;
      if (type->is_enum() && !words) return false;
      const bool is_number = type->name == "Int";
      const Directions usual = is_number ? Directions{"1", "-1"} : Directions{"asc", "desc"};
      const char* quotes = words || is_number ? "" : "\"";
      add({{slot.path, fmt::format("{{${{field}}: {}${{direction}}{}}}", quotes, quotes)}},
          words ? *words : usual);
      return true;
    }
    for (const GraphqlArgument& inside : type->inputs) {
      const GraphqlType* word = schema_.find(inside.type.name);
      const auto words = word != nullptr && word->is_enum() ? directions_in(*word) : std::nullopt;
      if (!words) continue;
      add({{slot.path, fmt::format("{{${{field}}: {{{}: ${{direction}}}}}}", inside.name)}},
          *words);
      return true;
    }
    return false;
  }

  // {field: INCOME, direction: DESC}
  void add_pair(const GraphqlSlot& slot, const GraphqlArgument& name,
                const GraphqlArgument& direction) {
    const GraphqlType* names = schema_.find(name.type.name);
    const GraphqlType* ways = schema_.find(direction.type.name);
    if (names == nullptr || ways == nullptr || names->is_input() || ways->is_input()) return;
    const auto words = ways->is_enum() ? directions_in(*ways) : std::nullopt;
    if (ways->is_enum() && !words) return;
    const std::string way = words ? "${direction}" : R"("${direction}")";
    std::vector<std::string> fields;
    if (!names->is_enum()) fields = {R"("${field}")"};
    for (const std::string& field : fields_) {
      if (!names->is_enum()) break;
      if (has_name(names->values, field)) fields = {"${field}"};
      if (has_name(names->values, constant_of(field))) fields = {"${field|constant}"};
      if (!fields.empty()) break;
    }
    for (const std::string& field : fields) {
      add({{slot.path, fmt::format("{{{}: {}, {}: {}}}", name.name, field, direction.name, way)}},
          words ? *words : Directions{"asc", "desc"});
    }
  }

  const GraphqlSchema& schema_;
  std::vector<GraphqlSlot> slots_;
  const std::vector<std::string>& fields_;
  std::vector<GraphqlOrder> orders_;
};

}  // namespace

std::vector<GraphqlOrder> orders_of(const GraphqlSchema& schema,
                                    const std::vector<GraphqlArgument>& arguments,
                                    const std::vector<std::string>& fields) {
  return OrderReader(schema, arguments, fields).read();
}

}  // namespace rankveil::probe
