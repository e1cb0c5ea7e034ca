// Reads scores: by recursive descent, one function a rule.
//
//   list       = item { "," item }          item   = ["-"] [number "*"] column
//   expression = term { ("+" | "-") term }  term   = factor { ("*" | "/") factor }
//   factor     = "-" factor | number | column | function "(" expression {"," expression} ")"
//              | "(" expression ")"
#pragma once

#include <string>
#include <string_view>

#include "rankveil/publish/score.h"

namespace rankveil::publish {

class ScoreParser {
 public:
  explicit ScoreParser(std::string_view text) : text_(text), rest_(text) { advance(); }

  Result<Score> list();
  Result<Score> expression();

 private:
  enum class Kind { End, Number, Word, Quoted, Sign, Wrong };
  struct Token {
    Kind kind = Kind::End;
    std::string text = {};  // of a quoted name, without its quotes
    double number = 0;
  };

  void advance();
  void read_quoted();
  void read_number();
  bool is_sign(char sign) const { return token_.kind == Kind::Sign && token_.text[0] == sign; }
  bool take(char sign);

  // Each says whether it could; else `problem_` says why not.
  bool item();
  bool sum();
  bool term();
  bool factor();
  bool function(const std::string& name);
  bool expect(char sign);
  bool fail(std::string problem);

  void push(Score::Op op) { score_.nodes_.push_back({op}); }
  void push_number(double number) { score_.nodes_.push_back({Score::Op::Number, number}); }
  void push_column(const std::string& name);
  Error refusal() const;
  std::string found() const;

  std::string_view text_;
  std::string_view rest_;
  Token token_;
  Score score_;
  std::string problem_;
  int depth_ = 0;
};

}  // namespace rankveil::publish
