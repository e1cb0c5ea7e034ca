// What a column's name says of what it holds, by the lists of names.
//
//   sensitive_meaning("Hauptdiagnose")   health, certain
//   identifying_meaning("customer name") who somebody is
//   has_harmless_name("customer age group")
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankveil::draft {

enum class Certainty {
  Doubtful,  // sensitive in one table and harmless in the next
  Certain,
};

struct Meaning {
  std::string what;  // "health"
  Certainty certainty = Certainty::Certain;
};

// The first certain meaning, else the first doubtful one.
std::optional<Meaning> sensitive_meaning(std::string_view name);

// What of somebody it tells, where all of its words are about that: "customer name", not "product
// name".
std::optional<std::string> identifying_meaning(std::string_view name);

// Whether it is a number that firms, insurers or states give to people: "Personalnummer".
bool is_number_of_persons(std::string_view name);

// Whether all of its words are known, and one of them for something that people show anyway. It
// knows nothing of the two meanings above: ask for those first.
bool has_harmless_name(std::string_view name);

// "V1", "column12", "39": whoever gave the name did not know what the column holds.
bool says_nothing(std::string_view name);

}  // namespace rankveil::draft
