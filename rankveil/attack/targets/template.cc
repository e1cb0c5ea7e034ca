#include "rankveil/attack/targets/template.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "rankveil/base/closest.h"
#include "rankveil/base/format.h"

namespace rankveil::attack {

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
      has_attribute = has_attribute || place->what >= What::One;
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
        {"k", What::K, true, false, false},        {"query", What::Query, true, false, false},
        {"row", What::Row, false, true, false},    {"id", What::Id, false, true, true},
        {"one:", What::One, true, true, false},    {"all:", What::All, true, false, false},
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
                                 ? "${k}, ${query}, ${one:NAME}, ${all:NAME} and ${each:NAME}"
                             : use_ == Template::Use::Insert ? "${id}, ${row} and ${one:NAME}"
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
    auto near = closest(name, names);
    return error(fmt::format("names \"{}\", which is no attribute; {}there are {}", name,
                             near ? "did you mean " + *near + "? " : "", listed(names, 12)));
  }

  // Bare values must mean something by themselves.
  Status check(const Template::Place& place) const {
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
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
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

// Calls text(literal) and fill(place, values) in order, sections resolved. `values` is the one
// value it is about for a place that goes over each.
template <typename Text, typename Fill>
void Template::walk(const Filling& filling, const Text& text, const Fill& fill) const {
  using Values = std::span<const ValueId>;
  for (const Part& part : parts_) {
    std::size_t times = 1;
    for (const Piece& piece : part.pieces) {
      const auto* place = std::get_if<Place>(&piece);
      if (!part.is_section || place == nullptr || place->what < What::One) continue;
      std::size_t count = filling.values[place->attribute].size();
      if (count == 0 || (place->what == What::Each && times != 0)) times = count;
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

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (char c : text) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

// Follows text to know whether a place in it stands inside a JSON string.
class JsonQuotes {
 public:
  void read(std::string_view text) {
    for (char c : text) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = is_inside_;
      } else if (c == '"') {
        is_inside_ = !is_inside_;
      }
    }
  }
  bool is_inside() const { return is_inside_; }

 private:
  bool is_inside_ = false;
  bool is_escaped_ = false;
};

// The same for SQL: strings, quoted names and comments.
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
    switch (place.what) {
      case What::K:
        url += std::to_string(filling.k);
        break;
      case What::Query:
        url += percent_encoded(query_object(filling).dump(-1));
        break;
      case What::Row:
        url += percent_encoded(row_object(filling).dump(-1));
        break;
      case What::Id:
        url += percent_encoded(filling.id);
        break;
      default:
        auto texts = texts_of(filling, place.attribute, values);
        for (std::size_t i = 0; i < texts.size(); ++i) {
          url += (i > 0 ? "," : "") + percent_encoded(texts[i]);
        }
    }
  };
  walk(
      filling, [&](const std::string& text) { url += text; }, fill);
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
      case What::K:
        return std::to_string(filling_.k);
      case What::Query:
        return query_object(filling_).dump(-1);
      case What::Row:
        return row_object(filling_).dump(-1);
      case What::Id:
        return place.bare ? filling_.id : Json(filling_.id).dump(-1);
      case What::All:
        return list(place, values);
      default:
        return values.empty() ? "null" : scalar(place, values[0]);
    }
  }

  // Inside the quotes of the template.
  std::string inside(const Template::Place& place, std::span<const ValueId> values) const {
    using What = Template::What;
    std::string text;
    if (place.what == What::Id) {
      text = filling_.id;
    } else if (place.what < What::One) {
      text = value(place, values);
    } else {
      auto texts = texts_of(filling_, place.attribute, values);
      for (std::size_t i = 0; i < texts.size(); ++i) text += (i > 0 ? "," : "") + texts[i];
    }
    std::string quoted = Json(text).dump(-1);
    return quoted.substr(1, quoted.size() - 2);
  }

 private:
  std::string scalar(const Template::Place& place, ValueId value) const {
    const std::string& text = filling_.schema.attributes[place.attribute].domain.text(value);
    return place.bare ? text : Json(text).dump(-1);
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
      case What::Query:
        return bind(query_object(filling).dump(-1), "TEXT");
      case What::Row:
        return bind(row_object(filling).dump(-1), "TEXT");
      case What::Id:
        return bind(filling.id, "TEXT");
      case What::All:
        if (values.empty()) return bind(std::monostate{}, "TEXT[]");
        return bind(texts_of(filling, place.attribute, values), "TEXT[]");
      default:
        if (values.empty()) return bind(std::monostate{}, "TEXT");
        return bind(texts_of(filling, place.attribute, values)[0], "TEXT");
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
