// The name somebody probably meant: for "did you mean" in messages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rankveil {

// The first of the names that are fewest typing mistakes away (letters changed, missing, extra or
// swapped with a neighbour; capitals count alike). Nothing when even that one needs more than one
// mistake per three letters of `typed`.
std::optional<std::string> closest(std::string_view typed, std::span<const std::string> names);

}  // namespace rankveil
