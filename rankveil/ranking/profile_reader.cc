#include "rankveil/ranking/profile_reader.h"

#include <algorithm>

#include "rankveil/ranking/store/planes.h"
#include "rankveil/ranking/store/segment.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

namespace {

ValueId value_id(std::uint32_t value) { return ValueId{static_cast<std::uint16_t>(value)}; }

std::vector<std::uint32_t> positions(const Segment& segment) {
  std::vector<std::uint32_t> position_of;
  if (!segment.groups) return position_of;
  auto order = segment.groups->order.items();
  position_of.resize(order.size());
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    position_of[order[position]] = position;
  }
  return position_of;
}

}  // namespace

ProfileReader::ProfileReader(const Index& index) : index_(index) {
  const Index::State& state = index.state();
  for (const SegmentSlot& slot : state.slots) add_segment(*slot.segment);
  if (!state.kind.grouped) return;
  for (std::uint32_t j = 0; j < state.schema.private_count(); ++j) add_shares(j);
}

void ProfileReader::add_segment(const Segment& segment) {
  SegmentPart part{positions(segment), {}};
  for (std::uint32_t i = index_.schema().public_count(); i < segment.attributes.size(); ++i) {
    part.attributes.push_back(turn_around(segment.attributes[i]));
  }
  segments_.push_back(std::move(part));
}

ProfileReader::Planes ProfileReader::turn_around(const AttributePlanes& planes) {
  Planes turned;
  for (std::uint32_t value = 0; value < planes.domain_size(); ++value) {
    bool has_bitmap = false;
    for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
      const Plane& plane = planes.plane(value, bit);
      has_bitmap = has_bitmap || plane.bits != nullptr;
      for (std::uint32_t position : plane.rows) {
        turned.rare.push_back({position, {value_id(value), static_cast<std::uint16_t>(1U << bit)}});
      }
    }
    if (has_bitmap) turned.with_bitmaps.push_back(value_id(value));
  }
  std::stable_sort(turned.rare.begin(), turned.rare.end(),
                   [](const auto& a, const auto& b) { return a.position < b.position; });
  return turned;
}

void ProfileReader::add_shares(std::uint32_t attribute) {
  const ShareTable& table = index_.state().kind.shares;
  std::uint32_t domain = table.domain_sizes[attribute];
  Shares shares;
  shares.begins.assign(std::size_t{table.groups()} + 1, 0);
  auto for_each_count = [&](const auto& visit) {
    for (std::uint32_t value = 0; value < domain; ++value) {
      auto counts = table.counts_of(attribute, value);
      for (std::uint32_t group = 0; group < counts.size(); ++group) {
        if (counts[group] > 0) visit(group, ShareEntry{value_id(value), counts[group]});
      }
    }
  };
  for_each_count([&](std::uint32_t group, const ShareEntry&) { ++shares.begins[group + 1]; });
  for (std::size_t g = 1; g < shares.begins.size(); ++g) shares.begins[g] += shares.begins[g - 1];
  shares.entries.resize(shares.begins.back());
  std::vector<std::size_t> next(shares.begins.begin(), shares.begins.end() - 1);
  for_each_count(
      [&](std::uint32_t group, const ShareEntry& entry) { shares.entries[next[group]++] = entry; });
  shares_.push_back(std::move(shares));
}

// Values ascend; the bits of one value may come from bitmaps and from lists.
void ProfileReader::read_signals(const AttributePlanes& planes, const Planes& turned,
                                 std::uint32_t position, std::vector<Signal>& signals) {
  signals.clear();
  for (ValueId value : turned.with_bitmaps) {
    std::uint32_t strength = 0;
    for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
      const std::uint64_t* bits = planes.plane(+value, bit).bits;
      if (bits == nullptr) continue;
      strength |= static_cast<std::uint32_t>((bits[position / 64] >> (position % 64)) & 1) << bit;
    }
    if (strength > 0) signals.push_back({value, static_cast<std::uint16_t>(strength)});
  }
  auto rare = std::lower_bound(turned.rare.begin(), turned.rare.end(), position,
                               [](const auto& entry, auto at) { return entry.position < at; });
  if (rare == turned.rare.end() || rare->position != position) return;
  for (; rare != turned.rare.end() && rare->position == position; ++rare) {
    signals.push_back(rare->signal);
  }
  std::sort(signals.begin(), signals.end(),
            [](const Signal& a, const Signal& b) { return a.value < b.value; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < signals.size(); ++i) {
    if (signals[i].value == signals[kept].value) {
      signals[kept].strength |= signals[i].strength;
    } else {
      signals[++kept] = signals[i];
    }
  }
  signals.resize(kept + 1);
}

// M = (keep x strength + what the group adds) / (levels x keep's denominator).
void ProfileReader::merge(const std::vector<Signal>& signals, std::uint32_t attribute,
                          std::uint32_t group, std::vector<Match>& profile) const {
  const ProfileKind& kind = index_.state().kind;
  const Shares& shares = shares_[attribute];
  double whole = kind.keep.denominator * kind.levels;
  auto signal = signals.begin();
  auto add = [&](ValueId value, double share) {
    double total = 0;
    if (signal != signals.end() && signal->value == value) {
      total = static_cast<double>(kind.keep.numerator * signal++->strength);
    }
    total += kind.factors[group] * share;
    if (total > 0) profile.push_back({value, total / whole});
  };
  for (std::size_t i = shares.begins[group]; i < shares.begins[group + 1]; ++i) {
    const auto& [value, count] = shares.entries[i];
    while (signal != signals.end() && signal->value < value) add(signal->value, 0);
    add(value, static_cast<double>(count) / kind.shares.sizes[group]);
  }
  while (signal != signals.end()) add(signal->value, 0);
}

void ProfileReader::read(RowId row, PrivateId attribute, std::vector<Match>& profile) const {
  thread_local std::vector<Signal> signals;
  const Index::State& state = index_.state();
  const SegmentSlot& slot = state.slot_of(row);
  const SegmentPart& part = segments_[static_cast<std::size_t>(&slot - state.slots.data())];
  std::uint32_t position = +row - slot.first_row;
  if (!part.position_of.empty()) position = part.position_of[position];
  const auto& planes = slot.segment->attributes[state.schema.public_count() + +attribute];
  read_signals(planes, part.attributes[+attribute], position, signals);
  profile.clear();
  if (state.kind.grouped) {
    return merge(signals, +attribute, slot.segment->group_at(position), profile);
  }
  for (const Signal& signal : signals) {
    double strength = state.kind.keep.numerator * signal.strength;
    profile.push_back({signal.value, strength / (state.kind.keep.denominator * state.kind.levels)});
  }
}

}  // namespace rankveil
