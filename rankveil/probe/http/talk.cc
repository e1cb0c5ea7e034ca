#include "rankveil/probe/http/talk.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/connect/loopback.h"

namespace rankveil::probe {

using connect::Done;
using connect::HttpAnswer;
using connect::Reply;
using connect::Trouble;

namespace {

constexpr int most_redirects = 5;

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

std::string excerpt_of(std::string_view body) {
  constexpr std::size_t most = 160;
  std::string line;
  for (char c : body.substr(0, most)) line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  while (body.size() > most && !line.empty() && (line.back() & 0x80) != 0) line.pop_back();
  return body.size() > most ? line + "..." : line;
}

}  // namespace

Result<Talk> Talk::open(const TalkSettings& settings) {
  auto address = connect::parse_http_address(settings.url);
  if (!address) return address.error();
  if (!settings.allow_remote && !connect::is_loopback(address->host)) {
    return wrong_use(fmt::format(
        "{} is not this machine; a probe writes into a service and asks it hundreds of questions, "
        "so it needs its owner's leave: with that, say --allow-remote",
        address->host));
  }
  if (settings.budget < 2 * reserve) {
    return wrong_use(
        fmt::format("--budget is {}; it must be at least {}, since the last {} "
                    "requests are kept for taking back what was written",
                    settings.budget, 2 * reserve, reserve));
  }
  return Talk(address->origin, address->path.substr(0, address->path.find('?')), settings);
}

Talk::Talk(std::string origin, std::string path, const TalkSettings& settings)
    : origin_(std::move(origin)),
      path_(std::move(path)),
      client_(origin_, settings.timeout),
      budget_(settings.budget) {}

void Talk::keep_secret(const Identity& identity) {
  for (const std::string& secret : identity.secrets) {
    if (std::ranges::find(secrets_, secret) == secrets_.end()) secrets_.push_back(secret);
  }
}

Reply<HttpAnswer> Talk::send_once(const PlainRequest& request, const Identity& identity,
                                  bool at_last) {
  if (sent_ + (at_last ? 0 : reserve) >= budget_) {
    return io_error(fmt::format("the budget of {} requests is used up", budget_));
  }
  connect::HttpRequest sent{.method = request.method,
                            .path = request.path,
                            .headers = request.headers,
                            .body = request.body};
  const auto token = std::ranges::find(tokens_, identity.name, &Headers::value_type::first);
  for (auto [name, value] : identity.headers) {
    const std::size_t place = value.find("${token}");
    if (place != std::string::npos) {
      if (token == tokens_.end()) continue;
      value.replace(place, 8, token->second);
    }
    sent.headers.emplace_back(name, std::move(value));
  }
  ++sent_;
  return client_.send(sent);
}

bool Talk::follows(const HttpAnswer& answer, PlainRequest& request) const {
  const bool keeps_method = answer.status == 307 || answer.status == 308;
  if (!is_redirect(answer.status) || (request.method != "GET" && !keeps_method)) return false;
  std::string to = answer.location;
  if (to.starts_with(origin_ + "/")) to.erase(0, origin_.size());
  // "//other.host/" is another origin.
  if (!to.starts_with('/') || to.starts_with("//")) return false;
  if (std::ranges::any_of(to, [](char c) { return static_cast<unsigned char>(c) <= ' '; })) {
    return false;
  }
  request.path = std::move(to);
  return true;
}

Reply<Done> Talk::log_in(const Identity& identity, bool at_last) {
  const LogIn& told = *identity.log_in;
  const bool is_json = told.body.starts_with('{');
  PlainRequest request{.method = told.method, .path = told.path, .body = told.body, .headers = {}};
  request.headers.emplace_back("Content-Type",
                               is_json ? "application/json" : "application/x-www-form-urlencoded");
  std::erase_if(tokens_, [&](const auto& token) { return token.first == identity.name; });
  keep_secret(identity);
  auto answer = send_once(request, identity, at_last);
  if (!answer) return answer.trouble();
  const auto refused = [&](std::string_view why) {
    return Trouble{io_error(fmt::format("the log-in of {} {}: {}", identity.name, why,
                                        hide(excerpt_of(answer->body))))};
  };
  if (answer->status / 100 != 2) return refused(fmt::format("has status {}", answer->status));
  auto json = parse_json(answer->body);
  const Json* token = json ? told.token.find(*json) : nullptr;
  if (token == nullptr || token->as_text() == nullptr || token->as_text()->empty()) {
    return refused(fmt::format("gives no token at \"{}\"", told.token.text()));
  }
  const bool is_clean = std::ranges::none_of(
      *token->as_text(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (!is_clean) return refused("gives a token that no header can hold");
  tokens_.emplace_back(identity.name, *token->as_text());
  secrets_.push_back(*token->as_text());
  return Done{};
}

Reply<HttpAnswer> Talk::send(const PlainRequest& request, const Identity& identity, bool at_last) {
  keep_secret(identity);
  const bool is_known =
      std::ranges::any_of(tokens_, [&](const auto& token) { return token.first == identity.name; });
  if (identity.log_in && !is_known) {
    if (auto done = log_in(identity, at_last); !done) return done.trouble();
  }
  PlainRequest next = request;
  bool is_renewed = !is_known;
  for (int redirects = 0;;) {
    auto answer = send_once(next, identity, at_last);
    if (!answer) return answer;
    if (answer->status == 401 && identity.log_in && !is_renewed) {
      is_renewed = true;
      if (auto done = log_in(identity, at_last); !done) return done.trouble();
    } else if (redirects++ == most_redirects || !follows(*answer, next)) {
      return answer;
    }
  }
}

std::string Talk::show(const PlainRequest& request) const {
  std::string text = fmt::format("{} {}", request.method, request.path);
  for (const auto& [name, value] : request.headers) text += fmt::format("\n{}: {}", name, value);
  if (!request.body.empty()) text += "\n\n" + request.body;
  return hide(std::move(text));
}

}  // namespace rankveil::probe
