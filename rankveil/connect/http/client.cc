#include "rankveil/connect/http/client.h"

#include <fmt/core.h>
#include <httplib.h>

#include <charconv>
#include <chrono>

#include "rankveil/base/files/quiet_pipes.h"
#include "rankveil/base/stopwatch.h"

namespace rankveil::connect {
namespace {

constexpr std::size_t largest_answer = std::size_t{64} << 20;

std::chrono::microseconds duration(double seconds) {
  return std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
}

double seconds_in(const std::string& text) {
  int seconds = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return problem == std::errc() && end == text.data() + text.size() && seconds > 0 ? seconds : 0;
}

// Whether the server can have got the request.
bool may_have_arrived(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
    case httplib::Error::ConnectionTimeout:
    case httplib::Error::BindIPAddress:
    case httplib::Error::SSLConnection:
    case httplib::Error::SSLLoadingCerts:
    case httplib::Error::SSLServerVerification:
      return false;
    default:
      return true;
  }
}

bool may_pass(httplib::Error error) {
  return error != httplib::Error::SSLLoadingCerts && error != httplib::Error::SSLServerVerification;
}

std::string reason(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
      return "it cannot be reached";
    case httplib::Error::Read:
    case httplib::Error::Write:
      return "the connection was lost";
    case httplib::Error::SSLServerVerification:
      return "its certificate is not trusted; to trust one of your own, name its PEM file in the "
             "environment variable SSL_CERT_FILE";
    default:
      return fmt::format("the request failed ({})", httplib::to_string(error));
  }
}

}  // namespace

Result<HttpAddress> parse_http_address(std::string_view url) {
  auto refused = [&](std::string_view why) {
    return bad_input(fmt::format("the address \"{}\" {}", url, why));
  };
  std::size_t scheme = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  if (scheme == 0) return refused("must begin with http:// or https://");
  for (char c : url) {
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F) return refused("has a blank in it");
  }
  std::size_t slash = std::min(url.find_first_of("/?#", scheme), url.size());
  std::string_view authority = url.substr(scheme, slash - scheme);
  if (authority.find('@') != std::string_view::npos) {
    return refused("has a user in it; use a header instead");
  }
  std::size_t end = authority.starts_with('[') ? authority.find(']') : authority.find(':');
  if (authority.starts_with('[') && end != std::string_view::npos) ++end;
  HttpAddress address{.origin = std::string(url.substr(0, slash)),
                      .host = std::string(authority.substr(0, end)),
                      .path = std::string(url.substr(slash, url.find('#') - slash))};
  if (address.host.empty()) return refused("has no host");
  if (!address.path.starts_with('/')) address.path.insert(0, "/");
  return address;
}

struct HttpClient::State {
  httplib::Client client;
  double timeout;
};

HttpClient::HttpClient(const std::string& origin, double timeout)
    : state_(new State{httplib::Client(origin), timeout}) {
  state_->client.set_keep_alive(true);
  state_->client.set_tcp_nodelay(true);  // head and body go apart: else each waits 40 ms
  state_->client.set_connection_timeout(duration(timeout));
  state_->client.set_read_timeout(duration(timeout));
  state_->client.set_write_timeout(duration(timeout));
}
HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;

Reply<HttpAnswer> HttpClient::send(const HttpRequest& request) {
  QuietPipes quiet;
  Stopwatch watch;
  HttpAnswer answer{};
  bool is_too_large = false;
  httplib::Request sent;
  sent.method = request.method;
  sent.path = request.path;
  sent.body = request.body;
  for (const auto& [name, value] : request.headers) sent.set_header(name, value);
  // Read here, since a server that sends a byte now and then would keep us for ever.
  sent.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
    answer.body.append(data, size);
    is_too_large = answer.body.size() > largest_answer;
    return !is_too_large && watch.seconds() <= state_->timeout;
  };
  httplib::Result result = state_->client.send(sent);
  if (is_too_large) return bad_input("the answer has more than 64 MB");
  if (result) {
    answer.status = result->status;
    answer.headers.assign(result->headers.begin(), result->headers.end());
    answer.retry_after = seconds_in(result->get_header_value("Retry-After"));
    answer.location = result->get_header_value("Location");
    return answer;
  }
  bool is_late = result.error() == httplib::Error::ConnectionTimeout ||
                 watch.seconds() >= state_->timeout * 0.99;
  std::string why =
      is_late ? fmt::format("no answer within {} s", state_->timeout) : reason(result.error());
  return Trouble{io_error(std::move(why)), may_pass(result.error()),
                 may_have_arrived(result.error())};
}

}  // namespace rankveil::connect
