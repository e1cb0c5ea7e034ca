// rankveil compare: all schemes on one's own table, and the one to take.
#include "rankveil/api/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct CompareOptions {
  api::CompareRequest request;
  std::string schemes;
  std::string ls;
  bool choose = false;
  bool json = false;
};

Result<std::vector<std::uint32_t>> parse_ls(const std::string& text) {
  std::vector<std::uint32_t> ls;
  for (const std::string& part : words_of(text)) {
    std::uint32_t l = 0;
    auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), l);
    if (problem != std::errc() || end != part.data() + part.size() || l < 2) {
      return wrong_use(
          fmt::format("--l must be whole numbers from 2 up, such as 2,3,4, not \"{}\"", text));
    }
    ls.push_back(l);
  }
  return ls;
}

// ---- The table of numbers ----

std::string verdict_text(const api::CompareResult& result, std::size_t i) {
  const api::Compared& one = result.compared[i];
  if (result.chosen == i) return "chosen";
  if (one.broken_by) return "broken by " + *one.broken_by;
  if (one.undecided_at) return "undecided at " + *one.undecided_at;
  if (one.why_not.empty()) return "kept";
  return short_why_not(result, one);
}

std::vector<std::string> cells_of(const api::CompareResult& result, std::size_t i) {
  const api::Compared& one = result.compared[i];
  auto number = [](double value) { return fmt::format("{:.3f}", value); };
  return {one.scheme,
          one.l != 0 ? std::to_string(one.l) : "-",
          number(one.gain),
          number(one.rate),
          number(one.prior),
          number(one.certain),
          number(one.utility.fair.mean),
          number(one.utility.overlap.mean),
          number(one.utility.ndcg.mean),
          number(one.utility.aul.mean),
          verdict_text(result, i)};
}

std::string numbers_text(const api::CompareResult& result) {
  TextTable table;
  table.column("scheme");
  std::string at = "@" + std::to_string(result.k);
  for (const std::string& head :
       {std::string("l"), std::string("gain"), std::string("guesses"), std::string("prior"),
        std::string("certain"), "fair" + at, "overlap" + at, "NDCG" + at, "U_aul" + at}) {
    table.column(head, Align::Right);
  }
  table.column("verdict");
  for (std::size_t i = 0; i < result.compared.size(); ++i) {
    if (result.compared[i].left_out.empty()) table.row(cells_of(result, i));
  }
  return table.render(out_terminal());
}

std::string show(const api::CompareResult& result) {
  return fmt::format("{}: {}, {} public and {} private attributes, l = {}\n\n{}\n{}\n",
                     printable(result.table), counted(result.rows, "row"), result.public_attributes,
                     result.private_attributes, result.l, numbers_text(result),
                     printable(result.reason));
}

// One line a scheme: what keeps it from one l mostly keeps it from larger ones, too.
void talk_about_left_out(const api::CompareResult& result) {
  std::vector<std::string> said;
  for (const api::Compared& one : result.compared) {
    bool is_new =
        !one.left_out.empty() && std::find(said.begin(), said.end(), one.scheme) == said.end();
    if (!is_new) continue;
    said.push_back(one.scheme);
    std::string from =
        one.l == 0 ? one.scheme : fmt::format("{} from l = {} on", one.scheme, one.l);
    say_note(fmt::format("left out: {}; {}", from, printable(one.left_out)));
  }
}

void talk_about(const CompareOptions& told, const api::CompareResult& result) {
  for (const std::string& warning : result.warnings) say_warning(warning);
  talk_about_left_out(result);
  say_note(
      "gain, guesses and certain are those of the strongest adversary who holds all profiles: gain "
      "over what the promise is about (of swap over R, what one would believe if told that the row "
      "moved), guesses and certain with what public values alone tell; fair, overlap and NDCG are "
      "best at 1, U_aul at 0");
  if (result.written) say_note(fmt::format("the choice is in {}", printable(*result.written)));
  if (!told.request.html.empty())
    say_note(fmt::format("the page is {}", printable(told.request.html)));
  say_note(fmt::format("read in {}, compared in {}", format_seconds(result.read_seconds),
                       format_seconds(result.seconds - result.read_seconds)));
}

// ---- Running ----

Status take_words(CompareOptions& told) {
  api::CompareRequest& request = told.request;
  request.schemes = words_of(told.schemes);
  if (!told.ls.empty()) {
    auto ls = parse_ls(told.ls);
    if (!ls) return ls.error();
    request.ls = *ls;
  }
  if (told.choose && !request.write_policy.empty()) {
    return wrong_use("--choose writes into the policy itself, --write-policy elsewhere; pass one");
  }
  if (told.choose && request.input.policy_path.empty()) {
    return wrong_use("--choose writes into a policy file; pass one with --policy");
  }
  if (told.choose) request.write_policy = request.input.policy_path;
  return check_table_options(request.input);
}

int run(CompareOptions& told) {
  if (auto taken = take_words(told); !taken) return fail(taken.error());
  auto result = with_bar(told.request.input.progress, [&] { return api::compare(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : show(*result));
  talk_about(told, *result);
  return result->files ? exit_ok : fail(result->files.error());
}

}  // namespace

Run set_up_compare(Options& options) {
  auto told = std::make_shared<CompareOptions>();
  api::CompareRequest& request = told->request;
  add_column_options(options, "TABLE", "the table to protect", request.input);
  options.section("Schemes");
  options.text("--schemes", "NAME,NAME", "schemes to compare (default: all)", told->schemes);
  options.text("--l", "N,N", "values of l to try beside the policy's (default 2,3,4)", told->ls);
  options.section("Queries");
  options.text("--workload", "FILE", "queries to tune for and to measure on (default: made up)",
               request.workload);
  options.number("--queries", "N", "queries to measure on, when they are made up", request.queries,
                 1, 1'000'000);
  options.number("--k", "N", "rows of a page of answers (default: the policy's)", request.k, 1);
  options.number("--seed", "N", "of the key and the queries (default: a key that nobody keeps)",
                 request.seed);
  options.section("Output");
  options.flag("--choose", "write the choice into the policy itself", told->choose);
  options.text("--write-policy", "FILE", "write the policy with the choice to FILE",
               request.write_policy);
  options.text("--html", "FILE", "write a page with the frontier of privacy and utility",
               request.html);
  options.flag("--force", "replace a policy that differs, and a page that is there", request.force);
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil compare people.csv --policy people.toml");
  options.example(
      "rankveil compare people.csv --policy people.toml --schemes swap,cluster,drop --l 2,3,4 "
      "--html compare.html --choose");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
