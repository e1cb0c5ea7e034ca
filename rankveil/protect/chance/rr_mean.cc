#include "rankveil/protect/chance/rr_mean.h"

#include <algorithm>
#include <mutex>

#include "rankveil/protect/chance/fewer_bitmaps.h"
#include "rankveil/protect/chance/responses.h"
#include "rankveil/protect/chance/rounding.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/groups/pieces.h"
#include "rankveil/protect/groups/profile_maker.h"

namespace rankveil {

namespace {

GroupShares shares_of(const Task& task, const Climb& climb) {
  auto groups = static_cast<std::uint32_t>(climb.groups.size());
  GroupShares shares(groups, task.private_domain_sizes());
  for (std::uint32_t g = 0; g < groups; ++g) count_values(task, climb.groups[g], g, shares);
  return shares;
}

// Counts of a group's values, those without one last.
std::vector<std::uint32_t> counts_of(const GroupShares& shares, std::uint32_t group,
                                     PrivateId attribute) {
  std::vector<std::uint32_t> counts;
  std::uint32_t missing = shares.size(group);
  for (std::uint32_t v = 0; v < shares.domain_sizes()[+attribute]; ++v) {
    counts.push_back(shares.count(group, attribute, ValueId{static_cast<std::uint16_t>(v)}));
    missing -= counts.back();
  }
  counts.push_back(missing);
  return counts;
}

class MeanFiller {
 public:
  MeanFiller(const Task& task, const Climb& climb, const GroupShares& shares, PrivateId attribute,
             ProfileMaker& maker)
      : task_(task),
        climb_(climb),
        attribute_(attribute),
        maker_(maker),
        responses_(task, attribute),
        domain_(task.private_column(attribute).domain_size()),
        rounding_(domain_, task.demand.levels) {
    for (std::uint32_t group = 0; group < shares.groups(); ++group) {
      counts_.push_back(counts_of(shares, group, attribute));
    }
  }

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
  const Rounding& rounding() const { return rounding_; }

 private:
  void fill_row(RowId row, std::uint32_t group, ValueId said) {
    RrMeanStrengths strengths(counts_[group], said == missing_value ? domain_ : +said,
                              task_.demand.l, task_.demand.levels);
    for (std::uint32_t v = 0; v < domain_; ++v) {
      if (counts_[group][v] == 0) continue;
      std::uint32_t steps = strengths.steps(v);
      rounding_.add(v, steps, strengths.exact(v));
      if (steps == 0) continue;
      maker_.signals().set(row, attribute_, ValueId{static_cast<std::uint16_t>(v)}, steps);
    }
    rounding_.end_row();
  }

  const Task& task_;
  const Climb& climb_;
  PrivateId attribute_;
  ProfileMaker& maker_;
  Responses responses_;
  std::uint32_t domain_;
  std::vector<std::vector<std::uint32_t>> counts_;  // [group]
  Rounding rounding_;
};

}  // namespace

// As Responses has them.
RrMeanStrengths::RrMeanStrengths(std::span<const std::uint32_t> counts, std::uint32_t said,
                                 std::uint32_t l, std::uint32_t levels)
    : counts_(counts), said_(said), truth_(counts.size() - 1), other_(l - 1), levels_(levels) {
  std::uint64_t rows = 0;
  for (std::uint32_t count : counts) rows += count;
  all_ = (rows - counts[said]) * other_ + counts[said] * truth_;
}

std::uint64_t RrMeanStrengths::part(std::uint32_t value) const {
  return levels_ * counts_[value] * (value == said_ ? truth_ : other_);
}

std::uint32_t RrMeanStrengths::steps(std::uint32_t value) const {
  return all_ == 0 ? 0 : static_cast<std::uint32_t>((part(value) + all_ / 2) / all_);
}

double RrMeanStrengths::exact(std::uint32_t value) const {
  if (all_ == 0) return 0;
  return static_cast<double>(part(value)) / static_cast<double>(all_ * levels_);
}

Result<Protection> protect_rr_mean(const Task& task) {
  Climb groups = climb(task);
  GroupShares shares = shares_of(task, groups);
  ProfileMaker maker(task, task.demand.levels);
  std::vector<Rounding> rounding = no_rounding(maker.signals());
  std::mutex reporting;
  fill_in_pieces(maker.signals(), task.threads, [&](const Piece& piece) {
    MeanFiller filler(task, groups, shares, piece.attribute, maker);
    filler.fill(piece.begin, piece.end);
    std::lock_guard lock(reporting);
    rounding[+piece.attribute].add(filler.rounding());
  });
  ProtectionReport report;
  report.largest_rounding = largest_rounding(rounding, use_fewer_bitmaps(maker.signals(), task));
  report.rungs = describe(task, groups);
  report.rows_without_signal = static_cast<std::uint64_t>(
      std::count(groups.group_of.begin(), groups.group_of.end(), Climb::no_group));
  return Protection{std::move(maker).finish(), std::move(report)};
}

}  // namespace rankveil
