// rankveil profiles: what an index serves about each row.
#include "rankveil/api/profiles.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/terminal.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct ProfilesOptions {
  api::ProfilesRequest request;
  std::string format;
};

bool print_piece(std::string_view piece) {
  print(piece);
  return !output_is_lost();
}

void talk_about(const api::ProfilesResult& result) {
  if (result.info.unprotected()) {
    say_warning("this index is UNPROTECTED: these are the private values themselves");
  }
  std::string where = result.output.empty() ? "" : " to " + result.output;
  say_note(fmt::format("{} of {}{} in {}", counted(result.lines, "line"),
                       counted(result.rows, "row"), where, format_seconds(result.seconds)));
}

Status take_format(ProfilesOptions& told) {
  if (told.format.empty()) return {};
  told.request.format = api::profiles_format_from_name(told.format);
  if (told.request.format) return {};
  return wrong_use(fmt::format("--format must be ndjson or csv, not \"{}\"", told.format));
}

int run(ProfilesOptions& told) {
  if (auto taken = take_format(told); !taken) return fail(taken.error());
  ProgressBar bar;
  // A bar would run through lines on the same terminal.
  if (!told.request.output.empty() || !out_terminal().is_terminal) {
    told.request.progress = bar.progress();
  }
  auto result = api::profiles(told.request, print_piece);
  bar.clear();
  if (!result) return fail(result.error());
  if (!output_is_lost()) talk_about(*result);
  return exit_ok;
}

Options::Take into(std::vector<std::string>& names) {
  return [&names](const std::string& text) {
    names.push_back(text);
    return Status{};
  };
}

}  // namespace

Run set_up_profiles(Options& options) {
  auto told = std::make_shared<ProfilesOptions>();
  auto& request = told->request;
  options.positional("INDEX", "an index file", request.index_path);
  options.section("Which");
  options.each("--row", "ID", "only this row", into(request.rows));
  options.each("--attribute", "NAME", "only this private attribute", into(request.attributes));
  options.number("--limit", "N", "rows at most (default: all)", request.limit, 1);
  options.section("Output");
  options.text("--format", "NAME", "ndjson or csv (default: ndjson, csv for -o NAME.csv)",
               told->format);
  options.choices("--format", {"ndjson", "csv"});
  options.text("-o,--output", "FILE", "write here instead of on stdout", request.output);
  options.flag("--force", "replace a file that is there", request.force);
  options.example("rankveil profiles people.rankveil --limit 3");
  options.example("rankveil profiles people.rankveil --row 17 --attribute religion");
  options.example("rankveil profiles people.rankveil -o profiles.csv");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
