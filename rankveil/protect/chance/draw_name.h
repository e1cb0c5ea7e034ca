// What a row's draws about one attribute depend on: its name, and the value it has.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/table/domain.h"

namespace rankveil {

// Were noise keyed by the row's name alone, it would stay the same while the value changes, and two
// answers that differ would both be true.
inline std::string draw_name(std::string_view name, const Domain& domain, ValueId own) {
  std::string text(name);
  text += '\n';
  if (own != missing_value) text += domain.text(own);
  return text;
}

}  // namespace rankveil
