// Scripts that complete command lines in a shell, made from the options that commands declare.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rankveil/base/result.h"

namespace rankveil::cli {

std::span<const std::string_view> known_shells();  // "bash", "zsh", "fish"

// Refuses a shell that is not known.
Result<std::string> completions_for(std::string_view shell);

}  // namespace rankveil::cli
