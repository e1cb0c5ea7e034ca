// rankveil query: the best rows of an index for what somebody asks for.
#include "rankveil/api/query.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/api/policy_overrides.h"
#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::cli {

namespace {

struct QueryOptions {
  api::QueryRequest request;
  std::vector<std::string> columns;  // public attributes to show; empty: all
  bool json = false;
};

std::string score_text(double score) { return fmt::format("{:.10g}", score); }

// "city=Paris, religion=none|other (private)"
std::string wishes_text(const Schema& schema, const Query& query) {
  std::string text;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    if (query.wanted[i].empty()) continue;
    const Attribute& attribute = schema.attributes[i];
    text += (text.empty() ? "" : ", ") + attribute.name + "=";
    for (std::size_t v = 0; v < query.wanted[i].size(); ++v) {
      text += (v == 0 ? "" : "|") + attribute.domain.text(query.wanted[i][v]);
    }
    if (attribute.is_private()) text += " (private)";
  }
  return text.empty() ? "nothing" : printable(text);
}

std::string full_score_text(const api::QueryAnswer& answer) {
  if (answer.full_score == 0) return "";
  return "; a full match scores " + score_text(answer.full_score);
}

Error cannot_show(const Schema& schema, const std::string& name,
                  const std::vector<std::string>& there) {
  constexpr std::size_t most_named = 8;
  std::string choice = there.empty() ? "this index has no public attribute"
                                     : "choose among " + listed(there, most_named);
  if (schema.find(name)) {
    return bad_input(fmt::format(
        "--columns: {} is private, and answers show public attributes only; {}", name, choice));
  }
  return bad_input(fmt::format("--columns: there is no public attribute \"{}\"; {}", name,
                               did_you_mean(name, there, choice)));
}

// Positions among the public attributes of what is to be shown.
Result<std::vector<std::size_t>> shown_columns(const Schema& schema,
                                               const std::vector<std::string>& names) {
  std::vector<std::size_t> shown;
  std::vector<std::string> there;
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
    there.push_back(schema.attributes[i].name);
    if (names.empty()) shown.push_back(i);
  }
  for (const std::string& name : names) {
    auto found = std::find(there.begin(), there.end(), name);
    if (found == there.end()) return cannot_show(schema, name, there);
    shown.push_back(static_cast<std::size_t>(found - there.begin()));
  }
  return shown;
}

TextTable hits_table(const api::QueryResult& result, const api::QueryAnswer& answer,
                     const std::vector<std::size_t>& shown) {
  TextTable table;
  table.column("rank", Align::Right);
  table.column(result.schema.id_name.empty() ? "row" : result.schema.id_name, Align::Right);
  table.column("score", Align::Right);
  for (std::size_t i : shown) table.column(result.schema.attributes[i].name);
  for (const api::QueryHit& hit : hits_of(result, answer)) {
    std::vector<std::string> cells = {grouped(hit.rank), hit.id, score_text(hit.score)};
    for (std::size_t i : shown) cells.push_back(hit.public_values[i].value_or("-"));
    table.row(std::move(cells));
  }
  return table;
}

std::string row_text(const api::QueryRow& row) {
  return fmt::format("row {}: score {}, rank {}; {} higher\n", printable(row.id),
                     score_text(row.score), grouped(row.rank),
                     row.competition_rank == 1
                         ? "no row scores"
                         : counted(row.competition_rank - 1, "row") +
                               (row.competition_rank == 2 ? " scores" : " score"));
}

void show(const api::QueryResult& result, const std::vector<std::size_t>& shown) {
  constexpr std::size_t least_columns = 3;  // rank, id and score stand whatever the width
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const auto& answer = result.answers[i];
    std::string title = result.answers.size() > 1
                            ? fmt::format("query {} of {}", i + 1, result.answers.size())
                            : std::string("asked for");
    print(fmt::format("{}{}: {}{}\n", i == 0 ? "" : "\n", title,
                      wishes_text(result.schema, answer.query), full_score_text(answer)));
    TextTable table = hits_table(result, answer, shown);
    auto fitting = std::max(least_columns, table.fitting_columns(out_terminal()));
    hidden = std::max(hidden, least_columns + shown.size() - fitting);
    print(table.render(out_terminal(), fitting));
    if (answer.row) print(row_text(*answer.row));
  }
  if (hidden > 0) {
    say_note(fmt::format("{} too many for this terminal; choose some with --columns",
                         counted(hidden, "public column") + (hidden == 1 ? " is" : " are")));
  }
}

void show_json(const api::QueryResult& result, bool one_line_each) {
  for (const auto& answer : result.answers) {
    print(to_json(result, answer).dump(one_line_each ? -1 : 2) + "\n");
  }
}

bool asks_for_nothing(const Query& query) {
  return std::all_of(query.wanted.begin(), query.wanted.end(),
                     [](const auto& wanted) { return wanted.empty(); });
}

bool asks_for_private(const api::QueryResult& result) {
  std::uint32_t first = result.schema.public_count();
  return std::ranges::any_of(result.answers, [&](const api::QueryAnswer& answer) {
    return std::any_of(answer.query.wanted.begin() + first, answer.query.wanted.end(),
                       [](const auto& wanted) { return !wanted.empty(); });
  });
}

// What a match is worth where values are protected.
std::string matches_note(const IndexInfo& info) {
  const Scheme* scheme = find_scheme(info.scheme);
  if (scheme != nullptr && scheme->shows_nothing) {
    return fmt::format("{} shows nothing private: private wishes change no row's place",
                       info.scheme);
  }
  if (scheme == nullptr || scheme->promise != PromiseKind::GainAtMost) {
    return fmt::format("protected by {}: a row that seems to match a private wish may well not",
                       info.scheme);
  }
  return fmt::format(
      "protected by {}: a row that seems to match a private wish is right at most one time in {} "
      "more "
      "often than chance, and never surely",
      info.scheme, info.l);
}

void talk_about(const api::QueryResult& result) {
  bool single = result.answers.size() == 1;
  if (single && asks_for_nothing(result.answers[0].query)) {
    say_note(
        "nothing was asked for, so all rows tie and stand in row order; --prefer city=Paris "
        "asks");
  }
  bool is_protected = !result.info.unprotected() && !result.info.scheme.empty();
  if (is_protected && asks_for_private(result)) say_note(matches_note(result.info));
  if (result.info.unprotected()) {
    say_note("this index is UNPROTECTED: the order of these rows gives private values away");
  } else if (result.info.scheme.empty()) {
    say_note("this index does not state its scheme, so it promises nothing");
  }
  say_note(fmt::format("{} over {} in {}, index opened in {}",
                       single ? "1 query" : grouped(result.answers.size()) + " queries",
                       counted(result.rows, "row"), format_seconds(result.rank_seconds),
                       format_seconds(result.open_seconds)));
}

int run(const QueryOptions& told) {
  if (told.json && !told.columns.empty()) {
    return fail(
        wrong_use("--columns is for the table on the terminal, and --json gives every public "
                  "attribute; leave one of them out"));
  }
  auto result = api::query(told.request);
  if (!result) return fail(result.error());
  auto shown = shown_columns(result->schema, told.columns);
  if (!shown) return fail(shown.error());
  if (told.json) {
    show_json(*result, !told.request.queries.empty());
  } else {
    show(*result, *shown);
  }
  talk_about(*result);
  return exit_ok;
}

Status add_columns(std::vector<std::string>& columns, std::string_view text) {
  while (!text.empty()) {
    std::string_view name = text.substr(0, text.find(','));
    if (!name.empty()) columns.emplace_back(name);
    text.remove_prefix(std::min(text.size(), name.size() + 1));
  }
  if (columns.empty()) return wrong_use("it names no attribute; leave it out to see all");
  return {};
}

void add_asking(Options& options, api::QueryRequest& request) {
  using Text = const std::string&;
  options.section("What is asked");
  options.each("-p,--prefer", "ATTRIBUTE=VALUE", "a wish; city=Paris|Rome takes either",
               [&](Text text) {
                 request.wishes.push_back(text);
                 return Status{};
               });
  options.refuse({"-w", "--where"},
                 "--where is kept for conditions that every row must meet, which do not exist yet; "
                 "a wish, which only ranks rows, is --prefer city=Paris");
  options.text("--query", "JSON", "the wishes as {\"city\": \"Paris\", \"age\": [\"18-25\"]}",
               request.query);
  options.text("--queries", "FILE",
               "many queries: .csv, .tsv, .parquet, .ndjson or .jsonl, or - for standard input",
               request.queries);
  options.number("-k,--top", "N", "rows to return (default: what the policy said)", request.k, 1);
  options.each("--weight", "ATTRIBUTE=NUMBER", "how much a match counts, this time",
               [&](Text text) -> Status {
                 auto weight = api::parse_weight(text);
                 if (!weight) return weight.error();
                 request.weights.push_back(*weight);
                 return {};
               });
  options.text("--row", "ID", "also tell the score and rank of this row", request.row);
  options.number("--threads", "N", "cores to rank with", request.threads, 1, 1024);
}

}  // namespace

Run set_up_query(Options& options) {
  auto told = std::make_shared<QueryOptions>();
  options.positional("INDEX", "a file made by rankveil protect or index", told->request.index_path);
  add_asking(options, told->request);
  options.section("Output");
  options.each(
      "--columns", "A,B,C", "public attributes to show (default: all)",
      [columns = &told->columns](const std::string& text) { return add_columns(*columns, text); });
  options.flag("--json", "print JSON; with --queries one line for each query", told->json);
  options.example(
      "rankveil query people.rankveil -k 10 --prefer city=Paris --prefer \"religion=none|other\"");
  options.example("rankveil query people.rankveil --queries people-workload.csv --json");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
