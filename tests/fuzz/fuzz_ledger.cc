// Any text is a ledger or a refusal; and a ledger that was read can be walked over.
#include <cstdint>
#include <string_view>

#include "rankveil/protect/ledger/ledger.h"
#include "tests/fuzz/check.h"

namespace rankveil {
namespace {

std::uint64_t walk(const Ledger& ledger) {
  std::uint64_t sum = ledger.last_output().build;
  for (const auto& [name, entry] : ledger.rows) {
    for (std::uint16_t code : ledger.public_hashes(entry)) sum += code;
    if (!shows(entry.status)) continue;
    for (std::uint16_t code : ledger.sealed_values(entry)) sum += code;
    if (!ledger.has_values) continue;
    auto shown = ledger.shown_values(entry);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto& values = ledger.columns[i % ledger.columns.size()].values;
      check(shown[i] == Ledger::no_code || shown[i] < values.size(), "what is shown is a value");
    }
  }
  return sum;
}

}  // namespace
}  // namespace rankveil

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto ledger = rankveil::parse_ledger(text, "l.ledger");
  if (ledger) {
    static_cast<void>(rankveil::walk(*ledger));
  } else {
    rankveil::check(ledger.error().message.starts_with("l.ledger"), "a refusal names the source");
  }
  return 0;
}
