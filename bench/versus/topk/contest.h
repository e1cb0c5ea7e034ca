// The one interface behind which every contestant stands, and what it is asked to do.
//
// The harness makes a contestant, hands it a table (prepare), then for each case the queries (ask)
// so that translating them into the contestant's own language is not timed, then times run() or
// run_batch(). Every answer is compared with the plain oracle, the timed ones too.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/versus/topk/data.h"
#include "rankveil/base/result.h"

namespace rankveil::versus {

struct Hit {
  std::uint32_t row;
  double score;
};
using Hits = std::vector<Hit>;  // best first, equal scores in row order

inline constexpr std::uint32_t top_k = 100;

struct Case {
  std::string name;
  std::string title;
  Kind kind = Kind::Exact;
  std::uint32_t groups = 0;  // Kind::Shown
  bool is_batch = false;
  bool has_unit_weights = true;
  bool has_real_weights = false;
  std::uint32_t asked = 20;  // attributes with a wish
  std::uint32_t threads = 1;
};

// What ask() hands over. Everything outlives the runs.
struct Task {
  const Case* what = nullptr;
  Weights weights;
  std::vector<Question> questions;
};

class Contestant {
 public:
  virtual ~Contestant() = default;

  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  virtual bool supports(const Case& what) const = 0;
  // Tables above this are not asked for: they would take minutes to load or too much memory.
  virtual std::uint32_t largest_table() const { return 3'000'000; }
  // False: rows with the score of the last hit may be any of the rows with that score.
  virtual bool breaks_ties_by_row() const { return true; }

  virtual Status prepare(const Data& data) = 0;
  virtual Status ask(const Task& task) = 0;
  virtual Status run(std::size_t question, Hits& hits) = 0;
  // All questions of the task; `answers` comes with one place for each.
  virtual Status run_batch(std::vector<Hits>& answers);
  // Microseconds of the last run as the contestant itself measured them; else the harness's clock
  // counts. For contestants in another process, whose pipe is not part of the contest.
  virtual std::optional<double> own_clock() const { return std::nullopt; }
};

// Null: not built in. `needs` says what would have to be installed.
struct Entry {
  std::string name;
  std::string needs;
  std::function<std::unique_ptr<Contestant>()> make;
};
std::vector<Entry> all_contestants();

}  // namespace rankveil::versus
