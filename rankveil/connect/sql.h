// Names and texts as SQL writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankveil::connect {

std::string quoted_text(std::string_view text);  // 'it''s'
std::string quoted_name(std::string_view name);  // "a ""b"" c"
// A path as DuckDB's readers take it: *, ? and [ stand for themselves.
std::string quoted_path(std::string_view path);

// Every text and name that stands in quotes in the SQL, as it was before it was quoted.
std::vector<std::string> quoted_in(std::string_view sql);

}  // namespace rankveil::connect
