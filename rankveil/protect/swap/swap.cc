#include "rankveil/protect/swap/swap.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/format.h"
#include "rankveil/base/parallel.h"
#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/swap/fitted/block_swap.h"
#include "rankveil/protect/swap/fitted/fitted_swap.h"
#include "rankveil/protect/swap/shown_groups.h"

namespace rankveil {

namespace {

using fitted::FittedSwap;

bool released_row(const Task& task, const FittedSwap& swap, std::uint32_t row) {
  bool earlier = task.shown != nullptr && task.shown->rows[row] != 0;
  return swap.shows()[row] != 0 && !earlier;
}

std::uint64_t released_rows(const Task& task, const FittedSwap& swap) {
  std::uint64_t rows = 0;
  for (std::uint32_t row = 0; row < swap.shows().size(); ++row) {
    rows += released_row(task, swap, row) ? 1 : 0;
  }
  return rows;
}

LevelProfiles shown_signals(const Task& task, const FittedSwap& swap) {
  LevelProfiles signals(task.table.rows(), task.private_domain_sizes(), 1);
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    const std::vector<std::uint16_t>& shown = swap.shown()[j];
    std::uint32_t domain = task.attribute(attribute).domain.size();
    for (std::uint32_t row = 0; row < shown.size(); ++row) {
      if (shown[row] == domain || !released_row(task, swap, row)) continue;
      signals.set(RowId{row}, attribute, ValueId{shown[row]});
    }
  });
  return signals;
}

// Groups as they count beside signals, and behind them the same in full, for rows without one.
GroupedProfiles with_base(const Task& task, const FittedSwap& swap,
                          const std::optional<ShownGroups>& groups, LevelProfiles signals) {
  std::uint32_t count = groups ? groups->count() : 1;
  GroupShares shares(2 * count, task.private_domain_sizes());
  for (std::uint32_t g = 0; g < count; ++g) {
    shares.set_in_full(count + g);
    shares.set_size(g, 1);
    shares.set_size(count + g, 1);
    if (!groups) continue;
    groups->fill(g, g, shares);
    groups->fill(g, count + g, shares);
  }
  std::vector<std::uint32_t> group_of =
      groups ? groups->groups_of_rows(task) : std::vector<std::uint32_t>(task.table.rows(), 0);
  for (std::uint32_t row = 0; row < group_of.size(); ++row) {
    if (!released_row(task, swap, row)) group_of[row] += count;
  }
  return {{1, task.demand.l}, std::move(signals), std::move(group_of), std::move(shares)};
}

std::string slow_mixing_note(const BlockReport& block) {
  return fmt::format(
      "Exchanges of {} were still going on after {} sweeps: {} of those who moved outside classes "
      "held values like their own, {} before the last of them. This hides no less, and costs some "
      "accuracy.",
      listed(block.columns), block.sweeps, grouped(block.own), grouped(block.own_half_way));
}

ProtectionReport report_of(const Task& task, const FittedSwap& swap) {
  ProtectionReport made;
  std::uint64_t released = released_rows(task, swap);
  made.rows_without_signal = task.table.rows() - released;
  if (released > 0) made.blocks = swap.reports();
  made.rows_in_classes = swap.rows_in_classes();
  made.parts = swap.parts();
  for (const BlockReport& block : made.blocks) {
    if (block.sweeps > fitted::usual_sweeps) made.notes.push_back(slow_mixing_note(block));
  }
  if (!task.ladder.empty()) {
    made.notes.emplace_back(
        "swap needs no ladder: rows are protected among all others, by a model of all public "
        "columns. The policy's ladder is not used.");
  }
  return made;
}

}  // namespace

Result<Protection> protect_swap(const Task& task) {
  if (task.demand.l > max_steps) {
    return wrong_use(fmt::format(
        "swap serves strengths in steps of 1/l, and l = {} is too fine; use an l of at most {}",
        task.demand.l, max_steps));
  }
  auto groups = kept_groups(task.scheme_state, task);
  if (!groups) return groups.error();
  report(task.progress, "fitting models", 0);
  FittedSwap swap(task);
  swap.run();
  std::uint64_t released = released_rows(task, swap);
  bool own_groups = released > 0 && (!*groups || released >= GroupSizes::in_use().own_base_groups);
  if (own_groups) *groups = ShownGroups::of(task, swap);
  Protection made{with_base(task, swap, *groups, shown_signals(task, swap)), report_of(task, swap)};
  if (*groups) {
    made.scheme_state = Json().set("parts", swap.parts()).set("groups", (*groups)->to_json(task));
  }
  report(task.progress, "swapping", 1);
  return made;
}

std::vector<bool> rows_of_swap(const Task& task) {
  fitted::Units units(task);
  std::vector<std::uint8_t> released = fitted::units_to_release(task, units);
  std::vector<bool> rows(task.table.rows(), false);
  for (std::uint32_t unit = 0; unit < released.size(); ++unit) {
    for (RowId row : units.rows(unit)) rows[+row] = released[unit] != 0;
  }
  return rows;
}

}  // namespace rankveil
