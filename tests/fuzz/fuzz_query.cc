// Wishes, one a line, and queries as JSON: what parses prints and parses back equal. Input that
// begins with '{' or '[' is JSON.
#include <algorithm>
#include <cstdint>

#include "rankveil/ranking/query.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz_schema.h"

namespace rankveil {
namespace {

const Schema& schema() {
  static const Schema schema = awkward_schema();
  return schema;
}

bool is_in_order(const std::vector<ValueId>& wanted) {
  return std::adjacent_find(wanted.begin(), wanted.end(), std::greater_equal<>()) == wanted.end();
}

void check_query(const Query& query) {
  check(query.wanted.size() == schema().size(), "a query has an entry per attribute");
  for (std::uint32_t i = 0; i < schema().size(); ++i) {
    check(is_in_order(query.wanted[i]), "wanted values ascend without repeats");
    check(query.wanted[i].empty() || +query.wanted[i].back() < schema().attributes[i].domain.size(),
          "wanted values are in the domain");
  }
  auto json = parse_json(query_to_json(schema(), query).dump(-1));
  check(json.has_value(), "what is printed is JSON");
  auto again = query_from_json(schema(), *json);
  check(again.has_value(), "what is printed can be read");
  check(*again == query, "what is printed reads back equal");
}

void fuzz_json(std::string_view text) {
  auto json = parse_json(text);
  if (!json) return;
  auto printed = parse_json(json->dump());
  check(printed.has_value() && printed->dump() == json->dump(), "JSON reads back equal");
  auto query = query_from_json(schema(), *json);
  if (query) check_query(*query);
}

void fuzz_wishes(std::string_view text) {
  Query query = empty_query(schema());
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (add_wish(schema(), line, query)) check_query(query);
  }
}

}  // namespace
}  // namespace rankveil

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  bool is_json = text.starts_with('{') || text.starts_with('[');
  is_json ? rankveil::fuzz_json(text) : rankveil::fuzz_wishes(text);
  return 0;
}
