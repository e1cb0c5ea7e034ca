// Conditions as text: or binds weaker than and, and that weaker than not.
#include <fmt/core.h>

#include <utility>

#include "rankveil/ranking/asking/request.h"
#include "rankveil/ranking/asking/tokens.h"

namespace rankveil {

namespace {

constexpr int max_depth = 64;

Condition joined(Condition::Kind kind, std::vector<Condition> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Condition made;
  made.kind = kind;
  made.parts = std::move(parts);
  return made;
}

class ConditionParser {
 public:
  explicit ConditionParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<Condition> whole() {
    auto condition = any();
    if (!condition) return condition;
    if (now().kind != Token::Kind::End) return unexpected("and, or, or the end");
    return condition;
  }

 private:
  const Token& now() const { return tokens_[next_]; }
  Token take() { return tokens_[next_ + 1 < tokens_.size() ? next_++ : next_]; }
  bool take_word(std::string_view word) {
    if (!now().is_word(word)) return false;
    ++next_;
    return true;
  }
  bool take_mark(std::string_view mark) {
    if (!now().is_mark(mark)) return false;
    ++next_;
    return true;
  }

  Error unexpected(std::string_view wanted) const {
    if (now().kind == Token::Kind::End) {
      return bad_input(fmt::format("the condition ends where {} should follow", wanted));
    }
    return bad_input(fmt::format("\"{}\" at character {} stands where {} should follow", now().text,
                                 now().begin + 1, wanted));
  }

  Result<Condition> any() { return list(Condition::Kind::Or, "or", &ConditionParser::all); }
  Result<Condition> all() { return list(Condition::Kind::And, "and", &ConditionParser::one); }

  Result<Condition> list(Condition::Kind kind, std::string_view word,
                         Result<Condition> (ConditionParser::*part)()) {
    std::vector<Condition> parts;
    do {
      auto read = (this->*part)();
      if (!read) return read;
      parts.push_back(std::move(*read));
    } while (take_word(word));
    return joined(kind, std::move(parts));
  }

  Result<Condition> one() {
    if (++depth_ > max_depth) {
      return bad_input(fmt::format("the condition is nested deeper than {} levels", max_depth));
    }
    auto read = now().is_word("not") ? negated() : now().is_mark("(") ? in_parentheses() : test();
    --depth_;
    return read;
  }

  Result<Condition> negated() {
    take();
    auto read = one();
    if (!read) return read;
    Condition made;
    made.kind = Condition::Kind::Not;
    made.parts.push_back(std::move(*read));
    return made;
  }

  Result<Condition> in_parentheses() {
    take();
    auto read = any();
    if (read && !take_mark(")")) return unexpected("\")\"");
    return read;
  }

  Result<Condition> test() {
    if (now().kind != Token::Kind::Word && now().kind != Token::Kind::Name) {
      return unexpected("the name of an attribute");
    }
    Condition made;
    made.attribute = take().text;
    auto read = now().kind == Token::Kind::Mark ? compared(made) : worded(made);
    if (!read) return read.error();
    return made;
  }

  Status compared(Condition& made) {
    std::string mark = take().text;
    if (mark == "(" || mark == ")" || mark == ",") {
      --next_;
      return unexpected("a comparison such as = or <=");
    }
    auto read = value();
    if (!read) return read.error();
    if (mark == "=" || mark == "!=") {
      made.test = ValuesText{{*read}, mark == "!="};
      return {};
    }
    RangeText::End end{*read, mark.size() == 2};
    made.test = mark[0] == '<' ? RangeText{{}, end} : RangeText{end, {}};
    return {};
  }

  Status worded(Condition& made) {
    if (take_word("is")) {
      bool negates = take_word("not");
      if (!take_word("null")) return unexpected("null");
      made.test = NullText{negates};
      return {};
    }
    bool negates = take_word("not");
    if (take_word("in")) return listed(made, negates);
    if (!negates && take_word("between")) return between(made);
    return unexpected("a comparison such as =, <=, in (...), between or is null");
  }

  Status listed(Condition& made, bool negates) {
    if (!take_mark("(")) return unexpected("\"(\"");
    ValuesText values{{}, negates};
    do {
      auto read = value();
      if (!read) return read.error();
      values.values.push_back(std::move(*read));
    } while (take_mark(","));
    if (!take_mark(")")) return unexpected("\",\" or \")\"");
    made.test = std::move(values);
    return {};
  }

  Status between(Condition& made) {
    auto low = value();
    if (!low) return low.error();
    if (!take_word("and")) return unexpected("and");
    auto high = value();
    if (!high) return high.error();
    made.test = RangeText{RangeText::End{*low}, RangeText::End{*high}};
    return {};
  }

  Result<std::string> value() {
    if (now().kind == Token::Kind::Word || now().kind == Token::Kind::Value) return take().text;
    if (now().kind == Token::Kind::Name) {
      return bad_input(
          fmt::format("\"{}\" in double quotes is a name; a value stands in single quotes: {}",
                      now().text, in_quotes(now().text, '\'')));
    }
    return unexpected("a value");
  }

  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

std::string text_of(const std::string& name, const ValuesText& test) {
  if (test.values.size() == 1) {
    return name + (test.negated ? " != " : " = ") + value_token(test.values.front());
  }
  std::string text;
  for (const std::string& value : test.values) {
    text += (text.empty() ? "" : ", ") + value_token(value);
  }
  return name + (test.negated ? " not in (" : " in (") + text + ")";
}

std::string text_of(const std::string& name, const RangeText& test) {
  if (test.low && test.high) {
    return name + " between " + value_token(test.low->value) + " and " +
           value_token(test.high->value);
  }
  bool above = test.low.has_value();
  const RangeText::End& end = above ? *test.low : *test.high;
  return name + (above ? " >" : " <") + (end.included ? "= " : " ") + value_token(end.value);
}

std::string text_of(const std::string& name, const NullText& test) {
  return name + (test.negated ? " is not null" : " is null");
}

std::string part_text(const Condition& part) {
  bool plain = part.kind == Condition::Kind::Test || part.kind == Condition::Kind::Not;
  return plain ? to_text(part) : "(" + to_text(part) + ")";
}

}  // namespace

Result<Condition> parse_condition(std::string_view text) {
  auto tokens = tokens_of(text);
  if (!tokens) return tokens.error();
  return ConditionParser(std::move(*tokens)).whole();
}

std::string to_text(const Condition& condition) {
  if (condition.kind == Condition::Kind::Test) {
    std::string name = name_token(condition.attribute);
    return std::visit([&](const auto& test) { return text_of(name, test); }, condition.test);
  }
  if (condition.kind == Condition::Kind::Not) return "not " + part_text(condition.parts.front());
  std::string text;
  for (const Condition& part : condition.parts) {
    if (!text.empty()) text += condition.kind == Condition::Kind::And ? " and " : " or ";
    text += part_text(part);
  }
  return text;
}

}  // namespace rankveil
