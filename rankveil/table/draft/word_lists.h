// The lists of words by which a policy is drafted. They are data: TOML files in lists/, compiled
// in.
//
// Each section of a file has `what` (how a comment calls it), `source` (where its words are from)
// and lists of entries. Entries of names are read by name_pattern.h, those of values by
// value_lists.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankveil::draft {

struct BuiltinList {
  const char* name;  // of the file, without .toml
  const char* text;
};

// All files of lists/.
const std::vector<BuiltinList>& builtin_lists();

struct WordSection {
  std::string id;
  std::string what;
  std::string source;
  bool doubtful = false;  // what these words are about is sensitive in some tables only
  std::vector<std::pair<std::string, std::vector<std::string>>> lists = {};

  // The entries of a list; none when the section has no such list.
  const std::vector<std::string>& entries(std::string_view list) const;
};

// The sections of a file, in its order. REQUIRES: there is a file of that name.
std::vector<WordSection> word_sections(std::string_view file);

}  // namespace rankveil::draft
