#include "bench/figures/lab/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace rankveil::figures {
namespace {

constexpr const char* look_names[] = {"lines", "log-lines", "bars", "dots", "rates"};

std::string point_text(const Series& series, double x) {
  auto found = std::find(series.xs.begin(), series.xs.end(), x);
  if (found == series.xs.end()) return "";
  auto i = static_cast<std::size_t>(found - series.xs.begin());
  return value_text(series, i);
}

// Categories go down, series across: they have long names.
std::string category_table(const Figure& figure, const Chart& chart) {
  std::vector<std::string> head = {chart.bed};
  for (const Series& series : chart.series) head.push_back(series.name);
  std::string text = table_head(head);
  for (std::size_t i = 0; i < figure.categories.size(); ++i) {
    std::vector<std::string> cells = {figure.categories[i]};
    for (const Series& series : chart.series) {
      cells.push_back(point_text(series, static_cast<double>(i + 1)));
    }
    text += table_row(cells);
  }
  return text + "\n";
}

std::string chart_table(const Figure& figure, const Chart& chart) {
  if (figure.has_categories()) return category_table(figure, chart);
  std::set<double> xs;
  for (const Series& series : chart.series) xs.insert(series.xs.begin(), series.xs.end());
  std::vector<std::string> head = {chart.bed + ", by " + figure.x_label};
  for (double x : xs) head.push_back(number_text(x));
  std::string text = table_head(head);
  for (const Series& series : chart.series) {
    std::vector<std::string> cells = {series.name};
    for (double x : xs) cells.push_back(point_text(series, x));
    text += table_row(cells);
  }
  return text + "\n";
}

std::string verdict_table(const std::vector<Verdict>& verdicts) {
  std::string text = table_head({"claim", "table", "ours", "verdict"});
  for (const Verdict& verdict : verdicts) {
    text += table_row({verdict.claim, verdict.bed, verdict.value, verdict_text(verdict.holds)});
  }
  return text + "\n";
}

Json numbers_json(const std::vector<double>& numbers) {
  return Json::Array(numbers.begin(), numbers.end());
}

Json series_json(const Series& series) {
  return Json()
      .set("name", series.name)
      .set("x", numbers_json(series.xs))
      .set("y", numbers_json(series.ys))
      .set("margin", numbers_json(series.margins))
      .set("low", numbers_json(series.lows))
      .set("high", numbers_json(series.highs));
}

Json chart_json(const Chart& chart) {
  Json::Array all;
  for (const Series& series : chart.series) all.push_back(series_json(series));
  return Json().set("table", chart.bed).set("series", std::move(all));
}

Json verdict_json(const Verdict& verdict) {
  return Json()
      .set("claim", verdict.claim)
      .set("table", verdict.bed)
      .set("value", verdict.value)
      .set("reproduced", verdict.holds);
}

Json figure_json(const Figure& figure) {
  Json::Array charts, verdicts;
  for (const Chart& chart : figure.charts) charts.push_back(chart_json(chart));
  for (const Verdict& verdict : figure.verdicts) verdicts.push_back(verdict_json(verdict));
  return Json()
      .set("id", figure.id)
      .set("title", figure.title)
      .set("paper_says", figure.says)
      .set("x", figure.x_label)
      .set("y", figure.y_label)
      .set("look", look_names[static_cast<int>(figure.look)])
      .set("categories", json_texts(figure.categories))
      .set("charts", std::move(charts))
      .set("claims", std::move(verdicts))
      .set("notes", json_texts(figure.notes));
}

// Reading back. What is absent or of another kind is empty: only our own programs write this.
std::string text_of(const Json& json, const char* name) {
  const Json* found = json.find(name);
  const std::string* text = found != nullptr ? found->as_text() : nullptr;
  return text != nullptr ? *text : "";
}

const Json::Array& array_of(const Json& json, const char* name) {
  static const Json::Array none;
  const Json* found = json.find(name);
  const Json::Array* array = found != nullptr ? found->as_array() : nullptr;
  return array != nullptr ? *array : none;
}

std::vector<double> numbers_of(const Json& json, const char* name) {
  std::vector<double> numbers;
  for (const Json& item : array_of(json, name)) numbers.push_back(item.as_number().value_or(0));
  return numbers;
}

std::vector<std::string> texts_of(const Json& json, const char* name) {
  std::vector<std::string> texts;
  for (const Json& item : array_of(json, name)) {
    if (item.as_text() != nullptr) texts.push_back(*item.as_text());
  }
  return texts;
}

Chart chart_from(const Json& json) {
  Chart chart{text_of(json, "table"), {}};
  for (const Json& item : array_of(json, "series")) {
    chart.series.push_back({text_of(item, "name"), numbers_of(item, "x"), numbers_of(item, "y"),
                            numbers_of(item, "margin"), numbers_of(item, "low"),
                            numbers_of(item, "high")});
  }
  return chart;
}

Verdict verdict_from(const Json& json) {
  const Json* holds = json.find("reproduced");
  return {text_of(json, "claim"), text_of(json, "table"), text_of(json, "value"),
          holds != nullptr && holds->as_bool() != nullptr && *holds->as_bool()};
}

Figure figure_from(const Json& json) {
  Figure figure{text_of(json, "id"), text_of(json, "title"), text_of(json, "paper_says"),
                text_of(json, "x"), text_of(json, "y")};
  std::string look = text_of(json, "look");
  for (Look known : {Look::LogLines, Look::Bars, Look::Dots, Look::Rates}) {
    if (look == look_names[static_cast<int>(known)]) figure.look = known;
  }
  figure.categories = texts_of(json, "categories");
  for (const Json& item : array_of(json, "charts")) figure.charts.push_back(chart_from(item));
  for (const Json& item : array_of(json, "claims")) figure.verdicts.push_back(verdict_from(item));
  figure.notes = texts_of(json, "notes");
  return figure;
}

}  // namespace

std::string verdict_text(bool holds) { return holds ? "reproduced" : "not reproduced"; }

std::string value_text(const Series& series, std::size_t i) {
  std::string text = fmt::format("{:.3f}", series.ys[i]);
  if (i < series.lows.size() && i < series.highs.size()) {
    return text + fmt::format(" ({:.3f} to {:.3f})", series.lows[i], series.highs[i]);
  }
  if (i < series.margins.size()) text += fmt::format(" ±{:.3f}", series.margins[i]);
  return text;
}

std::string number_text(double number) { return fmt::format("{:.6g}", number); }

std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (char c : cell) line += c == '|' ? std::string("\\|") : std::string(1, c);
    line += " |";
  }
  return line + "\n";
}

std::string table_head(const std::vector<std::string>& cells) {
  return table_row(cells) + table_row(std::vector<std::string>(cells.size(), "---"));
}

std::string to_markdown(const Figure& figure) {
  std::string text = fmt::format("## {}\n\n", figure.title);
  if (!figure.says.empty()) {
    text += fmt::format("{}{}\n\n", figure.look == Look::Dots ? "" : "The paper: ", figure.says);
  }
  if (!figure.charts.empty()) text += fmt::format("{}:\n\n", figure.y_label);
  for (const Chart& chart : figure.charts) text += chart_table(figure, chart);
  if (!figure.verdicts.empty()) text += verdict_table(figure.verdicts);
  for (const std::string& note : figure.notes) text += note + "\n\n";
  return text;
}

std::string to_markdown(const Report& report) {
  std::string text = fmt::format("# {}\n\n{}\n\n", report.program, report.setting);
  for (const std::string& bed : report.beds) text += "- " + bed + "\n";
  text += report.beds.empty() ? "" : "\n";
  for (const std::string& note : report.notes) text += note + "\n\n";
  for (const Figure& figure : report.figures) text += to_markdown(figure);
  return text + fmt::format("It took {:.0f} s.\n\n", report.seconds);
}

Json to_json(const Report& report) {
  Json::Array figures;
  for (const Figure& figure : report.figures) figures.push_back(figure_json(figure));
  return Json()
      .set("program", report.program)
      .set("setting", report.setting)
      .set("tables", json_texts(report.beds))
      .set("notes", json_texts(report.notes))
      .set("figures", std::move(figures))
      .set("seconds", report.seconds);
}

Result<Report> report_from_json(const Json& json) {
  if (json.find("figures") == nullptr) return bad_input("this is no report of figures");
  Report report{text_of(json, "program"),
                text_of(json, "setting"),
                texts_of(json, "tables"),
                texts_of(json, "notes"),
                {}};
  for (const Json& item : array_of(json, "figures")) report.figures.push_back(figure_from(item));
  if (const Json* seconds = json.find("seconds")) {
    report.seconds = seconds->as_number().value_or(0);
  }
  return report;
}

}  // namespace rankveil::figures
