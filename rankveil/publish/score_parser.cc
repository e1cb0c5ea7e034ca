#include "rankveil/publish/score_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace rankveil::publish {

namespace {

constexpr int most_depth = 50;
constexpr std::size_t most_nodes = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Letters beyond ASCII belong to names.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void ScoreParser::advance() {
  std::size_t start = rest_.find_first_not_of(" \t\r\n");
  rest_.remove_prefix(std::min(start, rest_.size()));
  token_ = {};
  if (rest_.empty()) return;
  char c = rest_.front();
  if (c == '"') return read_quoted();
  if (is_digit(c) || c == '.') return read_number();
  if (is_letter(c)) {
    std::size_t end = 1;
    while (end < rest_.size() && (is_letter(rest_[end]) || is_digit(rest_[end]))) ++end;
    token_ = {Kind::Word, std::string(rest_.substr(0, end))};
    rest_.remove_prefix(end);
    return;
  }
  bool known = std::string_view("+-*/(),").find(c) != std::string_view::npos;
  token_ = {known ? Kind::Sign : Kind::Wrong, std::string(1, c)};
  rest_.remove_prefix(1);
}

void ScoreParser::read_quoted() {
  token_.kind = Kind::Wrong;
  token_.text = "\"";
  std::string name;
  for (std::size_t i = 1; i < rest_.size(); ++i) {
    bool doubled = rest_[i] == '"' && i + 1 < rest_.size() && rest_[i + 1] == '"';
    if (rest_[i] == '"' && !doubled) {
      if (!name.empty()) token_ = {Kind::Quoted, name};
      rest_.remove_prefix(i + 1);
      return;
    }
    name += rest_[i];
    if (doubled) ++i;
  }
  rest_ = {};
}

void ScoreParser::read_number() {
  double number = 0;
  auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
  auto length = static_cast<std::size_t>(end - rest_.data());
  if (problem != std::errc() || length == 0 || !std::isfinite(number)) {
    token_ = {Kind::Wrong, std::string(1, rest_.front())};
    rest_.remove_prefix(std::max<std::size_t>(length, 1));
    return;
  }
  token_ = {Kind::Number, std::string(rest_.substr(0, length)), number};
  rest_.remove_prefix(length);
}

bool ScoreParser::take(char sign) {
  if (!is_sign(sign)) return false;
  advance();
  return true;
}

std::string ScoreParser::found() const {
  return token_.kind == Kind::End ? "the end" : fmt::format("\"{}\"", token_.text);
}

bool ScoreParser::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  return false;
}

Error ScoreParser::refusal() const {
  return wrong_use(fmt::format("cannot read the score \"{}\": {}", text_, problem_));
}

bool ScoreParser::expect(char sign) {
  if (take(sign)) return true;
  return fail(fmt::format("\"{}\" is expected before {}", sign, found()));
}

void ScoreParser::push_column(const std::string& name) {
  auto& columns = score_.columns_;
  auto at = std::find(columns.begin(), columns.end(), name);
  auto number = static_cast<std::uint32_t>(at - columns.begin());
  if (at == columns.end()) columns.push_back(name);
  score_.nodes_.push_back({Score::Op::Column, 0, number});
}

bool ScoreParser::item() {
  bool smaller = take('-');
  double weight = 1;
  bool weighted = token_.kind == Kind::Number;
  if (weighted) {
    weight = token_.number;
    advance();
    if (!expect('*')) return false;
  }
  if (token_.kind != Kind::Word && token_.kind != Kind::Quoted) {
    return fail(fmt::format("a column is expected before {}", found()));
  }
  auto& columns = score_.columns_;
  if (std::find(columns.begin(), columns.end(), token_.text) != columns.end()) {
    return fail(fmt::format("column \"{}\" is named twice", token_.text));
  }
  bool first = columns.empty();
  if (weighted) push_number(weight);
  push_column(token_.text);
  if (weighted) push(Score::Op::Multiply);
  if (first && smaller) push(Score::Op::Negate);
  if (!first) push(smaller ? Score::Op::Subtract : Score::Op::Add);
  advance();
  return true;
}

Result<Score> ScoreParser::list() {
  do {
    if (!item()) return refusal();
  } while (take(','));
  if (token_.kind == Kind::End) return score_;
  fail(fmt::format("a comma is expected before {}", found()));
  return refusal();
}

bool ScoreParser::sum() {
  if (!term()) return false;
  while (is_sign('+') || is_sign('-')) {
    Score::Op op = is_sign('+') ? Score::Op::Add : Score::Op::Subtract;
    advance();
    if (!term()) return false;
    push(op);
  }
  return true;
}

bool ScoreParser::term() {
  if (!factor()) return false;
  while (is_sign('*') || is_sign('/')) {
    Score::Op op = is_sign('*') ? Score::Op::Multiply : Score::Op::Divide;
    advance();
    if (!factor()) return false;
    push(op);
  }
  return true;
}

bool ScoreParser::function(const std::string& name) {
  static const std::map<std::string, Score::Op> known = {{"sqrt", Score::Op::Sqrt},
                                                         {"log", Score::Op::Log},
                                                         {"exp", Score::Op::Exp},
                                                         {"min", Score::Op::Min},
                                                         {"max", Score::Op::Max}};
  auto op = known.find(name);
  if (op == known.end()) {
    return fail(
        fmt::format("there is no function \"{}\"; there are sqrt, log, exp, min and max", name));
  }
  if (!expect('(') || !sum()) return false;
  if (Score::operands(op->second) == 1) {
    push(op->second);
    return expect(')');
  }
  do {
    if (!expect(',') || !sum()) return false;
    push(op->second);
  } while (is_sign(','));
  return expect(')');
}

bool ScoreParser::factor() {
  if (++depth_ > most_depth) return fail("it is nested too deeply");
  if (score_.nodes_.size() > most_nodes) return fail("it is too long");
  bool done = false;
  if (take('-')) {
    done = factor();
    if (done) push(Score::Op::Negate);
  } else if (take('(')) {
    done = sum() && expect(')');
  } else if (token_.kind == Kind::Number) {
    push_number(token_.number);
    advance();
    done = true;
  } else if (token_.kind == Kind::Word || token_.kind == Kind::Quoted) {
    Token name = token_;
    advance();
    done = true;
    if (name.kind == Kind::Word && is_sign('(')) {
      done = function(name.text);
    } else {
      push_column(name.text);
    }
  } else {
    return fail(fmt::format("a column or a number is expected before {}", found()));
  }
  --depth_;
  return done;
}

Result<Score> ScoreParser::expression() {
  if (!sum()) return refusal();
  if (token_.kind != Kind::End) fail(fmt::format("an operator is expected before {}", found()));
  if (score_.columns_.empty()) fail("it names no column");
  if (!problem_.empty()) return refusal();
  return score_;
}

}  // namespace rankveil::publish
