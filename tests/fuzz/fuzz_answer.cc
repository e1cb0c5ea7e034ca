// The first line points into the rest, which is an answer: ids or a refusal, on one line.
#include <algorithm>
#include <cstdint>

#include "rankveil/attack/targets/answer.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string_view first = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), first.size() + 1));
  auto pointer = rankveil::attack::IdPointer::parse(first);
  if (!pointer) return 0;
  auto ids = pointer->read(text);
  if (ids) return 0;
  std::string quoted = rankveil::attack::excerpt(text);
  rankveil::check(quoted.find('\n') == std::string::npos, "an excerpt is one line");
  rankveil::check(quoted.size() < 210, "an excerpt is short");
  rankveil::check(!ids.error().message.empty(), "a refusal says why");
  return 0;
}
