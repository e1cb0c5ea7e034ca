#include "rankveil/connect/http/encoding.h"

#include <fmt/core.h>

#include "rankveil/base/json.h"

namespace rankveil::connect {

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

std::string percent(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

}  // namespace

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (char c : text) encoded += is_unreserved(c) ? std::string(1, c) : percent(c);
  return encoded;
}

std::string typed_url_encoded(std::string_view url) {
  std::string encoded;
  for (char c : url) {
    auto byte = static_cast<unsigned char>(c);
    bool is_typed_only = byte <= ' ' || byte >= 0x7F || c == '"' || c == '<' || c == '>';
    encoded += is_typed_only ? percent(c) : std::string(1, c);
  }
  return encoded;
}

void JsonQuotes::read(std::string_view text) {
  for (char c : text) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '\\') {
      is_escaped_ = is_inside_;
    } else if (c == '"') {
      is_inside_ = !is_inside_;
    }
  }
}

std::string json_encoded(std::string_view text, bool inside) {
  std::string quoted = Json(text).dump(-1);
  return inside ? quoted.substr(1, quoted.size() - 2) : quoted;
}

}  // namespace rankveil::connect
