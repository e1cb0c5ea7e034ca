// Requests with places for what is asked: SQL, URLs and JSON bodies.
//
//   ${k}            how many rows are wanted
//   ${page}  ${page0}  ${offset}  ${cursor}   which page of the answer: its number from 1 or from
//   0,
//                   how many rows are before it, and what the answer before said
//   ${field}  ${direction}   which column the rows are ordered by, and how (order.h)
//   ${query}        the whole query as a JSON object: {"city": ["Paris", "Rome"]}
//   ${one:city}     the value asked for, or nothing; the target takes one value at a time
//   ${all:city}     all values asked for, as a list, or nothing
//   ${low:income}  ${high:income}   the ends of the value asked for, where values are numbers or
//                   ranges of them: from low up, and below high
//   $[ ... $]       a section: left out unless all attributes in it are asked for
//   ${each:city}    in a section: the section once for each value
//   ${id}           of a new row, or of one to remove
//   ${row}          a whole new row as a JSON object: {"city": "Paris", "religion": null}
//   ${one:age|bare} in JSON: without quotes, for numbers, true and false
//   $${  $$[  $$]   stand for ${ $[ $]
//
// What is filled in never changes the meaning of the text around it: SQL gets parameters, URLs
// percent signs, and JSON escapes, with quotes where the text has none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rankveil/attack/targets/order.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/database.h"
#include "rankveil/ranking/query.h"

namespace rankveil::attack {

struct Filling {
  const Schema& schema;
  // By attribute; a new row has at most one value each.
  const std::vector<std::vector<ValueId>>& values;
  std::uint32_t k = 0;
  std::string id = {};
  std::uint32_t page = 0;  // from 0
  std::uint64_t offset = 0;
  std::string cursor = {};  // empty on the first page
  // Of an order, as the service spells them.
  std::string field = {}, direction = {};
};

// Fills in what the query says of an order, if it says anything.
void fill_order(const OrderWords& words, const Query& query, Filling& filling);

class Template {
 public:
  enum class Use { Query, Insert, Remove };

  Template() = default;
  // `what` begins messages: "the query in t.toml". Refuses unknown places and attributes.
  static Result<Template> parse(std::string_view text, const Schema& schema, Use use,
                                std::string_view what);

  bool has_places() const;
  bool has_id() const;
  bool has_page() const;  // something in it differs from page to page
  bool has_cursor() const;
  bool has_order() const;  // it asks for rows in the order of a column
  // The attribute is, or the whole query or row.
  bool names(std::uint32_t attribute) const;
  bool takes_sets(std::uint32_t attribute) const;
  // What stands before the first place.
  std::string_view beginning() const;

  std::string as_url(const Filling& filling) const;
  std::string as_json(const Filling& filling) const;
  connect::Statement as_sql(const Filling& filling) const;

  // Whether places stand where as_json and as_sql can fill them. `some_id` is one as new rows get.
  Status check_json(const Schema& schema, const std::string& some_id, std::string_view what) const;
  Status check_sql(std::string_view what) const;

 private:
  enum class What {
    K,
    Page,
    Page0,
    Offset,
    Cursor,
    Query,
    Row,
    Id,
    Field,
    Direction,
    One,  // from here on: of an attribute
    Low,
    High,
    All,  // from here on: several values
    Each
  };
  struct Place {
    What what;
    std::uint32_t attribute = 0;
    bool bare = false;
  };
  using Piece = std::variant<std::string, Place>;
  struct Part {
    bool is_section = false;
    std::vector<Piece> pieces;
  };
  friend class TemplateParser;
  friend class JsonFiller;

  static bool is_text(What what);
  static std::string plain_text(What what, const Filling& filling);
  static bool has_content(const Place& place, const Filling& filling);
  template <typename Text, typename Fill>
  void walk(const Filling& filling, const Text& text, const Fill& fill) const;
  template <typename Match>
  bool any_place(const Match& match) const;

  std::vector<Part> parts_;
};

// The filling of a new row.
std::vector<std::vector<ValueId>> wanted_of_row(std::span<const ValueId> values);
Json query_object(const Filling& filling);  // lists of values
Json row_object(const Filling& filling);    // values or null

// The ends of a value that is a number or a range of them, as bins are called: "18-25", "<18",
// ">=50", "-5 to 5", "42". Empty: open. Nothing: it is neither.
struct ValueEnds {
  std::string low = {};   // values are at least this
  std::string high = {};  // and below it; the number itself where it is one
};
std::optional<ValueEnds> ends_of(std::string_view value);

// Refuses templates that leave an attribute out: an attack would take silence for an answer.
Status check_all_named(std::span<const Template* const> templates, const Schema& schema,
                       std::string_view what);

}  // namespace rankveil::attack
