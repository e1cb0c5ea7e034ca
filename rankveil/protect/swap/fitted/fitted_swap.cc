#include "rankveil/protect/swap/fitted/fitted_swap.h"

#include <algorithm>
#include <mutex>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/swap/fitted/alike.h"
#include "rankveil/protect/swap/fitted/block_swap.h"

namespace rankveil::fitted {

namespace {

std::uint16_t code_of(const Column& column, std::uint32_t domain, RowId row) {
  ValueId value = column.value(row);
  return static_cast<std::uint16_t>(value == missing_value ? domain : +value);
}

// The units of `list` that come first in a keyed order.
std::vector<std::uint32_t> first_by_key(const Task& task, const Persons& units,
                                        std::vector<std::uint32_t> list, std::size_t most) {
  if (list.size() <= most) return list;
  KeyedStream stream(task.key, "fitted swap sample");
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  RowNames::Digits digits;
  for (std::uint32_t unit : list) order.emplace_back(stream.number(units.name(unit, digits)), unit);
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end());
  list.clear();
  for (std::size_t i = 0; i < most; ++i) list.push_back(order[i].second);
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

// What the blocks of a part counted.
struct FittedSwap::PartCounts {
  std::vector<BlockReport> blocks;
  std::uint64_t rows_in_classes = 0;
};

FittedSwap::FittedSwap(const Task& task)
    : task_(task),
      units_(task),
      blocks_(blocks_of(task, units_)),
      released_(units_to_release(task, units_)),
      shows_(task.table.rows(), 0),
      shown_(task.private_count(), std::vector<std::uint16_t>(task.table.rows(), 0)) {
  for (std::uint32_t unit = 0; unit < units_.count(); ++unit) {
    for (RowId row : units_.rows(unit)) shows_[+row] = released_[unit];
  }
  for (const Block& block : blocks_) {
    BlockReport& report = reports_.emplace_back();
    for (PrivateId j : block.attributes) report.columns.push_back(task.attribute(j).name);
  }
  if (task.shown != nullptr) remember_earlier();
}

void FittedSwap::remember_earlier() {
  for (std::uint32_t row = 0; row < shows_.size(); ++row) {
    if (task_.shown->rows[row] == 0) continue;
    shows_[row] = 1;
    for (std::uint32_t j = 0; j < shown_.size(); ++j) {
      std::uint32_t domain = task_.attribute(PrivateId{j}).domain.size();
      shown_[j][row] = code_of(task_.shown->values[j], domain, RowId{row});
    }
  }
}

// Those released now, and of the others who show something as many as there is room for.
FittedSwap::Members FittedSwap::sample() const {
  Members now;
  Members earlier;
  for (std::uint32_t unit = 0; unit < units_.count(); ++unit) {
    if (units_.row_count(unit) == 0) continue;
    if (released_[unit] != 0) {
      now.push_back(unit);
    } else if (shows_[+units_.row(unit, 0)] != 0) {
      earlier.push_back(unit);
    }
  }
  now = first_by_key(task_, units_, std::move(now), max_fitted);
  earlier = first_by_key(task_, units_, std::move(earlier), max_fitted - now.size());
  now.insert(now.end(), earlier.begin(), earlier.end());
  std::sort(now.begin(), now.end());
  return now;
}

void FittedSwap::choose_sight() {
  std::vector<std::uint32_t> first_rows;
  std::vector<std::uint32_t> all_rows;
  bool histories =
      std::any_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.varies; });
  for (std::uint32_t unit : sample()) {
    first_rows.push_back(+units_.row(unit, 0));
    if (!histories) continue;
    for (RowId row : units_.rows(unit)) {
      if (shows_[+row] != 0) all_rows.push_back(+row);
    }
  }
  sight_ = std::make_unique<Sight>(std::move(first_rows), std::move(all_rows));
  const Schema& schema = task_.table.schema();
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
    sight_->add(Codes(task_.table.column(AttributeId{i})), schema[AttributeId{i}].domain);
  }
}

std::vector<FittedSwap::Members> FittedSwap::cut_into_parts() const {
  auto count = static_cast<std::uint32_t>(std::count(released_.begin(), released_.end(), 1));
  std::vector<Members> parts(std::max(1U, count / part_size));
  KeyedStream stream(task_.key, "fitted swap part");
  RowNames::Digits digits;
  for (std::uint32_t unit = 0; unit < released_.size(); ++unit) {
    if (released_[unit] == 0) continue;
    std::uint64_t part =
        parts.size() == 1 ? 0 : stream.below(parts.size(), units_.name(unit, digits));
    parts[part].push_back(unit);
  }
  return parts;
}

// The code that each counted row holds: its own if it is released now, else the one it shows.
std::vector<std::uint16_t> FittedSwap::codes_held(const Block& block, PrivateId attribute) const {
  const Column& column = task_.private_column(attribute);
  std::uint32_t domain = task_.attribute(attribute).domain.size();
  std::vector<std::uint16_t> codes;
  for (std::uint32_t row : sight_->rows(block.varies)) {
    bool earlier = task_.shown != nullptr && task_.shown->rows[row] != 0;
    codes.push_back(earlier ? shown_[+attribute][row] : code_of(column, domain, RowId{row}));
  }
  return codes;
}

BlockModel FittedSwap::fit(const Block& block) const {
  std::vector<std::vector<std::uint16_t>> own;
  std::vector<const Domain*> domains;
  for (PrivateId attribute : block.attributes) {
    own.push_back(codes_held(block, attribute));
    domains.push_back(&task_.attribute(attribute).domain);
  }
  return fit_block(*sight_, block, own, domains, task_.threads);
}

void FittedSwap::show(const Block& block, const Members& members, const Members& from) {
  for (PrivateId attribute : block.attributes) {
    Codes codes(task_.private_column(attribute));
    std::vector<std::uint16_t>& shown = shown_[+attribute];
    for (std::size_t i = 0; i < members.size(); ++i) {
      auto rows = units_.rows(members[i]);
      auto source = units_.rows(from[i]);
      for (std::size_t t = 0; t < rows.size(); ++t) {
        RowId own = block.varies ? source[t] : source[0];
        shown[+rows[t]] = static_cast<std::uint16_t>(codes[+own]);
      }
    }
  }
}

void FittedSwap::run_part(const Members& members, bool fits, PartCounts& counts) {
  Alike alike(task_, units_, members);
  counts.blocks.resize(blocks_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    if (fits) models_.push_back(fit(block));
    BlockTask block_task{task_, units_, block, models_[b], *sight_};
    show(block, members, swap_block(block_task, members, alike, counts.blocks[b]));
    if (b + 1 == blocks_.size()) count_classes(members, alike, counts);
    for (PrivateId attribute : block.attributes) {
      alike.tell_apart(units_, members, shown_[+attribute]);
      bool looks_on = fits && b + 1 < blocks_.size();
      if (looks_on) sight_->add(Codes(shown_[+attribute]), task_.attribute(attribute).domain);
    }
    tell_progress(static_cast<double>(members.size()) / static_cast<double>(blocks_.size()));
  }
}

// Who was in a class to the last was in one in every block.
void FittedSwap::count_classes(const Members& members, const Alike& alike, PartCounts& counts) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (alike.of(i) != Alike::few) counts.rows_in_classes += units_.row_count(members[i]);
  }
}

void FittedSwap::add_counts(const PartCounts& counts) {
  rows_in_classes_ += counts.rows_in_classes;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const BlockReport& more = counts.blocks[b];
    BlockReport& sum = reports_[b];
    sum.persons += more.persons;
    sum.in_classes += more.in_classes;
    sum.moved += more.moved;
    sum.sweeps = std::max(sum.sweeps, more.sweeps);
    sum.tried += more.tried;
    sum.accepted += more.accepted;
    sum.own_half_way += more.own_half_way;
    sum.own += more.own;
  }
}

void FittedSwap::tell_progress(double more) {
  std::lock_guard<std::mutex> one_at_a_time(telling_);
  work_done_ += more;
  report(task_.progress, "swapping", std::min(1.0, work_done_ / work_));
}

void FittedSwap::run() {
  choose_sight();
  std::vector<Members> parts = cut_into_parts();
  if (parts.front().empty()) return;
  parts_ = static_cast<std::uint32_t>(parts.size());
  for (const Members& part : parts) work_ += static_cast<double>(part.size());
  if (parts_ > 1) {
    Members rehearsing;
    for (std::uint32_t unit : sample()) {
      if (released_[unit] != 0) rehearsing.push_back(unit);
    }
    work_ += static_cast<double>(rehearsing.size());
    PartCounts thrown_away;
    run_part(rehearsing, true, thrown_away);
  }
  std::vector<PartCounts> counts(parts.size());
  parallel_for(parts.size(), task_.threads,
               [&](std::size_t i) { run_part(parts[i], parts_ == 1, counts[i]); });
  for (const PartCounts& part : counts) add_counts(part);
}

}  // namespace rankveil::fitted
