// Where something stands in a JSON answer: a JSON pointer (RFC 6901: ~1 is a slash, ~0 a tilde).
//
//   auto rows = Pointer::parse("/data/people");   // {"data": {"people": [...]}}
//   const Json* list = rows->find(answer);        // null when nothing is there
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::probe {

class Pointer {
 public:
  // "" is the answer itself; everything else begins with a slash.
  static Result<Pointer> parse(std::string_view text);

  const Json* find(const Json& answer) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> steps_;
};

}  // namespace rankveil::probe
