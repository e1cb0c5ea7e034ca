// Whether a wish acts: what an audit saw of each private attribute before it drew any conclusion.
//
// Attacks on a live ranking ask for private values and look who rises. Where the ranking does not
// use what is asked (a parameter is misspelt, overridden, or means something else), they find
// nothing in the worst of rankings. So no promise is called kept about an attribute whose values
// were not seen to act.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"

namespace rankveil::audit {

class JsonFields;

enum class Acts {
  Rises,      // rows that have the value asked for come first more often than by chance
  Still,      // answers are the same, whatever value is asked for
  Otherwise,  // they are not, but rows that have the value do not rise
  Unasked,    // there is but one value to ask for
  Blind,      // most answers were empty, or became so
  Refused,    // the service refuses to be asked for it
};

struct Effect {
  std::string attribute = {};
  Acts acts = Acts::Unasked;
  std::uint64_t questions = 0;
  double share = 0;       // of answers, the top counting most, that have the value asked for
  double elsewhere = 0;   // the same where another value is asked for
  double chance = 1;      // that a ranking in which wishes do not act looks like this
  std::string note = {};  // a sentence without its stop

  bool is_tested() const { return acts == Acts::Rises || acts == Acts::Refused; }
  bool operator==(const Effect&) const = default;
};

std::string_view acts_name(Acts acts);  // "rises", "still", "otherwise", "unasked", ...

// Why nothing can be called kept about this attribute ("all": about any). Empty: nothing speaks
// against it.
std::string not_tested_because(std::span<const Effect> effects, std::string_view attribute);

Json to_json(const Effect& effect);
Effect effect_from_json(JsonFields fields);

}  // namespace rankveil::audit
