#include "rankveil/probe/http/read_answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "rankveil/base/checksum.h"
#include "rankveil/probe/dialect/answer_search.h"

namespace rankveil::probe {
namespace {

constexpr std::array<std::string_view, 7> count_names = {
    "count", "total", "totalDocs", "total_count", "totalCount", "total_results", "filter_count"};
constexpr std::array<std::string_view, 7> cursor_names = {
    "next", "cursor", "nextCursor", "next_cursor", "endCursor", "nextPageToken", "next_page"};
constexpr std::size_t most_parts = 64;

std::string digest(std::string_view text) {
  return fmt::format("#{:016x}", checksum(std::as_bytes(std::span(text.data(), text.size()))));
}

bool is_of_rows(Kind kind) {
  return kind != Kind::Count && kind != Kind::Aggregate && kind != Kind::GroupBy;
}

bool is_nothing(const Json& value) {
  if (value.is_null()) return true;
  if (value.as_array() != nullptr) return value.as_array()->empty();
  if (value.as_object() != nullptr) return value.as_object()->empty();
  if (value.as_text() != nullptr) return value.as_text()->empty();
  return value.as_bool() != nullptr && !*value.as_bool();
}

const Json* first_of(const Json& answer, std::span<const std::string_view> names) {
  for (std::string_view name : names) {
    const Json* found = answer.find(name);
    if (found != nullptr && found->as_object() == nullptr) return found;
  }
  return nullptr;
}

// Goes over what an answer says besides its rows.
class RestReader {
 public:
  RestReader(const Question& question, Kind kind, std::vector<Part>& parts)
      : question_(question), kind_(kind), parts_(parts) {}

  void read(const std::string& name, const Json& value) {
    if (const auto* object = value.as_object()) {
      const std::string before = name.empty() ? "" : name + ".";
      for (const auto& [key, member] : *object) {
        std::string path = before;
        read(path.append(key), member);
      }
    } else if (parts_.size() < most_parts && value.as_array() == nullptr) {
      parts_.push_back({.name = name.empty() ? "answer" : name, .text = shown(value)});
    } else {
      rest_ += name + "=" + canonical(value) + "\n";
    }
  }

  // Lists, and what there was no room for.
  void finish() {
    if (!rest_.empty()) parts_.push_back({.name = "other parts", .text = digest(rest_)});
  }

 private:
  std::string shown(const Json& value) const {
    const std::string text = canonical(value);
    const std::string plain = value.as_text() != nullptr ? *value.as_text() : text;
    const bool is_asked = plain == question_.value.text || plain == question_.low.text ||
                          plain == question_.high.text;
    // A sum or a largest value is somebody's.
    const bool is_harmless = value.as_text() == nullptr && is_of_rows(kind_);
    return is_asked || is_harmless || value.as_bool() != nullptr || value.is_null() ? text
                                                                                    : digest(text);
  }

  const Question& question_;
  Kind kind_;
  std::vector<Part>& parts_;
  std::string rest_;
};

// What an own row shows, field by field.
void add_own(const Json& row, const std::string& id, const std::string& prefix,
             std::vector<Part>& parts) {
  const auto* object = row.as_object();
  if (object == nullptr) return;
  for (const auto& [name, value] : *object) {
    if (value.as_object() != nullptr) {
      add_own(value, id, prefix + name + ".", parts);
    } else {
      parts.push_back({.name = prefix + name, .text = canonical(value), .row = id});
    }
  }
}

bool is_own(const Question& question, const std::string& id) {
  return std::ranges::find(question.own, id) != question.own.end();
}

Status read_rows(const Json::Array& rows, const WayTemplate& way, const Question& question,
                 Answer& answer) {
  std::string rest;
  for (const Json& row : rows) {
    auto id = id_of(row, way.answer);
    if (!id && is_of_rows(way.way.kind)) {
      return bad_input(fmt::format("rows of the answer have no id{}; say where it is, id = \"/id\"",
                                   way.answer.id ? " at \"" + way.answer.id->text() + "\"" : ""));
    }
    if (id) answer.rows.push_back(*id);
    if (id && is_own(question, *id)) {
      add_own(row_in(row, way.answer), *id, "", answer.parts);
    } else {
      rest += canonical(row) + "\n";
    }
  }
  answer.parts.push_back({.name = "rest", .text = digest(rest)});
  return {};
}

std::string cursor_text(const Json* cursor) {
  if (cursor == nullptr) return "";
  if (cursor->as_text() != nullptr) return *cursor->as_text();
  return cursor->as_integer() != nullptr ? std::to_string(*cursor->as_integer()) : "";
}

void read_numbers(const Json& json, const WayTemplate& way, Answer& answer) {
  const bool looks = !way.answer.count && way.way.kind == Kind::Count;
  const Json* count = way.answer.count               ? way.answer.count->find(json)
                      : json.as_integer() != nullptr ? &json
                                                     : first_of(json, count_names);
  if (count != nullptr && count->as_text() != nullptr && looks) count = nullptr;
  if (count != nullptr && count->as_integer() != nullptr) answer.count = *count->as_integer();
  const Json* cursor =
      way.answer.cursor ? way.answer.cursor->find(json) : first_of(json, cursor_names);
  if (way.way.kind == Kind::Cursor || way.answer.cursor) answer.cursor = cursor_text(cursor);
}

// GraphQL answers 200 to those who come too often, too, and says so in a code.
bool tells_to_wait(const Json& json) {
  const Json* errors = json.find("errors");
  if (errors == nullptr || errors->as_array() == nullptr) return false;
  return std::ranges::any_of(*errors->as_array(), [](const Json& error) {
    const Json* more = error.find("extensions");
    std::string code = more == nullptr ? "" : more->text_at("code");
    std::ranges::transform(code, code.begin(), [](unsigned char c) {
      return c == '-' ? '_' : static_cast<char>(std::toupper(c));
    });
    return code.find("RATE_LIMIT") != std::string::npos || code.find("THROTTLE") == 0 ||
           code == "TOO_MANY_REQUESTS" || code == "REQUESTS_EXCEEDED" || code == "429";
  });
}

// The answer without its rows.
Json without(const Json& json, const Json* rows) {
  if (&json == rows) return {};
  if (json.as_object() == nullptr) return json;
  Json rest = Json::Object{};
  for (const auto& [name, member] : *json.as_object()) {
    if (&member != rows) rest.set(name, without(member, rows));
  }
  return rest;
}

Answer failed(Answer answer, std::string why) {
  answer.outcome = Outcome::Failed;
  answer.reason = std::move(why);
  answer.rows.clear();
  answer.parts.clear();
  return answer;
}

bool names_value(const Json& json, const std::string& value) {
  if (json.as_text() != nullptr) return *json.as_text() == value;
  if (json.as_number()) return json.dump(-1) == value;
  if (const auto* list = json.as_array()) {
    return std::ranges::any_of(*list, [&](const Json& item) { return names_value(item, value); });
  }
  return json.as_object() != nullptr &&
         std::ranges::any_of(*json.as_object(), [&](const Json::Member& member) {
           return member.first == value || names_value(member.second, value);
         });
}

// Names and numbers of groups are other people's values.
Answer read_groups(const Json& json, const Question& question, Answer answer) {
  answer.parts.push_back({.name = "a group for the value",
                          .text = names_value(json, question.value.text) ? "there" : "not there"});
  answer.parts.push_back({.name = "groups", .text = digest(canonical(json))});
  return answer;
}

Answer read_json(const Json& json, const WayTemplate& way, const Question& question,
                 Answer answer) {
  if (way.way.kind == Kind::GroupBy) return read_groups(json, question, std::move(answer));
  auto rows = rows_of(json, way.answer);
  if (!rows && is_of_rows(way.way.kind)) return failed(std::move(answer), rows.error().message);
  const Json* list = nullptr;
  if (rows) {
    if (auto read = read_rows(**rows, way, question, answer); !read) {
      return failed(std::move(answer), read.error().message);
    }
    list = way.answer.rows ? way.answer.rows->find(json) : search_rows(json);
  }
  read_numbers(json, way, answer);
  RestReader rest(question, way.way.kind, answer.parts);
  const Json others = without(json, list);
  if (!others.is_null()) rest.read("", others);
  rest.finish();
  return answer;
}

}  // namespace

std::string canonical(const Json& value) {
  if (const auto* list = value.as_array()) {
    std::string text = "[";
    for (const Json& item : *list) text += (text.size() > 1 ? "," : "") + canonical(item);
    return text + "]";
  }
  const auto* object = value.as_object();
  if (object == nullptr) return value.dump(-1);
  std::vector<std::string> members;
  for (const auto& [name, member] : *object) {
    members.push_back(Json(name).dump(-1) + ":" + canonical(member));
  }
  std::ranges::sort(members);
  std::string text = "{";
  for (const std::string& member : members) text += (text.size() > 1 ? "," : "") + member;
  return text + "}";
}

Result<const Json::Array*> rows_of(const Json& answer, const AnswerPlaces& places) {
  const Json* rows = places.rows ? places.rows->find(answer) : search_rows(answer);
  if (rows != nullptr && rows->as_array() != nullptr) return rows->as_array();
  return bad_input(
      places.rows ? fmt::format("the answer has no list of rows at \"{}\"", places.rows->text())
                  : std::string("the answer has no list of rows; say where it is, rows = "
                                "\"/data\""));
}

std::optional<std::string> id_of(const Json& row, const AnswerPlaces& places) {
  return id_text(places.id ? places.id->find(row) : search_id(row));
}

const Json& row_in(const Json& item, const AnswerPlaces& places) {
  const Json* row = places.row ? places.row->find(item) : &item;
  return row == nullptr ? item : *row;
}

const Json* field_of(const Json& row, std::string_view name) {
  if (const Json* flat = row.find(name)) return flat;
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const Json* inner = row.find(name.substr(0, dot));
  return inner == nullptr ? nullptr : field_of(*inner, name.substr(dot + 1));
}

bool is_throttled(const connect::HttpAnswer& answer) {
  return answer.status == 429 || (answer.status == 503 && answer.retry_after > 0);
}

std::string answer_excerpt(const connect::HttpAnswer& answer) {
  constexpr std::size_t most = 200;
  std::string text = fmt::format("status {}", answer.status);
  if (answer.body.empty()) return text;
  text += ": ";
  for (char c : std::string_view(answer.body).substr(0, most)) {
    text += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  while (answer.body.size() > most && (text.back() & 0x80) != 0) text.pop_back();
  return answer.body.size() > most ? text + "..." : text;
}

Answer read_answer(const connect::HttpAnswer& received, const WayTemplate& way,
                   const Refusals& refusals, const Question& question) {
  Answer answer{.status = received.status};
  const auto ended = [&](Outcome outcome) {
    answer.outcome = outcome;
    answer.reason = answer_excerpt(received);
    return answer;
  };
  if (is_throttled(received)) {
    answer.wait_seconds = received.retry_after;
    return ended(Outcome::Throttled);
  }
  if (std::ranges::find(refusals.status, received.status) != refusals.status.end()) {
    return ended(Outcome::Refused);
  }
  if (received.status / 100 == 3) {
    return failed(std::move(answer), fmt::format("status {}: a redirect to somewhere else is not "
                                                 "followed",
                                                 received.status));
  }
  if (received.status / 100 != 2) return ended(Outcome::Failed);
  auto json = parse_json(received.body);
  if (!json) return failed(std::move(answer), "the answer is no JSON");
  if (tells_to_wait(*json)) return ended(Outcome::Throttled);
  if (refusals.body) {
    const Json* told = refusals.body->find(*json);
    if (told != nullptr && !is_nothing(*told)) return ended(Outcome::Refused);
  }
  return read_json(*json, way, question, std::move(answer));
}

}  // namespace rankveil::probe
