#include "cli/ranking_options.h"

#include <fmt/core.h>

#include "rankveil/publish/release/describe.h"
#include "rankveil/table/number_text.h"

namespace rankveil::cli {

namespace {

// The option's name is put in front by who asks.
Result<double> real_of(const std::string& text) {
  if (auto number = number_from_text(text)) return *number;
  return wrong_use(fmt::format("it must be a number, not \"{}\"", text));
}

Status take_missing(const std::string& text, api::RankingInput& input) {
  if (text != "refuse" && text != "last") {
    return wrong_use(fmt::format("it must be refuse or last, not \"{}\"", text));
  }
  input.missing_last = text == "last";
  return {};
}

}  // namespace

void add_ranking_options(Options& options, api::RankingInput& input) {
  options.text("--sql", "SELECT", "rows to rank, in place of the table or on a DuckDB file",
               input.source.sql);
  options.text("--table", "NAME", "a table of a DuckDB file", input.source.table);
  options.section("Ranking");
  options.text("--rank-by", "COLUMNS",
               "columns whose sum is the score: points,2*assists,-turnovers (minus: smaller is "
               "better)",
               input.rank_by);
  options.text("--score", "EXPRESSION",
               "any monotone score: + - * / sqrt log exp min max over columns", input.score);
  options.once("--missing", "HOW",
               "rows that lack a ranking value: refuse or last (default refuse)",
               [&input](const std::string& text) { return take_missing(text, input); });
}

void add_decimal(Options& options, const std::string& names, const std::string& value,
                 const std::string& help, double& target) {
  options.once(names, value, help, [&target](const std::string& text) -> Status {
    auto number = real_of(text);
    if (!number) return number.error();
    target = *number;
    return {};
  });
}

void add_decimal(Options& options, const std::string& names, const std::string& value,
                 const std::string& help, std::optional<double>& target) {
  options.once(names, value, help, [&target](const std::string& text) -> Status {
    auto number = real_of(text);
    if (!number) return number.error();
    target = *number;
    return {};
  });
}

void add_names(Options& options, const std::string& names, const std::string& value,
               const std::string& help, std::vector<std::string>& target) {
  options.each(names, value, help, [&target](const std::string& text) -> Status {
    for (std::string_view rest = text; !rest.empty();) {
      std::string_view one = rest.substr(0, rest.find(','));
      if (one.empty()) return wrong_use(fmt::format("a name is empty in \"{}\"", text));
      target.emplace_back(one);
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    }
    return {};
  });
}

void add_hierarchies(Options& options,
                     std::vector<std::pair<std::string, std::string>>& hierarchies) {
  options.each("--hierarchy", "COLUMN=FILE",
               "what values of a quasi-identifier belong to: a line each, such as "
               "Boston,Atlantic,East,*",
               [&hierarchies](const std::string& text) -> Status {
                 auto at = text.find('=');
                 if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
                   return wrong_use(fmt::format("it must be COLUMN=FILE, not \"{}\"", text));
                 }
                 hierarchies.emplace_back(text.substr(0, at), text.substr(at + 1));
                 return {};
               });
}

void add_diversity(Options& options, publish::Diversity& diversity) {
  options.number("--l-diversity", "L", "so many different values", diversity.distinct, 0);
  add_decimal(options, "--entropy-l-diversity", "L", "exp(entropy) of the values, at least",
              diversity.entropy);
  add_decimal(options, "--t-closeness", "T", "distance from the table's values, at most",
              diversity.closeness);
}

void add_ties(Options& options, std::optional<publish::Ties>& target) {
  options.once("--ties", "HOW",
               "rows with the score of the last of the top: include or cut (default include)",
               [&target](const std::string& text) -> Status {
                 target = publish::ties_from_name(text);
                 if (target) return {};
                 return wrong_use(fmt::format("it must be include or cut, not \"{}\"", text));
               });
}

}  // namespace rankveil::cli
