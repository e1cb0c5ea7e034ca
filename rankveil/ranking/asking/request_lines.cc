// Files of requests.
#include <fmt/core.h>

#include <algorithm>

#include "rankveil/ranking/asking/request.h"
#include "rankveil/ranking/workload.h"

namespace rankveil {

namespace {

Result<Request> request_of_line(const Json& json) {
  const Json* request = json.find("request");
  const Json* values = json.find("query");
  if ((request == nullptr) == (values == nullptr)) {
    return bad_input(
        "a line must look like {\"count\": 3, \"query\": {\"city\": \"Paris\"}}, or have a "
        "\"request\" in its place");
  }
  if (request != nullptr) return request_from_json(*request);
  auto wishes = wishes_from_values(*values);
  if (!wishes) return wishes.error();
  return Request{.prefer = std::move(*wishes)};
}

Status read_line(std::string_view line, FiledRequest& filed) {
  auto json = parse_json(line);
  if (!json) return json.error();
  auto request = request_of_line(*json);
  if (!request) return request.error();
  filed.request = std::move(*request);
  for (const auto& [name, value] : *json->as_object()) {
    if (name == "query" || name == "request") continue;
    if (name != "count") return bad_input(fmt::format("\"{}\" is not known here", name));
    auto count = count_from_json(value);
    if (!count) return count.error();
    filed.count = *count;
  }
  return {};
}

}  // namespace

Result<std::vector<FiledRequest>> parse_request_lines(std::string_view text,
                                                      std::string_view source) {
  std::vector<FiledRequest> requests;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    FiledRequest filed;
    filed.place = fmt::format("{}, line {}", source, number);
    if (auto read = read_line(line, filed); !read) {
      return bad_input(filed.place + ": " + read.error().message);
    }
    requests.push_back(std::move(filed));
  }
  return requests;
}

}  // namespace rankveil
