#include "rankveil/attack/targets/http_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "rankveil/attack/targets/answer.h"
#include "rankveil/attack/targets/template.h"
#include "rankveil/base/text/json_pointer.h"
#include "rankveil/connect/http/client.h"
#include "rankveil/connect/http/encoding.h"
#include "rankveil/connect/http/log_in.h"
#include "rankveil/connect/loopback.h"

namespace rankveil::attack {

using connect::Done;
using connect::Headers;
using connect::HttpAnswer;
using connect::HttpClient;
using connect::Reply;
using connect::Trouble;

namespace {

// One of the three requests, ready to be filled.
struct Endpoint {
  std::string method;
  std::string origin;
  Template url;
  Template body;
  bool has_body = false;
  std::optional<IdPointer> answer;
  Headers headers = {};  // with places for secrets
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
  auto address = connect::parse_http_address(connect::typed_url_encoded(url.beginning()));
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
  made.headers = request.headers;
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

// What the service is asked with, beside the query.
struct HttpParts {
  Endpoint query;
  std::optional<Endpoint> insert = {};
  std::optional<Endpoint> update = {};
  std::optional<Endpoint> remove = {};
};

// Whether something that is not empty stands there.
bool has_something(const std::string& body, const std::string& pointer) {
  auto json = parse_json(body);
  const Json* at = json ? find_at(*json, pointer) : nullptr;
  if (at == nullptr || at->is_null()) return false;
  if (const auto* list = at->as_array()) return !list->empty();
  if (const auto* text = at->as_text()) return !text->empty();
  const auto* object = at->as_object();
  return object == nullptr || !object->empty();
}

class HttpService : public Service {
 public:
  HttpService(Schema schema, const HttpConfig& config, const TargetConfig& common, std::uint32_t k,
              bool allow_remote, HttpParts parts)
      : schema_(std::move(schema)),
        config_(config),
        words_(common.order.value_or(OrderWords{})),
        timeout_(common.timeout),
        k_(k),
        allow_remote_(allow_remote),
        parts_(std::move(parts)) {}

  // Secrets are there, and the log-in works.
  Status begin() {
    if (auto done = log_in(); !done) return done;
    for (const auto* part : {&parts_.insert, &parts_.update, &parts_.remove}) {
      if (!*part) continue;
      auto headers = headers_of(**part);
      if (!headers) return headers.error();
    }
    auto headers = headers_of(parts_.query);
    return headers ? Status{} : Status{headers.error()};
  }

  std::string name() const override { return parts_.query.origin; }
  bool takes_rows() const override { return parts_.insert || parts_.update; }
  bool takes_sets() const override {
    for (std::uint32_t i = 0; i < schema_.size(); ++i) {
      if (!parts_.query.url.takes_sets(i) && !parts_.query.body.takes_sets(i)) return false;
    }
    return true;
  }
  bool forgets() const override { return false; }
  // Own rows stay, and are free to be written again.
  bool removes_rows() const override { return parts_.remove || parts_.update; }

  Reply<std::vector<std::string>> rank(const Query& query) override {
    std::vector<std::string> ids;
    Filling filling{.schema = schema_, .values = query.wanted, .k = k_};
    fill_order(words_, query, filling);
    for (filling.page = 0; filling.page < most_pages; ++filling.page) {
      auto answer = send(parts_.query, filling);
      if (!answer) return answer.trouble();
      if (is_refusal(*answer)) return refusal(*answer);
      if (answer->status / 100 != 2) return refused(*answer);
      auto page = parts_.query.answer->read(answer->body);
      if (!page) return page.error();
      bool is_last = page->empty();
      for (std::string& id : *page) ids.push_back(std::move(id));
      if (is_last || ids.size() >= k_ || !turn(*answer, filling)) break;
      filling.offset = ids.size();
    }
    return ids;
  }

  Reply<std::string> add(std::span<const ValueId> values, const std::string& id) override {
    return parts_.update ? change(values) : insert(values, id);
  }

  Reply<Done> remove(const std::string& id) override {
    if (parts_.update) {
      std::erase(used_, id);
      return Done{};
    }
    auto answer = send(*parts_.remove, {.schema = schema_, .values = nothing_, .id = id});
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
  static constexpr std::uint32_t most_pages = 10'000;

  Status log_in() {
    auto secrets = connect::log_in(config_.log_in, timeout_, allow_remote_);
    if (!secrets) return secrets.error();
    secrets_ = *std::move(secrets);
    return {};
  }

  Result<Headers> headers_of(const Endpoint& endpoint) const {
    Headers all = endpoint.headers;
    for (const auto& header : config_.headers) {
      if (!connect::has_header(all, header.first)) all.push_back(header);
    }
    return connect::filled_headers(all, secrets_);
  }

  // Whether there is another page, and what asks for it.
  bool turn(const HttpAnswer& answer, Filling& filling) {
    const bool has_place = parts_.query.url.has_page() || parts_.query.body.has_page();
    next_url_.clear();
    if (config_.next.empty()) return has_place;
    auto json = parse_json(answer.body);
    const Json* next = json ? find_at(*json, config_.next) : nullptr;
    if (next == nullptr || next->is_null()) return false;
    if (const bool* more = next->as_bool()) return *more && has_place;
    std::string text = next->as_text() != nullptr ? *next->as_text() : next->dump(-1);
    if (text.empty()) return false;
    if (has_place) {
      filling.cursor = std::move(text);
    } else {
      next_url_ = std::move(text);
    }
    return true;
  }

  // A page that the answer names by its URL: on the same origin, or by its path.
  Result<std::string> url_of(const Endpoint& endpoint, const Filling& filling) {
    if (next_url_.empty() || &endpoint != &parts_.query) return endpoint.url.as_url(filling);
    std::string url = connect::typed_url_encoded(std::exchange(next_url_, {}));
    if (url.starts_with('/') && !url.starts_with("//")) return endpoint.origin + url;
    auto address = connect::parse_http_address(url);
    if (address && address->origin == endpoint.origin) return url;
    return bad_input(
        fmt::format("the answer's next page, {}, is not on {}; pages are followed on "
                    "the same origin only",
                    excerpt(url), endpoint.origin));
  }

  // Logs in again when the service has forgotten who asks, once.
  Reply<HttpAnswer> send(const Endpoint& endpoint, const Filling& filling) {
    auto url = url_of(endpoint, filling);
    if (!url) return url.error();
    auto answer = send_once(endpoint, filling, *url);
    if (!answer || answer->status != 401 || config_.log_in.empty()) return answer;
    if (auto done = log_in(); !done) return done.error();
    return send_once(endpoint, filling, *url);
  }

  Reply<HttpAnswer> send_once(const Endpoint& endpoint, const Filling& filling,
                              const std::string& url) {
    auto address = connect::parse_http_address(url);
    if (!address) return address.error();
    auto headers = headers_of(endpoint);
    if (!headers) return headers.error();
    connect::HttpRequest request{endpoint.method, address->path, *std::move(headers)};
    if (endpoint.has_body) {
      request.body = endpoint.body.as_json(filling);
      if (!connect::has_header(request.headers, "Content-Type")) {
        request.headers.emplace_back("Content-Type", "application/json");
      }
    }
    auto client = clients_.find(endpoint.origin);
    if (client == clients_.end()) {
      client = clients_.emplace(endpoint.origin, HttpClient(endpoint.origin, timeout_)).first;
    }
    return client->second.send(request);
  }

  bool is_refusal(const HttpAnswer& answer) const {
    const Refusal& refused = config_.refused;
    if (std::ranges::find(refused.status, answer.status) == refused.status.end()) return false;
    return !refused.body || has_something(answer.body, *refused.body);
  }

  static Trouble refusal(const HttpAnswer& answer) {
    Trouble trouble{bad_input(fmt::format("the service refuses the question: status {}: {}",
                                          answer.status, excerpt(answer.body)))};
    trouble.is_refusal = true;
    return trouble;
  }

  Reply<std::string> insert(std::span<const ValueId> values, const std::string& id) {
    auto wanted = wanted_of_row(values);
    auto answer = send(*parts_.insert, {.schema = schema_, .values = wanted, .id = id});
    if (!answer) return answer.trouble();
    if (answer->status / 100 != 2) return refused(*answer);
    if (!parts_.insert->answer) return id;
    auto ids = parts_.insert->answer->read(answer->body);
    if (!ids) return ids.error();
    if (ids->size() == 1) return std::move(ids->front());
    return bad_input(fmt::format("the answer names {} ids for one new row: {}", ids->size(),
                                 excerpt(answer->body)));
  }

  // A row of our own that is not in use gets these values.
  Reply<std::string> change(std::span<const ValueId> values) {
    auto free = std::ranges::find_if(config_.own_rows, [&](const std::string& row) {
      return std::ranges::find(used_, row) == used_.end();
    });
    if (free == config_.own_rows.end()) {
      return bad_input(fmt::format("all {} rows of [update] are in use; list more of your own",
                                   config_.own_rows.size()));
    }
    auto wanted = wanted_of_row(values);
    auto answer = send(*parts_.update, {.schema = schema_, .values = wanted, .id = *free});
    if (!answer) return answer.trouble();
    if (answer->status / 100 != 2) return refused(*answer);
    used_.push_back(*free);
    return *free;
  }

  Schema schema_;
  HttpConfig config_;
  OrderWords words_;
  double timeout_;
  std::uint32_t k_;
  bool allow_remote_;
  HttpParts parts_;
  connect::Secrets secrets_;
  std::string next_url_;
  std::vector<std::string> used_;              // of our own rows
  std::map<std::string, HttpClient> clients_;  // by origin
  std::vector<std::vector<ValueId>> nothing_;
};

bool tells_ids(const Endpoint& insert) {
  return insert.answer || insert.url.has_id() || insert.body.has_id();
}

}  // namespace

namespace {

// What is asked and written, each ready to be filled.
Result<HttpParts> parts_of(const HttpConfig& config, const Maker& maker) {
  auto query = maker.endpoint(config.query, Template::Use::Query, "query");
  if (!query) return query.error();
  HttpParts parts{.query = *std::move(query)};
  auto make = [&](const std::optional<HttpRequestConfig>& request, Template::Use use,
                  std::string_view section, std::optional<Endpoint>& part) -> Status {
    if (!request) return {};
    auto made = maker.endpoint(*request, use, section);
    if (!made) return made.error();
    part = *std::move(made);
    return {};
  };
  auto done = make(config.insert, Template::Use::Insert, "insert", parts.insert);
  if (done) done = make(config.update, Template::Use::Insert, "update", parts.update);
  if (done) done = make(config.remove, Template::Use::Remove, "remove", parts.remove);
  if (!done) return done.error();
  return parts;
}

}  // namespace

Result<std::unique_ptr<Service>> http_service(const HttpConfig& config, const TargetConfig& common,
                                              const Schema& schema, std::uint32_t k,
                                              bool allow_remote) {
  auto parts = parts_of(config, {schema, common, allow_remote});
  if (!parts) return parts.error();
  if (parts->insert && !tells_ids(*parts->insert)) {
    return bad_input(fmt::format(
        "[insert] in {} does not tell the new row's id; say where it is in the answer, id = "
        "\"/id\", or choose it by ${{id}}",
        common.source));
  }
  auto service =
      std::make_unique<HttpService>(schema, config, common, k, allow_remote, *std::move(parts));
  if (auto begun = service->begin(); !begun) {
    return Error{begun.error().code, fmt::format("{}: {}", common.source, begun.error().message)};
  }
  return std::unique_ptr<Service>(std::move(service));
}

}  // namespace rankveil::attack
