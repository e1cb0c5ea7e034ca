// What somebody asks for, as it is written: which rows take part, what makes one better, in which
// order, and which page of the answer. docs/reference/asking.md is the page for those who ask.
//
//   Request request;
//   auto condition = parse_condition("city = Paris and age <= 35");
//   request.where.push_back(*condition);
//   request.prefer.push_back(*parse_wish("income:more^2"));
//
// Names and values are texts here; bind_request (bound_request.h) finds them in a schema.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil {

// A value, or a range "30..40" where no value is called so.
struct ValuesText {
  std::vector<std::string> values;
  bool negated = false;  // any other value

  bool operator==(const ValuesText&) const = default;
};

struct RangeText {
  struct End {
    std::string value;
    bool included = true;

    bool operator==(const End&) const = default;
  };
  std::optional<End> low = {};
  std::optional<End> high = {};

  bool operator==(const RangeText&) const = default;
};

struct NullText {
  bool negated = false;

  bool operator==(const NullText&) const = default;
};

// A condition on one attribute, or several joined.
struct Condition {
  enum class Kind { Test, And, Or, Not };
  Kind kind = Kind::Test;
  std::vector<Condition> parts = {};  // of And, Or (two or more) and Not (one)
  std::string attribute = {};         // of Test
  std::variant<ValuesText, RangeText, NullText> test = {};

  bool operator==(const Condition&) const = default;
};

struct OrderText {
  bool more = true;  // the higher the better; or the lower

  bool operator==(const OrderText&) const = default;
};

struct NearText {
  enum class Shape { Linear, Gauss, Exp };
  std::string origin;
  std::optional<double> scale = {};  // none: a quarter of the domain's span
  Shape shape = Shape::Linear;

  bool operator==(const NearText&) const = default;
};

struct GradesText {
  std::vector<std::pair<std::string, double>> grades;

  bool operator==(const GradesText&) const = default;
};

struct WishText {
  std::string attribute;
  std::variant<ValuesText, RangeText, OrderText, NearText, GradesText> form = {};
  std::optional<double> weight = {};  // none: the attribute's

  bool operator==(const WishText&) const = default;
};

struct SortText {
  std::string attribute;
  bool descends = false;

  bool operator==(const SortText&) const = default;
};

struct Request {
  std::vector<Condition> where = {};  // all of them
  std::vector<WishText> prefer = {};
  std::vector<SortText> sort = {};  // the first decides before the others
  bool prefer_first = false;        // or wishes decide among rows that the keys leave equal
  std::optional<std::uint32_t> k = {};
  std::uint32_t offset = 0;
  std::vector<std::string> columns = {};  // public attributes to show; none: all
  std::vector<std::string> facets = {};
  bool explain = false;

  bool operator==(const Request&) const = default;
};

// "city = Paris and (age <= 35 or not smokes in (yes, 'now and then'))"
Result<Condition> parse_condition(std::string_view text);
// "religion=none|other", "religion!=none", "age>=30", "age=30..40", "income:more", "age~30/10",
// "age~30/10:gauss", or an object of JSON; each with ^2 behind it for a weight.
Result<WishText> parse_wish(std::string_view text);
// "-income, age"
Result<std::vector<SortText>> parse_sort(std::string_view text);
// "city, age"
Result<std::vector<std::string>> parse_names(std::string_view text);
// Whether "prefer, sort" puts wishes first.
Result<bool> parse_order(std::string_view text);

// An object with the members of Request by name; where is one string or several, prefer a list of
// wishes (or {"city": "Paris"} for values), sort, order, columns and facets lists or one string.
Result<Request> request_from_json(const Json& json);
// An entry of "prefer".
Result<WishText> wish_from_json(const Json& json);
// {"religion": ["none", "other"], "age": null}: a wish for each.
Result<std::vector<WishText>> wishes_from_values(const Json& json);

// A request of a file of many.
struct FiledRequest {
  Request request;
  std::uint64_t count = 1;  // how often it is asked
  std::string place;        // "queries.ndjson, line 3"
};
// Lines of {"count": 3, "request": {...}}, or {"query": {"city": "Paris"}} for values.
Result<std::vector<FiledRequest>> parse_request_lines(std::string_view text,
                                                      std::string_view source);

// What parses back to the same.
std::string to_text(const Condition& condition);
std::string to_text(const WishText& wish);
std::string to_text(const std::vector<SortText>& keys);
Json to_json(const WishText& wish);
// Without what is not asked.
Json to_json(const Request& request);

}  // namespace rankveil
