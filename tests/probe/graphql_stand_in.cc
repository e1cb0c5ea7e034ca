#include "tests/probe/graphql_stand_in.h"

#include <fmt/core.h>
#include <httplib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>
#include <optional>
#include <thread>

#include "rankveil/base/json.h"
#include "rankveil/base/random.h"
#include "rankveil/probe/graphql/sdl.h"

namespace rankveil::tests {
namespace {

constexpr const char* for_strangers = R"(
type Query { people(where: Where, orderBy: [Order!], search: String, first: Int): Page!
             people_aggregate(where: Where): Sums person(id: ID!): Person }
type Page { edges: [Edge!] totalCount: Int }
type Edge { node: Person }
type Sums { count: Int max: Largest }
type Largest { name: String city: String %}
type Person { id: ID! name: String city: String %}
enum Direction { asc desc }
input Order { name: Direction city: Direction %}
input Text { eq: String contains: String }
input Number { eq: Int gt: Int lt: Int }
input Where { id: Text name: Text city: Text OR: [Where!] %}
)";
constexpr const char* for_owners = R"(
type Mutation { createPerson(data: NewPerson!): Person updatePerson(id: ID!, data: NewPerson!): Person
                deletePerson(id: ID!): Person }
input NewPerson { name: String city: String religion: String income: Int plan: Plan }
enum Plan { FREE PAID TRIAL }
)";

// Places with % get what only the owner is told.
std::string schema(bool is_owner) {
  std::string text = for_strangers;
  const std::array<const char*, 4> hidden = {
      "religion: String income: Int plan: Plan ", "religion: String income: Int plan: Plan ",
      "religion: Direction income: Direction plan: Direction ",
      "religion: Text income: Number plan: Pick "};
  for (const char* more : hidden) text.replace(text.find('%'), 1, is_owner ? more : "");
  return is_owner ? text + for_owners + "input Pick { eq: Plan }" : text;
}

// `alias: name(arguments) { selection }`, values as JSON.
struct Asked {
  std::string name = {};
  Json arguments = Json::Object{};
  std::vector<Asked> selection = {};
};

class Reader {
 public:
  Reader(std::string_view text, const Json* variables) : text_(text), variables_(variables) {}

  std::optional<Asked> read() {
    const std::string what = name();
    if (next() == '(') declarations();
    Asked all{.name = what};
    all.selection = selection();
    return is_fine_ ? std::optional(all) : std::nullopt;
  }

 private:
  char next() {
    while (at_ < text_.size() &&
           (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == ',')) {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool skip(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void need(char c) { is_fine_ = skip(c) && is_fine_; }
  std::string name() {
    next();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }
  void declarations() { at_ = std::min(text_.find(')', at_), text_.size() - 1) + 1; }

  Json value() {
    const char c = next();
    if (skip('$')) {
      const Json* given = variables_ == nullptr ? nullptr : variables_->find(name());
      return given == nullptr ? Json() : *given;
    }
    if (skip('[')) {
      Json::Array list;
      while (is_fine_ && !skip(']')) list.push_back(value());
      return list;
    }
    if (skip('{')) return members('}');
    if (c == '"') {
      const std::size_t start = at_++;
      while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
      ++at_;
      auto json = parse_json(text_.substr(start, std::min(at_, text_.size()) - start));
      is_fine_ = is_fine_ && bool(json);
      return json ? *json : Json();
    }
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           std::string_view(" ,)]}\n").find(text_[at_]) == std::string::npos) {
      ++at_;
    }
    const std::string word(text_.substr(start, at_ - start));
    is_fine_ = is_fine_ && !word.empty();
    auto json = parse_json(word);
    return json ? *json : Json(word);
  }

  Json members(char end) {
    Json object = Json::Object{};
    while (is_fine_ && !skip(end)) {
      const std::string key = name();
      is_fine_ = is_fine_ && !key.empty();
      need(':');
      object.set(key, value());
    }
    return object;
  }

  std::vector<Asked> selection() {
    std::vector<Asked> all;
    need('{');
    while (is_fine_ && !skip('}')) {
      Asked one{.name = name()};
      if (skip(':')) one.name = name();
      is_fine_ = is_fine_ && !one.name.empty();
      if (skip('(')) one.arguments = members(')');
      if (next() == '{') one.selection = selection();
      all.push_back(std::move(one));
    }
    return all;
  }

  std::string_view text_;
  const Json* variables_;
  std::size_t at_ = 0;
  bool is_fine_ = true;
};

using Person = Json;  // {"id": "1", "name": ..., ...}

bool is_hidden(const std::string& field) {
  return field == "religion" || field == "income" || field == "plan";
}

// -1, 0 or 1. Nothing comes first.
int compare(const Json* left, const Json* right) {
  const bool has_left = left != nullptr && !left->is_null();
  const bool has_right = right != nullptr && !right->is_null();
  if (!has_left || !has_right) return int{has_left} - int{has_right};
  if (left->as_number() && right->as_number()) {
    return int{*left->as_number() > *right->as_number()} -
           int{*left->as_number() < *right->as_number()};
  }
  return left->dump(-1).compare(right->dump(-1));
}

}  // namespace

struct GraphqlStandIn::State {
  explicit State(GraphqlSettings told) : settings(std::move(told)), rng(3) {
    const std::array<const char*, 4> religions = {"Islam", "Judaism", "Sikhism", "Taoism"};
    const std::array<const char*, 3> cities = {"Bergen", "Molde", "Oslo"};
    const std::array<const char*, 3> plans = {"FREE", "PAID", "TRIAL"};
    for (int i = 0; i < 60; ++i) {
      people.push_back(Json()
                           .set("id", std::to_string(++last_id))
                           .set("name", fmt::format("person {}", i))
                           .set("city", cities[rng.below(3)])
                           .set("religion", religions[rng.below(4)])
                           .set("income", static_cast<std::int64_t>(20000 + rng.below(90000)))
                           .set("plan", plans[rng.below(3)]));
    }
    server.set_tcp_nodelay(true);
    server.Post("/graphql", [this](const httplib::Request& in, httplib::Response& out) {
      std::lock_guard lock(mutex);
      ++requests;
      out.set_content(answer(in).dump(-1), "application/json");
    });
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

  static Json error(const std::string& why, const std::string& code = "FORBIDDEN") {
    const Json one = Json().set("message", why).set("extensions", Json().set("code", code));
    return Json().set("errors", Json::Array{one}).set("data", nullptr);
  }
  static Json data(Json rows, const char* alias) {
    return Json().set("data", Json().set(alias, std::move(rows)));
  }

  Json answer(const httplib::Request& in) {
    is_owner = in.get_header_value("Authorization") == fmt::format("Bearer {}", owner_token);
    why.clear();
    auto body = parse_json(in.body);
    const std::string text = body ? body->text_at("query") : "";
    if (text.find("__schema") != std::string::npos) {
      if (!is_owner && !settings.tells_strangers) return error("introspection is off");
      return probe::introspected(schema(is_owner));
    }
    auto asked = Reader(text, body ? body->find("variables") : nullptr).read();
    if (!asked || asked->selection.size() != 1) return error("syntax error", "BAD_REQUEST");
    const Asked& root = asked->selection.front();
    if (asked->name == "mutation") return write(root);
    if (is_owner && root.name != "person") ++secret_questions;
    Json found = root.name == "person" ? one(root) : list(root);
    if (!why.empty()) return error(why, settings.throttles ? "RATE_LIMITED" : "FORBIDDEN");
    return data(std::move(found), root.name == "person" ? "row" : "rows");
  }

  // ---- Asking ----

  void use(const std::string& field, const std::string& how) {
    if (!is_hidden(field) || is_owner || settings.leaks.contains(how)) return;
    why = fmt::format("you may not use {}", field);
  }

  bool fits(const Person& person, const Json& where, const std::string& how) {
    for (const auto& [name, condition] : *where.as_object()) {
      if (name == "OR") {
        const bool any = std::ranges::any_of(*condition.as_array(), [&](const Json& inside) {
          return fits(person, inside, how == "where" ? "OR" : how);
        });
        if (!any) return false;
        continue;
      }
      use(name, how);
      const Json* value = person.find(name);
      for (const auto& [op, wanted] : *condition.as_object()) {
        const int order = compare(value, &wanted);
        const bool holds = op == "eq"   ? order == 0
                           : op == "gt" ? order > 0
                           : op == "lt"
                               ? order < 0
                               : value != nullptr && value->as_text() != nullptr &&
                                     wanted.as_text() != nullptr &&
                                     value->as_text()->find(*wanted.as_text()) != std::string::npos;
        if (!holds) return false;
      }
    }
    return true;
  }

  std::vector<Person> chosen(const Asked& root, const std::string& how) {
    std::vector<Person> found;
    const Json* where = root.arguments.find("where");
    const std::string word = root.arguments.text_at("search");
    for (const Person& person : people) {
      if (where != nullptr && !fits(person, *where, how)) continue;
      const auto has = [&](const char* name) {
        return person.text_at(name).find(word) != std::string::npos;
      };
      const bool deep = settings.leaks.contains("search");
      if (word.empty() || has("name") || (deep && (has("religion") || has("plan")))) {
        found.push_back(person);
      }
    }
    return found;
  }

  void order(const Asked& root, std::vector<Person>& found) {
    const Json* told = root.arguments.find("orderBy");
    if (told == nullptr || told->as_object() == nullptr) return;
    const auto& [field, direction] = told->as_object()->front();
    use(field, "orderBy");
    const bool falls = direction.as_text() != nullptr && *direction.as_text() == "desc";
    std::ranges::stable_sort(found, [&, name = field](const Person& left, const Person& right) {
      const int order = compare(left.find(name), right.find(name));
      return falls ? order > 0 : order < 0;
    });
  }

  Json shown(const Person& person, const std::vector<Asked>& members) {
    Json row;
    for (const Asked& member : members) {
      use(member.name, "column");
      const Json* value = person.find(member.name);
      row.set(member.name, value == nullptr ? Json() : *value);
    }
    return row;
  }

  Json list(const Asked& root) {
    const bool counts = root.name == "people_aggregate" ||
                        (!root.selection.empty() && root.selection.front().name == "totalCount");
    std::vector<Person> found = chosen(root, counts ? "count" : "where");
    if (root.name == "people_aggregate") return sums(root, found);
    order(root, found);
    Json page;
    const Json* first = root.arguments.find("first");
    const auto most = static_cast<std::size_t>(
        first != nullptr && first->as_integer() != nullptr ? *first->as_integer() : 20);
    for (const Asked& member : root.selection) {
      if (member.name == "totalCount") page.set("totalCount", found.size());
      if (member.name != "edges") continue;
      Json::Array edges;
      for (std::size_t i = 0; i < std::min(most, found.size()); ++i) {
        edges.push_back(Json().set("node", shown(found[i], member.selection.front().selection)));
      }
      page.set("edges", std::move(edges));
    }
    return page;
  }

  Json sums(const Asked& root, const std::vector<Person>& found) {
    const Asked& what = root.selection.front();
    if (what.name == "count") return Json().set("count", found.size());
    const std::string field = what.selection.front().name;
    use(field, "max");
    const Json* most = nullptr;
    for (const Person& person : found) {
      if (most == nullptr || compare(person.find(field), most) > 0) most = person.find(field);
    }
    return Json().set("max", Json().set(field, most == nullptr ? Json() : *most));
  }

  Person* person_called(const Json* id) {
    const auto fits = [&](const Person& person) {
      return id != nullptr && id->as_text() != nullptr && person.text_at("id") == *id->as_text();
    };
    const auto found = std::ranges::find_if(people, fits);
    return found == people.end() ? nullptr : &*found;
  }

  Json one(const Asked& root) {
    const Person* person = person_called(root.arguments.find("id"));
    return person == nullptr ? Json() : shown(*person, root.selection);
  }

  // ---- Writing ----

  static void change(Person& person, const Json& row) {
    Person changed = Json::Object{};
    for (const auto& [name, value] : *person.as_object()) {
      const Json* given = row.find(name);
      changed.set(name, given == nullptr ? value : *given);
    }
    person = std::move(changed);
  }

  Json write(const Asked& root) {
    if (!is_owner) return error("log in first", "UNAUTHENTICATED");
    if (root.name == "createPerson") {
      Person person;
      person.set("id", std::to_string(++last_id));
      for (const char* name : {"name", "city", "religion", "income", "plan"}) {
        person.set(name, nullptr);
      }
      change(person, *root.arguments.find("data"));
      people.push_back(person);
      return data(shown(person, root.selection), "made");
    }
    Person* person = person_called(root.arguments.find("id"));
    if (person == nullptr) return error("there is no such person", "NOT_FOUND");
    const Json row = shown(*person, root.selection);
    if (root.name == "updatePerson") {
      change(*person, *root.arguments.find("data"));
    } else if (settings.keeps_rows) {
      return error("nobody is removed here");
    } else {
      people.erase(people.begin() + (person - people.data()));
    }
    return data(row, "made");
  }

  GraphqlSettings settings;
  Rng rng;
  httplib::Server server;
  std::mutex mutex;
  std::vector<Person> people;
  int last_id = 0;
  std::size_t requests = 0;
  std::size_t secret_questions = 0;
  bool is_owner = false;  // of the request under way
  std::string why;        // it is refused
  int port = 0;
  std::thread thread;
};

GraphqlStandIn::GraphqlStandIn(GraphqlSettings settings)
    : state_(std::make_unique<State>(std::move(settings))) {}
GraphqlStandIn::~GraphqlStandIn() = default;

std::string GraphqlStandIn::url() const {
  return fmt::format("http://127.0.0.1:{}/graphql", state_->port);
}
std::size_t GraphqlStandIn::people() const {
  std::lock_guard lock(state_->mutex);
  return state_->people.size();
}
std::size_t GraphqlStandIn::requests() const {
  std::lock_guard lock(state_->mutex);
  return state_->requests;
}
std::size_t GraphqlStandIn::questions_with_secrets() const {
  std::lock_guard lock(state_->mutex);
  return state_->secret_questions;
}

}  // namespace rankveil::tests
