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

}  // namespace rankveil::connect
