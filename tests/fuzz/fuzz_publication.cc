// Publications as JSON: what is read prints and reads back equal, and can be verified and shown.
#include <cstdint>

#include "rankveil/publish/check/verify.h"
#include "tests/fuzz/check.h"

namespace rankveil::publish {
namespace {

void fuzz(std::string_view text) {
  auto json = parse_json(text);
  if (!json) return;
  auto publication = publication_from_json(*json);
  if (!publication) return;
  std::string printed = to_json(*publication).dump();
  auto again = publication_from_json(*parse_json(printed));
  check(again.has_value(), "what is printed can be read");
  check(to_json(*again).dump() == printed, "what is printed reads back equal");
  Truth truth;
  truth.ranking.assign(publication->columns.size(), {3, 2, 1});
  truth.scores = {3, 2, 1};
  (void)verify(*publication, truth);
  check(!to_markdown(*publication).empty() && !to_html(*publication, "t").empty(), "it is shown");
}

}  // namespace
}  // namespace rankveil::publish

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rankveil::publish::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
