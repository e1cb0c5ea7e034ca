// The words of a condition, of sort keys and of lists of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil {

struct Token {
  enum class Kind {
    Word,   // letters, digits, _ . - and all that is not ASCII
    Value,  // 'in single quotes'
    Name,   // "in double quotes"
    Mark,   // = != < <= > >= ( ) ,
    End,
  };
  Kind kind;
  std::string text;
  std::size_t begin;  // where it stands, from 0

  bool is_mark(std::string_view mark) const { return kind == Kind::Mark && text == mark; }
  // Whether it is this word, in whatever capitals.
  bool is_word(std::string_view word) const;
};

// Refuses a text that is not UTF-8: what is read is printed again, as JSON too.
Status check_utf8(std::string_view text);

// The last one is an End.
Result<std::vector<Token>> tokens_of(std::string_view text);

bool is_word_character(char c);
// With quotes around it where it is no word, or a word of the grammar.
std::string value_token(std::string_view text);
std::string name_token(std::string_view text);
// The text in quotes of this kind, those in it doubled.
std::string in_quotes(std::string_view text, char quote);
// What stands in quotes from `begin` on, which is a quote; `begin` is behind it then. Nothing where
// they do not end.
bool take_quoted(std::string_view text, std::size_t& begin, std::string& taken);

}  // namespace rankveil
