#include "rankveil/probe/http/identity.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "rankveil/connect/http/encoding.h"

namespace rankveil::probe {
namespace {

bool may_name_header(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
}

// Holds a secret, whoever wrote it there.
bool is_credential(std::string_view name) {
  constexpr std::array<std::string_view, 9> words = {"authorization", "cookie",   "token",
                                                     "secret",        "password", "session",
                                                     "master-key",    "api-key",  "apikey"};
  std::string small(name);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::any_of(
      words, [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

// The text with ${NAME} replaced by what the environment says, which is added to the secrets.
Result<std::string> from_environment(const std::string& where, std::string_view text,
                                     std::vector<std::string>& secrets) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find("${"), text.size());
    filled += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos) return bad_input(where + " has a ${ without its }");
    std::string_view name = text.substr(2, end - 2);
    text.remove_prefix(end + 1);
    if (name == "token") {
      filled += "${token}";
      continue;
    }
    if (name.starts_with("env:")) name.remove_prefix(4);
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr || *value == '\0') {
      return bad_input(
          fmt::format("{} needs the environment variable {}, which is not set", where, name));
    }
    secrets.emplace_back(value);
    filled += value;
  }
  return filled;
}

void replace_all(std::string& text, const std::string& what) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 3)) {
    text.replace(at, what.size(), "***");
  }
}

// An excerpt may end in the middle of a secret: "... Bearer hunt...".
void hide_beginning(std::string& text, const std::string& what) {
  constexpr std::string_view dots = "...";
  constexpr std::size_t telling = 4;
  if (!text.ends_with(dots)) return;
  const std::string_view shown(text.data(), text.size() - dots.size());
  for (std::size_t length = what.size(); length-- > telling;) {
    if (!shown.ends_with(std::string_view(what).substr(0, length))) continue;
    text.replace(shown.size() - length, length, "***");
    return;
  }
}

}  // namespace

Result<Identity> Identity::make(std::string name, const Headers& headers,
                                const std::optional<LogIn>& log_in) {
  Identity identity{.name = std::move(name)};
  for (const auto& [header, text] : headers) {
    if (!may_name_header(header)) {
      return bad_input(fmt::format("\"{}\" is no name of a header", header));
    }
    const std::string where = fmt::format("the header {} of {}", header, identity.name);
    auto value = from_environment(where, text, identity.secrets);
    if (!value) return value.error();
    if (has_control_character(*value)) {
      return bad_input(where + " has a control character in its value");
    }
    if (!log_in && value->find("${token}") != std::string::npos) {
      return bad_input(where + " has ${token}, but no log-in gives one; write a section [login]");
    }
    // Not from the environment: all of it, or what follows "Bearer". What is shorter stands in any
    // text, and hides nothing.
    constexpr std::size_t min_literal = 4;
    std::string literal = value->substr(value->find(' ') + 1);
    if (is_credential(header) && text.find("${") == std::string::npos &&
        literal.size() >= min_literal) {
      identity.secrets.push_back(std::move(literal));
    }
    identity.headers.emplace_back(header, std::move(*value));
  }
  if (!log_in) return identity;
  identity.log_in = log_in;
  auto body = from_environment("the log-in of " + identity.name, log_in->body, identity.secrets);
  if (!body) return body.error();
  identity.log_in->body = std::move(*body);
  return identity;
}

Result<std::pair<std::string, std::string>> header_from_text(std::string_view text, bool secret) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return wrong_use(
        fmt::format("a header is written as 'Name: value', not \"{}\"", secret ? "..." : text));
  }
  std::string_view value = text.substr(colon + 1);
  while (value.starts_with(' ')) value.remove_prefix(1);
  if ((secret || is_credential(text.substr(0, colon))) &&
      value.find("${") == std::string_view::npos) {
    return wrong_use(
        fmt::format("the header {} has its value on the command line, where others can read it; "
                    "name a variable instead, in single quotes: '{}: ${{MY_TOKEN}}'",
                    text.substr(0, colon), text.substr(0, colon)));
  }
  return std::pair(std::string(text.substr(0, colon)), std::string(value));
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    for (const std::string& written :
         {secret, connect::percent_encoded(secret), connect::json_encoded(secret, true)}) {
      replace_all(text, written);
      hide_beginning(text, written);
    }
  }
  return text;
}

}  // namespace rankveil::probe
