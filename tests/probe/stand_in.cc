#include "tests/probe/stand_in.h"

#include <fmt/core.h>
#include <httplib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "rankveil/base/json.h"
#include "rankveil/base/random.h"

namespace rankveil::tests {
namespace {

struct Person {
  std::string id;
  std::map<std::string, std::string> texts = {};  // religion, note, name, city
  std::map<std::string, double> numbers = {};     // income, age
  std::string owner = {};
  std::uint64_t updated = 0;
};

struct Post {
  std::string id;
  std::string author;
};

const std::array<std::string, 8> religions = {"Buddhism", "Hinduism", "Islam",  "Judaism",
                                              "Jainism",  "Sikhism",  "Taoism", "none"};
const std::array<std::string, 5> cities = {"Bergen", "Oslo", "Tromso", "Bodo", "Molde"};

bool is_hidden(const std::string& field) {
  return field == "religion" || field == "income" || field == "note" || field == "profile.religion";
}
bool is_number(const std::string& field) { return field == "income" || field == "age"; }
bool is_field(const std::string& field) {
  return is_hidden(field) || field == "age" || field == "name" || field == "city" || field == "id";
}
// profile.religion is the religion, asked for by another name.
std::string plain_name(const std::string& field) {
  return field == "profile.religion" ? "religion" : field;
}

std::string text_of(const Person& person, const std::string& asked) {
  const std::string field = plain_name(asked);
  if (field == "id") return person.id;
  if (is_number(field)) {
    const auto number = person.numbers.find(field);
    return number == person.numbers.end() ? "" : fmt::format("{}", number->second);
  }
  const auto text = person.texts.find(field);
  return text == person.texts.end() ? "" : text->second;
}

// -1, 0, 1.
int compare(const Person& person, const std::string& asked, const std::string& value) {
  const std::string field = plain_name(asked);
  if (!is_number(field)) {
    const std::string text = text_of(person, field);
    return text < value ? -1 : text > value ? 1 : 0;
  }
  const double number = person.numbers.contains(field) ? person.numbers.at(field) : -1e300;
  const double other = std::strtod(value.c_str(), nullptr);
  return number < other ? -1 : number > other ? 1 : 0;
}

bool matches(const Person& person, const std::string& field, const std::string& op,
             const std::string& value) {
  const int order = compare(person, field, value);
  if (op == "eq" || op == "in") return order == 0;
  if (op == "ne") return order != 0;
  if (op == "gt") return order > 0;
  if (op == "gte") return order >= 0;
  if (op == "lt") return order < 0;
  if (op == "lte") return order <= 0;
  return text_of(person, field).find(value) != std::string::npos;  // like, regex
}

}  // namespace

struct StandIn::State {
  explicit State(StandInSettings told) : settings(std::move(told)), rng(7) {
    for (std::size_t i = 0; i < settings.people; ++i) {
      Person person{.id = std::to_string(++last_id)};
      person.texts["name"] = fmt::format("person {}", i);
      person.texts["city"] = cities[rng.below(cities.size())];
      person.texts["religion"] = religions[rng.below(religions.size())];
      person.texts["note"] = fmt::format("note {}", rng.below(1000));
      person.numbers["income"] = static_cast<double>(20000 + rng.below(90000));
      person.numbers["age"] = static_cast<double>(20 + rng.below(60));
      people.push_back(person);
      posts.push_back({.id = fmt::format("p{}", person.id), .author = person.id});
    }
    serve();
    port = server.bind_to_any_port("127.0.0.1");
    thread = std::thread([this] { server.listen_after_bind(); });
    while (!server.is_running()) std::this_thread::yield();
  }
  ~State() {
    server.stop();
    thread.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // ---- Serving ----

  using In = httplib::Request;
  using Out = httplib::Response;

  void serve() {
    server.set_tcp_nodelay(true);
    const auto on = [this](auto handle) {
      return [this, handle](const In& in, Out& out) {
        std::function<void(const std::string&, const std::string&)> act;
        {
          std::lock_guard lock(mutex);
          act = before;
        }
        if (act) act(in.method, in.path);
        std::lock_guard lock(mutex);
        ++requests;
        if (settings.noise.contains("rate") && in.method == "GET" && requests % 40 == 0) {
          out.status = 429;
          out.set_header("Retry-After", "1");
          return;
        }
        (this->*handle)(in, out);
      };
    };
    server.Get("/api/people", on(&State::list));
    server.Get("/api/people/count", on(&State::count));
    server.Get("/api/people/stats", on(&State::stats));
    server.Get("/api/people/groups", on(&State::groups));
    server.Get("/api/posts", on(&State::list_posts));
    server.Post("/api/posts", on(&State::add_post));
    server.Delete(R"(/api/posts/([^/]+))", on(&State::remove_post));
    server.Post("/api/people", on(&State::add));
    server.Get(R"(/api/people/([^/]+))", on(&State::get));
    server.Patch(R"(/api/people/([^/]+))", on(&State::patch));
    server.Delete(R"(/api/people/([^/]+))", on(&State::remove));
    server.Post("/login", on(&State::log_in));
    server.Get("/moved", on(&State::moved));
    server.Get("/elsewhere", on(&State::elsewhere));
  }

  static bool has_token(const In& in, const char* token) {
    return in.get_header_value("Authorization") == fmt::format("Bearer {}", token);
  }
  static bool is_owner(const In& in) { return has_token(in, owner_token); }
  static bool is_admin(const In& in) { return has_token(in, admin_token); }

  static void refuse(Out& out, int status, const std::string& why) {
    out.status = status;
    out.set_content(Json().set("error", why).dump(-1), "application/json");
  }
  static void send(Out& out, const Json& json) {
    out.set_content(json.dump(-1), "application/json");
  }
  bool leaks(const std::string& what) const { return settings.leaks.contains(what); }

  Json shown(const Person& person, const In& in) const {
    Json row;
    row.set("id", person.id);
    for (const char* name : {"name", "city"}) row.set(name, text_of(person, name));
    row.set("age", static_cast<std::int64_t>(
                       person.numbers.contains("age") ? person.numbers.at("age") : 0));
    if (settings.noise.contains("updated")) {
      row.set("updatedAt", static_cast<std::int64_t>(person.updated));
    }
    if (is_admin(in) || (is_owner(in) && person.owner == "owner")) {
      for (const char* name : {"religion", "note"}) {
        row.set(name, person.texts.contains(name) ? Json(text_of(person, name)) : Json());
      }
      row.set("income",
              person.numbers.contains("income") ? Json(person.numbers.at("income")) : Json());
    }
    return row;
  }

  // ---- Asking ----

  // Whether this may be asked of the field. False: the answer says so already, or it is to be
  // passed over.
  bool may_ask(const In& in, const std::string& field, const std::string& how, Out& out) {
    if (!is_field(field)) {
      if (!settings.ignores) refuse(out, 400, "unknown field");
      return false;
    }
    const bool is_dotted = field.find('.') != std::string::npos;
    if (!is_hidden(field) || is_admin(in)) return true;
    if (is_dotted ? leaks("dotted") : leaks(how)) return true;
    if (!settings.ignores) refuse(out, 400, fmt::format("{} cannot be queried", field));
    return false;
  }

  using Condition = std::function<bool(const Person&)>;

  // {"or": [{"income": 3}]}
  std::optional<Condition> logical(const In& in, const Json& json, Out& out) {
    if (json.as_object() == nullptr || json.as_object()->size() != 1) return std::nullopt;
    const auto& [logic, list] = json.as_object()->front();
    const bool is_logic = logic == "or" || logic == "and" || logic == "nor";
    if (!is_logic || list.as_array() == nullptr) return std::nullopt;
    std::vector<std::pair<std::string, std::string>> parts;
    for (const Json& item : *list.as_array()) {
      for (const auto& [field, value] : *item.as_object()) {
        if (!may_ask(in, field, logic, out)) return std::nullopt;
        parts.emplace_back(field, value.as_text() != nullptr ? *value.as_text() : value.dump(-1));
      }
    }
    return [parts, logic = logic](const Person& person) {
      const auto fits = [&](const auto& part) {
        return matches(person, part.first, "eq", part.second);
      };
      if (logic == "and") return std::ranges::all_of(parts, fits);
      return std::ranges::any_of(parts, fits) == (logic == "or");
    };
  }

  // "income[gte]" is income and gte.
  static std::pair<std::string, std::string> split(const std::string& name) {
    const std::size_t open = name.find('[');
    if (open == std::string::npos || !name.ends_with(']')) return {name, "eq"};
    return {name.substr(0, open), name.substr(open + 1, name.size() - open - 2)};
  }

  // Those who fit all conditions. `counts`: asked for a number only. Nothing: the answer is there.
  std::optional<std::vector<Person>> chosen(const In& in, Out& out, bool counts) {
    static const std::set<std::string> others = {"sort", "limit", "page", "cursor", "fields",
                                                 "max",  "by",    "q",    "filter"};
    std::vector<Condition> conditions;
    for (const auto& [name, value] : in.params) {
      if (others.contains(name)) continue;
      const auto [field, op] = split(name);
      if (may_ask(in, field, counts ? "count" : op, out)) {
        conditions.push_back([field = field, op = op, value = value](const Person& person) {
          return matches(person, field, op, value);
        });
      }
    }
    if (in.has_param("filter")) {
      auto json = parse_json(in.get_param_value("filter"));
      if (auto condition = json ? logical(in, *json, out) : std::nullopt) {
        conditions.push_back(*condition);
      }
    }
    if (in.has_param("q")) {
      const std::string word = in.get_param_value("q");
      const bool deep = leaks("search");
      conditions.push_back([word, deep](const Person& person) {
        return text_of(person, "name").find(word) != std::string::npos ||
               (deep && text_of(person, "religion").find(word) != std::string::npos) ||
               (deep && text_of(person, "note").find(word) != std::string::npos) ||
               (deep && text_of(person, "income") == word);
      });
    }
    if (out.status >= 400) return std::nullopt;
    std::vector<Person> found;
    for (const Person& person : people_now(in)) {
      if (std::ranges::all_of(conditions, [&](const auto& fits) { return fits(person); })) {
        found.push_back(person);
      }
    }
    return found;
  }

  // As they are, or as they were a while ago.
  std::vector<Person> people_now(const In& in) {
    if (!settings.noise.contains("cache") || is_owner(in)) return people;
    const auto now = std::chrono::steady_clock::now();
    while (versions.size() > 1 && versions[1].first + std::chrono::milliseconds(200) <= now) {
      versions.pop_front();
    }
    return versions.empty() ? people : versions.front().second;
  }

  void remember_version() {
    if (!settings.noise.contains("cache")) return;
    versions.emplace_back(std::chrono::steady_clock::now(), people);
  }

  // False: the answer is there.
  bool sort(const In& in, std::vector<Person>& found, Out& out) {
    if (settings.noise.contains("ties") || settings.noise.contains("random")) {
      shuffle(found);
    }
    if (!in.has_param("sort")) return true;
    std::string field = in.get_param_value("sort");
    const bool falls = field.starts_with('-');
    if (falls) field.erase(0, 1);
    if (leaks("cursor") && in.has_param("limit") && in.get_param_value("limit") == "1") return true;
    if (!may_ask(in, field, "sort", out)) return out.status < 400;
    std::ranges::stable_sort(found, [&](const Person& left, const Person& right) {
      const int order = compare(left, field, text_of(right, field));
      return falls ? order > 0 : order < 0;
    });
    return true;
  }

  void shuffle(std::vector<Person>& found) {
    for (std::size_t i = found.size(); i > 1; --i) std::swap(found[i - 1], found[rng.below(i)]);
  }

  std::size_t limit_of(const In& in) {
    return in.has_param("limit") ? std::strtoul(in.get_param_value("limit").c_str(), nullptr, 10)
                                 : 20;
  }

  void list(const In& in, Out& out) {
    note_secrets(in);
    auto found = chosen(in, out, false);
    if (!found || !sort(in, *found, out)) return;
    const std::size_t limit = limit_of(in);
    const std::size_t page =
        in.has_param("page") ? std::strtoul(in.get_param_value("page").c_str(), nullptr, 10) : 1;
    Json::Array rows;
    for (std::size_t i = (page - 1) * limit; i < std::min(found->size(), page * limit); ++i) {
      Json row = shown((*found)[i], in);
      const bool is_asked = in.has_param("fields") && is_hidden(in.get_param_value("fields"));
      if (is_asked && leaks("column")) {
        row.set(in.get_param_value("fields"), text_of((*found)[i], in.get_param_value("fields")));
      } else if (is_asked && !settings.ignores) {
        return refuse(out, 400, "there is no such field");
      }
      rows.push_back(std::move(row));
    }
    Json answer;
    answer.set("items", std::move(rows));
    if (leaks("cursor") && in.has_param("sort")) {
      // The newest row, and a cursor that holds what it is sorted by.
      std::string field = in.get_param_value("sort");
      if (field.starts_with('-')) field.erase(0, 1);
      answer.set("next", found->empty() ? "" : text_of(people.back(), field));
    }
    send(out, answer);
  }

  void count(const In& in, Out& out) {
    note_secrets(in);
    auto found = chosen(in, out, true);
    if (found) send(out, Json().set("count", static_cast<std::int64_t>(found->size())));
  }

  void stats(const In& in, Out& out) {
    note_secrets(in);
    const std::string field = in.get_param_value("max");
    if (!may_ask(in, field, "aggregate", out)) return ignored(out);
    std::string most;
    for (const Person& person : people) {
      if (most.empty() || compare(person, field, most) > 0) most = text_of(person, field);
    }
    send(out, Json().set("max", most));
  }

  void groups(const In& in, Out& out) {
    note_secrets(in);
    const std::string field = in.get_param_value("by");
    if (!may_ask(in, field, "group_by", out)) return ignored(out);
    std::map<std::string, std::int64_t> counts;
    for (const Person& person : people) ++counts[text_of(person, field)];
    Json answer = Json::Object{};
    for (const auto& [value, number] : counts) answer.set(value.empty() ? "-" : value, number);
    send(out, Json().set("groups", answer));
  }

  static void ignored(Out& out) {
    if (out.status < 400) send(out, Json().set("groups", Json::Object{}));
  }

  void list_posts(const In& in, Out& out) {
    note_secrets(in);
    std::string field = in.get_param_value("sort");
    const bool falls = field.starts_with('-');
    if (falls) field.erase(0, 1);
    std::vector<Post> found = posts;
    const std::string by = "author.";
    if (field.starts_with(by)) {
      field.erase(0, by.size());
      if (!may_ask(in, field, "relation", out)) {
        if (out.status >= 400) return;
      } else {
        std::ranges::stable_sort(found, [&](const Post& left, const Post& right) {
          const Person* first = person_with(left.author);
          const Person* second = person_with(right.author);
          if (first == nullptr || second == nullptr) return second == nullptr && first != nullptr;
          const int order = compare(*first, field, text_of(*second, field));
          return falls ? order > 0 : order < 0;
        });
      }
    }
    const std::size_t page =
        in.has_param("page") ? std::strtoul(in.get_param_value("page").c_str(), nullptr, 10) : 1;
    Json::Array rows;
    const std::size_t limit = limit_of(in);
    for (std::size_t i = (page - 1) * limit; i < std::min(found.size(), page * limit); ++i) {
      rows.push_back(Json().set("id", found[i].id).set("author", found[i].author));
    }
    send(out, Json().set("items", rows));
  }

  // ---- Writing ----

  Person* person_with(const std::string& id) {
    const auto found = std::ranges::find(people, id, &Person::id);
    return found == people.end() ? nullptr : &*found;
  }

  static void take(const Json& row, Person& person) {
    for (const auto& [name, value] : *row.as_object()) {
      if (name == "profile" && value.as_object() != nullptr) {
        take(value, person);
      } else if (is_number(name)) {
        person.numbers.erase(name);
        if (auto number = value.as_number()) person.numbers[name] = *number;
      } else {
        person.texts.erase(name);
        if (value.as_text() != nullptr) person.texts[name] = *value.as_text();
      }
    }
  }

  bool may_write(const In& in, const Person* person, Out& out) {
    ++writes;
    if (!is_owner(in))
      refuse(out, 401, "log in first");
    else if (person == nullptr)
      refuse(out, 404, "not found");
    else if (person->owner != "owner")
      refuse(out, 403, "not yours");
    return out.status < 400;
  }

  void add(const In& in, Out& out) {
    ++writes;
    if (!is_owner(in)) return refuse(out, 401, "log in first");
    auto row = parse_json(in.body);
    if (!row || row->as_object() == nullptr) return refuse(out, 422, "no row");
    if (row->find("name") == nullptr) return refuse(out, 422, "name is missing");
    Person person{.id = std::to_string(++last_id), .owner = "owner"};
    take(*row, person);
    person.updated = ++clock;
    people.push_back(person);
    remember_version();
    out.status = 201;
    send(out, shown(person, in));
  }

  void patch(const In& in, Out& out) {
    Person* person = person_with(in.matches[1]);
    if (!may_write(in, person, out)) return;
    auto row = parse_json(in.body);
    if (!row || row->as_object() == nullptr) return refuse(out, 422, "no change");
    take(*row, *person);
    person->updated = ++clock;
    remember_version();
    send(out, shown(*person, in));
  }

  void remove(const In& in, Out& out) {
    Person* person = person_with(in.matches[1]);
    if (!may_write(in, person, out)) return;
    people.erase(people.begin() + (person - people.data()));
    remember_version();
    out.status = 204;
  }

  void get(const In& in, Out& out) {
    const Person* person = person_with(in.matches[1]);
    if (person == nullptr) return refuse(out, 404, "not found");
    Json row = shown(*person, in);
    if (is_owner(in)) row.set("profile", Json().set("religion", text_of(*person, "religion")));
    send(out, row);
  }

  void add_post(const In& in, Out& out) {
    ++writes;
    if (settings.busy_posts > 0) {
      --settings.busy_posts;
      return refuse(out, 503, "busy");
    }
    if (!is_owner(in)) return refuse(out, 401, "log in first");
    auto row = parse_json(in.body);
    const Json* author = row ? row->find("author") : nullptr;
    if (author == nullptr || author->as_text() == nullptr) return refuse(out, 422, "no author");
    posts.push_back({.id = fmt::format("p{}", ++last_id), .author = *author->as_text()});
    out.status = 201;
    send(out, Json().set("id", posts.back().id));
  }

  void remove_post(const In& in, Out& out) {
    ++writes;
    if (!is_owner(in)) return refuse(out, 401, "log in first");
    const std::string id = in.matches[1];
    out.status =
        std::erase_if(posts, [&](const Post& post) { return post.id == id; }) > 0 ? 204 : 404;
  }

  void log_in(const In& in, Out& out) {
    auto body = parse_json(in.body);
    const Json* password = body ? body->find("password") : nullptr;
    if (password == nullptr || password->as_text() == nullptr ||
        *password->as_text() != "open sesame") {
      return refuse(out, 401, "wrong password");
    }
    send(out, Json().set("token", owner_token));
  }

  void moved(const In& in, Out& out) {
    out.status = 302;
    out.set_header("Location", "/api/people?" + httplib::detail::params_to_query_str(in.params));
  }
  void elsewhere(const In&, Out& out) {
    out.status = 302;
    out.set_header("Location", fmt::format("http://localhost:{}/api/people", port));
  }

  void note_secrets(const In& in) {
    if (is_owner(in) || is_admin(in)) ++secret_questions;
  }

  StandInSettings settings;
  Rng rng;
  httplib::Server server;
  std::mutex mutex;
  std::function<void(const std::string&, const std::string&)> before;
  std::vector<Person> people;
  std::vector<Post> posts;
  std::deque<std::pair<std::chrono::steady_clock::time_point, std::vector<Person>>> versions;
  std::uint64_t last_id = 0;
  std::uint64_t clock = 0;
  std::size_t requests = 0;
  std::size_t writes = 0;
  std::size_t secret_questions = 0;
  int port = 0;
  std::thread thread;
};

StandIn::StandIn(StandInSettings settings) : state_(std::make_unique<State>(std::move(settings))) {}
StandIn::~StandIn() = default;

std::string StandIn::origin() const { return fmt::format("http://127.0.0.1:{}", state_->port); }

std::size_t StandIn::people() const {
  std::lock_guard lock(state_->mutex);
  return state_->people.size();
}
std::size_t StandIn::posts() const {
  std::lock_guard lock(state_->mutex);
  return state_->posts.size();
}
std::size_t StandIn::requests() const {
  std::lock_guard lock(state_->mutex);
  return state_->requests;
}
std::size_t StandIn::writes() const {
  std::lock_guard lock(state_->mutex);
  return state_->writes;
}
std::size_t StandIn::questions_with_secrets() const {
  std::lock_guard lock(state_->mutex);
  return state_->secret_questions;
}
void StandIn::change(std::function<void(StandInSettings&)> change) {
  std::lock_guard lock(state_->mutex);
  change(state_->settings);
}
void StandIn::before_each(std::function<void(const std::string&, const std::string&)> act) {
  std::lock_guard lock(state_->mutex);
  state_->before = std::move(act);
}

const char* StandIn::dialect() {
  return R"(
name = "stand-in"
rows = "/items"
id = "/id"
[list]
query = ["limit=${limit}", "page=${page}"]
[create]
body = '${row}'
id = "/id"
[change]
path = "${url}/${id}"
body = '${change}'
[read]
path = "${url}/${id}"
row = ""
[remove]
path = "${url}/${id}"
[find]
query = ["${mark_field}=${mark}"]
[[way]]
name = "sort"
kind = "sort"
query = ["sort=${direction}${field}", "limit=${limit}"]
[[way]]
name = "${op}"
kind = "filter"
query = ["${field}[${op}]=${value}", "limit=${limit}"]
[way.each]
op = ["eq", "gte", "lte", "like", "in", "regex"]
[[way]]
name = "ne"
kind = "filter"
query = ["id=${id}", "${field}[ne]=${value}", "limit=${limit}"]
[[way]]
name = "gt"
kind = "filter"
query = ["id=${id}", "${field}[gt]=${low}", "limit=${limit}"]
[[way]]
name = "lt"
kind = "filter"
query = ["id=${id}", "${field}[lt]=${high}", "limit=${limit}"]
[[way]]
name = "${logic}"
kind = "filter"
query = ['filter={"${logic}": [{"${field}": ${value}}]}', "limit=${limit}"]
[way.each]
logic = ["or", "and"]
[[way]]
name = "nor"
kind = "filter"
query = ["id=${id}", 'filter={"nor": [{"${field}": ${value}}]}', "limit=${limit}"]
[[way]]
name = "search"
kind = "search"
query = ["q=${value}", "limit=${limit}"]
[[way]]
name = "count"
kind = "count"
path = "${url}/count"
query = ["${field}=${value}"]
[[way]]
name = "aggregate"
kind = "aggregate"
path = "${url}/stats"
query = ["max=${field}"]
[[way]]
name = "group_by"
kind = "group_by"
path = "${url}/groups"
query = ["by=${field}"]
[[way]]
name = "cursor"
kind = "cursor"
query = ["sort=${direction}${field}", "limit=1"]
[[way]]
name = "column"
kind = "column"
query = ["id=${id}", "fields=${field}"]
[[way]]
name = "relation"
kind = "relation"
path = "${link}"
query = ["sort=${direction}${by}.${field}", "limit=${limit}"]
)";
}

}  // namespace rankveil::tests
