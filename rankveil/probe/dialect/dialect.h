// How a kind of service is asked and written to: a TOML file of request templates.
// docs/reference/dialects.md is its manual.
//
//   name = "shop"
//   rows = "/items"
//   id = "/id"
//   [list]
//   path = "${url}"
//   query = ["limit=${limit}"]
//   [[way]]
//   name = "sort"
//   kind = "sort"
//   query = ["sort=${direction}${field}"]
//
// [way.each] makes several ways of one: each combination of its lists, put where ${name} stands.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/probe/dialect/pointer.h"
#include "rankveil/probe/dialect/request_text.h"
#include "rankveil/probe/way.h"

namespace rankveil::probe {

// ---- Templates ----

struct Parameter {
  RequestText name;
  RequestText value;
};

struct RequestTemplate {
  std::string method = "GET";
  RequestText path = {};
  std::vector<Parameter> query = {};
  std::vector<Parameter> form = {};  // a body as forms send it
  RequestText body = {};             // JSON
  bool is_graphql = false;           // the body is GraphQL, sent as {"query": ...}
  std::vector<std::pair<std::string, std::string>> headers = {};

  bool has(std::string_view place) const;
  bool has_bare() const { return body.has_bare(); }
};

// A request that is ready but for origin and identity.
struct PlainRequest {
  std::string method;
  std::string path;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};
PlainRequest fill(const RequestTemplate& request, const Places& places);

// Where things stand in an answer. Rows and ids that nobody named are looked for (answer_search.h).
struct AnswerPlaces {
  std::optional<Pointer> rows = {};
  std::optional<Pointer> row = {};  // from an item of the list: what an edge leads to
  std::optional<Pointer> id = {};   // from an item of the list
  std::optional<Pointer> count = {};
  std::optional<Pointer> cursor = {};
};

struct WayTemplate {
  Way way;
  RequestTemplate request = {};
  AnswerPlaces answer = {};
  std::array<std::string, 2> directions = {"", "-"};  // ascending, descending

  bool has_direction() const { return request.has("direction"); }
};

struct CreateTemplate {
  RequestTemplate request;
  std::optional<Pointer> id;  // of the new row, in the answer
};

struct ReadTemplate {
  RequestTemplate request;
  Pointer row;  // in the answer
};

struct Refusals {
  std::vector<int> status = {400, 401, 403, 404, 405, 422};
  std::optional<Pointer> body = {};  // something that is not empty stands here
};

struct Dialect {
  std::string name;
  std::string summary = {};
  std::vector<std::string> run_with = {};  // versions of the product
  AnswerPlaces answer = {};
  Refusals refused = {};
  RequestTemplate list = {};
  std::optional<CreateTemplate> create = {};
  std::optional<RequestTemplate> change = {};
  std::optional<ReadTemplate> read = {};
  std::optional<RequestTemplate> remove = {};
  std::optional<RequestTemplate> find = {};  // own rows by their mark
  std::vector<WayTemplate> ways = {};

  bool can_write() const { return create && change && read && remove; }
};

// ---- Reading ----

// Refuses, with the line: unknown keys, kinds and places, two ways of one name, and more than 2,000
// ways.
Result<Dialect> parse_dialect(std::string_view text, std::string_view source);

// One that comes with the program, or a file when the name has a dot or a slash in it.
Result<Dialect> open_dialect(const std::string& name_or_path);

struct BuiltinDialect {
  std::string_view name;
  std::string_view text;
};
const std::vector<BuiltinDialect>& builtin_dialects();

}  // namespace rankveil::probe
