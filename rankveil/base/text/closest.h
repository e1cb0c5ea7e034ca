// The name somebody probably meant: for "did you mean" in messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rankveil {

// The first of the names that are fewest typing mistakes away (letters changed, missing, extra or
// swapped with a neighbour; capitals count alike). Nothing when even that one needs more than one
// mistake per three letters of `typed`.
std::optional<std::string> closest(std::string_view typed, std::span<const std::string> names);

// "did you mean city?"; where no name is near, `otherwise`.
std::string did_you_mean(std::string_view typed, std::span<const std::string> names,
                         std::string_view otherwise);
// "did you mean city? there are age, city"; where no name is near, only what there is. As `listed`
// shortens it (base/format.h).
std::string near_and_all(std::string_view typed, std::span<const std::string> names,
                         std::size_t most = SIZE_MAX);

}  // namespace rankveil
