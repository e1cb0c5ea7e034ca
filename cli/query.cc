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
#include "rankveil/protect/scheme.h"

namespace rankveil::cli {

namespace {

struct QueryOptions {
  api::QueryRequest request;
  bool json = false;
};

std::string score_text(double score) { return fmt::format("{:.10g}", score); }

// Values of the domain's order, so that they read alike however they were typed.
std::string wish_text(const Attribute& attribute, const BoundWish& wish) {
  const auto* values = std::get_if<ValuesText>(&wish.text.form);
  bool plain = values != nullptr && !values->negated &&
               std::ranges::all_of(wish.grades, [](std::uint8_t grade) {
                 return grade == 0 || grade == full_grade;
               });
  if (!plain) return to_text(wish.text);
  std::string text;
  for (std::uint32_t v = 0; v < wish.grades.size(); ++v) {
    if (wish.grades[v] == 0) continue;
    text += (text.empty() ? "" : "|") + attribute.domain.values()[v];
  }
  std::string weight = wish.text.weight ? fmt::format("^{}", *wish.text.weight) : "";
  return attribute.name + "=" + text + weight;
}

// "city=Paris, religion=none|other (private)"
std::string wishes_text(const Schema& schema, const api::QueryAnswer& answer) {
  std::vector<const BoundWish*> wishes;
  for (const BoundWish& wish : answer.bound.wishes) wishes.push_back(&wish);
  std::ranges::stable_sort(wishes, {}, [](const BoundWish* wish) { return +wish->attribute; });
  std::string text;
  for (const BoundWish* wish : wishes) {
    const Attribute& attribute = schema[wish->attribute];
    text += (text.empty() ? "" : ", ") + wish_text(attribute, *wish);
    if (attribute.is_private()) text += " (private)";
  }
  return text.empty() ? "nothing" : printable(text);
}

// Who takes part, and in which order; empty where nothing is said of it.
std::string choice_text(const api::QueryResult& result, const api::QueryAnswer& answer) {
  std::string text;
  for (const Condition& condition : answer.request.where) {
    text += (text.empty() ? "where " : " and ") + to_text(condition);
  }
  if (!text.empty()) {
    text = fmt::format("{}: {} of {}\n", printable(text), grouped(answer.page.passing),
                       counted(result.rows, "row"));
  }
  if (answer.request.sort.empty()) return text;
  return text + fmt::format("sorted by {}{}\n", printable(to_text(answer.request.sort)),
                            answer.request.prefer_first ? ", after wishes" : "");
}

std::string full_score_text(const api::QueryAnswer& answer) {
  if (answer.full_score == 0) return "";
  return "; a full match scores " + score_text(answer.full_score);
}

// "city=Paris 1, religion=none 0.56 of 1"
std::string reasons_text(const std::vector<api::QueryReason>& reasons) {
  std::string text;
  for (const api::QueryReason& reason : reasons) {
    bool whole = score_text(reason.added) == score_text(reason.full);
    text += (text.empty() ? "" : ", ") + reason.wish + " " + score_text(reason.added);
    if (!whole) text += " of " + score_text(reason.full);
  }
  return text;
}

TextTable hits_table(const api::QueryResult& result, const api::QueryAnswer& answer) {
  TextTable table;
  table.column("rank", Align::Right);
  table.column(result.schema.id_name.empty() ? "row" : result.schema.id_name, Align::Right);
  table.column("score", Align::Right);
  for (AttributeId shown : answer.columns) table.column(result.schema[shown].name);
  if (answer.request.explain) table.column("explained");
  for (const api::QueryHit& hit : hits_of(result, answer)) {
    std::vector<std::string> cells = {grouped(hit.rank), hit.id, score_text(hit.score)};
    for (const auto& value : hit.public_values) cells.push_back(value.value_or("-"));
    if (answer.request.explain) cells.push_back(reasons_text(hit.reasons));
    table.row(std::move(cells));
  }
  return table;
}

// "city: Oslo 12, Paris 1,034, none 3"
std::string facets_text(const api::QueryResult& result, const api::QueryAnswer& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.bound.facets.size(); ++i) {
    const Attribute& attribute = result.schema[answer.bound.facets[i]];
    const std::vector<std::uint32_t>& counts = answer.page.facets[i];
    std::string values;
    for (std::size_t v = 0; v < counts.size(); ++v) {
      if (counts[v] == 0) continue;
      std::string name = v + 1 == counts.size() ? "no value" : attribute.domain.values()[v];
      values += (values.empty() ? "" : ", ") + name + " " + grouped(counts[v]);
    }
    text += printable(attribute.name + ": " + values) + "\n";
  }
  return text;
}

// "2 rows score higher"; where keys decide as well, "2 rows stand before it", or, where some are
// equal and stand between, "before it and its equals".
std::string better_text(const api::QueryRow& row, bool sorted) {
  std::string rows =
      row.competition_rank == 1 ? "no row" : counted(row.competition_rank - 1, "row");
  std::string verb = sorted ? " stand" : " score";
  if (row.competition_rank <= 2) verb += "s";
  if (!sorted) return rows + verb + " higher";
  return rows + verb + " before it" + (row.rank == row.competition_rank ? "" : " and its equals");
}

std::string row_text(const api::QueryRow& row, bool sorted) {
  return fmt::format("row {}: score {}, rank {}; {}\n", printable(row.id), score_text(row.score),
                     grouped(row.rank), better_text(row, sorted));
}

void show(const api::QueryResult& result) {
  constexpr std::size_t least_columns = 3;  // rank, id and score stand whatever the width
  std::size_t hidden = 0;                   // public columns
  bool hides_explanations = false;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const auto& answer = result.answers[i];
    std::string title = result.answers.size() > 1
                            ? fmt::format("query {} of {}", i + 1, result.answers.size())
                            : std::string("asked for");
    print(fmt::format("{}{}: {}{}\n{}", i == 0 ? "" : "\n", title,
                      wishes_text(result.schema, answer), full_score_text(answer),
                      choice_text(result, answer)));
    TextTable table = hits_table(result, answer);
    std::size_t columns = least_columns + answer.columns.size();  // and explanations behind them
    auto fitting = std::max(least_columns, table.fitting_columns(out_terminal()));
    hidden = std::max(hidden, columns - std::min(columns, fitting));
    hides_explanations = hides_explanations || (answer.request.explain && fitting <= columns);
    print(table.render(out_terminal(), fitting));
    print(facets_text(result, answer));
    if (answer.row) print(row_text(*answer.row, !answer.request.sort.empty()));
  }
  if (hidden > 0) {
    say_note(fmt::format("{} too many for this terminal; choose some with --columns",
                         counted(hidden, "public column") + (hidden == 1 ? " is" : " are")));
  }
  if (hides_explanations) {
    say_note("explanations are too wide for this terminal; show fewer --columns, or use --json");
  }
}

void show_json(const api::QueryResult& result, bool one_line_each) {
  for (const auto& answer : result.answers) {
    print(to_json(result, answer).dump(one_line_each ? -1 : 2) + "\n");
  }
}

bool asks_for_nothing(const Request& request) {
  return request.where.empty() && request.prefer.empty() && request.sort.empty();
}

// Whether some answer is to explain a private wish.
bool is_to_explain_private(const api::QueryResult& result) {
  return std::ranges::any_of(result.answers, [&](const api::QueryAnswer& answer) {
    return answer.request.explain &&
           std::ranges::any_of(answer.bound.wishes, [&](const BoundWish& wish) {
             return result.schema[wish.attribute].is_private();
           });
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

// What an explanation of a private wish is worth.
std::string explanation_note(const api::QueryResult& result) {
  if (!result.explains_private()) {
    return "private wishes are not explained: no promise covers what that would tell";
  }
  return "what a private wish added is a strength under the index's profile, which its promise "
         "covers; it is no fact about the row";
}

void talk_about(const api::QueryResult& result) {
  bool single = result.answers.size() == 1;
  if (single && asks_for_nothing(result.answers[0].request)) {
    say_note(
        "nothing was asked for, so all rows tie and stand in row order; --prefer city=Paris "
        "asks");
  }
  bool is_protected = !result.info.unprotected() && !result.info.scheme.empty();
  bool asked_private = std::ranges::any_of(result.answers, [&](const api::QueryAnswer& answer) {
    return asks_for_private(result, answer);
  });
  if (is_protected && asked_private) say_note(matches_note(result.info));
  if (is_to_explain_private(result)) say_note(explanation_note(result));
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
  auto result = api::query(told.request);
  if (!result) return fail(result.error());
  if (told.json) {
    show_json(*result, !told.request.queries.empty());
  } else {
    show(*result);
  }
  talk_about(*result);
  return exit_ok;
}

Status add_names(std::vector<std::string>& names, const std::string& text) {
  auto read = parse_names(text);
  if (!read) return wrong_use(read.error().message);
  names.insert(names.end(), read->begin(), read->end());
  return {};
}

void add_asking(Options& options, api::QueryRequest& request) {
  using Text = const std::string&;
  options.section("What is asked");
  auto into = [](std::vector<std::string>& texts) {
    return [&texts](Text text) {
      texts.push_back(text);
      return Status{};
    };
  };
  options.each("-w,--where", "CONDITION", "who takes part; \"city = Paris and age < 30\"",
               into(request.where));
  options.each("-p,--prefer", "WISH", "what is better: city=Paris|Rome, age~30/10, income:more^2",
               into(request.wishes));
  options.each("--sort", "KEYS", "-income,age: the highest income first, then the lowest age",
               into(request.sort));
  options.text("--order", "ORDER", "\"prefer, sort\": wishes decide before keys", request.order);
  options.text("--request", "FILE", "all of this as a JSON object", request.request_path);
  options.text("--query", "JSON", "the wishes as {\"city\": \"Paris\", \"age\": [\"18-25\"]}",
               request.query);
  options.text("--queries", "FILE",
               "many queries: .csv, .tsv, .parquet, .ndjson or .jsonl, or - for standard input",
               request.queries);
  options.number("-k,--top", "N", "rows to return (default: what the policy said)", request.k, 1);
  options.number("--offset", "N", "rows to leave out before them", request.offset, 0);
  options.each("--facets", "A,B,C", "count the rows that take part by these public attributes",
               [&](Text text) { return add_names(request.facets, text); });
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
  options.each("--columns", "A,B,C", "public attributes to show (default: all)",
               [columns = &told->request.columns](const std::string& text) {
                 return add_names(*columns, text);
               });
  options.flag("--explain", "tell what each wish added to each row", told->request.explain);
  options.flag("--json", "print JSON; with --queries one line for each query", told->json);
  options.example(
      "rankveil query people.rankveil -k 10 --prefer city=Paris --prefer \"religion=none|other\"");
  options.example(
      "rankveil query people.rankveil --where \"city = Paris and age < 50\" --prefer age~30/10 "
      "--sort -education");
  options.example("rankveil query people.rankveil --queries people-workload.csv --json");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
