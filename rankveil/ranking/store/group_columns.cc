#include "rankveil/ranking/store/group_columns.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "rankveil/base/aligned_words.h"
#include "rankveil/ranking/store/moved_planes.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

namespace {

// Larger groups fill lines of their own.
constexpr std::uint32_t max_rows_a_group = 128;
// Counts of groups up to this size fit half a byte.
constexpr std::uint32_t max_in_halves = 15;
// Counts of larger groups are rounded.
constexpr std::uint32_t max_exact_rows = 48;
// The largest sum of counts that a byte holds; 255 says that a sum is larger.
constexpr std::uint32_t largest_sum = UINT8_MAX - 1;
// A slot holds at most max(min_longest, 2 x the average number of rows of a run) rows.
constexpr std::uint32_t min_longest = 8;
// Allow one place that is nobody's per 4 rows, plus 8 blocks for those that mix group sizes.
constexpr std::uint32_t rows_per_gap = 4;
constexpr std::uint32_t more_gaps = 8 * GroupColumns::slots_per_block;

bool are_small(const Segment& segment) {
  if (!segment.groups) return false;
  std::size_t runs = segment.groups->runs.size();
  return runs >= GroupColumns::slots_per_block && segment.rows / runs < max_rows_a_group;
}

// What stands in a slot: rows of one run.
struct SlotRows {
  std::uint32_t run;
  std::uint32_t begin;  // a position of the segment
  std::uint32_t count;
  bool is_large;  // its group
};

// Runs that are much longer than others take several slots, of about the same length.
void add_slots(const Segment& segment, const ShareTable& shares, std::uint32_t run,
               std::uint32_t longest, std::vector<SlotRows>& slots) {
  bool is_large = shares.sizes[segment.groups->runs[run].group] > max_in_halves;
  std::uint32_t begin = segment.groups->runs[run].begin;
  std::uint32_t end = segment.run_end(run);
  for (std::uint32_t left = (end - begin + longest - 1) / longest; left > 0; --left) {
    std::uint32_t count = (end - begin + left - 1) / left;
    slots.push_back({run, begin, count, is_large});
    begin += count;
  }
}

// Some order that has nothing to do with which rows a run holds.
std::uint32_t mixed(std::uint32_t run) {
  run = (run ^ (run >> 16)) * 0x7FEB352DU;
  run = (run ^ (run >> 15)) * 0x846CA68BU;
  return run ^ (run >> 16);
}

// Large groups first. Those from short to long, the others from long to short: so that neighbours
// are about as long as each other. Slots as long as each other are mixed, so that every line
// is a fair sample of the groups: neighbours have much in common.
std::vector<SlotRows> slots_of(const Segment& segment, const ShareTable& shares) {
  auto runs = static_cast<std::uint32_t>(segment.groups->runs.size());
  std::uint32_t longest = std::max(min_longest, segment.rows / runs * 2);
  std::vector<SlotRows> slots;
  for (std::uint32_t run = 0; run < runs; ++run) {
    add_slots(segment, shares, run, longest, slots);
  }
  std::stable_sort(slots.begin(), slots.end(), [](const SlotRows& left, const SlotRows& right) {
    if (left.is_large != right.is_large) return left.is_large;
    if (left.count != right.count) return (left.count > right.count) != left.is_large;
    return mixed(left.run) < mixed(right.run);
  });
  return slots;
}

// The longest slot of a block says how many lines it takes.
std::vector<std::uint32_t> first_lines(const std::vector<SlotRows>& slots) {
  std::vector<std::uint32_t> first = {0};
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (slot % GroupColumns::slots_per_block == 0) first.push_back(first.back());
    std::uint32_t& end = first.back();
    end = std::max(end, first[first.size() - 2] + slots[slot].count);
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

// The common size to which a group's counts are rescaled. For a small group it is the largest
// multiple of its own size that sums allow: where all said sizes are about the same, so are units,
// and a byte tells them apart.
std::uint32_t said_size(const ShareTable& shares, std::uint32_t group) {
  std::uint32_t size = shares.sizes[group];
  if (size >= max_exact_rows) return max_exact_rows;
  auto attributes = static_cast<std::uint32_t>(shares.domain_sizes.size());
  std::uint32_t most = std::min(size <= max_in_halves ? max_in_halves : max_exact_rows,
                                largest_sum / std::max(1U, attributes));
  return size * std::max(1U, most / size);
}

// What a count of 1 is worth.
double unit_of(const ProfileKind& kind, std::uint32_t group) {
  return kind.factors[group] / said_size(kind.shares, group);
}

// Rounded up, as bounds are.
std::uint8_t said_count(std::uint64_t count, std::uint32_t size, std::uint32_t said) {
  assert(count <= size && "a part of the group");
  std::uint64_t parts = (count * said + size - 1) / size;
  return static_cast<std::uint8_t>(std::min<std::uint64_t>(parts, said));
}

// Attributes whose planes count nothing are never read.
std::span<const AttributePlanes> read_attributes(const Segment& segment, const ProfileKind& kind) {
  std::size_t read = kind.keep.numerator == 0 ? segment.columns.size() : segment.attributes.size();
  return std::span(segment.attributes).first(read);
}

}  // namespace

std::optional<GroupColumns> GroupColumns::of(const Segment& segment, const ProfileKind& kind) {
  if (!are_small(segment)) return std::nullopt;
  std::vector<SlotRows> slots = slots_of(segment, kind.shares);
  GroupColumns made;
  made.first_line = first_lines(slots);
  std::uint64_t positions = std::uint64_t{made.lines()} * kernels::rows_per_line;
  std::uint64_t room = std::uint64_t{segment.rows} + segment.rows / rows_per_gap;
  if (positions > room + more_gaps || positions > max_rows) return std::nullopt;
  std::vector<std::uint32_t> numbers(std::size_t{made.blocks()} * slots_per_block, nobody);
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    numbers[slot] = segment.groups->runs[slots[slot].run].group;
  }
  made.set_groups(kind, numbers);
  if (made.largest_unit == 0) return std::nullopt;  // groups give nothing
  auto large = std::count_if(slots.begin(), slots.end(), [](auto& slot) { return slot.is_large; });
  made.first_halved = (static_cast<std::uint32_t>(large) + slots_per_block - 1) / slots_per_block;
  made.place_rows(segment, kind, places(slots, segment.rows, made.first_line));
  made.take_shares(kind, slots.size());
  return made;
}

void GroupColumns::set_groups(const ProfileKind& kind, std::span<const std::uint32_t> numbers) {
  groups.assign(numbers.size(), Group{});
  units.assign(numbers.size(), 0);
  for (std::size_t slot = 0; slot < numbers.size(); ++slot) {
    std::uint32_t group = numbers[slot];
    if (group == nobody) continue;
    bool exact = kind.shares.sizes[group] <= max_exact_rows;
    groups[slot] = {kind.factors[group], exact ? said_size(kind.shares, group) : 0, group};
    largest_factor = std::max(largest_factor, kind.factors[group]);
    largest_unit = std::max(largest_unit, unit_of(kind, group));
  }
  if (largest_unit == 0) return;
  for (std::size_t slot = 0; slot < numbers.size(); ++slot) {
    if (numbers[slot] == nobody) continue;
    double parts = unit_of(kind, numbers[slot]) / largest_unit * UINT8_MAX;
    units[slot] = static_cast<std::uint8_t>(std::min(255.0, std::ceil(parts)));
  }
}

void GroupColumns::place_rows(const Segment& segment, const ProfileKind& kind,
                              const std::vector<std::uint32_t>& place) {
  std::uint32_t positions = lines() * kernels::rows_per_line;
  std::vector<std::uint32_t> rows(positions, nobody);
  for (std::uint32_t i = 0; i < segment.rows; ++i) rows[place[i]] = segment.groups->order[i];
  order = Block<std::uint32_t>(std::move(rows));
  attributes = moved_planes(read_attributes(segment, kind), place, positions, 0);
  attributes.resize(segment.attributes.size());
}

void GroupColumns::take_shares(const ProfileKind& kind, std::size_t taken) {
  std::vector<std::uint32_t> sizes(taken);
  for (std::size_t slot = 0; slot < taken; ++slot) {
    sizes[slot] = said_size(kind.shares, groups[slot].number);
  }
  domain_sizes = kind.shares.domain_sizes;
  auto all = kind.shares.counts.items();
  std::size_t planes = all.size() / kind.shares.groups();
  std::size_t stride = offset_of(blocks());
  auto words = std::make_shared<AlignedWords>(count_bytes() / sizeof(std::uint64_t));
  auto* to = reinterpret_cast<std::uint8_t*>(words->data());
  counts = Block<std::uint8_t>({to, count_bytes()}, words);
  for (std::size_t plane = 0; plane < planes; ++plane, to += stride) {
    auto of_plane = all.subspan(plane * kind.shares.groups(), kind.shares.groups());
    for (std::size_t slot = 0; slot < taken; ++slot) {
      std::uint32_t group = groups[slot].number;
      add_count(to, slot, said_count(of_plane[group], kind.shares.sizes[group], sizes[slot]));
    }
  }
}

std::size_t GroupColumns::count_bytes() const {
  std::size_t planes = 0;
  for (std::uint32_t size : domain_sizes) planes += size;
  return planes * offset_of(blocks());
}

std::size_t GroupColumns::bytes() const {
  return rankveil::bytes_of(attributes, lines() * kernels::rows_per_line) + order.bytes() +
         first_line.size() * sizeof(std::uint32_t) + groups.size() * sizeof(Group) + units.size() +
         counts.bytes();
}

std::uint32_t GroupColumns::block_at(std::uint32_t line) const {
  auto after = std::upper_bound(first_line.begin(), first_line.end(), line);
  return static_cast<std::uint32_t>(after - first_line.begin()) - 1;
}

const std::uint8_t* GroupColumns::counts_of(std::uint32_t attribute, std::uint32_t value) const {
  if (value >= domain_sizes[attribute]) return nullptr;
  std::size_t plane = value;
  for (std::uint32_t i = 0; i < attribute; ++i) plane += domain_sizes[i];
  return counts.items().data() + plane * offset_of(blocks());
}

std::size_t GroupColumns::offset_of(std::uint32_t block) const {
  std::size_t whole = std::min(block, first_halved);
  return whole * slots_per_block + (block - whole) * slots_per_block / 2;
}

void GroupColumns::add_count(std::uint8_t* of_value, std::size_t slot, std::uint8_t count) const {
  auto block = static_cast<std::uint32_t>(slot / slots_per_block);
  std::size_t in_block = slot % slots_per_block;
  std::uint8_t& place = of_value[offset_of(block) + in_block % bytes_of(block)];
  bool high = in_block >= bytes_of(block);
  place = static_cast<std::uint8_t>(place | (high ? count << 4U : count));
}

}  // namespace rankveil
