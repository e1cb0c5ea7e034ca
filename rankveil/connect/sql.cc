#include "rankveil/connect/sql.h"

namespace rankveil::connect {

namespace {

std::string quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (char c : text) {
    if (c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

}  // namespace

std::string quoted_text(std::string_view text) { return quoted(text, '\''); }

std::string quoted_name(std::string_view name) { return quoted(name, '"'); }

std::string quoted_path(std::string_view path) {
  std::string escaped;
  for (char c : path) {
    if (c == '*' || c == '?' || c == '[') {
      escaped += {'[', c, ']'};
    } else {
      escaped += c;
    }
  }
  return quoted_text(escaped);
}

std::vector<std::string> quoted_in(std::string_view sql) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < sql.size(); ++at) {
    char quote = sql[at];
    if (quote != '\'' && quote != '"') continue;
    std::string& text = texts.emplace_back();
    for (++at; at < sql.size(); ++at) {
      bool doubled = sql[at] == quote && at + 1 < sql.size() && sql[at + 1] == quote;
      if (sql[at] == quote && !doubled) break;
      if (doubled) ++at;
      text += sql[at];
    }
  }
  return texts;
}

}  // namespace rankveil::connect
