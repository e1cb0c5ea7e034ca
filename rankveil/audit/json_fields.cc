#include "rankveil/audit/json_fields.h"

#include <fmt/core.h>

namespace rankveil::audit {

namespace {

const Json nothing;

}  // namespace

JsonFields::JsonFields(const Json& json, std::string what, std::string& problem)
    : json_(json), what_(std::move(what)), problem_(problem) {
  if (json_.as_object() == nullptr) object_to("is no object");
}

void JsonFields::object_to(const std::string& problem) {
  if (problem_.empty()) problem_ = fmt::format("{}: {}", what_, problem);
}

void JsonFields::wrong(const std::string& name, const std::string& kind) {
  object_to(json_.find(name) == nullptr ? fmt::format("\"{}\" is missing", name)
                                        : fmt::format("\"{}\" is no {}", name, kind));
}

const Json& JsonFields::member(const std::string& name) {
  const Json* found = json_.find(name);
  return found == nullptr ? nothing : *found;
}

const Json& JsonFields::raw(const std::string& name) {
  if (json_.find(name) == nullptr) wrong(name, "value");
  return member(name);
}

bool JsonFields::is_null(const std::string& name) const {
  const Json* found = json_.find(name);
  return found == nullptr || found->is_null();
}

std::string JsonFields::text(const std::string& name) {
  const std::string* text = member(name).as_text();
  if (text == nullptr) wrong(name, "text");
  return text == nullptr ? "" : *text;
}

double JsonFields::number(const std::string& name) {
  auto number = member(name).as_number();
  if (!number) wrong(name, "number");
  return number.value_or(0);
}

std::uint64_t JsonFields::whole(const std::string& name) {
  const std::int64_t* number = member(name).as_integer();
  if (number == nullptr || *number < 0) wrong(name, "whole number");
  return number == nullptr || *number < 0 ? 0 : static_cast<std::uint64_t>(*number);
}

bool JsonFields::truth(const std::string& name) {
  const bool* truth = member(name).as_bool();
  if (truth == nullptr) wrong(name, "truth value");
  return truth != nullptr && *truth;
}

std::vector<std::string> JsonFields::texts(const std::string& name) {
  std::vector<std::string> texts;
  const Json::Array* items = member(name).as_array();
  if (items == nullptr) wrong(name, "list");
  if (items == nullptr) return texts;
  for (const Json& item : *items) {
    if (item.as_text() == nullptr) wrong(name, "list of texts");
    texts.push_back(item.as_text() == nullptr ? "" : *item.as_text());
  }
  return texts;
}

JsonFields JsonFields::object(const std::string& name) {
  if (json_.find(name) == nullptr) wrong(name, "object");
  return JsonFields(member(name), fmt::format("{}, \"{}\"", what_, name), problem_);
}

void JsonFields::each(const std::string& name, const std::function<void(JsonFields)>& take) {
  const Json::Array* items = member(name).as_array();
  if (items == nullptr) return wrong(name, "list");
  for (std::size_t i = 0; i < items->size(); ++i) {
    take(
        JsonFields((*items)[i], fmt::format("{}, \"{}\" number {}", what_, name, i + 1), problem_));
  }
}

}  // namespace rankveil::audit
