// The rows whose hidden values a probe changes: one that it makes, or rows that the operator named.
//
//   OwnRows rows(writer, journal, meter, clock);
//   rows.make("rvprobe3f9a01");
//   rows.put(income, State::A, values);     // written, and read back as their owner
//   rows.put_back();                        // removed, or as they were
//
// Everything is in the journal before it is done.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/clock.h"
#include "rankveil/probe/asking.h"
#include "rankveil/probe/journal.h"
#include "rankveil/probe/meter.h"
#include "rankveil/probe/repetition.h"
#include "rankveil/probe/values.h"

namespace rankveil::probe {

class OwnRows {
 public:
  OwnRows(Writer& writer, Journal& journal, Meter& meter, Clock& clock)
      : writer_(writer), journal_(journal), meter_(meter), clock_(clock) {}

  // A row of our own.
  Status make(const std::string& mark);
  // Rows that are there and may be changed: the first takes a and b by turns, and a second stays at
  // the end where b is.
  void take(const std::vector<std::string>& rows) { rows_ = rows; }

  const std::vector<std::string>& ids() const { return rows_; }

  // Gives them the values of a state. Fails where the service takes them, and they are not there.
  Status put(const Field& field, State state, const TestValues& values);
  // One value into the first row, as `put` does.
  Status put_first(const Field& field, const Value& value);
  // What rows hold in a state, row by row.
  std::vector<Value> values(State state, const TestValues& values) const;

  // Removes what was made and gives back what was changed; asks the meter nothing. A row that
  // cannot be put back stays in the journal, and the error names it.
  Status put_back();

  std::uint64_t writes() const { return writes_; }

 private:
  Status write_and_check(const std::string& row, const Field& field, const Value& value);
  Status write(const std::string& row, const Field& field, const Value& value);
  Status remember(const std::string& row, const Field& field);
  Status restore();
  Writer& writer_;
  Journal& journal_;
  Meter& meter_;
  Clock& clock_;
  std::vector<std::string> rows_;
  std::string mark_;            // of the row that was made; empty: none
  bool is_unheard_of_ = false;  // it may have been made, and its id is not known
  std::uint64_t writes_ = 0;
  struct Original {
    std::string row;
    Field field;
    std::optional<Value> was;
  };
  std::vector<Original> originals_;
};

// Removes and restores all that a journal says is left; counts rows. `left` names those that could
// not be put back, and why.
struct Cleaned {
  std::uint64_t removed = 0;
  std::uint64_t restored = 0;
  std::vector<std::string> left = {};
};
Result<Cleaned> clean(const std::string& journal, Writer& writer, Clock& clock);

}  // namespace rankveil::probe
