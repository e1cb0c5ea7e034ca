// rankveil measure: what protection costs, in ranks, scores and top-k lists.
#include "rankveil/api/measure.h"

#include <fmt/core.h>

#include <charconv>
#include <functional>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/api/inspect.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct MeasureOptions {
  api::MeasureRequest request;
  std::string ks;
  std::string ranks;
  bool per_query = false;
  bool json = false;
};

using utility::Estimate;
using utility::Utility;

// "10,100" as numbers.
Result<std::vector<std::uint32_t>> parse_ks(std::string_view text) {
  std::vector<std::uint32_t> ks;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view one = rest.substr(0, rest.find(','));
    std::uint32_t k = 0;
    auto [end, problem] = std::from_chars(one.data(), one.data() + one.size(), k);
    if (problem != std::errc() || end != one.data() + one.size() || k == 0) {
      return wrong_use(
          fmt::format("--k must be whole numbers from 1 up, such as 10,100, not \"{}\"", text));
    }
    ks.push_back(k);
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  return ks;
}

Result<RankKind> parse_ranks(const std::string& text) {
  for (RankKind kind : {RankKind::Ordinal, RankKind::Competition}) {
    if (text == api::rank_kind_name(kind)) return kind;
  }
  return wrong_use(fmt::format("--ranks must be ordinal or competition, not \"{}\"", text));
}

std::string share_text(const Estimate& estimate) {
  return estimate.margin ? fmt::format("{:.3f} +-{:.3f}", estimate.mean, *estimate.margin)
                         : fmt::format("{:.3f}", estimate.mean);
}

// Losses are sums over all rows; a mean row is easier to read.
std::string per_row_text(const Estimate& estimate, std::uint32_t rows) {
  double n = std::max(rows, 1U);
  return estimate.margin ? fmt::format("{:.4g} +-{:.2g}", estimate.mean / n, *estimate.margin / n)
                         : fmt::format("{:.4g}", estimate.mean / n);
}

std::string queries_text(const Utility& utility) {
  std::string text = grouped(utility.queries);
  return utility.asked == utility.queries ? text : text + ", asked " + grouped(utility.asked);
}

using Cell = std::function<std::string(const Utility&)>;

void add_row(TextTable& table, const api::MeasureResult& result, const std::string& name,
             const Cell& cell) {
  std::vector<std::string> cells = {name};
  for (const auto& measured : result.workloads) cells.push_back(cell(measured.utility));
  table.row(std::move(cells));
}

void add_rows_at(TextTable& table, const api::MeasureResult& result, std::size_t i) {
  std::string at = "@" + std::to_string(result.workloads[0].utility.at[i].k);
  using At = utility::UtilityAt;
  auto add = [&](const std::string& name, Estimate At::*measure) {
    add_row(table, result, name + at,
            [=](const Utility& utility) { return share_text(utility.at[i].*measure); });
  };
  add("fair", &At::fair);
  add("overlap", &At::overlap);
  add("NDCG", &At::ndcg);
  add("tau-b", &At::tau_b);
  add("U_aul", &At::aul);
}

std::string measures_text(const api::MeasureResult& result) {
  TextTable table;
  table.column("measure");
  for (const auto& measured : result.workloads) table.column(measured.name, Align::Right);
  add_row(table, result, "queries", queries_text);
  for (std::size_t i = 0; i < result.workloads[0].utility.at.size(); ++i) {
    add_rows_at(table, result, i);
  }
  add_row(table, result, "ranks moved a row",
          [](const Utility& utility) { return per_row_text(utility.rank_loss, utility.rows); });
  add_row(table, result, "score off a row",
          [](const Utility& utility) { return per_row_text(utility.score_loss, utility.rows); });
  add_row(table, result, "U_Q",
          [](const Utility& utility) { return fmt::format("{:.10g}", utility.total_rank_loss); });
  add_row(table, result, "U_Q^S",
          [](const Utility& utility) { return fmt::format("{:.10g}", utility.total_score_loss); });
  return table.render(out_terminal());
}

std::string show(const api::MeasureResult& result) {
  return fmt::format("{} against {}: {}, {} ranks\n{}\n\n", printable(result.index_path),
                     printable(result.table), counted(result.rows, "row"),
                     api::rank_kind_name(result.ranks), printable(api::promise(result.info))) +
         measures_text(result);
}

void talk_about(const api::MeasureResult& result) {
  for (const std::string& warning : result.warnings) say_warning(warning);
  say_note(
      "fair, overlap, NDCG and tau-b are best at 1, all others at 0; +- is a 95% interval over "
      "queries");
  say_note(fmt::format("read in {}, measured in {}", format_seconds(result.read_seconds),
                       format_seconds(result.measure_seconds)));
}

Status take_words(MeasureOptions& told) {
  auto& request = told.request;
  // With a SELECT over files the one name that is left is the index.
  if (request.index_path.empty() && !request.input.source.sql.empty()) {
    std::swap(request.index_path, request.input.source.path);
  }
  if (!told.ks.empty()) {
    auto ks = parse_ks(told.ks);
    if (!ks) return ks.error();
    request.ks = *ks;
  }
  if (!told.ranks.empty()) {
    auto ranks = parse_ranks(told.ranks);
    if (!ranks) return ranks.error();
    request.ranks = *ranks;
  }
  if (told.per_query && !told.json) return wrong_use("--per-query needs --json");
  return check_table_options(request.input);
}

int run(MeasureOptions& told) {
  if (auto taken = take_words(told); !taken) return fail(taken.error());
  auto result = with_bar(told.request.input.progress, [&] { return api::measure(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result, told.per_query).dump() + "\n" : show(*result));
  talk_about(*result);
  return exit_ok;
}

}  // namespace

Run set_up_measure(Options& options) {
  auto told = std::make_shared<MeasureOptions>();
  auto& request = told->request;
  add_column_options(options, "TABLE", "the table that the index was made of", request.input);
  options.positional("INDEX", "the index to measure", request.index_path, Need::Optional);
  options.text("--key", "FILE", "the key of an index that does not call its rows by their ids",
               request.key_path);
  options.section("Queries");
  options.text("--workload", "FILE", "queries to measure on (default: three kinds are made up)",
               request.workload_path);
  options.text("--tuning", "FILE", "queries the index was tuned for: one more column",
               request.tuning_path);
  options.number("--queries", "N", "queries of each kind that is made up", request.queries, 1,
                 1'000'000);
  options.number("--seed", "N", "of the queries that are made up", request.seed);
  options.section("Measures");
  options.text("--k", "N,N", "lengths of a page of answers (default 10,100)", told->ks);
  options.text("--ranks", "KIND", "ordinal (ties in row order) or competition (default ordinal)",
               told->ranks);
  options.section("Output");
  options.flag("--per-query", "with --json: also what each query gives", told->per_query);
  options.flag("--json", "print JSON", told->json);
  options.topic(
      "Without --policy", "INDEX",
      "says what its columns are, and of bins what their labels say; it has no values that "
      "only rows without a signal have");
  options.example("rankveil measure people.csv people.rankveil");
  options.example("rankveil measure people.csv people.rankveil --policy people.toml");
  options.example(
      "rankveil measure people.csv people.rankveil --policy people.toml --tuning "
      "people-workload.csv --workload asked.csv");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
