// rankveil doctor: do key, policy, ledger, index and table belong together?
#include "rankveil/api/doctor.h"

#include <fmt/core.h>

#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct DoctorOptions {
  api::ProtectRequest request;
  bool json = false;
};

std::string line_of(const api::Diagnosis& one) {
  bool wrong = one.health == api::Health::Wrong;
  std::string mark = wrong ? "WRONG" : std::string(api::health_name(one.health));
  return fmt::format(
      "{}  {:<10}  {}\n",
      styled(out_terminal(), wrong ? Style::Red : Style::Dim, fmt::format("{:<5}", mark)),
      one.about, printable(one.sentence));
}

int run(DoctorOptions& told) {
  std::string& path = told.request.input.source.path;
  const std::string& sql = told.request.input.source.sql;
  // With a SELECT over files the one name that is left is the index.
  if (told.request.output.empty() && !sql.empty()) std::swap(told.request.output, path);
  if (auto checked = check_table_options(told.request.input); !checked) {
    return fail(checked.error());
  }
  if (told.request.output.empty())
    return fail(wrong_use("an index is needed; name it behind the table"));
  auto result = with_bar(told.request.input.progress, [&] { return api::doctor(told.request); });
  if (!result) return fail(result.error());
  if (told.json) {
    print(to_json(*result).dump() + "\n");
  } else {
    for (const api::Diagnosis& one : result->diagnoses) print(line_of(one));
  }
  if (result->next) {
    for (const std::string& warning : result->next->warnings) say_warning(warning);
    for (const std::string& note : result->next->report.notes) say_note(note);
  }
  say_note(fmt::format("looked at in {}; nothing was written", format_seconds(result->seconds)));
  return result->sound() ? exit_ok : exit_finding;
}

}  // namespace

Run set_up_doctor(Options& options) {
  auto told = std::make_shared<DoctorOptions>();
  add_table_options(options, "TABLE", table_files, told->request.input);
  options.positional("INDEX", "the index of protect, there or not yet", told->request.output,
                     Need::Optional);
  options.section("Protection");
  options.text("--key", "FILE", "the secret key", told->request.key_path, Need::Required);
  options.text("--workload", "FILE", "the queries that protect is given", told->request.workload);
  options.flag("--allow-partial", "as protect is told", told->request.allow_partial);
  options.section("Output");
  options.flag("--json", "print JSON", told->json);
  options.example(
      "rankveil doctor people.csv people.rankveil --policy people.toml --key people.key");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
