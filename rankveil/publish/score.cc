#include "rankveil/publish/score.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "rankveil/publish/score_parser.h"

namespace rankveil::publish {

namespace {

// How a value moves when a column grows.
enum class Way : std::uint8_t { Still, Up, Down, Mixed };

Way joined(Way a, Way b) {
  if (a == Way::Still) return b;
  if (b == Way::Still || a == b) return a;
  return Way::Mixed;
}

Way turned(Way way) {
  if (way == Way::Up) return Way::Down;
  return way == Way::Down ? Way::Up : way;
}

// The way of a product's part, by the sign of the other part.
Way scaled(Way way, ValueRange by) {
  if (way == Way::Still || (by.low == 0 && by.high == 0)) return Way::Still;
  if (by.low >= 0) return way;
  return by.high <= 0 ? turned(way) : Way::Mixed;
}

std::string name_text(const std::string& name) {
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (char c : name) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || static_cast<unsigned char>(c) >= 0x80;
    plain = plain && letter;
  }
  if (plain) return name;
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

struct Score::Trend {
  ValueRange range;
  std::vector<Way> ways;

  template <typename Combine>
  static std::vector<Way> both(const Trend& a, const Trend& b, const Combine& combine) {
    std::vector<Way> ways(a.ways.size());
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = combine(a.ways[i], b.ways[i]);
    return ways;
  }
};

// Part of the expression as text, and how strongly it holds together.
struct Score::Text {
  std::string text;
  int strength = 3;  // 1: sum, 2: product, 3: one thing

  std::string within(int least) const { return strength >= least ? text : "(" + text + ")"; }
};

int Score::operands(Op op) {
  switch (op) {
    case Op::Number:
    case Op::Column:
      return 0;
    case Op::Negate:
    case Op::Sqrt:
    case Op::Log:
    case Op::Exp:
      return 1;
    default:
      return 2;
  }
}

Result<Score> Score::of_list(std::string_view text) { return ScoreParser(text).list(); }

Result<Score> Score::parse(std::string_view text) { return ScoreParser(text).expression(); }

std::string Score::text() const {
  std::vector<Text> stack;
  for (const Node& node : nodes_) {
    if (node.op == Op::Number) {
      stack.push_back({fmt::format("{}", node.number)});
      continue;
    }
    if (node.op == Op::Column) {
      stack.push_back({name_text(columns_[node.column])});
      continue;
    }
    Text b = std::move(stack.back());
    stack.pop_back();
    if (operands(node.op) == 1) {
      const char* name = node.op == Op::Sqrt ? "sqrt" : node.op == Op::Log ? "log" : "exp";
      stack.push_back(node.op == Op::Negate ? Text{"-" + b.within(3), 3}
                                            : Text{fmt::format("{}({})", name, b.text)});
      continue;
    }
    Text a = std::move(stack.back());
    stack.pop_back();
    switch (node.op) {
      case Op::Add:
        stack.push_back({a.within(1) + " + " + b.within(2), 1});
        break;
      case Op::Subtract:
        stack.push_back({a.within(1) + " - " + b.within(2), 1});
        break;
      case Op::Multiply:
        stack.push_back({a.within(2) + " * " + b.within(3), 2});
        break;
      case Op::Divide:
        stack.push_back({a.within(2) + " / " + b.within(3), 2});
        break;
      default:
        stack.push_back(
            {fmt::format("{}({}, {})", node.op == Op::Min ? "min" : "max", a.text, b.text)});
    }
  }
  assert(stack.size() == 1 && "an expression has one value");
  return stack.back().text;
}

// False: it has no value in some place of the ranges.
bool Score::apply(Op op, const Trend& a, const Trend& b, Trend& result) {
  const ValueRange x = a.range;
  const ValueRange y = b.range;
  auto turn_all = [](std::vector<Way> ways) {
    for (Way& way : ways) way = turned(way);
    return ways;
  };
  switch (op) {
    case Op::Negate:
      result = {{-x.high, -x.low}, turn_all(a.ways)};
      return true;
    case Op::Sqrt:
      result = {{std::sqrt(x.low), std::sqrt(x.high)}, a.ways};
      return x.low >= 0;
    case Op::Log:
      result = {{std::log(x.low), std::log(x.high)}, a.ways};
      return x.low > 0;
    case Op::Exp:
      result = {{std::exp(x.low), std::exp(x.high)}, a.ways};
      return std::isfinite(result.range.high);
    case Op::Add:
      result = {{x.low + y.low, x.high + y.high}, Trend::both(a, b, joined)};
      return true;
    case Op::Subtract:
      result = {{x.low - y.high, x.high - y.low},
                Trend::both(a, b, [](Way p, Way q) { return joined(p, turned(q)); })};
      return true;
    case Op::Min:
      result = {{std::min(x.low, y.low), std::min(x.high, y.high)}, Trend::both(a, b, joined)};
      return true;
    case Op::Max:
      result = {{std::max(x.low, y.low), std::max(x.high, y.high)}, Trend::both(a, b, joined)};
      return true;
    case Op::Multiply: {
      auto [low, high] =
          std::minmax({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
      result = {{low, high}, Trend::both(a, b, [&](Way p, Way q) {
                  return joined(scaled(p, y), scaled(q, x));
                })};
      return true;
    }
    case Op::Divide: {
      if (y.low <= 0 && y.high >= 0) return false;
      auto [low, high] =
          std::minmax({x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high});
      result = {{low, high}, Trend::both(a, b, [&](Way p, Way q) {
                  return joined(scaled(p, y), turned(scaled(q, x)));
                })};
      return true;
    }
    default:
      assert(false && "numbers and columns are no operators");
      return false;
  }
}

Status Score::check(std::span<const ValueRange> ranges) const {
  assert(ranges.size() == columns_.size() && "there is a range for each column");
  std::vector<Trend> stack;
  for (const Node& node : nodes_) {
    Trend still{{node.number, node.number}, std::vector<Way>(columns_.size(), Way::Still)};
    if (node.op == Op::Column) {
      still.range = ranges[node.column];
      still.ways[node.column] = Way::Up;
    }
    if (operands(node.op) == 0) {
      stack.push_back(std::move(still));
      continue;
    }
    Trend b = std::move(stack.back());
    stack.pop_back();
    Trend a = b;
    if (operands(node.op) == 2) {
      a = std::move(stack.back());
      stack.pop_back();
    }
    Trend result;
    bool has_value = apply(node.op, a, b, result);
    if (!has_value || !std::isfinite(result.range.low) || !std::isfinite(result.range.high)) {
      return wrong_use(fmt::format(
          "the score \"{}\" has no value for some numbers between the least and the greatest of "
          "its columns; roots, logarithms and divisors need positive numbers",
          text()));
    }
    stack.push_back(std::move(result));
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (stack.back().ways[i] != Way::Mixed) continue;
    return wrong_use(fmt::format(
        "the score \"{}\" is not monotone in {}: it may rise and fall as {} grows; use an "
        "expression that goes one way",
        text(), columns_[i], columns_[i]));
  }
  return {};
}

namespace {

constexpr std::size_t block_rows = 512;
using Block = std::array<double, block_rows>;

template <typename Function>
void combine(Block& a, const Block& b, std::size_t rows, const Function& function) {
  for (std::size_t i = 0; i < rows; ++i) a[i] = function(a[i], b[i]);
}

template <typename Function>
void change(Block& a, std::size_t rows, const Function& function) {
  for (std::size_t i = 0; i < rows; ++i) a[i] = function(a[i]);
}

}  // namespace

// A block of rows at a time, so that operators are told apart once a block.
void Score::evaluate(std::span<const std::span<const double>> columns,
                     std::span<double> scores) const {
  assert(columns.size() == columns_.size() && "there is a column for each name");
  std::vector<Block> stack(nodes_.size());
  for (std::size_t first = 0; first < scores.size(); first += block_rows) {
    std::size_t rows = std::min(block_rows, scores.size() - first);
    std::size_t depth = 0;
    for (const Node& node : nodes_) {
      if (node.op == Op::Number) {
        stack[depth++].fill(node.number);
        continue;
      }
      if (node.op == Op::Column) {
        std::copy_n(columns[node.column].begin() + static_cast<std::ptrdiff_t>(first), rows,
                    stack[depth++].begin());
        continue;
      }
      bool unary = operands(node.op) == 1;
      Block& a = stack[unary ? depth - 1 : depth - 2];
      const Block& b = stack[depth - 1];
      switch (node.op) {
        case Op::Negate:
          change(a, rows, [](double x) { return -x; });
          break;
        case Op::Sqrt:
          change(a, rows, [](double x) { return std::sqrt(x); });
          break;
        case Op::Log:
          change(a, rows, [](double x) { return std::log(x); });
          break;
        case Op::Exp:
          change(a, rows, [](double x) { return std::exp(x); });
          break;
        case Op::Add:
          combine(a, b, rows, [](double x, double y) { return x + y; });
          break;
        case Op::Subtract:
          combine(a, b, rows, [](double x, double y) { return x - y; });
          break;
        case Op::Multiply:
          combine(a, b, rows, [](double x, double y) { return x * y; });
          break;
        case Op::Divide:
          combine(a, b, rows, [](double x, double y) { return x / y; });
          break;
        case Op::Min:
          combine(a, b, rows, [](double x, double y) { return y < x ? y : x; });
          break;
        default:
          combine(a, b, rows, [](double x, double y) { return x < y ? y : x; });
      }
      if (!unary) --depth;
    }
    std::copy_n(stack[0].begin(), rows, scores.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

}  // namespace rankveil::publish
