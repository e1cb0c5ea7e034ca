// Requests with places for what is asked: paths, parameters, JSON bodies and GraphQL.
//
//   ${url}        the path of the address that was probed: /api/people
//   ${collection} the last part of it, or the name that was told: people
//   ${field}      the field in question                    ${direction} ascending or descending
//   ${value}      a value of it: a text or a number        ${low} ${high} the ends of a range
//   ${limit} ${page} ${cursor}  of a page                  ${id} of the own row
//   ${row}        a whole row as a JSON object             ${change} the changed field as one
//   ${public}     a public field
//   ${mark}       a text that only own rows have, in       ${mark_field}
//   ${link}       the path of a listing that refers to this one   ${by} the field that refers
//   $${           stands for ${
//
// ${value|odata} is spelled as OData does ('it''s'), ${value|regex} as a regular expression,
// ${value|bare} without quotes. ${row|bare} and ${change|bare} are members without braces around
// them. ${field|constant} is spelled as constants are: lastLogin is LAST_LOGIN.
//
// What is filled in never changes the meaning of the text around it: paths get percent signs, JSON
// gets escapes, with quotes where the text has none. Parameters are filled in plainly and encoded
// as a whole, unless they begin with { or [: those are JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/probe/field.h"

namespace rankveil::probe {

// What the places stand for in one request.
struct Places {
  std::string url = {};
  std::string collection = {};
  std::string field = {};
  std::string direction = {};
  std::string cursor = {};
  std::string id = {};
  std::string link = {};
  std::string by = {};
  std::string public_field = {};
  std::string mark = {};
  std::string mark_field = {};
  std::uint32_t limit = 10;
  std::uint32_t page = 1;  // from 1
  Value value = {};
  Value low = {};
  Value high = {};
  Json row = {};
  Json change = {};
};

class RequestText {
 public:
  enum class Spelling { Path, Parameter, Json, Graphql };

  // `what` begins messages: "path of the way \"sort\"". Refuses unknown places and spellings.
  static Result<RequestText> parse(std::string_view text, Spelling spelling, std::string_view what);

  // For a Path percent-encoded; for a Parameter plain; else the text itself.
  std::string fill(const Places& places) const;
  // Whether ${name} is in it.
  bool has(std::string_view name) const;
  bool has_bare() const;  // a place with |bare, which JSON is not kept from
  bool empty() const { return pieces_.empty(); }

 private:
  struct Place {
    std::uint8_t what;
    std::uint8_t form;
  };
  using Piece = std::variant<std::string, Place>;

  static Result<Place> place(std::string_view name, std::string_view what);
  static std::string shaped(const Place& place, const Places& places, bool inside_quotes,
                            Spelling spelling);
  Spelling spelling_ = Spelling::Parameter;
  std::vector<Piece> pieces_;
};

// "lastLogin" and "last_login" as LAST_LOGIN.
std::string constant_of(std::string_view name);

}  // namespace rankveil::probe
