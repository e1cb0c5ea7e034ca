#include "rankveil/probe/dialect/dialect.h"

#include <algorithm>

#include "rankveil/connect/http/encoding.h"

namespace rankveil::probe {
namespace {

bool parameters_have(const std::vector<Parameter>& parameters, std::string_view place) {
  return std::ranges::any_of(parameters, [&](const Parameter& parameter) {
    return parameter.name.has(place) || parameter.value.has(place);
  });
}

std::string encoded(const std::vector<Parameter>& parameters, const Places& places) {
  std::string text;
  for (const Parameter& parameter : parameters) {
    if (!text.empty()) text += '&';
    text += connect::percent_encoded(parameter.name.fill(places)) + '=' +
            connect::percent_encoded(parameter.value.fill(places));
  }
  return text;
}

std::string with_query(std::string path, const std::string& query) {
  if (query.empty()) return path;
  return path + (path.find('?') == std::string::npos ? '?' : '&') + query;
}

}  // namespace

bool RequestTemplate::has(std::string_view place) const {
  return path.has(place) || body.has(place) || parameters_have(query, place) ||
         parameters_have(form, place);
}

PlainRequest fill(const RequestTemplate& request, const Places& places) {
  PlainRequest plain{.method = request.method,
                     .path = with_query(request.path.fill(places), encoded(request.query, places)),
                     .body = {},
                     .headers = request.headers};
  const auto send_as = [&](const char* type, std::string body) {
    plain.body = std::move(body);
    const bool is_told = std::ranges::any_of(
        plain.headers, [](const auto& header) { return header.first == "Content-Type"; });
    if (!is_told) plain.headers.emplace_back("Content-Type", type);
  };
  if (!request.form.empty()) {
    send_as("application/x-www-form-urlencoded", encoded(request.form, places));
  } else if (request.is_graphql) {
    Json body;
    body.set("query", request.body.fill(places));
    send_as("application/json", body.dump(-1));
  } else if (!request.body.empty()) {
    send_as("application/json", request.body.fill(places));
  }
  return plain;
}

}  // namespace rankveil::probe
