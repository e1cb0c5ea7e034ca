// rankveil index: from a table and a policy to the file that is served.
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "rankveil/api/build_index.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct IndexOptions {
  api::IndexRequest request;
  bool json = false;
};

std::string show(const api::IndexResult& result) {
  return fmt::format("{} {}: {}, {} public and {} private attributes, {}, UNPROTECTED\n",
                     result.replaced ? "replaced" : "wrote", printable(result.output),
                     counted(result.rows, "row"), result.public_attributes,
                     result.private_attributes, format_bytes(result.file_bytes));
}

void talk_about(const api::IndexResult& result) {
  for (const std::string& warning : result.warnings) say_warning(warning);
  say_warning(
      fmt::format("{} is UNPROTECTED: the order of its answers gives private values away, "
                  "and so does the file.",
                  result.output));
  say_note(fmt::format("read in {}, built and written in {}", format_seconds(result.read_seconds),
                       format_seconds(result.build_seconds)));
}

int run(IndexOptions& told) {
  if (auto checked = check_table_options(told.request.input); !checked) {
    return fail(checked.error());
  }
  auto result =
      with_bar(told.request.input.progress, [&] { return api::build_index(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : show(*result));
  talk_about(*result);
  return exit_ok;
}

}  // namespace

Run set_up_index(Options& options) {
  auto told = std::make_shared<IndexOptions>();
  add_table_options(options, "TABLE", table_files, told->request.input);
  options.section("Output");
  options.text("-o,--output", "FILE", "the index; an index of that name is replaced",
               told->request.output, Need::Required);
  options.flag("--unprotected",
               "build an index whose order gives private values away; see protect for the others",
               told->request.unprotected);
  options.flag("--json", "print JSON", told->json);
  options.example(
      "rankveil index people.csv --policy people.toml --unprotected -o people.rankveil");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
