// bench_levels [ROWS [SCHEME]]: how long an audit of all knowledge levels takes, scheme by scheme,
// on the made-up people table with 10 private attributes: with all 10 public attributes, where most
// rows are alone, and with 2, where groups are large. Wall-clock time, and the processor time of
// all threads, which other work on the machine disturbs less.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "rankveil/audit/levels.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/sample_workload.h"
#include "rankveil/table/people/people.h"

namespace rankveil {
namespace {

// The first `publics` public attributes and all private ones.
Table with_publics(const Table& table, std::uint32_t publics) {
  Schema schema;
  schema.id_name = table.schema().id_name;
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    const Attribute& attribute = table.schema().attributes[i];
    if (!attribute.is_private() && i >= publics) continue;
    schema.attributes.push_back(attribute);
    columns.push_back(table.column(AttributeId{i}));
  }
  return Table(std::move(schema), std::move(columns), table.names());
}

void time_scheme(const Table& table, const Scheme& scheme) {
  Demand demand{.scheme = std::string(scheme.name), .l = 2, .node_budget = 2000};
  Workload workload = test_workload(table, TestQueries::Same, {.queries = 10, .seed = 1});
  SecretKey key = SecretKey::from_seed(1);
  auto made = protect(Task{table, workload, demand, key});
  if (!made) return fmt::print("{}: {}\n", scheme.name, made.error().message);
  Stopwatch watch;
  std::clock_t before = std::clock();
  auto judgement =
      audit::judge_profiles({table, made->profiles, audit::Mechanism{demand, workload}}, {});
  double seconds = watch.seconds();
  double busy = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  if (!judgement) return fmt::print("{}: {}\n", scheme.name, judgement.error().message);
  double strongest = 0;
  for (const audit::Finding& finding : judgement->findings) {
    if (finding.attribute == "all") strongest = std::max(strongest, finding.rate);
  }
  fmt::print("{:<12} {:6.2f} s   processor {:6.2f} s   strongest guess rate {:.3f}\n", scheme.name,
             seconds, busy, strongest);
  std::fflush(stdout);
}

}  // namespace
}  // namespace rankveil

int main(int count, char** words) {
  auto rows = static_cast<std::uint32_t>(count > 1 ? std::atoi(words[1]) : 300'000);
  auto people = rankveil::generate_people({.rows = rows});
  if (!people) return 1;
  for (std::uint32_t publics : {10U, 2U}) {
    rankveil::Table table = rankveil::with_publics(*people, publics);
    fmt::print("{} rows, {} public and 10 private attributes\n", rows, publics);
    for (const rankveil::Scheme& scheme : rankveil::schemes()) {
      if (count <= 2 || scheme.name == words[2]) rankveil::time_scheme(table, scheme);
    }
  }
  return 0;
}
