// Headers of a request, and what in them is a secret: from the environment, or from a log-in.
//
//   Authorization = "Bearer ${env:TOKEN}"     the environment variable TOKEN
//   Cookie = "session=${session}"             what a step of the log-in called session (log_in.h)
//
// Messages name headers and variables, never their values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::connect {

using Headers = std::vector<std::pair<std::string, std::string>>;
using Secrets = std::map<std::string, std::string, std::less<>>;

// How a secret is put into the text around it.
enum class SecretUse { Plain, Url, Json };

// The text with every ${env:NAME} and ${NAME} replaced. `what` begins messages: "the header
// Cookie". Refuses variables that are not set and names that nothing gave.
Result<std::string> with_secrets(std::string_view text, const Secrets& secrets, SecretUse use,
                                 std::string_view what);

// Ready to be sent. Refuses, besides, names that are none and control characters.
Result<Headers> filled_headers(const Headers& headers, const Secrets& secrets = {});

bool has_header(const Headers& headers, std::string_view name);

}  // namespace rankveil::connect
