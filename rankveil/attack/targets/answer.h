// Where ids stand in a JSON answer.
//
//   "/hits/*/id"    the id of each hit         {"hits": [{"id": 4}, {"id": 17}]}
//   "/ids"          a list of ids, or one id   {"ids": ["4", "17"]}
//   ""              the answer itself          [4, 17]
//
// A JSON pointer (RFC 6901: ~1 is a slash, ~0 a tilde) in which * stands for all items of a list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::attack {

class IdPointer {
 public:
  static Result<IdPointer> parse(std::string_view text);

  // Texts and whole numbers are ids; everything else is refused.
  Result<std::vector<std::string>> ids_in(const Json& answer) const;
  // The same for an answer as it came.
  Result<std::vector<std::string>> read(std::string_view answer) const;

 private:
  Status take(const Json& id, std::vector<std::string>& ids) const;
  Status collect(const Json& at, std::size_t step, std::vector<std::string>& ids) const;
  std::string text_;
  std::vector<std::string> steps_;
};

// The beginning of an answer, on one line, for messages.
std::string excerpt(std::string_view answer);

}  // namespace rankveil::attack
