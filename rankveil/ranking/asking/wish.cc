// Wishes as text. Values need no quotes: they end at |, at ^ with a number behind it, or with the
// wish, and a backslash keeps the next character as it is.
#include <fmt/format.h>

#include <algorithm>

#include "rankveil/ranking/asking/request.h"
#include "rankveil/ranking/asking/tokens.h"
#include "rankveil/table/number_text.h"

namespace rankveil {

namespace {

constexpr std::string_view operator_starts = "=!<>~:";

// Takes "^2" away from the end.
std::optional<double> take_weight(std::string_view& text) {
  auto sign = text.rfind('^');
  if (sign == std::string_view::npos) return {};
  std::size_t slashes = 0;
  while (slashes < sign && text[sign - slashes - 1] == '\\') ++slashes;
  auto weight = number_from_text(text.substr(sign + 1));
  if (slashes % 2 == 1 || !weight) return {};
  text = text.substr(0, sign);
  return weight;
}

bool ends_value(std::string_view text, std::size_t at, std::string_view ends) {
  return at == text.size() || ends.find(text[at]) != std::string_view::npos;
}

// The value at `at`, up to one of `ends`.
std::string take_value(std::string_view text, std::size_t& at, std::string_view ends) {
  std::string value;
  std::size_t behind = at;
  if (at < text.size() && text[at] == '\'' && take_quoted(text, behind, value) &&
      ends_value(text, behind, ends)) {
    at = behind;
    return value;
  }
  value.clear();
  for (; !ends_value(text, at, ends); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    value += text[at];
  }
  return value;
}

std::vector<std::string> take_values(std::string_view text) {
  std::vector<std::string> values;
  std::size_t at = 0;
  while (true) {
    values.push_back(take_value(text, at, "|"));
    if (at == text.size()) return values;
    ++at;
  }
}

Error no_wish(std::string_view text) {
  return bad_input(fmt::format(
      "\"{}\" is no wish; write attribute=value, age>=30, age=30..40, age~30/10 or income:more",
      text));
}

std::string_view trimmed(std::string_view text) {
  auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The name that a wish begins with; `rest` is what follows it.
Result<std::string> take_name(std::string_view text, std::string_view& rest) {
  std::string name;
  std::size_t at = 0;
  if (text.starts_with('"') && take_quoted(text, at, name)) {
    rest = trimmed(text.substr(at));
    return name;
  }
  at = text.find_first_of(operator_starts);
  if (at == std::string_view::npos) return no_wish(text);
  rest = text.substr(at);
  return std::string(trimmed(text.substr(0, at)));
}

RangeText range_from(std::string_view mark, std::string value) {
  RangeText::End end{std::move(value), mark.size() == 2};
  return mark[0] == '<' ? RangeText{{}, end} : RangeText{end, {}};
}

std::string one_value(std::string_view text) {
  std::size_t at = 0;
  return take_value(text, at, "");
}

Result<OrderText> order_from(std::string_view text) {
  if (text == "more") return OrderText{true};
  if (text == "less") return OrderText{false};
  return bad_input(fmt::format("\":{}\" is no order; write :more or :less", text));
}

Result<NearText::Shape> shape_from(std::string_view text) {
  if (text == "linear") return NearText::Shape::Linear;
  if (text == "gauss") return NearText::Shape::Gauss;
  if (text == "exp") return NearText::Shape::Exp;
  return bad_input(
      fmt::format("\"{}\" is no shape of nearness; there are linear, gauss and exp", text));
}

Result<double> scale_from(std::string_view text) {
  auto scale = number_from_text(text);
  if (scale && *scale > 0) return *scale;
  return bad_input(fmt::format("\"{}\" is no scale; use a number above 0", text));
}

Result<NearText> near_from(std::string_view text) {
  NearText near;
  std::size_t at = 0;
  near.origin = take_value(text, at, "/:");
  std::size_t colon = text.find(':', at);
  if (at < text.size() && text[at] == '/') {
    auto scale = scale_from(text.substr(at + 1, std::min(colon, text.size()) - at - 1));
    if (!scale) return scale.error();
    near.scale = *scale;
  }
  if (colon == std::string_view::npos) return near;
  auto shape = shape_from(text.substr(colon + 1));
  if (!shape) return shape.error();
  near.shape = *shape;
  return near;
}

template <typename Form>
Status set_form(WishText& wish, Result<Form> form) {
  if (!form) return form.error();
  wish.form = std::move(*form);
  return {};
}

Status read_form(std::string_view text, std::string_view whole, WishText& wish) {
  if (text.starts_with(':')) return set_form(wish, order_from(trimmed(text.substr(1))));
  if (text.starts_with('~')) return set_form(wish, near_from(text.substr(1)));
  if (text.starts_with('=')) {
    wish.form = ValuesText{take_values(text.substr(1))};
    return {};
  }
  if (text.starts_with("!=")) {
    wish.form = ValuesText{take_values(text.substr(2)), true};
    return {};
  }
  for (std::string_view mark : {"<=", ">=", "<", ">"}) {
    if (!text.starts_with(mark)) continue;
    wish.form = range_from(mark, one_value(text.substr(mark.size())));
    return {};
  }
  return no_wish(whole);
}

// Quotes where take_value would read something else.
std::string safe_value(const std::string& value) {
  bool awkward = value.find_first_of("|\\^/:'") != std::string::npos;
  return awkward ? in_quotes(value, '\'') : value;
}

std::string form_text(const ValuesText& form) {
  std::string text = form.negated ? "!=" : "=";
  for (std::size_t i = 0; i < form.values.size(); ++i) {
    text += (i == 0 ? "" : "|") + safe_value(form.values[i]);
  }
  return text;
}

std::string form_text(const RangeText& form) {
  if (form.low && form.high) return "=" + form.low->value + ".." + form.high->value;
  const RangeText::End& end = form.low ? *form.low : *form.high;
  return (form.low ? ">" : "<") + std::string(end.included ? "=" : "") +
         (end.value.starts_with('=') ? in_quotes(end.value, '\'') : safe_value(end.value));
}

std::string form_text(const OrderText& form) { return form.more ? ":more" : ":less"; }

std::string_view shape_name(NearText::Shape shape) {
  return shape == NearText::Shape::Gauss ? "gauss"
         : shape == NearText::Shape::Exp ? "exp"
                                         : "linear";
}

std::string form_text(const NearText& form) {
  std::string text = "~" + safe_value(form.origin);
  if (form.scale) text += fmt::format("/{}", *form.scale);
  if (form.shape != NearText::Shape::Linear) text += fmt::format(":{}", shape_name(form.shape));
  return text;
}

std::string form_text(const GradesText&) { return ""; }

std::string safe_name(const std::string& name) {
  bool awkward = name.empty() || name.find_first_of(operator_starts) != std::string::npos ||
                 name.starts_with('"') || name.starts_with('{') || name.starts_with(' ') ||
                 name.ends_with(' ');
  return awkward ? in_quotes(name, '"') : name;
}

// A text says nothing of both ends of a range unless they are plain.
bool has_text(const WishText& wish) {
  if (std::holds_alternative<GradesText>(wish.form)) return false;
  const auto* range = std::get_if<RangeText>(&wish.form);
  return range == nullptr || !range->low || !range->high;
}

Json number_or_text(const std::string& value) { return {value}; }

Json end_json(const std::optional<RangeText::End>& end) {
  return end ? number_or_text(end->value) : Json();
}

Json grades_json(const GradesText& form) {
  Json grades = Json(Json::Object{});
  for (const auto& [value, grade] : form.grades) grades.set(value, grade);
  return grades;
}

Error no_object_wish() {
  return bad_input(
      "a wish as an object has \"attribute\", one of \"values\", \"not\", \"range\", \"near\", "
      "\"order\" or \"grades\", and perhaps \"weight\"");
}

// Numbers and booleans may stand where the table has their text.
Result<std::string> wished_text(const Json& json) {
  if (const auto* text = json.as_text()) return *text;
  if (json.as_bool() != nullptr || json.as_number()) return json.dump(-1);
  return bad_input("a value is a text, a number or a boolean");
}

Result<ValuesText> values_from(const Json& json, bool negated) {
  ValuesText form{{}, negated};
  Json::Array single = {json};
  const Json::Array* items = json.as_array();
  for (const Json& item : items != nullptr ? *items : single) {
    auto text = wished_text(item);
    if (!text) return text.error();
    form.values.push_back(std::move(*text));
  }
  if (form.values.empty()) return bad_input("a list of values is empty; leave the wish out");
  return form;
}

Result<RangeText> range_from(const Json& json) {
  const Json::Array* ends = json.as_array();
  if (ends == nullptr || ends->size() != 2) {
    return bad_input("a range is a list of two ends such as [30, 40] or [30, null]");
  }
  RangeText form;
  for (std::size_t i = 0; i < 2; ++i) {
    if ((*ends)[i].is_null()) continue;
    auto text = wished_text((*ends)[i]);
    if (!text) return text.error();
    (i == 0 ? form.low : form.high) = RangeText::End{*text};
  }
  if (!form.low && !form.high) return bad_input("a range needs one end at least");
  return form;
}

Result<GradesText> grades_from(const Json& json) {
  const Json::Object* members = json.as_object();
  if (members == nullptr || members->empty()) {
    return bad_input("grades are an object such as {\"none\": 1, \"other\": 0.5}");
  }
  GradesText form;
  for (const auto& [value, grade] : *members) {
    auto number = grade.as_number();
    if (!number || *number < 0 || *number > 1) {
      return bad_input(fmt::format("the grade of \"{}\" must be a number from 0 to 1", value));
    }
    form.grades.emplace_back(value, *number);
  }
  return form;
}

Result<NearText> near_from(const Json& near, const Json* scale, const Json* shape) {
  auto origin = wished_text(near);
  if (!origin) return origin.error();
  NearText form{*origin};
  if (scale != nullptr) {
    auto number = scale->as_number();
    if (!number || !(*number > 0)) return bad_input("\"scale\" must be a number above 0");
    form.scale = *number;
  }
  if (shape == nullptr) return form;
  const std::string* name = shape->as_text();
  auto known = shape_from(name != nullptr ? *name : shape->dump(-1));
  if (!known) return known.error();
  form.shape = *known;
  return form;
}

// Which of the forms an object has; none or several: null.
const Json::Member* form_member(const Json::Object& members) {
  constexpr std::string_view forms[] = {"values", "not", "range", "near", "order", "grades"};
  const Json::Member* found = nullptr;
  for (const Json::Member& member : members) {
    if (std::ranges::find(forms, member.first) == std::end(forms)) continue;
    if (found != nullptr) return nullptr;
    found = &member;
  }
  return found;
}

Status read_form(const Json& json, const Json::Member& form, WishText& wish) {
  const auto& [name, value] = form;
  if (name == "values") return set_form(wish, values_from(value, false));
  if (name == "not") return set_form(wish, values_from(value, true));
  if (name == "range") return set_form(wish, range_from(value));
  if (name == "grades") return set_form(wish, grades_from(value));
  if (name == "near") {
    return set_form(wish, near_from(value, json.find("scale"), json.find("shape")));
  }
  const std::string* order = value.as_text();
  return set_form(wish, order_from(order != nullptr ? *order : value.dump(-1)));
}

// Every member has a meaning beside this form.
bool has_strangers(const Json::Object& members, const Json::Member& form) {
  return std::ranges::any_of(members, [&](const Json::Member& member) {
    bool of_near = member.first == "scale" || member.first == "shape";
    return member.first != form.first && member.first != "attribute" && member.first != "weight" &&
           !(of_near && form.first == "near");
  });
}

Result<WishText> wish_from_object(const Json& json) {
  const Json::Object& members = *json.as_object();
  const Json::Member* form = form_member(members);
  const Json* attribute = json.find("attribute");
  bool named = attribute != nullptr && attribute->as_text() != nullptr;
  if (form == nullptr || !named || has_strangers(members, *form)) return no_object_wish();
  WishText wish{*attribute->as_text()};
  if (auto read = read_form(json, *form, wish); !read) return read.error();
  if (const Json* weight = json.find("weight"); weight != nullptr) {
    wish.weight = weight->as_number();
    if (!wish.weight) return bad_input("\"weight\" must be a number");
  }
  return wish;
}

}  // namespace

Result<WishText> parse_wish(std::string_view text) {
  if (auto readable = check_utf8(text); !readable) return readable.error();
  if (text.starts_with('{')) {
    auto json = parse_json(text);
    if (!json) return bad_input("the wish is " + json.error().message);
    return wish_from_json(*json);
  }
  std::string_view rest = text;
  WishText wish;
  wish.weight = take_weight(rest);
  auto name = take_name(rest, rest);
  if (!name) return name.error();
  wish.attribute = *name;
  if (auto read = read_form(rest, text, wish); !read) return read.error();
  return wish;
}

Result<WishText> wish_from_json(const Json& json) {
  if (const std::string* text = json.as_text()) return parse_wish(*text);
  return json.as_object() == nullptr ? no_object_wish() : wish_from_object(json);
}

Result<std::vector<WishText>> wishes_from_values(const Json& json) {
  const Json::Object* members = json.as_object();
  if (members == nullptr) {
    return bad_input("a query must be a JSON object such as {\"city\": \"Paris\"}");
  }
  std::vector<WishText> wishes;
  for (const auto& [name, value] : *members) {
    bool nothing = value.is_null() || (value.as_array() != nullptr && value.as_array()->empty());
    if (nothing) continue;
    auto form = values_from(value, false);
    if (!form) return bad_input(fmt::format("{}: {}", name, form.error().message));
    wishes.push_back({name, std::move(*form)});
  }
  return wishes;
}

std::string to_text(const WishText& wish) {
  if (!has_text(wish)) return to_json(wish).dump(-1);
  std::string text = safe_name(wish.attribute);
  text += std::visit([](const auto& form) { return form_text(form); }, wish.form);
  if (wish.weight) text += fmt::format("^{}", *wish.weight);
  return text;
}

Json to_json(const WishText& wish) {
  if (has_text(wish)) return {to_text(wish)};
  Json json = Json().set("attribute", wish.attribute);
  if (const auto* range = std::get_if<RangeText>(&wish.form)) {
    json.set("range", Json::Array{end_json(range->low), end_json(range->high)});
  } else {
    json.set("grades", grades_json(std::get<GradesText>(wish.form)));
  }
  if (wish.weight) json.set("weight", *wish.weight);
  return json;
}

}  // namespace rankveil
