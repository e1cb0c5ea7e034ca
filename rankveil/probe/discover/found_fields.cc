#include "rankveil/probe/discover/found_fields.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace rankveil::probe {
namespace {

constexpr int deepest_object = 2;

FieldType type_of(const Json& value) {
  if (value.as_bool() != nullptr) return FieldType::Flag;
  if (value.as_number()) return FieldType::Number;
  const bool is_date = value.as_text() != nullptr && looks_like_date(*value.as_text());
  return is_date ? FieldType::Date : FieldType::Text;
}

void add_members(const Json& row, const std::string& prefix, int depth, FoundFields& fields,
                 bool with_nulls = true) {
  if (row.as_object() == nullptr) return;
  for (const auto& [name, value] : *row.as_object()) {
    if (value.as_array() != nullptr || (value.is_null() && !with_nulls)) continue;
    if (value.as_object() == nullptr) {
      const Field* known = field_called(fields, prefix + name);
      if (known == nullptr || !value.is_null()) {
        add_field(fields, {.name = prefix + name, .type = type_of(value)});
      }
    } else if (depth < deepest_object) {
      add_members(value, prefix + name + ".", depth + 1, fields, with_nulls);
    }
  }
}

std::string letters_of(std::string_view name) {
  std::string letters;
  for (char c : name.substr(name.rfind('.') + 1)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return letters;
}

}  // namespace

bool looks_like_date(std::string_view text) {
  if (text.size() < 10) return false;
  for (std::size_t i = 0; i < 10; ++i) {
    const bool is_dash = i == 4 || i == 7;
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (is_dash ? text[i] != '-' : !is_digit) return false;
  }
  return text.size() == 10 || text[10] == 'T' || text[10] == ' ';
}

FoundFields fields_in_rows(const Json::Array& rows) {
  FoundFields fields;
  for (const Json& row : rows) add_members(row, "", 1, fields);
  return fields;
}

FoundFields fields_shown_in(const Json::Array& rows) {
  FoundFields fields;
  for (const Json& row : rows) add_members(row, "", 1, fields, false);
  return fields;
}

FoundFields without(const FoundFields& all, const FoundFields& shown) {
  FoundFields rest;
  for (const Field& field : all) {
    if (field_called(shown, field.name) == nullptr) rest.push_back(field);
  }
  return rest;
}

const Field* field_called(const FoundFields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

void add_field(FoundFields& fields, Field field) {
  const auto found = std::ranges::find(fields, field.name, &Field::name);
  if (found == fields.end()) {
    fields.push_back(std::move(field));
    return;
  }
  // A text that was null in the first row may turn out to be a number.
  if (found->type == FieldType::Text) found->type = field.type;
  if (found->choices.empty()) found->choices = std::move(field.choices);
}

const FoundFields& usual_secrets() {
  static const FoundFields fields = [] {
    FoundFields made;
    for (const char* name : {"email",
                             "phone",
                             "password",
                             "passwordHash",
                             "password_hash",
                             "hash",
                             "salt",
                             "token",
                             "apiKey",
                             "api_key",
                             "resetToken",
                             "reset_token",
                             "resetPasswordToken",
                             "secret",
                             "address",
                             "street",
                             "zip",
                             "iban",
                             "ssn",
                             "taxId",
                             "tax_id",
                             "passport",
                             "birthDate",
                             "birth_date",
                             "dateOfBirth",
                             "date_of_birth",
                             "dob",
                             "gender",
                             "sex",
                             "religion",
                             "ethnicity",
                             "race",
                             "nationality",
                             "orientation",
                             "politics",
                             "diagnosis",
                             "health",
                             "disability",
                             "blood_type",
                             "note",
                             "notes",
                             "comment",
                             "internalNote",
                             "internal_note",
                             "ip",
                             "lastLogin",
                             "last_login",
                             "role",
                             "isAdmin",
                             "is_admin",
                             "status",
                             "rating"}) {
      made.push_back({.name = name});
    }
    for (const char* name : {"income", "salary", "wage", "balance", "credit", "score", "age",
                             "weight", "debt", "budget", "price", "cost", "margin"}) {
      made.push_back({.name = name, .type = FieldType::Number});
    }
    return made;
  }();
  return fields;
}

bool is_bookkeeping(std::string_view name) {
  static constexpr std::array<std::string_view, 22> names = {
      "id",         "objectid",    "documentid",  "uuid",        "key",         "pk",
      "createdat",  "updatedat",   "publishedat", "created",     "updated",     "modified",
      "modifiedat", "datecreated", "dateupdated", "usercreated", "userupdated", "version",
      "locale",     "acl",         "url",         "slug"};
  return std::ranges::find(names, letters_of(name)) != names.end();
}

}  // namespace rankveil::probe
