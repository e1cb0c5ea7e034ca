// What rows are ranked by: an expression over columns that is monotone in each of them.
//
//   auto score = Score::of_list("points, 2*assists, -turnovers");     // a weighted sum
//   auto score = Score::parse("points + 2 * assists - turnovers");    // the same
//   auto score = Score::parse("sqrt(points) * min(assists, rebounds)");
//
// An expression has numbers, columns, + - * /, parentheses, and the functions sqrt, log, exp, min
// and max. A column whose name is no plain word stands in double quotes, with quotes inside
// doubled.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::publish {

// Where the values of a column lie.
struct ValueRange {
  double low = 0;
  double high = 0;
};

class Score {
 public:
  // Columns with commas in between, each with a weight before it ("2*") and a minus where smaller
  // is better. Refuses a column that is named twice.
  static Result<Score> of_list(std::string_view text);
  // Refuses what does not parse, an expression without columns, and nesting deeper than 50.
  static Result<Score> parse(std::string_view text);

  // In the order in which they first appear.
  const std::vector<std::string>& columns() const { return columns_; }
  // An expression that parses back to the same score.
  std::string text() const;

  // Refuses a score that does not go one way in some column while values stay in these ranges, or
  // has no value there (such as a root of a negative number). `ranges` are in the order of columns.
  Status check(std::span<const ValueRange> ranges) const;

  // One score for each row. REQUIRES: as many columns as columns(), all as long as `scores`.
  void evaluate(std::span<const std::span<const double>> columns, std::span<double> scores) const;

 private:
  friend class ScoreParser;
  enum class Op : std::uint8_t {
    Number,
    Column,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Sqrt,
    Log,
    Exp,
    Min,
    Max,
  };
  // The expression with operators behind their operands.
  struct Node {
    Op op;
    double number = 0;
    std::uint32_t column = 0;
  };
  struct Trend;
  struct Text;
  static int operands(Op op);
  static bool apply(Op op, const Trend& a, const Trend& b, Trend& result);

  std::vector<Node> nodes_;
  std::vector<std::string> columns_;
};

}  // namespace rankveil::publish
