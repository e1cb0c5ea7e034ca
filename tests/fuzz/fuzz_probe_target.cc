// Any text is a target file of a probe or a refusal that names the file.
#include <cstdint>

#include "rankveil/probe/http/target.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto target = rankveil::probe::parse_http_target(text, "t.toml");
  if (!target) {
    rankveil::check(target.error().message.starts_with("t.toml"), "a refusal names the source");
    return 0;
  }
  rankveil::check(!target->url.empty(), "a target has an address");
  for (const std::string& field : target->fields) {
    auto named = rankveil::probe::field_from_text(field);
    if (!named) continue;
    auto again = rankveil::probe::field_from_text(rankveil::probe::spec_of(named->field));
    rankveil::check(again && again->field.name == named->field.name, "a field is read back");
  }
  return 0;
}
