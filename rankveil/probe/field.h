// A field of a service's rows, and values that are written into it and asked for.
#pragma once

#include <string>
#include <vector>

namespace rankveil::probe {

enum class FieldType { Text, Number, Date, Flag };

struct Value {
  std::string text;     // "zzzzkvq", "900000017", "2199-03-01", "true"
  bool is_text = true;  // in JSON in quotes; numbers and flags are not

  friend bool operator==(const Value&, const Value&) = default;
};

struct Field {
  std::string name;  // as questions name it: "income", "profile.religion"
  FieldType type = FieldType::Text;
  // All values that the service takes, where these are few. Empty: it takes any.
  std::vector<std::string> choices = {};
  // Numbers and dates beyond these are refused by the service. Empty: any.
  std::string least = {};
  std::string most = {};
  // The service says itself that it ranks by this field under a promise: what it says. Empty: no.
  std::string declared = {};
  // Its choices are words of the service's own, without quotes: of a GraphQL enum.
  bool is_word = false;
  // Its choices are in order, and a question for anything else is an error.
  bool only_choices = false;
};

}  // namespace rankveil::probe
