#include "rankveil/probe/graphql/arguments.h"

#include <algorithm>
#include <cctype>
#include <span>

namespace rankveil::probe {
namespace {

std::string written_below(std::span<const GraphqlPart> parts, std::size_t depth) {
  std::string text;
  std::vector<std::string> done;
  for (const GraphqlPart& part : parts) {
    const std::string& name = part.path[depth];
    if (std::ranges::find(done, name) != done.end()) continue;
    if (!text.empty()) text += ", ";
    if (name.empty()) {
      text += part.text;
      continue;
    }
    if (part.path.size() == depth + 1) {
      text += name + ": " + part.text;
      continue;
    }
    done.push_back(name);
    std::vector<GraphqlPart> inside;
    for (const GraphqlPart& other : parts) {
      if (other.path.size() > depth + 1 && other.path[depth] == name) inside.push_back(other);
    }
    text += name + ": {" + written_below(inside, depth + 1) + "}";
  }
  return text;
}

}  // namespace

std::string written(const std::vector<GraphqlPart>& parts) { return written_below(parts, 0); }

std::string in_brackets(const std::vector<GraphqlPart>& parts) {
  return parts.empty() ? "" : "(" + written(parts) + ")";
}

std::vector<GraphqlSlot> slots_of(const GraphqlSchema& schema,
                                  const std::vector<GraphqlArgument>& arguments) {
  std::vector<GraphqlSlot> slots;
  for (const GraphqlArgument& argument : arguments) {
    slots.push_back({{argument.name}, argument});
    const GraphqlType* type = schema.find(argument.type.name);
    if (type == nullptr || !type->is_input()) continue;
    for (const GraphqlArgument& inside : type->inputs) {
      slots.push_back({{argument.name, inside.name}, inside});
    }
  }
  return slots;
}

std::string letters_of_name(std::string_view name) {
  std::string letters;
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return letters;
}

bool is_called(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, letters_of_name(name)) != names.end();
}

}  // namespace rankveil::probe
