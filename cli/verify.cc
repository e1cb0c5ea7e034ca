// rankveil verify: does a report add up?
#include "rankveil/api/verify.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct VerifyOptions {
  api::VerifyRequest request;
  bool json = false;
};

std::string show(const api::VerifyResult& result) {
  const auto& verification = result.verification;
  std::string about =
      result.table.empty() ? "" : fmt::format(", and is about {}", printable(result.table));
  if (verification.misfits.empty()) {
    return fmt::format("{} adds up: {} computed again{}\n", printable(result.report),
                       counted(verification.checks, "number"), about);
  }
  std::string text = fmt::format("{} DOES NOT ADD UP: {} of {} computed again do not fit\n",
                                 printable(result.report), verification.misfits.size(),
                                 counted(verification.checks, "number"));
  for (const std::string& misfit : verification.misfits) text += "  " + printable(misfit) + "\n";
  return text;
}

int run(VerifyOptions& told) {
  auto result = with_bar(told.request.input.progress, [&] { return api::verify(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : show(*result));
  return result->verification.misfits.empty() ? exit_ok : exit_finding;
}

}  // namespace

Run set_up_verify(Options& options) {
  auto told = std::make_shared<VerifyOptions>();
  options.positional("REPORT", "a report that rankveil audit --json wrote", told->request.report);
  options.section("Truth");
  add_truth_options(options, told->request.input, "also compare with the table it was made of");
  options.number("--threads", "N", "cores to read with; 0 takes all", told->request.input.threads,
                 0, 1024);
  add_policy_options(options, told->request.input);
  options.section("Output");
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil verify audit.json --table people.csv --policy people.toml");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
