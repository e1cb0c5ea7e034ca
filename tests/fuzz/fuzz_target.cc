// Any text is a target's description or a refusal. What is described fills its templates without
// changing their meaning: bodies stay JSON, SQL gets as many parameters as it names.
#include <algorithm>
#include <cstdint>
#include <string>

#include "rankveil/attack/targets/config.h"
#include "rankveil/attack/targets/template.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz_schema.h"

namespace rankveil::attack {
namespace {

const Schema& schema() {
  static const Schema schema = awkward_schema();
  return schema;
}

// The n-th of a few queries: nothing, one value each, two values each.
std::vector<std::vector<ValueId>> wanted(std::uint32_t count) {
  std::vector<std::vector<ValueId>> values(schema().size());
  for (std::uint32_t i = 0; i < schema().size(); ++i) {
    std::uint32_t size = schema().attributes[i].domain.size();
    for (std::uint32_t v = size - std::min(count, size); v < size; ++v) {
      values[i].push_back(ValueId{static_cast<std::uint16_t>(v)});
    }
  }
  return values;
}

void fuzz_template(const std::string& text, Template::Use use) {
  auto parsed = Template::parse(text, schema(), use, "it");
  if (!parsed) {
    check(parsed.error().message.starts_with("it "), "a refusal names the template");
    return;
  }
  bool makes_json = parsed->check_json(schema(), "1", "it").ok();
  bool makes_sql = parsed->check_sql("it").ok();
  for (std::uint32_t count : {0U, 1U, 2U}) {
    auto values = wanted(count);
    Filling filling{.schema = schema(), .values = values, .k = 3, .id = "1"};
    static_cast<void>(parsed->as_url(filling));
    std::string json = parsed->as_json(filling);
    check(!makes_json || parse_json(json).has_value(), "a body that made JSON always does");
    auto statement = parsed->as_sql(filling);
    for (std::size_t n = 1; makes_sql && n <= statement.values.size(); ++n) {
      check(statement.sql.find("CAST($" + std::to_string(n) + " AS ") != std::string::npos,
            "every parameter has its place");
    }
  }
}

void fuzz_request(const HttpRequestConfig& request, Template::Use use) {
  fuzz_template(request.url, use);
  fuzz_template(request.body, use);
}

struct Visitor {
  void operator()(const IndexConfig&) const {}
  void operator()(const ProgramConfig& program) const {
    check(!program.command.empty(), "a program has a name");
  }
  void operator()(const HttpConfig& http) const {
    fuzz_request(http.query, Template::Use::Query);
    if (http.insert) fuzz_request(*http.insert, Template::Use::Insert);
    if (http.remove) fuzz_request(*http.remove, Template::Use::Remove);
  }
  template <typename Sql>
  void operator()(const Sql& sql) const {
    fuzz_template(sql.query, Template::Use::Query);
    fuzz_template(sql.insert, Template::Use::Insert);
  }
};

}  // namespace
}  // namespace rankveil::attack

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto config = rankveil::attack::parse_target(text, "t.toml");
  if (config) {
    std::visit(rankveil::attack::Visitor{}, config->kind);
  } else {
    rankveil::check(config.error().message.starts_with("t.toml"), "a refusal names the source");
  }
  return 0;
}
