#include "bench/versus/topk/cases.h"

namespace rankveil::versus {

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = {
      {.name = "single", .title = "one query"},
      {.name = "batch64", .title = "a batch of 64 queries", .is_batch = true},
      {.name = "asked14", .title = "14 of 20 attributes asked", .asked = 14},
      {.name = "integer-weights", .title = "integer weights 1 to 7", .has_unit_weights = false},
      {.name = "real-weights",
       .title = "real weights",
       .has_unit_weights = false,
       .has_real_weights = true},
      {.name = "threads2", .title = "one query, two threads", .threads = 2},
      {.name = "sets", .title = "protected sets, l = 2", .kind = Kind::Sets},
      {.name = "strengths", .title = "graded strengths, s = 2", .kind = Kind::Levels},
      {.name = "shown20",
       .title = "shown value plus shares, 20 groups",
       .kind = Kind::Shown,
       .groups = 20},
      {.name = "shown10000",
       .title = "shown value plus shares, 10,000 groups",
       .kind = Kind::Shown,
       .groups = 10'000},
  };
  return cases;
}

bool has_reference(const Case& what) { return what.kind != Kind::Exact || !what.has_unit_weights; }

Task make_task(const Case& what, const Table& table, std::uint64_t seed) {
  Task task;
  task.what = &what;
  task.questions = make_questions(table, what.is_batch ? 64 : 16, what.asked, seed);
  task.weights = what.has_unit_weights   ? unit_weights(table)
                 : what.has_real_weights ? real_weights(table, seed)
                                         : integer_weights(table, seed);
  return task;
}

Data make_data(const Case& what, std::shared_ptr<const Table> table, std::uint64_t seed) {
  switch (what.kind) {
    case Kind::Sets:
      return set_data(std::move(table), seed);
    case Kind::Levels:
      return level_data(std::move(table), seed);
    case Kind::Shown:
      return shown_data(std::move(table), what.groups, seed);
    default:
      return exact_data(std::move(table));
  }
}

}  // namespace rankveil::versus
