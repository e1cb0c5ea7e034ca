// Who sends a request: headers with secrets from the environment, or a log-in that gives a token.
//
//   auto user = Identity::make("user", {{"Authorization", "JWT ${API_TOKEN}"}});
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/probe/dialect/pointer.h"

namespace rankveil::probe {

using Headers = std::vector<std::pair<std::string, std::string>>;

// A request that gives a token, which then stands for ${token} in headers.
struct LogIn {
  std::string method = "POST";
  std::string path = {};
  std::string body = {};  // JSON, or a form when it does not begin with {
  Pointer token = {};     // in the answer
};

struct Identity {
  std::string name;  // "user", for messages
  Headers headers = {};
  std::optional<LogIn> log_in = {};
  std::vector<std::string> secrets = {};  // what came from the environment; never shown

  // ${NAME} and ${env:NAME} are taken from the environment; ${token} stays. Refuses names that are
  // not set and headers that cannot be sent.
  static Result<Identity> make(std::string name, const Headers& headers,
                               const std::optional<LogIn>& log_in = {});
};

// "Authorization: JWT ${TOKEN}" in two. `secret`: a text without ${...} is refused, since it would
// be a secret on the command line.
Result<std::pair<std::string, std::string>> header_from_text(std::string_view text, bool secret);

// Every occurrence of a secret, also where it is percent-encoded or escaped as in JSON, as "***".
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

}  // namespace rankveil::probe
