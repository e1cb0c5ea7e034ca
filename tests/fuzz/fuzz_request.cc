// Requests as JSON, and lines of conditions ("?"), sort keys ("<") and wishes: what parses prints
// and parses back equal, and what is bound fits the schema. Input that begins with '{' is a
// request.
#include <algorithm>
#include <cstdint>

#include "rankveil/ranking/asking/bound_request.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz_schema.h"

namespace rankveil {
namespace {

Schema ordered_schema() {
  Schema schema = awkward_schema();
  schema.attributes.insert(
      schema.attributes.begin(),
      {{"bins", Visibility::Public, 1, *Domain::of({"<-1", "-1 to 0.5", "0.5-30", ">=30"})},
       {"places", Visibility::Public, 1, *Domain::of({"small", "large", "huge"})}});
  return schema;
}

const Schema& schema() {
  static const Schema schema = ordered_schema();
  return schema;
}

void check_condition(const BoundCondition& condition) {
  for (const BoundCondition& part : condition.parts) check_condition(part);
  if (condition.kind != BoundCondition::Kind::Test) return;
  check(+condition.attribute < schema().public_count(), "conditions are on public attributes");
  check(condition.passing.size() == schema()[condition.attribute].domain.size(),
        "every value passes or does not");
}

void check_bound(const BoundRequest& bound) {
  if (bound.where) check_condition(*bound.where);
  check(bound.weights.units.size() == bound.wishes.size(), "a weight a wish");
  for (const BoundWish& wish : bound.wishes) {
    check(wish.grades.size() == schema()[wish.attribute].domain.size(), "a grade a value");
    for (std::uint8_t grade : wish.grades) check(grade <= full_grade, "grades are shares");
  }
  for (const BoundKey& key : bound.keys) {
    std::vector<std::uint32_t> digits = key.digits;
    std::ranges::sort(digits);
    for (std::uint32_t i = 0; i < digits.size(); ++i) {
      check(digits[i] == i + 1, "digits are places");
    }
  }
}

void check_request(const Request& request) {
  auto json = parse_json(to_json(request).dump(-1));
  check(json.has_value(), "what is printed is JSON");
  auto again = request_from_json(*json);
  check(again.has_value(), "what is printed can be read");
  check(*again == request, "what is printed reads back equal");
  auto bound = bind_request(schema(), attribute_weights(schema()), request);
  if (bound) check_bound(*bound);
}

void fuzz_line(std::string_view line, Request& request) {
  if (line.starts_with('?')) {
    if (auto condition = parse_condition(line.substr(1))) request.where.push_back(*condition);
  } else if (line.starts_with('<')) {
    if (auto keys = parse_sort(line.substr(1))) request.sort = *keys;
  } else if (auto wish = parse_wish(line)) {
    request.prefer.push_back(*wish);
  }
}

void fuzz_lines(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    Request request;
    fuzz_line(line, request);
    check_request(request);
  }
}

void fuzz_json(std::string_view text) {
  auto json = parse_json(text);
  if (!json) return;
  if (auto request = request_from_json(*json)) check_request(*request);
}

}  // namespace
}  // namespace rankveil

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  text.starts_with('{') ? rankveil::fuzz_json(text) : rankveil::fuzz_lines(text);
  return 0;
}
