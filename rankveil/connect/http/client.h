// Requests over HTTP: the one place where cpp-httplib is met. https works where OpenSSL trusts the
// server's certificate.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/reply.h"

namespace rankveil::connect {

// "http://127.0.0.1:8080/rank?k=3" is the origin http://127.0.0.1:8080 and the path /rank?k=3.
struct HttpAddress {
  std::string origin;
  std::string host;
  std::string path;
};
// Refuses other schemes than http and https, names and passwords in the address, and blanks.
Result<HttpAddress> parse_http_address(std::string_view url);

struct HttpRequest {
  std::string method;
  std::string path;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
};

struct HttpAnswer {
  int status;
  std::string body;
  double retry_after = 0;     // seconds, where the server says so
  std::string location = {};  // of a redirect
  std::vector<std::pair<std::string, std::string>> headers = {};  // one name may come repeatedly
};

// Keeps its connection. Follows no redirect, since that might lead to another machine.
class HttpClient {
 public:
  // `timeout`: seconds for a whole request.
  HttpClient(const std::string& origin, double timeout);
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;

  // Any status is an answer. Trouble is a connection refused or lost, a time-out, and an answer of
  // more than 64 MB.
  Reply<HttpAnswer> send(const HttpRequest& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rankveil::connect
