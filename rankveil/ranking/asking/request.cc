#include "rankveil/ranking/asking/request.h"

#include <fmt/core.h>

#include <limits>

#include "rankveil/base/text/closest.h"
#include "rankveil/ranking/asking/tokens.h"

namespace rankveil {

namespace {

bool is_name(const Token& token) {
  return token.kind == Token::Kind::Word || token.kind == Token::Kind::Name;
}

// -"net worth" has its sign apart; in -income the word begins with it.
bool take_sign(std::vector<Token>& tokens, std::size_t at) {
  Token& token = tokens[at];
  if (token.kind != Token::Kind::Word || !token.text.starts_with('-')) return false;
  token.text.erase(0, 1);
  bool apart =
      token.text.empty() && is_name(tokens[at + 1]) && tokens[at + 1].begin == token.begin + 1;
  if (apart) tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

// Calls take(tokens, place of a name) for each name of a list; the last token is an End.
template <typename Take>
Status for_each_name(std::string_view text, std::string_view what, const Take& take) {
  auto tokens = tokens_of(text);
  if (!tokens) return tokens.error();
  for (std::size_t at = 0;; at += 2) {
    take(*tokens, at);
    const Token& name = (*tokens)[at];
    bool ends = is_name(name) && (*tokens)[at + 1].kind == Token::Kind::End;
    bool goes_on = is_name(name) && (*tokens)[at + 1].is_mark(",");
    if (ends) return {};
    if (!goes_on) {
      return bad_input(fmt::format(
          "\"{}\" is no list of {}; write names with commas between them, and one with other "
          "characters in \"double quotes\"",
          text, what));
    }
  }
}

Result<std::vector<std::string>> texts_from(const Json& json, std::string_view member) {
  if (const std::string* text = json.as_text()) return std::vector<std::string>{*text};
  std::vector<std::string> texts;
  const Json::Array* items = json.as_array();
  bool right = items != nullptr;
  for (std::size_t i = 0; right && i < items->size(); ++i) {
    const std::string* text = (*items)[i].as_text();
    right = text != nullptr;
    if (right) texts.push_back(*text);
  }
  if (!right) return bad_input(fmt::format("\"{}\" must be a text or a list of texts", member));
  return texts;
}

// A text is a list to parse; each entry of an array is a name as it stands.
template <typename Item, typename Parse, typename Take>
Status read_list(const Json& json, std::string_view member, const Parse& parse, const Take& take,
                 std::vector<Item>& out) {
  if (const std::string* text = json.as_text()) {
    auto read = parse(*text);
    if (!read) return read.error();
    out = std::move(*read);
    return {};
  }
  auto names = texts_from(json, member);
  if (!names) return names.error();
  for (std::string& name : *names) out.push_back(take(std::move(name)));
  return {};
}

Status read_names(const Json& json, std::string_view member, std::vector<std::string>& out) {
  return read_list(
      json, member, parse_names, [](std::string name) { return name; }, out);
}

SortText plain_key(std::string name) {
  bool descends = name.starts_with('-');
  if (descends) name.erase(0, 1);
  return {std::move(name), descends};
}

Status read_where(const Json& json, Request& request) {
  auto texts = texts_from(json, "where");
  if (!texts) return texts.error();
  for (const std::string& text : *texts) {
    auto condition = parse_condition(text);
    if (!condition) return condition.error();
    request.where.push_back(std::move(*condition));
  }
  return {};
}

Status read_prefer(const Json& json, Request& request) {
  Json::Array single = {json};
  const Json::Array* items = json.as_array();
  bool is_values = json.as_object() != nullptr && json.find("attribute") == nullptr;
  if (is_values) {
    auto wishes = wishes_from_values(json);
    if (!wishes) return wishes.error();
    request.prefer = std::move(*wishes);
    return {};
  }
  for (const Json& item : items != nullptr ? *items : single) {
    auto wish = wish_from_json(item);
    if (!wish) return wish.error();
    request.prefer.push_back(std::move(*wish));
  }
  return {};
}

Status read_order(const Json& json, Request& request) {
  auto texts = texts_from(json, "order");
  if (!texts) return texts.error();
  std::string joined;
  for (const std::string& text : *texts) joined += (joined.empty() ? "" : ",") + text;
  auto first = parse_order(joined);
  if (!first) return first.error();
  request.prefer_first = *first;
  return {};
}

Result<std::uint32_t> count_from(const Json& json, std::string_view member, std::int64_t least) {
  const std::int64_t* count = json.as_integer();
  if (count != nullptr && *count >= least && *count <= std::numeric_limits<std::uint32_t>::max()) {
    return static_cast<std::uint32_t>(*count);
  }
  return bad_input(fmt::format("\"{}\" must be a whole number from {} up", member, least));
}

Status read_member(const std::string& name, const Json& json, Request& request) {
  if (name == "where") return read_where(json, request);
  if (name == "prefer") return read_prefer(json, request);
  if (name == "sort") return read_list(json, name, parse_sort, plain_key, request.sort);
  if (name == "order") return read_order(json, request);
  if (name == "columns") return read_names(json, name, request.columns);
  if (name == "facets") return read_names(json, name, request.facets);
  if (name == "k" || name == "offset") {
    auto count = count_from(json, name, name == "k" ? 1 : 0);
    if (!count) return count.error();
    if (name == "k") request.k = *count;
    if (name == "offset") request.offset = *count;
    return {};
  }
  if (name == "explain") {
    if (json.as_bool() == nullptr) return bad_input("\"explain\" must be true or false");
    request.explain = *json.as_bool();
    return {};
  }
  static const std::vector<std::string> members = {"where",  "prefer",  "sort",   "order",  "k",
                                                   "offset", "columns", "facets", "explain"};
  auto near = closest(name, members);
  return bad_input(fmt::format("a request has no \"{}\"; {}", name,
                               near ? "did you mean \"" + *near + "\"?"
                                    : "it has where, prefer, sort, order, k, offset, columns, "
                                      "facets and explain"));
}

Json names_json(const std::vector<std::string>& names) {
  Json::Array items;
  for (const std::string& name : names) items.emplace_back(name);
  return items;
}

// Plain names, or one text where a name begins with the sign and would be read without it.
Json keys_json(const std::vector<SortText>& keys) {
  Json::Array items;
  for (const SortText& key : keys) {
    if (!key.descends && key.attribute.starts_with('-')) return {to_text(keys)};
    items.emplace_back((key.descends ? "-" : "") + key.attribute);
  }
  return items;
}

}  // namespace

Result<std::vector<SortText>> parse_sort(std::string_view text) {
  std::vector<SortText> keys;
  auto read = for_each_name(text, "sort keys", [&](std::vector<Token>& tokens, std::size_t at) {
    bool descends = take_sign(tokens, at);
    keys.push_back({tokens[at].text, descends});
  });
  if (!read) return read.error();
  return keys;
}

Result<std::vector<std::string>> parse_names(std::string_view text) {
  std::vector<std::string> names;
  auto read = for_each_name(text, "names", [&](std::vector<Token>& tokens, std::size_t at) {
    names.push_back(tokens[at].text);
  });
  if (!read) return read.error();
  return names;
}

Result<bool> parse_order(std::string_view text) {
  auto names = parse_names(text);
  using Names = std::vector<std::string>;
  if (names && *names == Names{"prefer", "sort"}) return true;
  if (names && *names == Names{"sort", "prefer"}) return false;
  return bad_input(fmt::format(
      "\"{}\" is no order; write \"sort, prefer\" (as without it) or \"prefer, sort\"", text));
}

std::string to_text(const std::vector<SortText>& keys) {
  std::string text;
  for (const SortText& key : keys) {
    bool signed_name = key.attribute.starts_with('-');
    text += text.empty() ? "" : ", ";
    text += key.descends ? "-" : "";
    text += signed_name ? in_quotes(key.attribute, '"') : name_token(key.attribute);
  }
  return text;
}

Result<Request> request_from_json(const Json& json) {
  const Json::Object* members = json.as_object();
  if (members == nullptr) {
    return bad_input("a request must be a JSON object such as {\"where\": \"city = Paris\"}");
  }
  Request request;
  for (const auto& [name, value] : *members) {
    if (auto read = read_member(name, value, request); !read) return read.error();
  }
  return request;
}

Json to_json(const Request& request) {
  Json json = Json(Json::Object{});
  if (!request.where.empty()) {
    Json::Array conditions;
    for (const Condition& condition : request.where) conditions.emplace_back(to_text(condition));
    json.set("where", std::move(conditions));
  }
  if (!request.prefer.empty()) {
    Json::Array wishes;
    for (const WishText& wish : request.prefer) wishes.push_back(to_json(wish));
    json.set("prefer", std::move(wishes));
  }
  if (!request.sort.empty()) json.set("sort", keys_json(request.sort));
  if (request.prefer_first) json.set("order", Json::Array{"prefer", "sort"});
  if (request.k) json.set("k", *request.k);
  if (request.offset > 0) json.set("offset", request.offset);
  if (!request.columns.empty()) json.set("columns", names_json(request.columns));
  if (!request.facets.empty()) json.set("facets", names_json(request.facets));
  if (request.explain) json.set("explain", true);
  return json;
}

}  // namespace rankveil
