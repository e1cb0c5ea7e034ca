// Any text is a schema that names fields, or a refusal.
#include <cstdint>

#include "rankveil/base/json.h"
#include "rankveil/probe/discover/schema_files.h"
#include "tests/fuzz/check.h"

namespace {

void check_fields(const rankveil::Result<rankveil::probe::FoundFields>& fields) {
  if (!fields) {
    rankveil::check(!fields.error().message.empty(), "a refusal says why");
    return;
  }
  for (const auto& field : *fields) rankveil::check(!field.name.empty(), "a field has a name");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_fields(rankveil::probe::fields_in_payload_types(text, "people"));
  auto json = rankveil::parse_json(text);
  if (!json) return 0;
  check_fields(rankveil::probe::fields_in_strapi_schema(*json));
  check_fields(rankveil::probe::fields_in_openapi(*json, "/api/people", "people"));
  return 0;
}
