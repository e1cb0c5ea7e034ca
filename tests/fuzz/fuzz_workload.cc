// Workloads as JSON lines and as cells (lines of fields parted by tabs, the first names columns):
// what parses prints and parses back equal. Input that begins with '{' is JSON.
#include <cstdint>

#include "rankveil/ranking/workload.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz_schema.h"

namespace rankveil {
namespace {

const Schema& schema() {
  static const Schema schema = awkward_schema();
  return schema;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string printed(const Workload& workload) {
  std::string lines;
  for (const WorkloadEntry& entry : workload.entries) {
    Json line;
    line.set("count", entry.count).set("query", query_to_json(schema(), entry.query));
    lines += line.dump(-1) + "\n";
  }
  return lines;
}

void check_workload(const Workload& workload) {
  auto again = parse_workload_lines(schema(), printed(workload), "printed");
  check(again.has_value(), "what is printed can be read");
  check(again->entries.size() == workload.entries.size(), "every query reads back");
  for (std::size_t i = 0; i < workload.entries.size(); ++i) {
    check(workload.entries[i].count > 0, "counts are positive");
    check(again->entries[i].count == workload.entries[i].count, "counts read back equal");
    check(again->entries[i].query == workload.entries[i].query, "queries read back equal");
  }
}

Result<Workload> from_cells(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(text, '\n')) rows.push_back(split(line, '\t'));
  std::vector<std::string> columns = rows.front();
  rows.erase(rows.begin());
  return workload_from_cells(schema(), columns, rows, "w.csv");
}

}  // namespace
}  // namespace rankveil

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rankveil;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto workload =
      text.starts_with('{') ? parse_workload_lines(schema(), text, "w.jsonl") : from_cells(text);
  if (workload) check_workload(*workload);
  return 0;
}
