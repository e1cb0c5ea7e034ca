#include "rankveil/connect/http/secrets.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "rankveil/connect/http/encoding.h"

namespace rankveil::connect {

namespace {

bool is_header_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_clean(std::string_view value) {
  return std::ranges::none_of(
      value, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
}

Result<std::string> secret_called(std::string_view name, const Secrets& secrets,
                                  std::string_view what) {
  constexpr std::string_view environment = "env:";
  if (!name.starts_with(environment)) {
    auto found = secrets.find(name);
    if (found != secrets.end()) return found->second;
    return bad_input(fmt::format(
        "{} has ${{{}}}, which no step of a log-in gives; write ${{env:NAME}} for the environment "
        "variable NAME",
        what, name));
  }
  std::string variable(name.substr(environment.size()));
  if (const char* value = std::getenv(variable.c_str())) return std::string(value);
  return bad_input(
      fmt::format("{} needs the environment variable {}, which is not set", what, variable));
}

std::string put(const std::string& secret, SecretUse use, bool in_quotes) {
  if (use == SecretUse::Url) return percent_encoded(secret);
  return use == SecretUse::Json ? json_encoded(secret, in_quotes) : secret;
}

}  // namespace

Result<std::string> with_secrets(std::string_view text, const Secrets& secrets, SecretUse use,
                                 std::string_view what) {
  std::string made;
  JsonQuotes quotes;
  while (!text.empty()) {
    std::size_t at = std::min(text.find("${"), text.size());
    made += text.substr(0, at);
    quotes.read(text.substr(0, at));
    text.remove_prefix(at);
    if (text.empty()) break;
    std::size_t end = text.find('}');
    if (end == std::string_view::npos) {
      return bad_input(fmt::format("{} has a ${{ without its }}", what));
    }
    auto secret = secret_called(text.substr(2, end - 2), secrets, what);
    if (!secret) return secret.error();
    made += put(*secret, use, quotes.is_inside());
    text.remove_prefix(end + 1);
  }
  return made;
}

Result<Headers> filled_headers(const Headers& headers, const Secrets& secrets) {
  Headers filled;
  for (const auto& [name, text] : headers) {
    if (!is_header_name(name)) return bad_input(fmt::format("\"{}\" is no name of a header", name));
    auto value = with_secrets(text, secrets, SecretUse::Plain, "the header " + name);
    if (!value) return value.error();
    if (!is_clean(*value)) {
      return bad_input(fmt::format("the header {} has a control character in its value", name));
    }
    filled.emplace_back(name, *std::move(value));
  }
  return filled;
}

bool has_header(const Headers& headers, std::string_view name) {
  return std::ranges::any_of(headers, [&](const auto& header) {
    return std::ranges::equal(header.first, name, [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) ==
             std::tolower(static_cast<unsigned char>(b));
    });
  });
}

}  // namespace rankveil::connect
