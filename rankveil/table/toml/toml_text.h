// Text as TOML spells it: what is shared by reading and writing policies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rankveil {

// A basic string on one line: "say \"hi\"\n". Bytes that are no UTF-8 become U+FFFD, since TOML
// has no way to write them.
std::string toml_quoted(std::string_view text);

// As it is where TOML allows (letters, digits, _ and -), otherwise quoted.
std::string toml_key(std::string_view name);

// Text that may stand behind a '#': control characters become spaces.
std::string toml_comment_text(std::string_view line);

// The first line with bytes that are no UTF-8.
std::optional<std::size_t> line_of_broken_utf8(std::string_view text);

// The first line with a key of more than `max_dots` dots, such as a.b.c.d. Each dot is one more
// level of tables, and whoever frees those does so by recursion.
std::optional<std::size_t> line_of_deep_key(std::string_view toml, std::size_t max_dots);

}  // namespace rankveil
