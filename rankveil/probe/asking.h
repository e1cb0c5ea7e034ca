// What a probe touches: somebody who asks a service as a stranger, and somebody who changes own
// rows as their owner. Nothing here knows HTTP, SQL or a dialect; each of those implements both.
//
//   Answer answer = asker.ask({.way = "sort", .field = "income", .own = {id}});
//   auto id = writer.create("rvprobe3f9a01");
//   auto written = writer.write(*id, income, Value{"900000017", false});
//
// Nobody calls them from two threads at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankveil/connect/reply.h"
#include "rankveil/probe/field.h"
#include "rankveil/probe/way.h"

namespace rankveil::probe {

enum class Direction { Ascending, Descending };

// One request. A template uses those members that its places name.
//
// `value` is what an own row holds, or held. `low` and `high` lie just below and just above it, so
// that no other row's value, and not what else the own row is given, lies between them:
//   field == ${value}     field > ${low}     field < ${high}     field between ${low} and ${high}
struct Question {
  std::string way;  // its name
  std::string field;
  Value value = {};
  Value low = {};
  Value high = {};
  Direction direction = Direction::Ascending;
  std::uint32_t page = 0;   // from 0
  std::string cursor = {};  // of the page before; empty for the first
  // Rows of ours, whose fields the answer may tell. Of all others it holds ids only.
  std::vector<std::string> own = {};
};

enum class Outcome {
  Answered,
  Refused,    // 4xx, a GraphQL error, SQL that is not permitted: it will not be otherwise next time
  Failed,     // 5xx, no connection, an answer that cannot be read
  Throttled,  // 429 and its like: ask again later
};

// A piece of an answer apart from the order of its rows.
struct Part {
  std::string name;      // "updatedAt", "meta.cursor", "facets.religion"
  std::string text;      // canonical: equal JSON is equal text
  std::string row = {};  // of which own row; empty: of the answer as a whole

  friend bool operator==(const Part&, const Part&) = default;
};

struct Answer {
  Outcome outcome = Outcome::Answered;
  int status = 0;            // of HTTP; 0 where there is none
  std::string reason = {};   // one sentence, unless it was answered; without secrets
  double wait_seconds = 0;   // Throttled: how long the service asks us to wait; 0: it does not say
  std::string request = {};  // as a transcript shows it; without secrets
  std::uint32_t requests = 1;  // how many were sent: redirects and fresh log-ins count

  std::vector<std::string> rows = {};                // ids, first row first
  std::optional<std::int64_t> count = std::nullopt;  // how many rows fit, where the answer says so
  std::string cursor = {};                           // of the next page; empty: there is none
  // What own rows show, field by field, and what else the answer says: totals, facets, numbers. Of
  // other rows at most a digest (name "rest"), so that a change in them can be seen.
  std::vector<Part> parts = {};
};

// A stranger, or a user who may not see the field.
class Asker {
 public:
  virtual ~Asker() = default;
  virtual std::span<const Way> ways() const = 0;
  // Asks once. Whoever calls decides about waiting and asking again. REQUIRES: a name of ways().
  virtual Answer ask(const Question& question) = 0;
};

// What a row has where it was marked: the mark, what was written over it, or nothing.
struct HeldMark {
  bool is_gone = false;  // there is no such row
  std::optional<Value> value = std::nullopt;
};

// An owner of rows. `row` is an id as answers give it.
class Writer {
 public:
  virtual ~Writer() = default;

  // Whether rows can be made and removed. If not, only rows that the operator named are changed.
  virtual bool makes_rows() const = 0;
  // Makes a row that carries `mark` in a public field, so that find() sees it, and gives its id.
  virtual connect::Reply<std::string> create(const std::string& mark) = 0;
  // Rows that carry `mark`; after a crash nobody knows their ids.
  virtual connect::Reply<std::vector<std::string>> find(const std::string& mark) = 0;
  virtual connect::Reply<connect::Done> remove(const std::string& row) = 0;
  // What is in the field that bears the mark. Trouble: nobody knows whether there is such a row.
  virtual connect::Reply<HeldMark> read_mark(const std::string& row);

  // Nothing: the row is to have no value there.
  virtual connect::Reply<connect::Done> write(const std::string& row, const Field& field,
                                              const std::optional<Value>& value) = 0;
  // What is there now, as the owner sees it; nothing: no value.
  virtual connect::Reply<std::optional<Value>> read(const std::string& row, const Field& field) = 0;
};

inline connect::Reply<HeldMark> Writer::read_mark(const std::string&) {
  return wrong_use("marks are found here, and not read");
}

}  // namespace rankveil::probe
