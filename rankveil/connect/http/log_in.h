// Logging in: requests whose answers hold what later requests need.
//
//   LogInStep step{.name = "token", .url = "http://127.0.0.1:3000/api/users/login",
//                  .body = R"({"email": "a@b.c", "password": ${env:PASSWORD}})",
//                  .answer = "/token"};
//   auto secrets = log_in({&step, 1}, 10);
//   auto headers = filled_headers({{"Authorization", "JWT ${token}"}}, *secrets);
//
// Secrets come from the environment (${env:NAME}) and from steps before (${name}). No message has
// one, nor what a service answered to one.
#pragma once

#include <span>
#include <string>

#include "rankveil/base/result.h"
#include "rankveil/connect/http/secrets.h"

namespace rankveil::connect {

struct LogInStep {
  std::string name = "token";  // what is kept, as ${token}
  std::string method = "POST";
  std::string url = {};
  std::string body = {};  // JSON where it begins with { or [, else a form; empty: none
  Headers headers = {};
  // What is kept. A JSON pointer into the answer, "/user/token"; or "cookie:NAME", a cookie that
  // is set; or "header:NAME".
  std::string answer = {};
};

// Refuses steps that lead to another machine, unless it is allowed, and answers without 2xx or 3xx.
// No redirect is followed. `timeout`: seconds a request.
Result<Secrets> log_in(std::span<const LogInStep> steps, double timeout, bool allow_remote = false);

}  // namespace rankveil::connect
