// What single values say, by the lists of values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankveil::draft {

struct ValueMeaning {
  std::string what;
  bool doubtful = false;
  std::vector<std::string> forms = {};  // of value_forms.h
};

// The meanings that values can have, in the order of the list.
const std::vector<ValueMeaning>& value_meanings();

// What a value says: numbers of meanings. `strong` ones say so alone, `weak` ones beside strong
// ones.
struct SaidByValue {
  std::vector<std::size_t> strong, weak;
};
SaidByValue said_by(std::string_view value);

// The lists of harmless values: which of them hold this one. `anywhere`: it is a word for what is
// unknown. `alone`: those of them that it makes sure of, whatever the column is called.
struct HarmlessIn {
  std::vector<std::size_t> lists;
  std::vector<std::size_t> alone = {};
  bool anywhere = false;
};
HarmlessIn harmless_in(std::string_view value);
// Whether a list says by which of its values a column speaks whatever it is called.
bool speaks(std::size_t list);

// "?" and "n/a".
bool is_missing_word(std::string_view value);
// "Anna", "anna": a frequent first name.
bool is_first_name(std::string_view word);

}  // namespace rankveil::draft
