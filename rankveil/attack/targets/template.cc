#include "rankveil/attack/targets/template.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/connect/http/encoding.h"
#include "rankveil/connect/sql.h"

namespace rankveil::attack {

using connect::json_encoded;
using connect::JsonQuotes;
using connect::percent_encoded;
using connect::typed_url_encoded;

// ---- reading ----

class TemplateParser {
 public:
  TemplateParser(std::string_view text, const Schema& schema, Template::Use use,
                 std::string_view what)
      : text_(text), schema_(schema), use_(use), what_(what) {}

  Result<Template> parse() {
    begin_part(false);
    while (at_ < text_.size()) {
      if (auto read = read_next(); !read) return read.error();
    }
    if (part().is_section) return error("has a section without its end, $]");
    return std::move(result_);
  }

 private:
  using What = Template::What;

  Template::Part& part() { return result_.parts_.back(); }
  void begin_part(bool is_section) { result_.parts_.push_back({is_section, {}}); }
  bool next_is(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }
  Error error(std::string_view message) const {
    return bad_input(fmt::format("{} {}", what_, message));
  }

  void add_text(std::string_view text) {
    auto& pieces = part().pieces;
    if (pieces.empty() || !std::holds_alternative<std::string>(pieces.back())) {
      pieces.emplace_back(std::string());
    }
    std::get<std::string>(pieces.back()) += text;
  }

  Status read_next() {
    for (std::string_view mark : {"$${", "$$[", "$$]"}) {
      if (!next_is(mark)) continue;
      add_text(mark.substr(1));
      at_ += mark.size();
      return {};
    }
    if (next_is("${")) return read_place();
    if (next_is("$[")) return begin_section();
    if (next_is("$]")) return end_section();
    add_text(text_.substr(at_++, 1));
    return {};
  }

  Status begin_section() {
    if (part().is_section) return error("has a section inside a section");
    begin_part(true);
    at_ += 2;
    return {};
  }

  Status end_section() {
    if (!part().is_section) return error("ends a section, $], that does not begin");
    std::optional<std::uint32_t> repeated;
    bool has_attribute = false;
    for (const Template::Piece& piece : part().pieces) {
      const auto* place = std::get_if<Template::Place>(&piece);
      if (place == nullptr) continue;
      has_attribute = has_attribute || place->what >= What::One || place->what == What::Cursor;
      if (place->what != What::Each) continue;
      if (repeated && *repeated != place->attribute) {
        return error("has a section with ${each:...} of two attributes; it can go over one");
      }
      repeated = place->attribute;
    }
    if (!has_attribute) return error("has a section without an attribute, such as ${all:city}");
    begin_part(false);
    at_ += 2;
    return {};
  }

  Status read_place() {
    std::size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) return error("has a ${ without its }");
    std::string_view inside = text_.substr(at_ + 2, end - at_ - 2);
    at_ = end + 1;
    Template::Place place;
    place.bare = inside.ends_with("|bare");
    if (place.bare) inside.remove_suffix(5);
    if (auto found = find_what(inside, place); !found) return found;
    if (place.what == What::Each && !part().is_section) {
      return error(fmt::format("has ${{{}}} outside a section, $[ ... $]", inside));
    }
    part().pieces.emplace_back(place);
    return {};
  }

  Status find_what(std::string_view inside, Template::Place& place) {
    struct Known {
      std::string_view name;
      What what;
      bool query, insert, remove;
    };
    constexpr Known known[] = {
        {"k", What::K, true, false, false},
        {"page", What::Page, true, false, false},
        {"page0", What::Page0, true, false, false},
        {"offset", What::Offset, true, false, false},
        {"cursor", What::Cursor, true, false, false},
        {"query", What::Query, true, false, false},
        {"field", What::Field, true, false, false},
        {"direction", What::Direction, true, false, false},
        {"row", What::Row, false, true, false},
        {"id", What::Id, false, true, true},
        {"one:", What::One, true, true, false},
        {"low:", What::Low, true, true, false},
        {"high:", What::High, true, true, false},
        {"all:", What::All, true, false, false},
        {"each:", What::Each, true, false, false},
    };
    for (const Known& one : known) {
      bool fits = use_ == Template::Use::Query    ? one.query
                  : use_ == Template::Use::Insert ? one.insert
                                                  : one.remove;
      bool has_attribute = one.what >= What::One;
      if (!fits || !(has_attribute ? inside.starts_with(one.name) : inside == one.name)) continue;
      place.what = one.what;
      return has_attribute ? find_attribute(inside.substr(one.name.size()), place) : check(place);
    }
    return error(fmt::format("has ${{{}}}, which is not known here; known are {}", inside,
                             use_ == Template::Use::Query
                                 ? "${k}, ${page}, ${offset}, ${cursor}, ${field}, ${direction}, "
                                   "${query}, ${one:NAME}, ${low:NAME}, ${high:NAME}, ${all:NAME} "
                                   "and ${each:NAME}"
                             : use_ == Template::Use::Insert
                                 ? "${id}, ${row}, ${one:NAME}, ${low:NAME} and ${high:NAME}"
                                 : "${id}"));
  }

  Status find_attribute(std::string_view name, Template::Place& place) {
    auto attribute = schema_.find(name);
    if (attribute) {
      place.attribute = +*attribute;
      return check(place);
    }
    std::vector<std::string> names;
    for (const Attribute& one : schema_.attributes) names.push_back(one.name);
    return error(fmt::format("names \"{}\", which is no attribute; {}", name,
                             near_and_all(name, names, 12)));
  }

  // Ends must be there, and bare values mean something by themselves.
  Status check(const Template::Place& place) const {
    if (place.what == What::Low || place.what == What::High) return check_ends(place);
    if (!place.bare || place.what < What::One) return {};
    const Attribute& attribute = schema_.attributes[place.attribute];
    for (const std::string& value : attribute.domain.values()) {
      auto json = parse_json(value);
      if (json && (json->as_number() || json->as_bool() != nullptr)) continue;
      return error(
          fmt::format("has {} bare, but its value \"{}\" is neither a number nor true or "
                      "false; leave |bare out",
                      attribute.name, value));
    }
    return {};
  }

  Status check_ends(const Template::Place& place) const {
    const Attribute& attribute = schema_.attributes[place.attribute];
    for (const std::string& value : attribute.domain.values()) {
      if (ends_of(value)) continue;
      return error(
          fmt::format("has the ends of {}, but its value \"{}\" is neither a number nor a "
                      "range of them; give the column bins in the policy, or write "
                      "${{one:{}}}",
                      attribute.name, value, attribute.name));
    }
    return {};
  }

  std::string_view text_;
  const Schema& schema_;
  Template::Use use_;
  std::string_view what_;
  std::size_t at_ = 0;
  Template result_;
};

Result<Template> Template::parse(std::string_view text, const Schema& schema, Use use,
                                 std::string_view what) {
  return TemplateParser(text, schema, use, what).parse();
}

// ---- asking about it ----

template <typename Match>
bool Template::any_place(const Match& match) const {
  for (const Part& part : parts_) {
    for (const Piece& piece : part.pieces) {
      const auto* place = std::get_if<Place>(&piece);
      if (place != nullptr && match(*place)) return true;
    }
  }
  return false;
}

bool Template::has_places() const {
  return any_place([](const Place&) { return true; });
}

bool Template::has_id() const {
  return any_place([](const Place& place) { return place.what == What::Id; });
}

bool Template::has_page() const {
  return any_place([](const Place& place) {
    return place.what == What::Page || place.what == What::Page0 || place.what == What::Offset ||
           place.what == What::Cursor;
  });
}

bool Template::has_cursor() const {
  return any_place([](const Place& place) { return place.what == What::Cursor; });
}

bool Template::has_order() const {
  return any_place([](const Place& place) {
    return place.what == What::Field || place.what == What::Direction;
  });
}

bool Template::names(std::uint32_t attribute) const {
  return any_place([&](const Place& place) {
    if (place.what == What::Query || place.what == What::Row) return true;
    return place.what >= What::One && place.attribute == attribute;
  });
}

bool Template::takes_sets(std::uint32_t attribute) const {
  return any_place([&](const Place& place) {
    if (place.what == What::Query) return true;
    return place.what >= What::All && place.attribute == attribute;
  });
}

std::string_view Template::beginning() const {
  if (parts_.empty() || parts_[0].pieces.empty()) return {};
  const auto* text = std::get_if<std::string>(&parts_[0].pieces[0]);
  return text == nullptr ? std::string_view() : *text;
}

Status check_all_named(std::span<const Template* const> templates, const Schema& schema,
                       std::string_view what) {
  if (std::ranges::any_of(templates, &Template::has_order)) return {};
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    if (schema.attributes[i].name == order_attribute) continue;
    bool named = std::ranges::any_of(templates, [&](const Template* one) { return one->names(i); });
    if (named) continue;
    return bad_input(fmt::format(
        "{} does not name the attribute \"{}\"; write ${{one:{}}} where it belongs, or take the "
        "column out of the policy",
        what, schema.attributes[i].name, schema.attributes[i].name));
  }
  return {};
}

// ---- filling ----

namespace {

bool is_number_text(std::string_view text) {
  auto json = parse_json(text);
  return json && json->as_number().has_value();
}

std::optional<ValueEnds> range_ends(std::string_view value, std::string_view joint) {
  std::size_t at = value.find(joint, 1);  // a sign in front is part of the number
  if (at == std::string_view::npos) return std::nullopt;
  ValueEnds ends{std::string(value.substr(0, at)), std::string(value.substr(at + joint.size()))};
  bool fits = is_number_text(ends.low) && is_number_text(ends.high);
  return fits ? std::optional(ends) : std::nullopt;
}

}  // namespace

std::optional<ValueEnds> ends_of(std::string_view value) {
  if (is_number_text(value)) return ValueEnds{std::string(value), std::string(value)};
  if (value.starts_with("<") && is_number_text(value.substr(1))) {
    return ValueEnds{{}, std::string(value.substr(1))};
  }
  if (value.starts_with(">=") && is_number_text(value.substr(2))) {
    return ValueEnds{std::string(value.substr(2)), {}};
  }
  if (value == "all") return ValueEnds{};
  auto ends = range_ends(value, " to ");
  return ends ? ends : range_ends(value, "-");
}

bool Template::is_text(What what) {
  return what == What::Id || what == What::Cursor || what == What::Field || what == What::Direction;
}

// What stands for a place that is of no attribute and no JSON.
std::string Template::plain_text(What what, const Filling& filling) {
  switch (what) {
    case What::K:
      return std::to_string(filling.k);
    case What::Page:
      return std::to_string(filling.page + 1);
    case What::Page0:
      return std::to_string(filling.page);
    case What::Offset:
      return std::to_string(filling.offset);
    case What::Cursor:
      return filling.cursor;
    case What::Query:
      return query_object(filling).dump(-1);
    case What::Row:
      return row_object(filling).dump(-1);
    case What::Field:
      return filling.field;
    case What::Direction:
      return filling.direction;
    default:
      return filling.id;
  }
}

namespace {

// The end of the one value asked for; empty: it is open, or nothing is asked for.
std::string end_of(const Filling& filling, std::uint32_t attribute, bool low) {
  const auto& values = filling.values[attribute];
  if (values.empty()) return {};
  auto ends = ends_of(filling.schema.attributes[attribute].domain.text(values[0]));
  if (!ends) return {};
  return low ? ends->low : ends->high;
}

}  // namespace

// Whether a section with this place is written at all.
bool Template::has_content(const Place& place, const Filling& filling) {
  if (place.what == What::Cursor) return !filling.cursor.empty();
  if (place.what < What::One) return true;
  bool is_end = place.what == What::Low || place.what == What::High;
  if (is_end) return !end_of(filling, place.attribute, place.what == What::Low).empty();
  return !filling.values[place.attribute].empty();
}

// Calls text(literal) and fill(place, values) in order, sections resolved. `values` is the one
// value it is about for a place that goes over each.
template <typename Text, typename Fill>
void Template::walk(const Filling& filling, const Text& text, const Fill& fill) const {
  using Values = std::span<const ValueId>;
  for (const Part& part : parts_) {
    std::size_t times = 1;
    for (const Piece& piece : part.pieces) {
      const auto* place = std::get_if<Place>(&piece);
      if (!part.is_section || place == nullptr) continue;
      if (!has_content(*place, filling)) times = 0;
      if (place->what == What::Each && times != 0) {
        times = filling.values[place->attribute].size();
      }
    }
    for (std::size_t n = 0; n < times; ++n) {
      for (const Piece& piece : part.pieces) {
        if (const auto* literal = std::get_if<std::string>(&piece)) {
          text(*literal);
          continue;
        }
        const Place& place = std::get<Place>(piece);
        Values values;
        if (place.what >= What::One) values = filling.values[place.attribute];
        if (place.what == What::Each) values = values.subspan(n, 1);
        fill(place, values);
      }
    }
  }
}

void fill_order(const OrderWords& words, const Query& query, Filling& filling) {
  auto order = order_in(filling.schema, query);
  if (!order) return;
  filling.field = filling.schema[order->attribute].name;
  if (filling.field == order_attribute) filling.field = no_field;
  filling.direction = order->descending ? words.down : words.up;
  for (const auto& [column, field] : words.fields) {
    if (column == filling.schema[order->attribute].name) filling.field = field;
  }
}

std::vector<std::vector<ValueId>> wanted_of_row(std::span<const ValueId> values) {
  std::vector<std::vector<ValueId>> wanted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != missing_value) wanted[i] = {values[i]};
  }
  return wanted;
}

Json query_object(const Filling& filling) {
  Json object = Json::Object{};
  for (std::uint32_t i = 0; i < filling.schema.size(); ++i) {
    const Attribute& attribute = filling.schema.attributes[i];
    if (filling.values[i].empty()) continue;
    Json::Array values;
    for (ValueId value : filling.values[i]) values.emplace_back(attribute.domain.text(value));
    object.set(attribute.name, std::move(values));
  }
  return object;
}

Json row_object(const Filling& filling) {
  Json object = Json::Object{};
  for (std::uint32_t i = 0; i < filling.schema.size(); ++i) {
    const Attribute& attribute = filling.schema.attributes[i];
    const auto& values = filling.values[i];
    if (attribute.name == order_attribute) continue;
    object.set(attribute.name, values.empty() ? Json() : Json(attribute.domain.text(values[0])));
  }
  return object;
}

namespace {

std::vector<std::string> texts_of(const Filling& filling, std::uint32_t attribute,
                                  std::span<const ValueId> values) {
  std::vector<std::string> texts;
  for (ValueId value : values) {
    texts.push_back(filling.schema.attributes[attribute].domain.text(value));
  }
  return texts;
}

// Follows SQL to know whether a place in it stands in a string, a quoted name or a comment.
class SqlQuotes {
 public:
  void read(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string_view rest = text.substr(i);
      if (end_.empty()) {
        open(rest);
        if (end_ == "*/") ++i;
      } else if (rest.starts_with(end_)) {
        i += end_.size() - 1;
        end_ = {};
      }
    }
  }
  bool is_inside() const { return !end_.empty(); }

 private:
  void open(std::string_view rest) {
    if (rest.starts_with('\'')) end_ = "'";
    if (rest.starts_with('"')) end_ = "\"";
    if (rest.starts_with("--")) end_ = "\n";
    if (rest.starts_with("/*")) end_ = "*/";
  }
  std::string_view end_;
};

}  // namespace

std::string Template::as_url(const Filling& filling) const {
  std::string url;
  auto fill = [&](const Place& place, std::span<const ValueId> values) {
    if (place.what < What::One) {
      url += percent_encoded(plain_text(place.what, filling));
    } else if (place.what == What::Low || place.what == What::High) {
      url += percent_encoded(end_of(filling, place.attribute, place.what == What::Low));
    } else {
      auto texts = texts_of(filling, place.attribute, values);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        url += (i > 0 ? "," : "") + percent_encoded(texts[i]);
      }
    }
  };
  walk(
      filling, [&](const std::string& text) { url += typed_url_encoded(text); }, fill);
  return url;
}

// Makes the JSON of a place.
class JsonFiller {
 public:
  JsonFiller(const Filling& filling) : filling_(filling) {}  // NOLINT: implicit

  // With quotes around texts.
  std::string value(const Template::Place& place, std::span<const ValueId> values) const {
    using What = Template::What;
    switch (place.what) {
      case What::Low:
      case What::High:
        return end(place);
      case What::All:
        return list(place, values);
      case What::One:
      case What::Each:
        return values.empty() ? "null" : scalar(place, values[0]);
      case What::Cursor:
        if (filling_.cursor.empty()) return "null";
        [[fallthrough]];
      default:
        std::string text = Template::plain_text(place.what, filling_);
        return Template::is_text(place.what) && !place.bare ? Json(text).dump(-1) : text;
    }
  }

  // Inside the quotes of the template.
  std::string inside(const Template::Place& place, std::span<const ValueId> values) const {
    using What = Template::What;
    std::string text;
    if (place.what < What::One) {
      text = Template::plain_text(place.what, filling_);
    } else if (place.what == What::Low || place.what == What::High) {
      text = end_of(filling_, place.attribute, place.what == What::Low);
    } else {
      auto texts = texts_of(filling_, place.attribute, values);
      for (std::size_t i = 0; i < texts.size(); ++i) text += (i > 0 ? "," : "") + texts[i];
    }
    return json_encoded(text, true);
  }

 private:
  std::string scalar(const Template::Place& place, ValueId value) const {
    const std::string& text = filling_.schema.attributes[place.attribute].domain.text(value);
    return place.bare ? text : Json(text).dump(-1);
  }
  // A number, so that it is compared as one.
  std::string end(const Template::Place& place) const {
    std::string text = end_of(filling_, place.attribute, place.what == Template::What::Low);
    return text.empty() ? "null" : text;
  }
  std::string list(const Template::Place& place, std::span<const ValueId> values) const {
    if (values.empty()) return "null";
    std::string items;
    for (ValueId value : values) items += (items.empty() ? "" : ",") + scalar(place, value);
    return "[" + items + "]";
  }

  const Filling& filling_;
};

std::string Template::as_json(const Filling& filling) const {
  std::string json;
  JsonQuotes quotes;
  JsonFiller filler(filling);
  auto text = [&](const std::string& literal) {
    json += literal;
    quotes.read(literal);
  };
  auto fill = [&](const Place& place, std::span<const ValueId> values) {
    json += quotes.is_inside() ? filler.inside(place, values) : filler.value(place, values);
  };
  walk(filling, text, fill);
  return json;
}

connect::Statement Template::as_sql(const Filling& filling) const {
  connect::Statement statement;
  auto bind = [&](connect::SqlValue value, std::string_view type) {
    statement.values.push_back(std::move(value));
    statement.sql += fmt::format("CAST(${} AS {})", statement.values.size(), type);
  };
  auto fill = [&](const Place& place, std::span<const ValueId> values) {
    switch (place.what) {
      case What::K:
        return bind(std::int64_t{filling.k}, "BIGINT");
      case What::Offset:
        return bind(static_cast<std::int64_t>(filling.offset), "BIGINT");
      case What::Low:
      case What::High: {
        std::string end = end_of(filling, place.attribute, place.what == What::Low);
        if (end.empty()) return bind(std::monostate{}, "DOUBLE PRECISION");
        return bind(std::move(end), "DOUBLE PRECISION");
      }
      // Names and words of the policy and the target's file: no answer has a say in them.
      case What::Field:
        statement.sql += connect::quoted_name(filling.field);
        return;
      case What::Direction:
        statement.sql += filling.direction;
        return;
      case What::All:
        if (values.empty()) return bind(std::monostate{}, "TEXT[]");
        return bind(texts_of(filling, place.attribute, values), "TEXT[]");
      case What::One:
      case What::Each:
        if (values.empty()) return bind(std::monostate{}, "TEXT");
        return bind(texts_of(filling, place.attribute, values)[0], "TEXT");
      default:
        return bind(plain_text(place.what, filling), "TEXT");
    }
  };
  walk(
      filling, [&](const std::string& text) { statement.sql += text; }, fill);
  return statement;
}

// ---- checking ----

Status Template::check_json(const Schema& schema, const std::string& some_id,
                            std::string_view what) const {
  for (std::size_t most : {0, 1, 2}) {
    std::vector<std::vector<ValueId>> values(schema.size());
    for (std::uint32_t i = 0; i < schema.size(); ++i) {
      for (std::uint32_t v = 0; v < std::min<std::size_t>(most, schema.attributes[i].domain.size());
           ++v) {
        values[i].push_back(ValueId{static_cast<std::uint16_t>(v)});
      }
    }
    std::string body = as_json({.schema = schema, .values = values, .k = 10, .id = some_id});
    if (parse_json(body)) continue;
    return bad_input(fmt::format("{} does not make JSON but {}", what,
                                 body.size() > 300 ? body.substr(0, 300) + "..." : body));
  }
  return {};
}

Status Template::check_sql(std::string_view what) const {
  SqlQuotes quotes;
  for (const Part& part : parts_) {
    for (const Piece& piece : part.pieces) {
      if (const auto* text = std::get_if<std::string>(&piece)) {
        quotes.read(*text);
      } else if (quotes.is_inside()) {
        return bad_input(fmt::format(
            "{} has a place inside quotes or a comment; write it without quotes, since values are "
            "bound as parameters",
            what));
      }
    }
  }
  return {};
}

}  // namespace rankveil::attack
