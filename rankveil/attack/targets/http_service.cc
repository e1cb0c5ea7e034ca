#include "rankveil/attack/targets/http_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "rankveil/attack/targets/answer.h"
#include "rankveil/attack/targets/template.h"
#include "rankveil/connect/http/client.h"
#include "rankveil/connect/loopback.h"

namespace rankveil::attack {

using connect::Done;
using connect::HttpAnswer;
using connect::HttpClient;
using connect::Reply;
using connect::Trouble;

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

// One of the three requests, ready to be filled.
struct Endpoint {
  std::string method;
  std::string origin;
  Template url;
  Template body;
  bool has_body = false;
  std::optional<IdPointer> answer;
};

// ---- making ----

struct Maker {
  const Schema& schema;
  const TargetConfig& common;
  bool allow_remote;

  Result<Endpoint> endpoint(const HttpRequestConfig& request, Template::Use use,
                            std::string_view section) const;

 private:
  Result<std::string> origin_of(const Template& url, const std::string& what) const;
  Status fill_body(const HttpRequestConfig& request, Template::Use use, const std::string& what,
                   Endpoint& endpoint) const;
};

// The host must be told before anything is filled in, or a value could choose it.
Result<std::string> Maker::origin_of(const Template& url, const std::string& what) const {
  auto address = connect::parse_http_address(url.beginning());
  if (!address) return bad_input(fmt::format("{}: {}", what, address.error().message));
  bool has_path = url.beginning().size() > address->origin.size();
  if (!has_path && url.has_places()) {
    return bad_input(
        fmt::format("{} has a place in its host; places come after the path's /", what));
  }
  if (!allow_remote && !connect::is_loopback(address->host)) {
    return wrong_use(fmt::format(
        "{} leads to \"{}\", which is not this machine; allow remote targets to attack it all the "
        "same",
        what, address->host));
  }
  return address->origin;
}

Status Maker::fill_body(const HttpRequestConfig& request, Template::Use use,
                        const std::string& what, Endpoint& endpoint) const {
  if (request.body.empty()) return {};
  auto body = Template::parse(request.body, schema, use, what);
  if (!body) return body.error();
  endpoint.body = std::move(*body);
  endpoint.has_body = true;
  return endpoint.body.check_json(schema, common.new_ids.at(0), what);
}

Result<Endpoint> Maker::endpoint(const HttpRequestConfig& request, Template::Use use,
                                 std::string_view section) const {
  auto name = [&](std::string_view key) {
    return fmt::format("the {} of [{}] in {}", key, section, common.source);
  };
  Endpoint made{.method = request.method, .origin = {}, .url = {}, .body = {}, .answer = {}};
  auto url = Template::parse(request.url, schema, use, name("url"));
  if (!url) return url.error();
  made.url = std::move(*url);
  auto origin = origin_of(made.url, name("url"));
  if (!origin) return origin.error();
  made.origin = std::move(*origin);
  if (auto done = fill_body(request, use, name("body"), made); !done) return done.error();
  if (!request.answer.empty()) {
    auto pointer = IdPointer::parse(request.answer);
    if (!pointer) return bad_input(fmt::format("{}: {}", name("ids"), pointer.error().message));
    made.answer = std::move(*pointer);
  }
  if (use == Template::Use::Remove) return made;
  const std::array<const Template*, 2> both = {&made.url, &made.body};
  if (auto fine = check_all_named(both, schema, fmt::format("[{}] in {}", section, common.source));
      !fine) {
    return fine.error();
  }
  return made;
}

bool is_header_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

// The text with ${env:NAME} replaced by what the environment says.
Result<std::string> header_value(const std::string& header, std::string_view text) {
  constexpr std::string_view opening = "${env:";
  std::string value;
  while (!text.empty()) {
    std::size_t at = std::min(text.find(opening), text.size());
    value += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    std::size_t end = text.find('}');
    if (end == std::string_view::npos) {
      return bad_input(fmt::format("the header {} has a ${{env: without its }}", header));
    }
    std::string variable(text.substr(opening.size(), end - opening.size()));
    const char* found = std::getenv(variable.c_str());
    if (found == nullptr) {
      return bad_input(fmt::format(
          "the header {} needs the environment variable {}, which is not set", header, variable));
    }
    value += found;
    text.remove_prefix(end + 1);
  }
  return value;
}

Result<Headers> filled_headers(const Headers& headers) {
  Headers filled;
  for (const auto& [name, text] : headers) {
    if (!is_header_name(name)) return bad_input(fmt::format("\"{}\" is no name of a header", name));
    auto value = header_value(name, text);
    if (!value) return value.error();
    bool is_clean = std::ranges::none_of(
        *value, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
    if (!is_clean) {
      return bad_input(fmt::format("the header {} has a control character in its value", name));
    }
    filled.emplace_back(name, std::move(*value));
  }
  return filled;
}

bool has_header(const Headers& headers, std::string_view name) {
  return std::ranges::any_of(headers, [&](const auto& header) {
    return std::ranges::equal(header.first, name, [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) ==
             std::tolower(static_cast<unsigned char>(b));
    });
  });
}

// ---- talking ----

constexpr bool may_pass(int status) {
  return status == 408 || status == 425 || status == 429 || status == 500 || status == 502 ||
         status == 503 || status == 504;
}

// A server that fails in the middle may have done it already.
constexpr bool may_be_done(int status) { return status == 500 || status == 502 || status == 504; }

Trouble refused(const HttpAnswer& answer) {
  std::string text = answer.body.empty() ? "" : ": " + excerpt(answer.body);
  std::string hint = answer.status / 100 == 3 ? " (redirects are not followed)" : "";
  return {bad_input(fmt::format("the answer has status {}{}{}", answer.status, hint, text)),
          may_pass(answer.status), may_be_done(answer.status), answer.retry_after};
}

class HttpService : public Service {
 public:
  HttpService(Schema schema, std::uint32_t k, double timeout, Headers headers, Endpoint query,
              std::optional<Endpoint> insert, std::optional<Endpoint> remove)
      : schema_(std::move(schema)),
        k_(k),
        timeout_(timeout),
        headers_(std::move(headers)),
        query_(std::move(query)),
        insert_(std::move(insert)),
        remove_(std::move(remove)) {}

  std::string name() const override { return query_.origin; }
  bool takes_rows() const override { return insert_.has_value(); }
  bool takes_sets() const override {
    for (std::uint32_t i = 0; i < schema_.size(); ++i) {
      if (!query_.url.takes_sets(i) && !query_.body.takes_sets(i)) return false;
    }
    return true;
  }
  bool forgets() const override { return false; }
  bool removes_rows() const override { return remove_.has_value(); }

  Reply<std::vector<std::string>> rank(const Query& query) override {
    auto answer = send(query_, {.schema = schema_, .values = query.wanted, .k = k_});
    if (!answer) return answer.trouble();
    if (answer->status / 100 != 2) return refused(*answer);
    auto ids = query_.answer->read(answer->body);
    if (!ids) return ids.error();
    return std::move(*ids);
  }

  Reply<std::string> add(std::span<const ValueId> values, const std::string& id) override {
    auto wanted = wanted_of_row(values);
    auto answer = send(*insert_, {.schema = schema_, .values = wanted, .id = id});
    if (!answer) return answer.trouble();
    if (answer->status / 100 != 2) return refused(*answer);
    if (!insert_->answer) return id;
    auto ids = insert_->answer->read(answer->body);
    if (!ids) return ids.error();
    if (ids->size() == 1) return std::move(ids->front());
    return bad_input(fmt::format("the answer names {} ids for one new row: {}", ids->size(),
                                 excerpt(answer->body)));
  }

  Reply<Done> remove(const std::string& id) override {
    auto answer = send(*remove_, {.schema = schema_, .values = nothing_, .id = id});
    if (!answer) return answer.trouble();
    bool is_gone = answer->status / 100 == 2 || answer->status == 404 || answer->status == 410;
    if (!is_gone) return refused(*answer);
    return Done{};
  }

  Reply<Done> restart() override {
    clients_.clear();
    return Done{};
  }

 private:
  Reply<HttpAnswer> send(const Endpoint& endpoint, const Filling& filling) {
    auto address = connect::parse_http_address(endpoint.url.as_url(filling));
    if (!address) return address.error();
    connect::HttpRequest request{endpoint.method, address->path, headers_};
    if (endpoint.has_body) {
      request.body = endpoint.body.as_json(filling);
      if (!has_header(headers_, "Content-Type")) {
        request.headers.emplace_back("Content-Type", "application/json");
      }
    }
    auto client = clients_.find(endpoint.origin);
    if (client == clients_.end()) {
      client = clients_.emplace(endpoint.origin, HttpClient(endpoint.origin, timeout_)).first;
    }
    return client->second.send(request);
  }

  Schema schema_;
  std::uint32_t k_;
  double timeout_;
  Headers headers_;
  Endpoint query_;
  std::optional<Endpoint> insert_;
  std::optional<Endpoint> remove_;
  std::map<std::string, HttpClient> clients_;  // by origin
  std::vector<std::vector<ValueId>> nothing_;
};

bool tells_ids(const Endpoint& insert) {
  return insert.answer || insert.url.has_id() || insert.body.has_id();
}

}  // namespace

Result<std::unique_ptr<Service>> http_service(const HttpConfig& config, const TargetConfig& common,
                                              const Schema& schema, std::uint32_t k,
                                              bool allow_remote) {
  Maker maker{schema, common, allow_remote};
  auto headers = filled_headers(config.headers);
  if (!headers) return bad_input(fmt::format("{}: {}", common.source, headers.error().message));
  auto query = maker.endpoint(config.query, Template::Use::Query, "query");
  if (!query) return query.error();
  std::optional<Endpoint> insert;
  std::optional<Endpoint> remove;
  if (config.insert) {
    auto made = maker.endpoint(*config.insert, Template::Use::Insert, "insert");
    if (!made) return made.error();
    if (!tells_ids(*made)) {
      return bad_input(fmt::format(
          "[insert] in {} does not tell the new row's id; say where it is in the answer, id = "
          "\"/id\", or choose it by ${{id}}",
          common.source));
    }
    insert = std::move(*made);
  }
  if (config.remove) {
    auto made = maker.endpoint(*config.remove, Template::Use::Remove, "remove");
    if (!made) return made.error();
    remove = std::move(*made);
  }
  return std::unique_ptr<Service>(
      std::make_unique<HttpService>(schema, k, common.timeout, std::move(*headers),
                                    std::move(*query), std::move(insert), std::move(remove)));
}

}  // namespace rankveil::attack
