#include "rankveil/protect/rr_mean.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "rankveil/protect/ladder.h"
#include "rankveil/protect/pieces.h"
#include "rankveil/protect/profile_maker.h"
#include "rankveil/protect/responses.h"

namespace rankveil {

namespace {

GroupShares shares_of(const Task& task, const Climb& climb) {
  auto groups = static_cast<std::uint32_t>(climb.groups.size());
  GroupShares shares(groups, task.private_domain_sizes());
  for (std::uint32_t g = 0; g < groups; ++g) count_values(task, climb.groups[g], g, shares);
  return shares;
}

class Filler {
 public:
  Filler(const Task& task, const Climb& climb, const GroupShares& shares, PrivateId attribute,
         ProfileMaker& maker)
      : task_(task),
        climb_(climb),
        shares_(shares),
        attribute_(attribute),
        maker_(maker),
        responses_(task, attribute),
        domain_(task.private_column(attribute).domain_size()) {}

  void fill(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t row = begin; row < end; ++row) {
      if (!task_.takes_part(RowId{row})) continue;
      std::uint32_t group = climb_.group_of[row];
      if (group == Climb::no_group) {
        maker_.use_shares(RowId{row}, attribute_);
      } else {
        fill_row(RowId{row}, group, responses_.of(RowId{row}));
      }
    }
  }
  double largest_rounding() const { return largest_rounding_; }

 private:
  std::uint64_t parts(ValueId value, ValueId said) const {
    return value == said ? responses_.truth_parts() : responses_.other_parts();
  }

  // The sum over all answers of rows times parts: every row counts as one of the others, and those
  // that have what was said for the difference as well.
  std::uint64_t total(std::uint32_t group, ValueId said) const {
    std::uint64_t rows = shares_.size(group);
    std::uint64_t saying = said == missing_value ? rows - rows_with_value(group)
                                                 : shares_.count(group, attribute_, said);
    return (rows - saying) * responses_.other_parts() + saying * responses_.truth_parts();
  }

  std::uint64_t rows_with_value(std::uint32_t group) const {
    std::uint64_t rows = 0;
    for (std::uint32_t v = 0; v < domain_; ++v) {
      rows += shares_.count(group, attribute_, ValueId{static_cast<std::uint16_t>(v)});
    }
    return rows;
  }

  void fill_row(RowId row, std::uint32_t group, ValueId said) {
    std::uint64_t all = total(group, said);
    std::uint64_t levels = task_.demand.levels;
    for (std::uint32_t v = 0; v < domain_; ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      std::uint64_t part = levels * shares_.count(group, attribute_, value) * parts(value, said);
      if (part == 0) continue;
      std::uint64_t strength = (part + all / 2) / all;
      note_rounding(part, strength, all);
      if (strength == 0) continue;
      maker_.signals().set(row, attribute_, value, static_cast<std::uint32_t>(strength));
    }
  }

  void note_rounding(std::uint64_t part, std::uint64_t strength, std::uint64_t all) {
    double exact = static_cast<double>(part) / static_cast<double>(all);
    double difference = std::abs(exact - static_cast<double>(strength));
    largest_rounding_ = std::max(largest_rounding_, difference / task_.demand.levels);
  }

  const Task& task_;
  const Climb& climb_;
  const GroupShares& shares_;
  PrivateId attribute_;
  ProfileMaker& maker_;
  Responses responses_;
  std::uint32_t domain_;
  double largest_rounding_ = 0;
};

}  // namespace

Result<Protection> protect_rr_mean(const Task& task) {
  Climb groups = climb(task);
  GroupShares shares = shares_of(task, groups);
  ProfileMaker maker(task, task.demand.levels);
  ProtectionReport report;
  std::mutex reporting;
  fill_in_pieces(maker.signals(), task.threads, [&](const Piece& piece) {
    Filler filler(task, groups, shares, piece.attribute, maker);
    filler.fill(piece.begin, piece.end);
    std::lock_guard lock(reporting);
    report.largest_rounding = std::max(report.largest_rounding, filler.largest_rounding());
  });
  report.rungs = describe(task, groups);
  report.rows_without_signal = static_cast<std::uint64_t>(
      std::count(groups.group_of.begin(), groups.group_of.end(), Climb::no_group));
  return Protection{std::move(maker).finish(), std::move(report)};
}

}  // namespace rankveil
