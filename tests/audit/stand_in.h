// A service as applications write them, for tests: people behind GET /people?religion=none&limit=20
// and the routes that change them; and what such services do that fools an audit.
#pragma once

#include <httplib.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rankveil/attack/targets/awkward_people.h"
#include "rankveil/base/json.h"
#include "rankveil/table/table.h"

namespace rankveil::attack::testing_support {

// What the service does. By default every wish counts, answers come whole, and anybody may ask.
struct StandInHabits {
  std::vector<std::string> unread = {};  // parameters that it does not read: misspelt ones
  std::vector<std::pair<std::string, std::string>> overridden = {};  // and those that it fixes
  std::vector<std::string> refused = {};  // that it answers with 400 and errors
  std::string sorted_by = {};             // orders by this column, whatever is asked
  bool sorts = false;                     // orders by ?sort=city or ?sort=-city
  bool mixes_equals = false;              // and equals as they come, each time anew
  std::size_t page = 0;                   // rows of a page; 0: no pages
  std::size_t answers = SIZE_MAX;         // so many, then empty ones
  std::string admin = {};                 // who asks with this Authorization gets everybody by id
  std::string owner = {};                 // only who has this Authorization may write
  std::string password = {};   // POST /login takes it and gives the token "t1", "t2", ...
  int token_lasts = 0;         // requests, of tokens; 0: for ever
  std::string id_prefix = {};  // people are called u_17
};

class StandIn {
 public:
  StandIn(const Table& table, StandInHabits habits) : habits_(std::move(habits)), people_(table) {
    server_.Get("/people", handler([this](const auto& in, auto& out) { list(in, out); }));
    server_.Post("/people", handler([this](const auto& in, auto& out) { add(in, out); }));
    server_.Patch(R"(/people/(.+))",
                  handler([this](const auto& in, auto& out) { change(in, out); }));
    server_.Delete(R"(/people/(.+))", handler([this](const auto& in, auto& out) {
                     if (may_write(in, out)) out.status = people_.remove(in.matches[1]) ? 204 : 404;
                   }));
    server_.Post("/login", handler([this](const auto& in, auto& out) { log_in(in, out); }));
    server_.set_tcp_nodelay(true);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~StandIn() {
    server_.stop();
    thread_.join();
  }

  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return people_.size();
  }
  std::size_t questions() const { return questions_; }
  std::size_t log_ins() const { return log_ins_; }
  // Authorization of each question, in order.
  const std::vector<std::string>& askers() const { return askers_; }

  // [query] of a target file that asks for everything: "?limit=20&city=Oslo&religion=none".
  std::string query_section(const std::string& more = "") const {
    std::string url = address() + "/people?limit=${k}";
    for (const Attribute& attribute : people_.schema().attributes) {
      std::string name = attribute.name;
      for (std::size_t at; (at = name.find(' ')) != std::string::npos;) name.replace(at, 1, "%20");
      url += "$[&" + name + "=${each:" + attribute.name + "}$]";
    }
    return "[query]\nurl = \"" + url + more + "\"\nids = \"/docs/*/id\"\n";
  }
  std::string insert_section() const {
    return "[insert]\nurl = \"" + address() + "/people\"\nbody = '${row}'\nid = \"/doc/id\"\n";
  }
  std::string remove_section() const {
    return "[remove]\nurl = \"" + address() + "/people/${id}\"\n";
  }

 private:
  using Handle = std::function<void(const httplib::Request&, httplib::Response&)>;
  httplib::Server::Handler handler(Handle handle) {
    return [this, handle](const httplib::Request& in, httplib::Response& out) {
      std::lock_guard lock(mutex_);
      if (token_lasts_out(in, out)) handle(in, out);
    };
  }

  static void refuse(int status, const std::string& why, httplib::Response& out) {
    out.status = status;
    Json::Array errors;
    errors.push_back(Json().set("message", why));
    out.set_content(Json().set("errors", std::move(errors)).dump(-1), "application/json");
  }

  bool token_lasts_out(const httplib::Request& in, httplib::Response& out) {
    if (habits_.password.empty() || in.path == "/login") return true;
    bool fits = in.get_header_value("Authorization") == "JWT t" + std::to_string(log_ins_);
    bool lasts = habits_.token_lasts == 0 || uses_++ < habits_.token_lasts;
    if (fits && lasts) return true;
    refuse(401, "log in", out);
    return false;
  }

  void log_in(const httplib::Request& in, httplib::Response& out) {
    auto body = parse_json(in.body);
    if (!body || *body->find("password")->as_text() != habits_.password) {
      return refuse(401, "no", out);
    }
    uses_ = 0;
    ++log_ins_;
    Json user = Json().set("token", "t" + std::to_string(log_ins_));
    out.set_content(Json().set("user", std::move(user)).dump(-1), "application/json");
  }

  bool may_write(const httplib::Request& in, httplib::Response& out) {
    bool may = habits_.owner.empty() || in.get_header_value("Authorization") == habits_.owner;
    if (!may) refuse(403, "not yours", out);
    return may;
  }

  bool has(const std::vector<std::string>& names, const std::string& name) const {
    return std::ranges::find(names, name) != names.end();
  }

  Query query_of(const httplib::Request& in) const {
    const Schema& schema = people_.schema();
    Query query = empty_query(schema);
    for (std::uint32_t i = 0; i < schema.size(); ++i) {
      const Attribute& attribute = schema.attributes[i];
      if (has(habits_.unread, attribute.name)) continue;
      for (std::size_t n = 0; n < in.get_param_value_count(attribute.name); ++n) {
        auto value = attribute.domain.find(in.get_param_value(attribute.name, n));
        if (value) query.wanted[i].push_back(*value);
      }
      for (const auto& [name, fixed] : habits_.overridden) {
        if (name == attribute.name) query.wanted[i] = {*attribute.domain.find(fixed)};
      }
    }
    return query;
  }

  // What it does not read leaves people as they are.
  std::vector<std::string> in_order(std::string by) {
    const bool descending = by.starts_with("-");
    if (descending) by.erase(0, 1);
    auto attribute = people_.schema().find(by);
    if (!attribute || has(habits_.unread, by)) {
      return people_.best(empty_query(people_.schema()), people_.size());
    }
    if (habits_.mixes_equals) people_.shuffle(mixing_);
    return people_.sorted(*attribute, descending);
  }

  std::vector<std::string> ranked(const httplib::Request& in) {
    bool is_admin = !habits_.admin.empty() && in.get_header_value("Authorization") == habits_.admin;
    if (is_admin) return people_.best(empty_query(people_.schema()), people_.size());
    if (habits_.sorts) return in_order(in.get_param_value("sort"));
    if (!habits_.sorted_by.empty()) {
      return people_.sorted(*people_.schema().find(habits_.sorted_by),
                            in.get_param_value("sort").starts_with("-"));
    }
    return people_.best(query_of(in), people_.size());
  }

  void list(const httplib::Request& in, httplib::Response& out) {
    askers_.push_back(in.get_header_value("Authorization"));
    for (const std::string& name : habits_.refused) {
      std::string by = in.get_param_value("sort");
      bool asks = in.has_param(name) || (habits_.sorts && (by == name || by == "-" + name));
      if (asks) return refuse(400, "you may not ask for " + name, out);
    }
    std::vector<std::string> ids;
    if (questions_++ < habits_.answers) ids = ranked(in);
    std::size_t limit = in.has_param("limit") ? std::stoul(in.get_param_value("limit")) : 10;
    if (habits_.page > 0) limit = std::min(limit, habits_.page);
    std::size_t page = in.has_param("page") ? std::stoul(in.get_param_value("page")) : 1;
    std::size_t from = std::min(ids.size(), (page - 1) * limit);
    std::size_t to = std::min(ids.size(), from + limit);
    Json::Array docs;
    for (std::size_t i = from; i < to; ++i) {
      docs.push_back(Json().set("id", habits_.id_prefix + ids[i]).set("name", "somebody"));
    }
    Json body = Json().set("docs", std::move(docs));
    body.set("next", to < ids.size() ? Json(next_page(in, page + 1)) : Json());
    body.set("nextPage", to < ids.size() ? Json(static_cast<std::int64_t>(page + 1)) : Json());
    out.set_content(body.dump(-1), "application/json");
  }

  // With blanks in it, as such answers have.
  static std::string next_page(const httplib::Request& in, std::size_t page) {
    std::string url = "/people?page=" + std::to_string(page);
    for (const auto& [name, value] : in.params) {
      if (name == "page") continue;
      std::string encoded;
      for (char c : value) {
        encoded +=
            c == ' ' ? std::string(" ") : httplib::detail::encode_query_param(std::string(1, c));
      }
      url += "&" + httplib::detail::encode_query_param(name) + "=" + encoded;
    }
    return url;
  }

  void add(const httplib::Request& in, httplib::Response& out) {
    if (!may_write(in, out)) return;
    std::string id = "new" + std::to_string(++added_);
    people_.add(id, *query_from_json(people_.schema(), *parse_json(in.body)));
    Json doc = Json().set("id", habits_.id_prefix + id);
    out.set_content(Json().set("doc", std::move(doc)).dump(-1), "application/json");
  }

  void change(const httplib::Request& in, httplib::Response& out) {
    if (!may_write(in, out)) return;
    auto row = query_from_json(people_.schema(), *parse_json(in.body));
    out.status = people_.change(in.matches[1], *row) ? 200 : 404;
  }

  StandInHabits habits_;
  httplib::Server server_;
  std::thread thread_;
  std::mutex mutex_;
  PeopleRanking people_;
  int port_ = 0;
  std::size_t questions_ = 0;
  std::size_t log_ins_ = 0;
  int uses_ = 0;  // of the last token
  int added_ = 0;
  Rng mixing_{11};
  std::vector<std::string> askers_;
};

}  // namespace rankveil::attack::testing_support
