#include "rankveil/probe/http/service.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "rankveil/probe/dialect/answer_search.h"
#include "rankveil/probe/http/read_answer.h"

namespace rankveil::probe {

using connect::Done;
using connect::Reply;
using connect::Trouble;

namespace {

constexpr std::uint32_t scan_limit = 100;  // rows of a page, when all rows are looked through
constexpr std::uint32_t scan_pages = 100;

// "/api/people/" is of people.
std::string last_part(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

void replace_in(std::string& text, std::string_view place, std::string_view with) {
  for (std::size_t at = text.find(place); at != std::string::npos;
       at = text.find(place, at + with.size())) {
    text.replace(at, place.size(), with);
  }
}

// A row with ${mark} and ${id} filled in wherever a text has them. An id that is a number stays one
// where it stands alone.
Json filled_row(const Json& row, const std::string& mark, const Json& id) {
  if (const auto* text = row.as_text()) {
    if (*text == "${id}") return id;
    std::string filled = *text;
    replace_in(filled, "${mark}", mark);
    replace_in(filled, "${id}", id_text(&id).value_or(""));
    return filled;
  }
  if (const auto* list = row.as_array()) {
    Json::Array filled;
    for (const Json& item : *list) filled.push_back(filled_row(item, mark, id));
    return filled;
  }
  if (row.as_object() == nullptr) return row;
  Json filled = Json::Object{};
  for (const auto& [name, member] : *row.as_object()) {
    filled.set(name, filled_row(member, mark, id));
  }
  return filled;
}

bool has_place(const Json& row, std::string_view place) {
  if (row.as_text() != nullptr) return row.as_text()->find(place) != std::string::npos;
  if (row.as_array() != nullptr) {
    return std::ranges::any_of(*row.as_array(),
                               [&](const Json& item) { return has_place(item, place); });
  }
  return row.as_object() != nullptr &&
         std::ranges::any_of(*row.as_object(), [&](const Json::Member& member) {
           return has_place(member.second, place);
         });
}

Json json_of_value(const std::optional<Value>& value) {
  if (!value) return {};
  if (value->is_text) return value->text;
  auto number = parse_json(value->text);
  return number ? *number : Json(value->text);
}

// "profile.religion" is {"profile": {"religion": ...}}.
Json nested(std::string_view name, Json value) {
  const std::size_t dot = name.find('.');
  Json object;
  if (dot == std::string_view::npos) {
    object.set(std::string(name), std::move(value));
  } else {
    object.set(std::string(name.substr(0, dot)), nested(name.substr(dot + 1), std::move(value)));
  }
  return object;
}

Value value_of_json(const Json& json) {
  if (json.as_text() != nullptr) return {*json.as_text(), true};
  return {json.dump(-1), false};
}

bool passes(int status) { return status == 408 || status == 425 || status == 429 || status >= 500; }
bool leaves_doubt(int status) { return status == 500 || status == 502 || status == 504; }

bool refers_to(const Json* reference, const std::string& row) {
  if (reference == nullptr) return false;
  return id_text(reference) == row || id_text(search_id(*reference)) == row;
}

}  // namespace

// ---- Opening ----

Result<std::unique_ptr<HttpService>> HttpService::open(HttpSettings settings) {
  auto talk = Talk::open(settings.talk);
  if (!talk) return talk.error();
  if (settings.collection.empty()) settings.collection = last_part(talk->path());
  if (settings.row.is_null()) settings.row = Json::Object{};
  if (!settings.mark_field.empty() && settings.row.find(settings.mark_field) == nullptr) {
    settings.row.set(settings.mark_field, "${mark}");
  }
  if (settings.linked && !has_place(settings.linked->row, "${id}")) {
    settings.linked->row.set(settings.linked->by, "${id}");
  }
  return std::unique_ptr<HttpService>(new HttpService(std::move(settings), std::move(*talk)));
}

HttpService::HttpService(HttpSettings settings, Talk talk)
    : settings_(std::move(settings)), talk_(std::move(talk)) {
  talk_.keep_secret(settings_.asker);
  talk_.keep_secret(settings_.owner);
  for (std::size_t i = 0; i < settings_.dialect.ways.size(); ++i) {
    const WayTemplate& way = settings_.dialect.ways[i];
    const bool needs_link = way.request.has("link") || way.request.has("by");
    const bool needs_public = way.request.has("public");
    if (needs_link && !settings_.linked) continue;
    if (needs_public && settings_.public_field.empty()) continue;
    way_numbers_[way.way.name] = i;
    ways_.push_back(way.way);
    ways_.back().compares = way.request.has("low") && way.request.has("high");
  }
}

Places HttpService::places() const {
  Places places;
  places.url = talk_.path();
  places.collection = settings_.collection;
  places.public_field = settings_.public_field;
  places.mark_field = settings_.mark_field;
  places.limit = settings_.limit;
  if (settings_.linked) {
    places.link = settings_.linked->path;
    places.by = settings_.linked->by;
  }
  return places;
}

// ---- Asking ----

const WayTemplate* HttpService::way_called(const std::string& name) const {
  const auto number = way_numbers_.find(name);
  return number == way_numbers_.end() ? nullptr : &settings_.dialect.ways[number->second];
}

Answer HttpService::ask(const Question& question) {
  const WayTemplate* way = way_called(question.way);
  assert(way != nullptr && "ways() lists what may be asked");
  const RequestTemplate& request = way->request;
  const bool has_pages = request.has("page") || request.has("cursor");
  if (question.page > 0 && !has_pages) return {.status = 200, .requests = 0};
  Places filling = places();
  filling.field = question.field;
  filling.value = question.value;
  filling.low = question.low;
  filling.high = question.high;
  filling.page = question.page + 1;
  filling.cursor = question.cursor;
  filling.direction = way->directions[question.direction == Direction::Ascending ? 0 : 1];
  if (!question.own.empty()) filling.id = question.own.front();
  const PlainRequest plain = fill(request, filling);
  const std::uint64_t before = talk_.sent();
  auto received = talk_.send(plain, settings_.asker);
  Question asked = question;
  if (way->way.kind == Kind::Relation) {
    asked.own.clear();
    for (const auto& [link, row] : links_) asked.own.push_back(link);
  }
  Answer answer;
  if (received) {
    answer = read_answer(*received, *way, settings_.dialect.refused, asked);
  } else {
    answer.outcome = Outcome::Failed;
    answer.reason = received.trouble().error.message;
  }
  if (way->way.kind == Kind::Relation) use_own_ids(answer.rows);
  for (Part& part : answer.parts) {
    const auto link = links_.find(part.row);
    if (way->way.kind == Kind::Relation && link != links_.end()) part.row = link->second;
  }
  answer.reason = talk_.hide(answer.reason);
  answer.request = talk_.show(plain);
  answer.requests = static_cast<std::uint32_t>(talk_.sent() - before);
  return answer;
}

// A linked row stands for the own row that it refers to; the others are no rows of this listing.
void HttpService::use_own_ids(std::vector<std::string>& ids) const {
  for (std::string& id : ids) {
    const auto link = links_.find(id);
    if (link == links_.end()) {
      id.insert(0, "linked ");
    } else {
      id = link->second;
    }
  }
}

// ---- Writing ----

Reply<Json> HttpService::owner_asks(const RequestTemplate& request, const Places& places,
                                    bool at_last) {
  const PlainRequest plain = fill(request, places);
  auto answer = talk_.send(plain, settings_.owner, at_last);
  if (!answer) return answer.trouble();
  return told_by(plain, *answer);
}

Reply<Json> HttpService::told_by(const PlainRequest& plain,
                                 const connect::HttpAnswer& answer) const {
  if (answer.status / 100 != 2) {
    return Trouble{bad_input(talk_.hide(fmt::format("{} {} has {}", plain.method, plain.path,
                                                    answer_excerpt(answer)))),
                   passes(answer.status), leaves_doubt(answer.status), answer.retry_after};
  }
  if (answer.body.empty()) return Json();
  auto json = parse_json(answer.body);
  if (!json && plain.method == "DELETE") return Json();
  if (!json) {
    return Trouble{bad_input(fmt::format("the answer to {} {} is no JSON", plain.method,
                                         talk_.hide(plain.path))),
                   false, true};
  }
  if (is_refused(answer)) {
    return bad_input(
        talk_.hide(plain.method + " " + plain.path + " is refused: " + answer_excerpt(answer)));
  }
  return std::move(*json);
}

// A 200 that says no, as those of GraphQL do.
bool HttpService::is_refused(const connect::HttpAnswer& answer) const {
  const auto& refused = settings_.dialect.refused.body;
  if (!refused) return false;
  auto json = parse_json(answer.body);
  const Json* told = json ? refused->find(*json) : nullptr;
  return told != nullptr && !told->is_null() &&
         (told->as_array() == nullptr || !told->as_array()->empty());
}

Reply<Json> HttpService::create_in(const std::string& path, const Json& row) {
  Places filling = places();
  filling.url = path;
  if (path != talk_.path()) filling.collection = last_part(path);
  filling.row = row;
  const CreateTemplate& create = *settings_.dialect.create;
  auto answer = owner_asks(create.request, filling);
  if (!answer) return answer.trouble();
  const Json* id = create.id ? create.id->find(*answer) : search_id(*answer);
  if (id_text(id)) return *id;
  return Trouble{
      bad_input(fmt::format("the answer to a new row of {} does not tell its id{}; say where it "
                            "is, id = \"/data/id\" in [create]",
                            path, create.id ? " at \"" + create.id->text() + "\"" : "")),
      false, true};
}

Reply<std::string> HttpService::create(const std::string& mark) {
  auto id = create_in(talk_.path(), filled_row(settings_.row, mark, {}));
  if (!id) return id.trouble();
  const std::string row = *id_text(&*id);
  if (!settings_.linked) return row;
  auto link = create_in(settings_.linked->path, filled_row(settings_.linked->row, mark, *id));
  if (!link) {
    // Whoever asks again would make a second row, and know of that one only.
    Trouble trouble = link.trouble();
    trouble.may_be_done = !remove(row);
    return trouble;
  }
  links_[*id_text(&*link)] = row;
  return row;
}

Reply<Done> HttpService::write(const std::string& row, const Field& field,
                               const std::optional<Value>& value) {
  Places filling = places();
  filling.id = row;
  filling.field = field.name;
  filling.change = nested(field.name, json_of_value(value));
  auto answer = owner_asks(*settings_.dialect.change, filling, true);
  if (!answer) return answer.trouble();
  return Done{};
}

namespace {

// {"data": {"post": null}}, or a list of none.
bool holds_nothing(const Json& json) {
  if (const auto* list = json.as_array()) return list->empty();
  const auto* object = json.as_object();
  if (object == nullptr) return json.is_null();
  return !object->empty() && std::ranges::all_of(*object, [](const auto& member) {
    return holds_nothing(member.second);
  });
}

}  // namespace

// A row that is gone is told by its status, or by nothing in its place.
Reply<HeldMark> HttpService::read_held(const std::string& row, const std::string& field) {
  constexpr int not_found = 404, gone = 410;
  Places filling = places();
  filling.id = row;
  filling.field = field;
  const PlainRequest plain = fill(settings_.dialect.read->request, filling);
  auto answer = talk_.send(plain, settings_.owner, true);
  if (!answer) return answer.trouble();
  if (answer->status == not_found || answer->status == gone) return HeldMark{.is_gone = true};
  auto told = told_by(plain, *answer);
  if (!told) return told.trouble();
  const Json* found = settings_.dialect.read->row.find(*told);
  const bool is_gone = found == nullptr ? holds_nothing(*told) : found->is_null();
  if (is_gone) return HeldMark{.is_gone = true};
  const Json* value = found == nullptr ? nullptr : field_of(*found, field);
  if (value == nullptr || value->is_null()) return HeldMark{};
  return HeldMark{.value = value_of_json(*value)};
}

Reply<std::optional<Value>> HttpService::read(const std::string& row, const Field& field) {
  auto held = read_held(row, field.name);
  if (!held) return held.trouble();
  if (held->is_gone) {
    return bad_input(fmt::format("there is no row {} for its owner; name one that is there", row));
  }
  return std::move(held->value);
}

Reply<HeldMark> HttpService::read_mark(const std::string& row) {
  if (!settings_.dialect.read || settings_.mark_field.empty()) return Writer::read_mark(row);
  return read_held(row, settings_.mark_field);
}

// ---- Finding and removing ----

// Calls take(row) for every row that the owner sees, page by page, until a page has nothing new.
template <typename Take>
Reply<Done> HttpService::scan(const std::string& path, const Take& take) {
  std::set<std::string> seen;
  for (std::uint32_t page = 1; page <= scan_pages; ++page) {
    Places filling = places();
    filling.url = path;
    filling.limit = scan_limit;
    filling.page = page;
    auto answer = owner_asks(settings_.dialect.list, filling, true);
    if (!answer) return answer.trouble();
    auto rows = rows_of(*answer, settings_.dialect.answer);
    if (!rows) return rows.error();
    bool is_new = false;
    for (const Json& row : **rows) {
      auto id = id_of(row, settings_.dialect.answer);
      if (!id || !seen.insert(*id).second) continue;
      is_new = true;
      take(*id, row_in(row, settings_.dialect.answer));
    }
    if (!is_new) break;
  }
  return Done{};
}

Reply<std::vector<std::string>> HttpService::find(const std::string& mark) {
  std::vector<std::string> found;
  const auto take = [&](const std::string& id, const Json& row) {
    const Json* text = field_of(row, settings_.mark_field);
    const bool is_ours = text != nullptr && text->as_text() != nullptr &&
                         text->as_text()->find(mark) != std::string::npos;
    if (is_ours) found.push_back(id);
  };
  if (settings_.dialect.find) {
    Places filling = places();
    filling.mark = mark;
    auto answer = owner_asks(*settings_.dialect.find, filling, true);
    if (!answer) return answer.trouble();
    auto rows = rows_of(*answer, settings_.dialect.answer);
    if (!rows) return rows.error();
    for (const Json& row : **rows) {
      auto id = id_of(row, settings_.dialect.answer);
      if (id) take(*id, row_in(row, settings_.dialect.answer));
    }
    if (!found.empty()) return found;
  }
  auto done = scan(talk_.path(), take);
  if (!done) return done.trouble();
  return found;
}

// Those that were made here, and those of an earlier process.
Reply<std::vector<std::string>> HttpService::links_of(const std::string& row) {
  std::vector<std::string> links;
  for (const auto& [link, own] : links_) {
    if (own == row) links.push_back(link);
  }
  if (!links.empty() || !settings_.linked) return links;
  auto done = scan(settings_.linked->path, [&](const std::string& id, const Json& linked) {
    if (refers_to(field_of(linked, settings_.linked->by), row)) links.push_back(id);
  });
  if (!done) return done.trouble();
  return links;
}

Reply<Done> HttpService::remove_links(const std::string& row) {
  auto links = links_of(row);
  if (!links) return links.trouble();
  for (const std::string& link : *links) {
    Places filling = places();
    filling.url = settings_.linked->path;
    filling.collection = last_part(settings_.linked->path);
    filling.id = link;
    auto answer = talk_.send(fill(*settings_.dialect.remove, filling), settings_.owner, true);
    if (!answer) return answer.trouble();
    const bool is_gone = answer->status == 404 || answer->status == 410;
    if (!is_gone && (answer->status / 100 != 2 || is_refused(*answer))) {
      return Trouble{
          bad_input(fmt::format("the row {} of {} cannot be removed: {}", link,
                                settings_.linked->path, talk_.hide(answer_excerpt(*answer)))),
          passes(answer->status), false, answer->retry_after};
    }
    links_.erase(link);
  }
  return Done{};
}

Reply<Done> HttpService::remove(const std::string& row) {
  if (auto done = remove_links(row); !done) return done.trouble();
  Places filling = places();
  filling.id = row;
  auto answer = talk_.send(fill(*settings_.dialect.remove, filling), settings_.owner, true);
  if (!answer) return answer.trouble();
  const bool is_gone = answer->status == 404 || answer->status == 410;
  if (is_gone || (answer->status / 100 == 2 && !is_refused(*answer))) return Done{};
  return Trouble{bad_input(fmt::format("the row {} cannot be removed: {}", row,
                                       talk_.hide(answer_excerpt(*answer)))),
                 passes(answer->status), false, answer->retry_after};
}

Reply<Json> HttpService::listing(const Identity& identity, std::uint32_t page) {
  Places filling = places();
  filling.page = page;
  auto answer = talk_.send(fill(settings_.dialect.list, filling), identity);
  if (!answer) return answer.trouble();
  if (answer->status / 100 != 2) {
    return Trouble{
        bad_input(fmt::format("the listing has {}", talk_.hide(answer_excerpt(*answer)))),
        passes(answer->status), false, answer->retry_after};
  }
  auto json = parse_json(answer->body);
  if (!json) return bad_input("the listing is no JSON");
  return std::move(*json);
}

}  // namespace rankveil::probe
