// A figure as numbers: what was measured, what the paper says about it, and whether that holds.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::figures {

struct Series {
  std::string name;
  std::vector<double> xs;
  std::vector<double> ys;
  std::vector<double> margins;  // 95%, over seeds; empty: not known
  // Ends of intervals that are not the same to both sides; empty: see margins.
  std::vector<double> lows = {};
  std::vector<double> highs = {};
};

// One table's part of a figure.
struct Chart {
  std::string bed;
  std::vector<Series> series;
};

enum class Look {
  Lines,
  LogLines,  // x by its logarithm
  Bars,      // one group of bars an x
  Dots,      // x counts categories from 1: one line each, a dot per series; the first is published
  Rates,     // so, one chart a table, and no series is published
};

struct Verdict {
  std::string claim;  // the paper's, in a phrase
  std::string bed;
  std::string value;  // ours
  bool holds = false;
};

struct Figure {
  std::string id;     // "pvs-2"
  std::string title;  // "PVS figure 2: utility loss by k"
  std::string says;   // what was published, in a sentence or two; may be empty
  std::string x_label;
  std::string y_label;
  Look look = Look::Lines;
  std::vector<std::string> categories = {};  // of Dots and Rates
  std::vector<Chart> charts = {};
  std::vector<Verdict> verdicts = {};
  std::vector<std::string> notes = {};  // sentences: what was left out, what to know

  bool has_categories() const { return look == Look::Dots || look == Look::Rates; }
};

// What a program writes: its figures, and under which conditions they were made.
struct Report {
  std::string program;
  std::string setting;             // sentences
  std::vector<std::string> beds;   // "name: origin"
  std::vector<std::string> notes;  // what could not be had
  std::vector<Figure> figures;
  double seconds = 0;
};

std::string to_markdown(const Figure& figure);
std::string to_markdown(const Report& report);

Json to_json(const Report& report);
// Reads what to_json wrote.
Result<Report> report_from_json(const Json& json);

std::string verdict_text(bool holds);  // "reproduced" or "not reproduced"
// Lines of a Markdown table.
std::string table_row(const std::vector<std::string>& cells);
std::string table_head(const std::vector<std::string>& cells);
// A value with what is known of its error: "0.500 ±0.020" or "0.500 (0.470 to 0.530)".
std::string value_text(const Series& series, std::size_t i);
// A number for people: up to 6 digits, no trailing zeros.
std::string number_text(double number);

}  // namespace rankveil::figures
