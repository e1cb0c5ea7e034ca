#include "rankveil/connect/http/log_in.h"

#include <fmt/core.h>

#include <cctype>
#include <optional>

#include "rankveil/base/text/json_pointer.h"
#include "rankveil/connect/http/client.h"
#include "rankveil/connect/http/encoding.h"
#include "rankveil/connect/loopback.h"

namespace rankveil::connect {

namespace {

bool same_name(std::string_view a, std::string_view b) {
  return has_header({{std::string(a), ""}}, b);
}

// The value of the cookie in "NAME=VALUE; Path=/; ...".
std::optional<std::string> cookie_in(std::string_view line, std::string_view name) {
  std::string_view pair = line.substr(0, line.find(';'));
  std::size_t sign = pair.find('=');
  if (sign == std::string_view::npos || pair.substr(0, sign) != name) return std::nullopt;
  return std::string(pair.substr(sign + 1));
}

std::optional<std::string> kept_header(const HttpAnswer& answer, std::string_view header,
                                       std::string_view cookie) {
  for (const auto& [name, value] : answer.headers) {
    if (!same_name(name, header)) continue;
    if (cookie.empty()) return value;
    if (auto found = cookie_in(value, cookie)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> kept_json(const HttpAnswer& answer, std::string_view pointer) {
  auto json = parse_json(answer.body);
  const Json* at = json ? find_at(*json, pointer) : nullptr;
  if (at == nullptr) return std::nullopt;
  if (const auto* text = at->as_text()) return *text;
  return at->as_integer() == nullptr ? std::nullopt
                                     : std::optional(std::to_string(*at->as_integer()));
}

std::optional<std::string> kept(const HttpAnswer& answer, std::string_view what) {
  constexpr std::string_view cookie = "cookie:", header = "header:";
  if (what.starts_with(cookie))
    return kept_header(answer, "Set-Cookie", what.substr(cookie.size()));
  if (what.starts_with(header)) return kept_header(answer, what.substr(header.size()), "");
  return kept_json(answer, what);
}

bool is_json(std::string_view body) { return body.starts_with('{') || body.starts_with('['); }

class Step {
 public:
  Step(const LogInStep& step, const Secrets& secrets, std::string what)
      : step_(step), secrets_(secrets), what_(std::move(what)) {}

  Result<std::string> take(double timeout, bool allow_remote) const {
    auto address = address_of(allow_remote);
    if (!address) return address.error();
    auto request = request_to(address->path);
    if (!request) return request.error();
    HttpClient client(address->origin, timeout);
    auto answer = client.send(*request);
    if (!answer) {
      const Error& error = answer.trouble().error;
      return Error{error.code, fmt::format("{} failed: {}", what_, error.message)};
    }
    if (answer->status / 100 != 2 && answer->status / 100 != 3) {
      return bad_input(fmt::format("{} failed: the answer has status {}", what_, answer->status));
    }
    auto found = kept(*answer, step_.answer);
    if (found) return *std::move(found);
    return bad_input(fmt::format("{}: the answer has nothing at \"{}\"", what_, step_.answer));
  }

 private:
  Result<HttpAddress> address_of(bool allow_remote) const {
    auto host = parse_http_address(typed_url_encoded(step_.url.substr(0, step_.url.find("${"))));
    if (!host) return bad_input(fmt::format("{}: {}", what_, host.error().message));
    auto url = with_secrets(typed_url_encoded(step_.url), secrets_, SecretUse::Url, what_);
    if (!url) return url.error();
    auto address = parse_http_address(*url);
    if (!address) return bad_input(fmt::format("{}: its URL is none when filled in", what_));
    if (address->origin != host->origin) {
      return bad_input(
          fmt::format("{} has a place in its host; places come after the path's /", what_));
    }
    if (allow_remote || is_loopback(address->host)) return address;
    return wrong_use(fmt::format(
        "{} leads to \"{}\", which is not this machine; allow remote targets to go there all the "
        "same",
        what_, address->host));
  }

  Result<HttpRequest> request_to(const std::string& path) const {
    HttpRequest request{.method = step_.method, .path = path};
    auto headers = filled_headers(step_.headers, secrets_);
    if (!headers) return bad_input(fmt::format("{}: {}", what_, headers.error().message));
    request.headers = *std::move(headers);
    SecretUse use = is_json(step_.body) ? SecretUse::Json : SecretUse::Url;
    auto body = with_secrets(step_.body, secrets_, use, what_);
    if (!body) return body.error();
    request.body = *std::move(body);
    if (request.body.empty() || has_header(request.headers, "Content-Type")) return request;
    request.headers.emplace_back("Content-Type", use == SecretUse::Json
                                                     ? "application/json"
                                                     : "application/x-www-form-urlencoded");
    return request;
  }

  const LogInStep& step_;
  const Secrets& secrets_;
  std::string what_;
};

}  // namespace

Result<Secrets> log_in(std::span<const LogInStep> steps, double timeout, bool allow_remote) {
  Secrets secrets;
  for (const LogInStep& step : steps) {
    const Step taken(step, secrets, fmt::format("logging in for ${{{}}}", step.name));
    auto secret = taken.take(timeout, allow_remote);
    if (!secret) return secret.error();
    secrets.insert_or_assign(step.name, *std::move(secret));
  }
  return secrets;
}

}  // namespace rankveil::connect
