// rankveil ids: from the names of an index back to ids.
#include "rankveil/api/ids.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct IdsOptions {
  api::IdsRequest request;
  bool json = false;
};

std::string show(const api::IdsResult& result) {
  return fmt::format("wrote {}: the ids of {} of {}, readable by you alone\n",
                     printable(result.output), counted(result.rows, "row"),
                     printable(result.index_path));
}

int run(const IdsOptions& told) {
  auto result = api::translate_ids(told.request);
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : show(*result));
  if (result->unknown > 0) {
    say_warning(
        fmt::format("the table does not have {} of the index", counted(result->unknown, "row")));
  }
  return exit_ok;
}

}  // namespace

Run set_up_ids(Options& options) {
  auto told = std::make_shared<IdsOptions>();
  api::IdsRequest& request = told->request;
  options.positional("TABLE", "the table with the ids; only that column is read",
                     request.source.path);
  options.positional("INDEX", "an index whose policy says ids = \"keyed\" or \"none\"",
                     request.index_path);
  options.text("--key", "FILE", "the key it was made with", request.key_path, Need::Required);
  options.text("--sql", "SELECT", "the table is what this query gives, over a DuckDB file TABLE",
               request.source.sql);
  options.text("--duckdb-table", "NAME", "the table of a DuckDB file", request.source.table);
  options.section("Output");
  options.text("-o,--output", "FILE", "a CSV file of names and ids, for you alone to read",
               request.output, Need::Required);
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil ids people.csv people.rankveil --key people.key -o names.csv");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
