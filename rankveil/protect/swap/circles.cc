#include "rankveil/protect/swap/circles.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/groups/silent_groups.h"

namespace rankveil {

namespace {

struct Mover {
  std::uint64_t place;  // in the cycle
  RowId row;

  bool operator<(const Mover& other) const {
    return std::pair(place, +row) < std::pair(other.place, +other.row);
  }
};

class Coins {
 public:
  explicit Coins(const Task& task)
      : task_(task),
        coins_(task.key, "swap coin"),
        order_(task.key, "swap order"),
        keep_(1.0 / task.demand.l) {}

  // Appends the row to `movers` unless it keeps its vector.
  void toss(RowId row, std::vector<Mover>& movers) const {
    RowNames::Digits digits;
    std::string_view name = task_.table.names().text(row, digits);
    std::uint32_t times = task_.times_shown(row);
    if (coins_.uniform(name, times) >= keep_) movers.push_back({order_.number(name, times), row});
  }

 private:
  const Task& task_;
  KeyedStream coins_;
  KeyedStream order_;
  double keep_;
};

// Tosses are split evenly, whatever the sizes of the groups.
constexpr std::size_t rows_per_piece = 8192;

struct GroupPiece {
  std::size_t group;
  std::size_t begin;
  std::size_t end;
};

std::vector<GroupPiece> pieces_of(const Climb& climb) {
  std::vector<GroupPiece> pieces;
  for (std::size_t g = 0; g < climb.groups.size(); ++g) {
    std::size_t size = climb.groups[g].size();
    for (std::size_t begin = 0; begin < size; begin += rows_per_piece) {
      pieces.push_back({g, begin, std::min(size, begin + rows_per_piece)});
    }
  }
  return pieces;
}

// [piece]: rows that move, sorted by their place in the cycle.
std::vector<std::vector<Mover>> toss_all(const Task& task, const Climb& climb,
                                         const std::vector<GroupPiece>& pieces) {
  Coins coins(task);
  std::vector<std::vector<Mover>> movers(pieces.size());
  parallel_for(pieces.size(), task.threads, [&](std::size_t i) {
    const auto& rows = climb.groups[pieces[i].group];
    movers[i].reserve(pieces[i].end - pieces[i].begin);
    for (std::size_t at = pieces[i].begin; at < pieces[i].end; ++at) {
      coins.toss(rows[at], movers[i]);
    }
    std::sort(movers[i].begin(), movers[i].end());
  });
  return movers;
}

// Merges sorted lists two by two.
std::vector<Mover> merged(std::span<std::vector<Mover>> lists) {
  if (lists.size() == 1) return std::move(lists.front());
  std::size_t half = lists.size() / 2;
  std::vector<Mover> left = merged(lists.first(half));
  std::vector<Mover> right = merged(lists.subspan(half));
  std::vector<Mover> all(left.size() + right.size());
  std::merge(left.begin(), left.end(), right.begin(), right.end(), all.begin());
  return all;
}

// Every mover shows the vector of the one before it.
void pass_along(const std::vector<Mover>& cycle, std::vector<RowId>& shown) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    shown[+cycle[i].row] = cycle[i == 0 ? cycle.size() - 1 : i - 1].row;
  }
}

}  // namespace

std::vector<RowId> swapped_rows(const Task& task, const Climb& climb) {
  std::vector<RowId> shown(task.table.rows());
  for (std::uint32_t row = 0; row < shown.size(); ++row) shown[row] = RowId{row};
  std::vector<GroupPiece> pieces = pieces_of(climb);
  std::vector<std::vector<Mover>> movers = toss_all(task, climb, pieces);
  std::vector<std::size_t> first(climb.groups.size() + 1, pieces.size());
  for (std::size_t i = pieces.size(); i-- > 0;) first[pieces[i].group] = i;
  parallel_for(climb.groups.size(), task.threads, [&](std::size_t g) {
    pass_along(merged(std::span(movers).subspan(first[g], first[g + 1] - first[g])), shown);
  });
  return shown;
}

namespace {

LevelProfiles show(const Task& task, const Climb& climb, const std::vector<RowId>& shown) {
  LevelProfiles signals(task.table.rows(), task.private_domain_sizes(), 1);
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    const Column& column = task.private_column(attribute);
    for (std::uint32_t row = 0; row < shown.size(); ++row) {
      if (climb.group_of[row] == Climb::no_group) continue;
      ValueId value = column.value(shown[row]);
      if (value != missing_value) signals.set(RowId{row}, attribute, value);
    }
  });
  return signals;
}

GroupShares shares_of(const Task& task, const Climb& climb, const SilentGroups& silent,
                      std::vector<std::uint32_t>& group_of) {
  auto groups = static_cast<std::uint32_t>(climb.groups.size());
  GroupShares shares(groups + silent.count(), task.private_domain_sizes());
  count_groups(task, climb.group_of, groups, shares);
  group_of = climb.group_of;
  add_silent_groups(silent, shares, groups, group_of, shares);
  return shares;
}

}  // namespace

Result<Protection> protect_circles(const Task& task, const Climb& groups) {
  if (task.demand.l > max_steps) {
    return wrong_use(fmt::format(
        "{} serves strengths in steps of 1/l, and l = {} is too fine; use an l of at most {}",
        task.demand.scheme, task.demand.l, max_steps));
  }
  SilentGroups silent = silent_groups(task, groups);
  report(task.progress, "swapping", 0.3);
  LevelProfiles signals = show(task, groups, swapped_rows(task, groups));
  report(task.progress, "counting shares", 0.8);
  std::vector<std::uint32_t> group_of;
  GroupShares shares = shares_of(task, groups, silent, group_of);
  ProtectionReport made;
  made.rungs = describe(task, groups);
  made.rows_without_signal = silent.rows;
  report(task.progress, "swapping", 1);
  return Protection{
      GroupedProfiles{
          {1, task.demand.l}, std::move(signals), std::move(group_of), std::move(shares)},
      std::move(made)};
}

}  // namespace rankveil
