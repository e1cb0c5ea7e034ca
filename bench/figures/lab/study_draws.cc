#include "bench/figures/lab/study_draws.h"

#include <fmt/format.h>

#include <algorithm>

namespace rankveil::figures {
namespace {

bool is_wanted(const LabOptions& options, const StudyTable& table) {
  const auto& wanted = options.beds;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), table.name) != wanted.end();
}

Result<Table> read(const LabOptions& options, const StudyTable& table) {
  if (!options.data.empty()) return read_study_table(table, options.data);
  return bad_input("no folder of real tables was given or found (--data)");
}

}  // namespace

std::uint32_t study_seeds(const LabOptions& options) {
  if (options.seeds != 0) return options.seeds;
  return options.quick ? 1 : 3;
}

std::uint32_t study_rows(const LabOptions& options) {
  return options.rows != 0 ? options.rows : 4000;
}

void for_each_draw(Lab& lab, const std::function<void(const StudyDraw&)>& take) {
  for (const StudyTable& table : study_tables()) {
    if (!is_wanted(lab.options(), table)) continue;
    auto all = read(lab.options(), table);
    if (!all) {
      lab.note(fmt::format("{} was left out: {}.", table.name, all.error().message));
      continue;
    }
    for (std::uint32_t seed = 1; seed <= study_seeds(lab.options()); ++seed) {
      Lab::say(fmt::format("{}, seed {}", table.name, seed));
      for (ValueOrder order : {ValueOrder::Natural, ValueOrder::MostFrequentFirst}) {
        const Table pooled = pool_values(*all, order);
        take({table, pooled, order, seed});
      }
    }
  }
}

}  // namespace rankveil::figures
