// What is published: everything that a reader gets to see, and nothing else. No member could hold a
// row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/columns.h"

namespace rankveil::publish {

struct Range {
  double low = 0;
  double high = 0;
  bool operator==(const Range&) const = default;
};

// How a missing value is written. "none" would be a value in many tables.
inline constexpr std::string_view missing_text = "(missing)";

// A quasi-identifier of a group, wide enough for all its members. One of the three.
// How ranges are written: as data, "[18, 34]" with every digit, or for people, "18 to 34".
enum class RangeStyle { Data, Words };
std::string text_of(const Range& range, RangeStyle style = RangeStyle::Data);

struct Generalised {
  std::string column;
  std::optional<Range> range = {};        // numbers
  std::vector<std::string> values = {};   // categories: all that occur, sorted
  std::optional<std::string> label = {};  // categories with a hierarchy
  bool missing = false;                   // some members have no value

  // "[18, 34]", "BOS, NYK", "East", "BOS or none"
  std::string text(RangeStyle style = RangeStyle::Data) const;
};

// A sensitive attribute of a group: shown when the group is diverse enough.
struct Disclosure {
  std::string column;
  std::string withheld = {};                                       // the reason; empty: it is shown
  std::optional<Range> range = {};                                 // numbers
  std::vector<std::pair<std::string, std::uint64_t>> values = {};  // categories, sorted
  std::uint64_t missing = 0;                                       // members without a value

  bool is_shown() const { return withheld.empty(); }
  // "[10, 90]", "a: 3, b: 2", "withheld: ..."
  std::string text(RangeStyle style = RangeStyle::Data) const;
};

struct PublishedGroup {
  std::vector<Range> ranges;               // in the order of Publication::columns
  std::optional<double> least_score = {};  // members have at least this score
  Range score;
  std::uint64_t members = 0;
  std::uint64_t true_positives = 0;
  double precision = 0;
  std::vector<Generalised> quasi = {};
  std::vector<Disclosure> sensitive = {};
};

// What a group's sensitive values must be like to be shown. All that are given must hold.
struct Diversity {
  std::optional<std::uint32_t> distinct = {};  // so many different values
  std::optional<double> entropy = {};          // exp(entropy) of the values is at least this
  std::optional<double> closeness = {};        // distance from the table's values, at most

  bool is_asked() const { return distinct || entropy || closeness; }
};

struct Publication {
  std::string method = {};
  std::string score = {};                 // an expression (score.h)
  std::vector<std::string> columns = {};  // the ranking columns
  std::uint32_t top = 0;                  // k_q, as asked for
  std::uint64_t top_rows = 0;             // with ties
  std::string ties = "include";           // or "cut"
  std::string missing = "refuse";         // or "last"
  std::uint32_t k = 0;
  double least_precision = 0;
  Diversity diversity = {};
  std::vector<PublishedGroup> groups = {};
  std::uint64_t true_positives = 0;
  std::uint64_t members = 0;
  double covered = 0;
  double precision = 0;
};

Json to_json(const Publication& publication);
Result<Publication> publication_from_json(const Json& json);

// A row for each group. Ranges are two columns, "points_low" and "points_high".
connect::Sheet to_sheet(const Publication& publication);
// Of such a sheet, also from elsewhere: `columns` are the ranking columns. Groups alone are filled
// in; columns that are not there stay empty (members 0: not stated). Refuses a sheet without the
// columns of a range, and text where numbers belong.
Result<Publication> publication_from_sheet(const connect::Sheet& sheet,
                                           const std::vector<std::string>& columns);

std::string to_markdown(const Publication& publication);
std::string to_html(const Publication& publication, const std::string& title);

// Numbers as they are published: the shortest text that reads back equal.
std::string number_text(double number);

}  // namespace rankveil::publish
