#include "rankveil/probe/dialect/request_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/connect/http/encoding.h"

namespace rankveil::probe {

using connect::json_encoded;

namespace {

// In the order of the names below.
enum class What : std::uint8_t {
  // Names and texts.
  Url,
  Collection,
  Field,
  Public,
  Mark,
  MarkField,
  Direction,
  Cursor,
  Id,
  Link,
  By,
  // Whole numbers.
  Limit,
  Page,
  Value,
  Low,
  High,
  // Objects.
  Row,
  Change
};
constexpr std::array<std::string_view, 18> place_names = {
    "url",       "collection", "field", "public", "mark", "mark_field",
    "direction", "cursor",     "id",    "link",   "by",   "limit",
    "page",      "value",      "low",   "high",   "row",  "change"};

enum class Form : std::uint8_t { Plain, Odata, Regex, Bare, Constant };
constexpr std::array<std::string_view, 5> form_names = {"", "odata", "regex", "bare", "constant"};

template <std::size_t n>
std::size_t index_of(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::ranges::find(names, name) - names.begin();
}

template <std::size_t n>
std::string suggestion(const std::array<std::string_view, n>& names, std::string_view name) {
  std::vector<std::string> known;
  for (std::string_view known_name : names) {
    if (!known_name.empty()) known.emplace_back(known_name);
  }
  return did_you_mean(name, known, "there are " + listed(known));
}

const Value& value_of(What what, const Places& places) {
  return what == What::Low ? places.low : what == What::High ? places.high : places.value;
}

const std::string& text_of(What what, const Places& places) {
  switch (what) {
    case What::Url:
      return places.url;
    case What::Collection:
      return places.collection;
    case What::Direction:
      return places.direction;
    case What::Cursor:
      return places.cursor;
    case What::Id:
      return places.id;
    case What::Link:
      return places.link;
    case What::By:
      return places.by;
    case What::Public:
      return places.public_field;
    case What::Mark:
      return places.mark;
    case What::MarkField:
      return places.mark_field;
    default:
      return places.field;
  }
}

std::string in_odata(const Value& value) {
  if (!value.is_text) return value.text;
  std::string quoted = "'";
  for (char c : value.text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

std::string in_regex(const Value& value) {
  std::string escaped;
  for (char c : value.text) {
    if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// JSON as GraphQL writes it: names of members have no quotes.
std::string in_graphql(const Json& json, bool with_braces = true) {
  std::string text;
  if (const auto* list = json.as_array()) {
    for (const Json& item : *list) text += (text.empty() ? "" : ", ") + in_graphql(item);
    return "[" + text + "]";
  }
  if (json.as_object() == nullptr) return json.dump(-1);
  for (const auto& [name, member] : *json.as_object()) {
    text += (text.empty() ? "" : ", ") + name + ": " + in_graphql(member);
  }
  return with_braces ? "{" + text + "}" : text;
}

std::string object_text(const Json& object, bool is_graphql, bool with_braces) {
  if (is_graphql) return in_graphql(object, with_braces);
  const std::string text = object.dump(-1);
  return with_braces || text.size() < 2 ? text : text.substr(1, text.size() - 2);
}

// ${url} and ${link} are paths already.
bool is_path(What what) { return what == What::Url || what == What::Link; }

}  // namespace

std::string constant_of(std::string_view name) {
  std::string constant;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool begins_word =
        i > 0 && std::isupper(c) != 0 && std::isupper(static_cast<unsigned char>(name[i - 1])) == 0;
    if (begins_word && constant.back() != '_') constant += '_';
    constant += static_cast<char>(std::toupper(c));
  }
  return constant;
}

Result<RequestText::Place> RequestText::place(std::string_view name, std::string_view what) {
  const std::size_t bar = std::min(name.find('|'), name.size());
  const std::string_view form = bar < name.size() ? name.substr(bar + 1) : "";
  const std::size_t number = index_of(place_names, name.substr(0, bar));
  if (number == place_names.size()) {
    return bad_input(fmt::format("{} has a place ${{{}}} that is not known; {}", what, name,
                                 suggestion(place_names, name.substr(0, bar))));
  }
  const std::size_t form_number = index_of(form_names, form);
  if (form_number == form_names.size() || (bar < name.size() && form.empty())) {
    return bad_input(fmt::format("{} has ${{{}}}, but there is no way \"{}\" to spell a value; {}",
                                 what, name, form, suggestion(form_names, form)));
  }
  return Place{static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(form_number)};
}

Result<RequestText> RequestText::parse(std::string_view text, Spelling spelling,
                                       std::string_view what) {
  RequestText parsed;
  const bool is_json = text.starts_with('{') || text.starts_with('[');
  parsed.spelling_ = spelling == Spelling::Parameter && is_json ? Spelling::Json : spelling;
  std::string literal;
  const auto finish = [&] {
    if (!literal.empty()) parsed.pieces_.emplace_back(std::move(literal));
    literal.clear();
  };
  while (!text.empty()) {
    if (text.starts_with("$${")) {
      literal += "${";
      text.remove_prefix(3);
    } else if (text.starts_with("${")) {
      const std::size_t end = text.find('}');
      if (end == std::string_view::npos) {
        return bad_input(fmt::format("{} has ${{ without }}; write $${{ for the text ${{", what));
      }
      auto found = place(text.substr(2, end - 2), what);
      if (!found) return found.error();
      finish();
      parsed.pieces_.emplace_back(*found);
      text.remove_prefix(end + 1);
    } else {
      literal += text.front();
      text.remove_prefix(1);
    }
  }
  finish();
  return parsed;
}

std::string RequestText::shaped(const Place& place, const Places& places, bool inside_quotes,
                                Spelling spelling) {
  const What what{place.what};
  const Form form{place.form};
  const bool is_json = spelling == Spelling::Json || spelling == Spelling::Graphql;
  if (what == What::Limit || what == What::Page) {
    return std::to_string(what == What::Limit ? places.limit : places.page);
  }
  if (what == What::Row || what == What::Change) {
    const std::string object = object_text(what == What::Row ? places.row : places.change,
                                           spelling == Spelling::Graphql, form != Form::Bare);
    return inside_quotes ? json_encoded(object, true) : object;
  }
  if (what < What::Limit) {
    const std::string& plain = text_of(what, places);
    std::string text = form == Form::Constant ? constant_of(plain) : plain;
    if (!is_json || form == Form::Bare) return text;
    if (inside_quotes) return json_encoded(text, true);
    const bool is_name = spelling == Spelling::Graphql && what != What::Id &&
                         what != What::Cursor && what != What::Mark;
    return is_name ? text : json_encoded(text, false);
  }
  const Value& value = value_of(what, places);
  if (form == Form::Odata)
    return inside_quotes ? json_encoded(in_odata(value), true) : in_odata(value);
  std::string text = form == Form::Regex ? in_regex(value) : value.text;
  if (!is_json || form == Form::Bare) return text;
  if (inside_quotes) return json_encoded(text, true);
  return value.is_text || form == Form::Regex ? json_encoded(text, false) : text;
}

std::string RequestText::fill(const Places& places) const {
  std::string filled;
  connect::JsonQuotes quotes;
  for (const Piece& piece : pieces_) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      filled += *literal;
      quotes.read(*literal);
      continue;
    }
    const Place& place = std::get<Place>(piece);
    const std::string text = shaped(place, places, quotes.is_inside(), spelling_);
    const bool encode = spelling_ == Spelling::Path && !is_path(What{place.what});
    filled += encode ? connect::percent_encoded(text) : text;
  }
  return filled;
}

bool RequestText::has(std::string_view name) const {
  return std::ranges::any_of(pieces_, [&](const Piece& piece) {
    const auto* place = std::get_if<Place>(&piece);
    return place != nullptr && place_names[place->what] == name;
  });
}

bool RequestText::has_bare() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) {
    const auto* place = std::get_if<Place>(&piece);
    return place != nullptr && Form{place->form} == Form::Bare;
  });
}

}  // namespace rankveil::probe
