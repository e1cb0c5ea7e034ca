#include "rankveil/protect/sets/value_sets.h"

#include <algorithm>

#include "rankveil/protect/groups/pieces.h"
#include "rankveil/protect/groups/profile_maker.h"

namespace rankveil {

namespace {

const std::vector<ValueId>& set_of(const ValueSets& sets, ValueId own) {
  return own == missing_value ? sets.back() : sets[+own];
}

void fill_piece(const Task& task, const ValueSets& sets, const Piece& piece,
                LevelProfiles& profiles) {
  const Column& column = task.private_column(piece.attribute);
  SetWriter writer(profiles, piece.attribute);
  for (std::uint32_t row = piece.begin; row < piece.end; ++row) {
    if (!task.takes_part(RowId{row})) continue;
    for (ValueId value : set_of(sets, column.value(RowId{row}))) writer.add(RowId{row}, value);
  }
}

// How many rows that take part have a set of each size.
std::vector<std::uint64_t> count_sizes(const Task& task, PrivateId attribute,
                                       const ValueSets& sets) {
  const Column& column = task.private_column(attribute);
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (!task.takes_part(RowId{row})) continue;
    std::size_t size = set_of(sets, column.value(RowId{row})).size();
    if (size >= sizes.size()) sizes.resize(size + 1);
    ++sizes[size];
  }
  return sizes;
}

}  // namespace

Protection give_value_sets(const Task& task, const std::vector<ValueSets>& sets) {
  ProfileMaker maker(task, 1);
  fill_in_pieces(maker.signals(), task.threads, [&](const Piece& piece) {
    fill_piece(task, sets[+piece.attribute], piece, maker.signals());
  });
  std::vector<std::vector<std::uint64_t>> sizes;
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    sizes.push_back(count_sizes(task, PrivateId{j}, sets[j]));
  }
  return {std::move(maker).finish(), report_sets(task, sizes)};
}

ProtectionReport report_sets(const Task& task,
                             const std::vector<std::vector<std::uint64_t>>& sizes) {
  ProtectionReport report;
  for (const auto& attribute : sizes) {
    if (attribute.size() > report.set_sizes.size()) report.set_sizes.resize(attribute.size());
    std::uint64_t& short_sets = report.short_sets.emplace_back(0);
    for (std::size_t size = 0; size < attribute.size(); ++size) {
      report.set_sizes[size] += attribute[size];
      if (size < task.demand.l) short_sets += attribute[size];
    }
    // A domain is too small for all rows or for none.
    report.rows_with_short_sets = std::max(report.rows_with_short_sets, short_sets);
  }
  while (!report.set_sizes.empty() && report.set_sizes.back() == 0) report.set_sizes.pop_back();
  report.rows_without_signal = static_cast<std::uint64_t>(
      std::count(task.taking_part.begin(), task.taking_part.end(), std::uint8_t{0}));
  return report;
}

}  // namespace rankveil
