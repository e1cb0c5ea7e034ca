// rankveil bound: what k-anonymity is worth against somebody who knows much of the data.
#include "rankveil/graphs/operations/bound.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/base/file.h"

namespace rankveil::cli {

namespace {

using bound::Mode;

struct BoundOptions {
  api::BoundRequest request;
  std::string output;
  std::string html;
  bool force = false;
  bool json = false;
};

Status take_real(const std::string& text, std::optional<double>& target) {
  double number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return wrong_use(fmt::format("it takes a number, not \"{}\"", text));
  }
  target = number;
  return {};
}

Status take_real(const std::string& text, double& target) {
  std::optional<double> number;
  if (auto taken = take_real(text, number); !taken) return taken;
  target = *number;
  return {};
}

Status take_people(const std::string& text, std::optional<std::uint64_t>& target) {
  std::uint64_t number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) {
    return wrong_use(fmt::format("it takes a whole number, not \"{}\"", text));
  }
  target = number;
  return {};
}

Status take_mode(const std::string& text, Mode& mode) {
  for (Mode known : {Mode::Paper, Mode::Sound}) {
    if (text == bound::mode_name(known)) return mode = known, Status{};
  }
  return wrong_use(fmt::format("it is paper or sound, not \"{}\"", text));
}

Status take_eps1(const std::string& text, std::optional<double>& eps1) {
  if (text == "self") return eps1.reset(), Status{};
  return take_real(text, eps1);
}

Status take_choice(const std::string& text, const char* no, const char* yes, bool& target) {
  if (text != no && text != yes) {
    return wrong_use(fmt::format("it is {} or {}, not \"{}\"", no, yes, text));
  }
  target = text == yes;
  return {};
}

Status take_scale(const std::string& text, api::Scale& scale) {
  bool printed = false;
  if (auto taken = take_choice(text, "one-minus", "lambda2", printed); !taken) return taken;
  scale = printed ? api::Scale::Printed : api::Scale::Unknown;
  return {};
}

Status take_sweep(const std::string& text, std::optional<api::Sweep>& target) {
  auto sweep = api::parse_sweep(text);
  if (!sweep) return sweep.error();
  target = *sweep;
  return {};
}

// "a,b"; an empty text is no column at all.
Status take_given(const std::string& text, std::optional<std::vector<std::string>>& given) {
  given.emplace();
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find(',', at), text.size());
    given->push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return {};
}

std::string show_one(const bound::Guarantee& guarantee) {
  return fmt::format("epsilon  {:.6g}\ndelta    {:.6g}\n", guarantee.epsilon, guarantee.delta);
}

std::string show_assumptions(const api::BoundResult& result) {
  std::string text;
  for (const std::string& assumption : assumptions_of(result)) {
    text += fmt::format("  if {}\n", assumption);
  }
  return text;
}

std::string show_rows(const api::BoundResult& result) {
  bool of_table = !result.rows.front().attribute.empty();
  TextTable table;
  if (of_table) {
    table.column("attribute");
    table.column("value");
  }
  if (result.sweep) table.column(result.sweep->parameter, Align::Right);
  table.column("epsilon", Align::Right);
  table.column("delta", Align::Right);
  for (const api::BoundRow& row : result.rows) {
    std::vector<std::string> cells;
    if (of_table) cells = {row.attribute, row.value};
    if (result.sweep) cells.push_back(fmt::format("{:.6g}", row.x));
    cells.push_back(row.bound ? fmt::format("{:.6g}", row.bound->epsilon) : "none");
    cells.push_back(row.bound ? fmt::format("{:.6g}", row.bound->delta) : "none");
    table.row(std::move(cells));
  }
  return table.render(out_terminal());
}

bool is_one_number(const api::BoundResult& result) {
  return !result.sweep && result.rows.size() == 1 && result.rows.front().attribute.empty();
}

std::string show(const api::BoundResult& result) {
  std::string head = fmt::format("{}, {:.0f} people: theorem {}, {} mode\n", result.subject,
                                 result.people, result.theorem, bound::mode_name(result.mode));
  return head + (is_one_number(result) ? show_one(*result.rows.front().bound) : show_rows(result)) +
         show_assumptions(result);
}

void talk_about(const api::BoundResult& result) {
  for (const std::string& note : result.notes) say_note(note);
  for (const api::BoundRow& row : result.rows) {
    if (!row.bound) {
      say_note(result.sweep ? fmt::format("no bound at {:.6g}: {}", row.x, row.refusal)
                            : fmt::format("no bound for {}: {}", row.attribute, row.refusal));
    }
  }
  for (const std::string& warning : warnings_of(result)) say_warning(warning);
}

Status write_files(const BoundOptions& told, const api::BoundResult& result) {
  return api::write_outputs({{told.output, [&] { return to_csv(result); }},
                             {told.html, [&] { return to_html(result); }}});
}

// Without their dashes. The theorem and its mode decide; they are no parameters of it.
std::vector<std::string> named_parameters(const Options& options) {
  std::vector<std::string> names;
  for (const char* section : {"Adversary", "Bound"}) {
    for (const std::string& name : options.given_in(section)) names.push_back(name.substr(2));
  }
  return names;
}

int run(BoundOptions& told) {
  auto& source = told.request.input.source;
  // Without a file of its own, --table names the file.
  if (source.path.empty() && source.sql.empty()) std::swap(source.path, source.table);
  std::vector<std::string> inputs = source.files();
  inputs.insert(inputs.end(), {told.request.input.policy_path, told.request.graph.path});
  auto fine = api::check_report_outputs({told.output, told.html}, inputs);
  if (!fine) return fail(fine.error());
  for (const std::string& path : {told.output, told.html}) {
    if (auto allowed = api::check_may_write(path, told.force); !allowed)
      return fail(allowed.error());
  }
  auto result = with_bar(told.request.input.progress, [&] { return api::bound(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : show(*result));
  talk_about(*result);
  auto written = write_files(told, *result);
  return written ? exit_ok : fail(written.error());
}

using Text = const std::string&;

void add_people_options(Options& options, api::BoundRequest& request) {
  options.section("People");
  auto real = [&](const std::string& name, const std::string& help, std::optional<double>& target) {
    options.once(name, "X", help, [&target](Text text) { return take_real(text, target); });
  };
  options.text("--graph", "EDGES",
               "an edge list: sum up users' friends, as numbers from 0 to 1; sound mode takes "
               "theorem 3 or 5, since lists depend on each other",
               request.graph.path);
  real("--n", "how many there are", request.setting.n);
  real("--p", "each counts as 1 with this probability", request.setting.p);
  options.text("--column", "NAME", "sum this column of numbers", request.column);
  options.text("--attribute", "NAME", "count a value of this private attribute (default: all)",
               request.attribute);
  options.text("--value", "VALUE", "which value (default: the one with the worst bound)",
               request.value);
  options.once("--given", "A,B", "public columns that tell people apart (default: all of them)",
               [&](Text text) { return take_given(text, request.given); });
  auto& sums = request.sums;
  real("--variance", "sum of variances, when there is no data", sums.variance);
  real("--largest-variance", "of one person", sums.largest_variance);
  real("--variance-3-2", "sum of variance^(3/2)", sums.variance_3_2);
  real("--third", "sum of third central moments", sums.third);
  real("--absolute-third", "sum of absolute third central moments", sums.absolute_third);
  real("--fourth", "sum of fourth central moments", sums.fourth);
  real("--raw-third", "sum of E D^3", sums.raw_third);
  real("--raw-fourth", "sum of E D^4", sums.raw_fourth);
}

void add_adversary_options(Options& options, api::BoundRequest& request) {
  auto& setting = request.setting;
  options.section("Adversary");
  options.once("--lambda2", "SHARE", "of the people whose data is known (default 0)",
               [&](Text text) { return take_real(text, setting.lambda2); });
  options.once("--lambda1", "SHARE", "paper mode: of the people that one depends on (default 0)",
               [&](Text text) { return take_real(text, setting.lambda1); });
  options.once("--neighbourhood", "N",
               "sound mode: the most people that one depends on, oneself included (default 1; with "
               "--graph, as many as somebody has friends, and one)",
               [&](Text text) { return take_people(text, setting.neighbourhood); });
  options.once("--sigma", "X", "standard deviation of the whole sum, when people depend",
               [&](Text text) { return take_real(text, setting.sigma); });
  options.once("--scale", "HOW",
               "given sums shrink with 1 - lambda2 (one-minus, the default) or, as in the paper's "
               "figures, with lambda2",
               [&](Text text) { return take_scale(text, request.scale); });
}

void add_term_options(Options& options, api::BoundRequest& request) {
  auto& setting = request.setting;
  auto& terms = setting.terms;
  options.section("Bound");
  options.number("--theorem", "N", "1 to 5; 0 picks by what is given", request.theorem, 0, 5);
  options.once("--mode", "MODE", "sound (what can be proved, the default) or paper (as printed)",
               [&](Text text) { return take_mode(text, request.mode); });
  options.number("--k", "N", "theorem 1, and paper mode: the k of k-anonymity", terms.k);
  options.once("--s", "X", "theorems 2 to 5: how far one person can move the sum (default 1)",
               [&](Text text) { return take_real(text, terms.s); });
  options.once("--epsilon", "X", "delta follows from it",
               [&](Text text) { return take_real(text, terms.epsilon); });
  options.once("--delta", "X", "theorem 1: epsilon follows from it",
               [&](Text text) { return take_real(text, setting.delta); });
  options.once("--delta1", "X",
               "theorems 2 to 5: the part of delta for the tail (default 1/sqrt(people))",
               [&](Text text) { return take_real(text, terms.delta1); });
  options.once("--eps1", "X", "paper mode: default 0.1; self: the epsilon that comes out",
               [&](Text text) { return take_eps1(text, terms.eps1); });
  options.once(
      "--den", "HOW", "paper mode: inside (as printed, the default) or outside",
      [&](Text text) { return take_choice(text, "inside", "outside", terms.denominator_outside); });
  options.flag("--half-lines", "sound mode: only outputs of the kind \"at most\" and \"at least\"",
               terms.half_lines);
  options.flag("--tail", "sound mode: epsilon by the simpler bound on the tail", terms.by_tail);
}

}  // namespace

Run set_up_bound(Options& options) {
  auto told = std::make_shared<BoundOptions>();
  auto& request = told->request;
  add_column_options(options, "TABLE", table_files, request.input);
  add_people_options(options, request);
  add_adversary_options(options, request);
  add_term_options(options, request);
  options.section("Output");
  options.once("--sweep", "NAME=A:B:STEP",
               "a curve over a parameter that the theorem reads, such as lambda2=0:0.9:0.1",
               [&request](Text text) { return take_sweep(text, request.sweep); });
  options.text("-o,--output", "FILE", "the numbers as CSV", told->output);
  options.text("--html", "FILE", "a page with the curve", told->html);
  options.flag("--force", "replace files that are there", told->force);
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil bound --n 10000 --p 0.3 --lambda2 0.2");
  options.example("rankveil bound --theorem 1 --n 1000 --p 0.3 --k 10 --delta 0.01 --mode paper");
  options.example(
      "rankveil bound people.csv --policy people.toml --attribute religion --value none --sweep "
      "lambda2=0:0.9:0.1 --html curve.html");
  options.example("rankveil bound --graph friends.csv --sweep lambda2=0:0.9:0.1 -o curve.csv");
  return [told, &options] {
    told->request.named = named_parameters(options);
    return run(*told);
  };
}

}  // namespace rankveil::cli
