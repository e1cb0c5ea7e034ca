// Any text is a policy or a refusal; a policy reads back equal from what it prints.
#include <cstdint>

#include "rankveil/table/policy/policy.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rankveil::check;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto policy = rankveil::parse_policy(text, "p.toml");
  if (!policy) {
    check(policy.error().message.starts_with("p.toml"), "a refusal names the source");
    return 0;
  }
  auto again = rankveil::parse_policy(rankveil::to_toml(*policy, {std::string(text), "a comment"}),
                                      "printed");
  check(again.has_value(), "what is printed can be read");
  check(*again == *policy, "what is printed reads back equal");
  return 0;
}
