#include "rankveil/protect/chance/rr.h"

#include <algorithm>

#include "rankveil/protect/chance/responses.h"
#include "rankveil/protect/groups/pieces.h"
#include "rankveil/protect/groups/profile_maker.h"

namespace rankveil {

namespace {

void fill_piece(const Task& task, const Piece& piece, LevelProfiles& profiles) {
  Responses responses(task, piece.attribute);
  SetWriter writer(profiles, piece.attribute);
  for (std::uint32_t row = piece.begin; row < piece.end; ++row) {
    if (!task.takes_part(RowId{row})) continue;
    ValueId said = responses.of(RowId{row});
    if (said != missing_value) writer.add(RowId{row}, said);
  }
}

// A value that does not match any more was obfuscated, and so was a missing one that shows a value.
bool is_truth(const Task& task, RowId row, PrivateId attribute, const LevelProfiles& profiles) {
  ValueId own = task.private_column(attribute).value(row);
  if (own != missing_value) return profiles.strength(row, attribute, own) != 0;
  for (std::uint32_t v = 0; v < task.private_column(attribute).domain_size(); ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (profiles.strength(row, attribute, value) != 0) return false;
  }
  return true;
}

ProtectionReport report_of(const Task& task, const LevelProfiles& profiles) {
  ProtectionReport made;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (!task.takes_part(RowId{row})) {
      ++made.rows_without_signal;
      continue;
    }
    std::uint64_t before = made.obfuscated_values;
    for (std::uint32_t j = 0; j < task.private_count(); ++j) {
      made.obfuscated_values += is_truth(task, RowId{row}, PrivateId{j}, profiles) ? 0 : 1;
    }
    made.rows_with_obfuscation += made.obfuscated_values > before ? 1 : 0;
  }
  return made;
}

}  // namespace

Result<Protection> protect_rr(const Task& task) {
  ProfileMaker maker(task, 1);
  fill_in_pieces(maker.signals(), task.threads,
                 [&](const Piece& piece) { fill_piece(task, piece, maker.signals()); });
  ProtectionReport report = report_of(task, maker.signals());
  return Protection{std::move(maker).finish(), std::move(report)};
}

}  // namespace rankveil
