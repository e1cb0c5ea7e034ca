#include "rankveil/ranking/group_columns.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "rankveil/ranking/moved_planes.h"
#include "rankveil/ranking/state.h"

namespace rankveil {

namespace {

// Larger groups fill lines of their own.
constexpr std::uint32_t most_rows_a_group = 128;
// Counts of larger groups are rounded.
constexpr std::uint32_t most_exact_rows = 48;
// A slot holds up to this many rows, or twice as many as a group has on the average.
constexpr std::uint32_t least_longest = 8;
// There may be one place that is nobody's to this many rows, and a few more: few blocks hold groups
// of quite different sizes.
constexpr std::uint32_t rows_per_gap = 4;
constexpr std::uint32_t more_gaps = 8 * GroupColumns::slots_per_block;

bool are_small(const Segment& segment) {
  if (!segment.groups) return false;
  std::size_t runs = segment.groups->runs.size();
  return runs >= GroupColumns::slots_per_block && segment.rows / runs < most_rows_a_group;
}

// What stands in a slot: rows of one run.
struct SlotRows {
  std::uint32_t run;
  std::uint32_t begin;  // a position of the segment
  std::uint32_t count;
};

// Runs that are much longer than others take several slots, of about the same length.
void add_slots(const Segment& segment, std::uint32_t run, std::uint32_t longest,
               std::vector<SlotRows>& slots) {
  std::uint32_t begin = segment.groups->runs[run].begin;
  std::uint32_t end = segment.run_end(run);
  for (std::uint32_t left = (end - begin + longest - 1) / longest; left > 0; --left) {
    std::uint32_t count = (end - begin + left - 1) / left;
    slots.push_back({run, begin, count});
    begin += count;
  }
}

// Some order that has nothing to do with which rows a run holds.
std::uint32_t mixed(std::uint32_t run) {
  run = (run ^ (run >> 16)) * 0x7FEB352DU;
  run = (run ^ (run >> 15)) * 0x846CA68BU;
  return run ^ (run >> 16);
}

// Longest first. Slots as long as each other are mixed, so that every line is a fair sample of the
// groups: neighbours have much in common.
std::vector<SlotRows> slots_of(const Segment& segment) {
  auto runs = static_cast<std::uint32_t>(segment.groups->runs.size());
  std::uint32_t longest = std::max(least_longest, segment.rows / runs * 2);
  std::vector<SlotRows> slots;
  for (std::uint32_t run = 0; run < runs; ++run) add_slots(segment, run, longest, slots);
  std::stable_sort(slots.begin(), slots.end(), [](const SlotRows& left, const SlotRows& right) {
    if (left.count != right.count) return left.count > right.count;
    return mixed(left.run) < mixed(right.run);
  });
  return slots;
}

// The first slot of a block, its longest, says how many lines it takes.
std::vector<std::uint32_t> first_lines(const std::vector<SlotRows>& slots) {
  std::vector<std::uint32_t> first = {0};
  for (std::size_t slot = 0; slot < slots.size(); slot += GroupColumns::slots_per_block) {
    first.push_back(first.back() + slots[slot].count);
  }
  return first;
}

// Where each position of the segment goes.
std::vector<std::uint32_t> places(const std::vector<SlotRows>& slots, std::uint32_t rows,
                                  const std::vector<std::uint32_t>& first_line) {
  std::vector<std::uint32_t> place(rows);
  for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
    std::uint32_t line = first_line[slot / GroupColumns::slots_per_block];
    for (std::uint32_t i = 0; i < slots[slot].count; ++i) {
      place[slots[slot].begin + i] =
          (line + i) * kernels::rows_per_line + slot % kernels::rows_per_line;
    }
  }
  return place;
}

// As if no group had more than most_exact_rows. Rounded up, as bounds are.
std::uint8_t small_count(std::uint64_t count, std::uint32_t size) {
  if (size > most_exact_rows) count = (count * most_exact_rows + size - 1) / size;
  return static_cast<std::uint8_t>(std::min<std::uint64_t>(count, UINT8_MAX));
}

// What a count of 1 is worth.
double unit_of(const ProfileKind& kind, std::uint32_t group) {
  return kind.factors[group] / std::min(kind.shares.sizes[group], most_exact_rows);
}

// Attributes whose planes count nothing are never read.
std::span<const AttributePlanes> read_attributes(const Segment& segment, const ProfileKind& kind) {
  std::size_t read = kind.keep.numerator == 0 ? segment.columns.size() : segment.attributes.size();
  return std::span(segment.attributes).first(read);
}

}  // namespace

std::optional<GroupColumns> GroupColumns::of(const Segment& segment, const ProfileKind& kind) {
  if (!are_small(segment)) return std::nullopt;
  std::vector<SlotRows> rows_in = slots_of(segment);
  GroupColumns made;
  made.first_line = first_lines(rows_in);
  std::uint64_t positions = std::uint64_t{made.lines()} * kernels::rows_per_line;
  std::uint64_t room = std::uint64_t{segment.rows} + segment.rows / rows_per_gap;
  if (positions > room + more_gaps || positions > most_rows) return std::nullopt;

  std::vector<std::uint32_t> place = places(rows_in, segment.rows, made.first_line);
  made.order.assign(positions, nobody);
  for (std::uint32_t i = 0; i < segment.rows; ++i) made.order[place[i]] = segment.groups->order[i];
  made.attributes =
      moved_planes(read_attributes(segment, kind), place, static_cast<std::uint32_t>(positions), 0);
  made.attributes.resize(segment.attributes.size());

  std::size_t slots = std::size_t{made.blocks()} * slots_per_block;
  made.groups.resize(slots);
  made.units.assign(slots, 0);
  for (std::size_t slot = 0; slot < rows_in.size(); ++slot) {
    std::uint32_t group = segment.groups->runs[rows_in[slot].run].group;
    std::uint32_t size = kind.shares.sizes[group];
    made.groups[slot] = {kind.factors[group], size <= most_exact_rows ? size : 0, group};
    made.largest_factor = std::max(made.largest_factor, kind.factors[group]);
    made.largest_unit = std::max(made.largest_unit, unit_of(kind, group));
  }
  if (made.largest_unit == 0) return std::nullopt;  // groups give nothing
  for (std::size_t slot = 0; slot < rows_in.size(); ++slot) {
    double parts = unit_of(kind, made.groups[slot].number) / made.largest_unit * UINT8_MAX;
    made.units[slot] = static_cast<std::uint8_t>(std::min(255.0, std::ceil(parts)));
  }
  made.domain_sizes_ = kind.shares.domain_sizes;
  auto counts = kind.shares.counts.items();
  std::size_t planes = counts.size() / kind.shares.groups();
  made.counts = AlignedWords(planes * slots / sizeof(std::uint64_t));
  auto* small = reinterpret_cast<std::uint8_t*>(made.counts.data());
  for (std::size_t plane = 0; plane < planes; ++plane) {
    auto of_plane = counts.subspan(plane * kind.shares.groups(), kind.shares.groups());
    for (std::size_t slot = 0; slot < rows_in.size(); ++slot) {
      std::uint32_t group = made.groups[slot].number;
      small[plane * slots + slot] = small_count(of_plane[group], kind.shares.sizes[group]);
    }
  }
  return made;
}

std::uint32_t GroupColumns::block_at(std::uint32_t line) const {
  auto after = std::upper_bound(first_line.begin(), first_line.end(), line);
  return static_cast<std::uint32_t>(after - first_line.begin()) - 1;
}

const std::uint8_t* GroupColumns::counts_of(std::uint32_t attribute, std::uint32_t value) const {
  if (value >= domain_sizes_[attribute]) return nullptr;
  std::size_t plane = value;
  for (std::uint32_t i = 0; i < attribute; ++i) plane += domain_sizes_[i];
  return reinterpret_cast<const std::uint8_t*>(counts.data()) + plane * groups.size();
}

}  // namespace rankveil
