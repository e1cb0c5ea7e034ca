#include "rankveil/ranking/asking/tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "rankveil/table/toml/toml_text.h"

namespace rankveil {

namespace {

constexpr std::array<std::string_view, 7> grammar_words = {"and",     "or", "not", "in",
                                                           "between", "is", "null"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower, lower);
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_plain_word(std::string_view text) {
  bool grammar = std::ranges::any_of(grammar_words,
                                     [&](std::string_view word) { return same_word(word, text); });
  return !text.empty() && !grammar && std::ranges::all_of(text, is_word_character);
}

Token take_word(std::string_view text, std::size_t& at) {
  std::size_t begin = at;
  while (at < text.size() && is_word_character(text[at])) ++at;
  return {Token::Kind::Word, std::string(text.substr(begin, at - begin)), begin};
}

Result<Token> take_quotes(std::string_view text, std::size_t& at) {
  Token token{text[at] == '\'' ? Token::Kind::Value : Token::Kind::Name, "", at};
  if (take_quoted(text, at, token.text)) return token;
  return bad_input(
      fmt::format("the quote {} at character {} does not end", text[token.begin], token.begin + 1));
}

Result<Token> take_mark(std::string_view text, std::size_t& at) {
  std::size_t begin = at;
  for (std::string_view mark : {"!=", "<>", "<=", ">=", "=", "<", ">", "(", ")", ","}) {
    if (!text.substr(at).starts_with(mark)) continue;
    at += mark.size();
    return Token{Token::Kind::Mark, mark == "<>" ? "!=" : std::string(mark), begin};
  }
  return bad_input(
      fmt::format("\"{}\" at character {} has no meaning here; a value with such characters stands "
                  "in 'single quotes', a name in \"double quotes\"",
                  text[at], at + 1));
}

Result<Token> take_token(std::string_view text, std::size_t& at) {
  if (is_word_character(text[at])) return take_word(text, at);
  if (text[at] == '\'' || text[at] == '"') return take_quotes(text, at);
  return take_mark(text, at);
}

}  // namespace

bool Token::is_word(std::string_view word) const {
  return kind == Kind::Word && same_word(text, word);
}

bool is_word_character(char c) {
  bool letter = lower(c) >= 'a' && lower(c) <= 'z';
  bool digit = c >= '0' && c <= '9';
  return letter || digit || c == '_' || c == '.' || c == '-' || static_cast<unsigned char>(c) > 127;
}

Status check_utf8(std::string_view text) {
  if (!line_of_broken_utf8(text)) return {};
  return bad_input("what is asked is not UTF-8; convert it with iconv -t UTF-8");
}

Result<std::vector<Token>> tokens_of(std::string_view text) {
  if (auto readable = check_utf8(text); !readable) return readable.error();
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    auto token = take_token(text, at);
    if (!token) return token.error();
    tokens.push_back(std::move(*token));
  }
  tokens.push_back({Token::Kind::End, "", text.size()});
  return tokens;
}

std::string in_quotes(std::string_view text, char quote) {
  std::string made(1, quote);
  for (char c : text) made.append(c == quote ? 2 : 1, c);
  return made + quote;
}

bool take_quoted(std::string_view text, std::size_t& begin, std::string& taken) {
  char quote = text[begin];
  std::string found;
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    bool doubled = text[i] == quote && i + 1 < text.size() && text[i + 1] == quote;
    if (text[i] == quote && !doubled) {
      begin = i + 1;
      taken = std::move(found);
      return true;
    }
    found += text[i];
    i += doubled ? 1 : 0;
  }
  return false;
}

std::string value_token(std::string_view text) {
  return is_plain_word(text) ? std::string(text) : in_quotes(text, '\'');
}

std::string name_token(std::string_view text) {
  return is_plain_word(text) ? std::string(text) : in_quotes(text, '"');
}

}  // namespace rankveil
