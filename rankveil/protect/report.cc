#include "rankveil/protect/report.h"

#include <algorithm>

namespace rankveil {

namespace {

void add_counts(const std::vector<std::uint64_t>& more, std::vector<std::uint64_t>& sum) {
  sum.resize(std::max(sum.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

// Rungs are the same when their columns are: a ladder may change from one build to the next. The
// whole table stays last.
void add_rung(const RungReport& more, std::vector<RungReport>& sum) {
  auto same = std::find_if(sum.begin(), sum.end(),
                           [&](const RungReport& rung) { return rung.columns == more.columns; });
  if (same == sum.end()) {
    bool before_last = !sum.empty() && sum.back().columns.empty();
    sum.insert(before_last ? sum.end() - 1 : sum.end(), more);
    return;
  }
  same->groups += more.groups;
  same->rows += more.rows;
}

}  // namespace

std::uint64_t coarser_rows(const ProtectionReport& report) {
  std::uint64_t rows = 0;
  for (std::size_t i = 1; i < report.rungs.size(); ++i) rows += report.rungs[i].rows;
  return rows;
}

void ReportSoFar::add(std::uint64_t rows, const ProtectionReport& more) {
  released += rows;
  add_counts(more.set_sizes, report.set_sizes);
  for (const RungReport& rung : more.rungs) add_rung(rung, report.rungs);
  add_counts(more.short_sets, report.short_sets);
  report.rows_with_short_sets += more.rows_with_short_sets;
  report.rows_in_classes += more.rows_in_classes;
  report.rows_in_small_batches += more.rows_in_small_batches;
  report.obfuscated_values += more.obfuscated_values;
  report.rows_with_obfuscation += more.rows_with_obfuscation;
  report.solved += more.solved;
  report.proven += more.proven;
  report.largest_rounding = std::max(report.largest_rounding, more.largest_rounding);
  if (!more.obfuscation_bound) return;
  if (!report.obfuscation_bound) report.obfuscation_bound.emplace();
  report.obfuscation_bound->value += more.obfuscation_bound->value;
  report.obfuscation_bound->bound += more.obfuscation_bound->bound;
}

}  // namespace rankveil
