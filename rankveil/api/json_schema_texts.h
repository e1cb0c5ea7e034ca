// Files of the tree that are part of the program; CMakeLists.txt makes the source.
#pragma once

#include <string_view>

namespace rankveil::api {

std::string_view json_page_text();      // docs/reference/json.md
std::string_view policy_schema_text();  // schemas/policy.json
std::string_view target_schema_text();  // schemas/target.json

}  // namespace rankveil::api
