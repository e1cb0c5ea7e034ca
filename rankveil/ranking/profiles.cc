#include "rankveil/ranking/profiles.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "rankveil/base/bits.h"
#include "rankveil/ranking/store/planes.h"

namespace rankveil {

// Small domains have all their bitmaps in one piece of memory; large ones keep a list per value.
struct LevelProfiles::Storage {
  struct Attribute {
    bool dense;
    std::size_t first_plane;
    std::vector<std::vector<StrengthEntry>> lists;
  };
  std::vector<Attribute> attributes;
  std::unique_ptr<DensePlanes> dense;

  std::shared_ptr<Storage> clone() const {
    auto copy = std::make_shared<Storage>();
    copy->attributes = attributes;
    copy->dense = std::make_unique<DensePlanes>(dense->clone());
    return copy;
  }
};

LevelProfiles::LevelProfiles(std::uint32_t rows, std::vector<std::uint32_t> domain_sizes,
                             std::uint32_t levels)
    : rows_(rows),
      levels_(levels),
      domain_sizes_(std::move(domain_sizes)),
      storage_(std::make_shared<Storage>()) {
  assert(levels >= 1 && levels <= 255 && "strengths are multiples of 1/1 to 1/255");
  std::size_t planes = 0;
  for (std::uint32_t size : domain_sizes_) {
    bool dense = size <= dense_domain;
    storage_->attributes.push_back({dense, planes, {}});
    if (dense) {
      planes += std::size_t{size} * bits();
    } else {
      storage_->attributes.back().lists.resize(size);
    }
  }
  storage_->dense = std::make_unique<DensePlanes>(planes, rows);
}

std::uint32_t LevelProfiles::bits() const {
  return static_cast<std::uint32_t>(std::bit_width(levels_));
}

bool LevelProfiles::has_bitmaps(PrivateId attribute) const {
  return domain_sizes_[+attribute] <= dense_domain;
}

namespace {

void set_in_list(std::vector<StrengthEntry>& list, std::uint32_t row, std::uint32_t strength) {
  auto narrow = static_cast<std::uint8_t>(strength);
  if (list.empty() || list.back().row < row) {
    if (narrow != 0) list.push_back({row, narrow});
    return;
  }
  auto place = std::lower_bound(
      list.begin(), list.end(), row,
      [](const StrengthEntry& entry, std::uint32_t wanted) { return entry.row < wanted; });
  bool there = place != list.end() && place->row == row;
  if (there && narrow == 0) {
    list.erase(place);
  } else if (there) {
    place->strength = narrow;
  } else if (narrow != 0) {
    list.insert(place, {row, narrow});
  }
}

std::uint32_t find_in_list(const std::vector<StrengthEntry>& list, std::uint32_t row) {
  auto place = std::lower_bound(
      list.begin(), list.end(), row,
      [](const StrengthEntry& entry, std::uint32_t wanted) { return entry.row < wanted; });
  return place != list.end() && place->row == row ? place->strength : 0;
}

}  // namespace

// An index may hold the same memory, and an index never changes.
void LevelProfiles::own_storage() {
  if (storage_.use_count() > 1) storage_ = storage_->clone();
}

void LevelProfiles::set(RowId row, PrivateId attribute, ValueId value, std::uint32_t strength) {
  own_storage();
  assert(+row < rows_ && strength <= levels_ && +value < domain_sizes_[+attribute]);
  auto& stored = storage_->attributes[+attribute];
  if (!stored.dense) return set_in_list(stored.lists[+value], +row, strength);
  for (std::uint32_t bit = 0; bit < bits(); ++bit) {
    std::uint64_t& word =
        storage_->dense->plane(stored.first_plane + +value * bits() + bit)[+row / 64];
    std::uint64_t mask = std::uint64_t{1} << (+row % 64);
    word = (strength >> bit) & 1 ? word | mask : word & ~mask;
  }
}

void LevelProfiles::add_block(PrivateId attribute, std::uint32_t block,
                              std::span<const std::uint64_t> rows_by_value) {
  own_storage();
  assert(levels_ == 1 && has_bitmaps(attribute) && "blocks are whole words of bitmaps");
  const auto& stored = storage_->attributes[+attribute];
  for (std::size_t v = 0; v < rows_by_value.size(); ++v) {
    storage_->dense->plane(stored.first_plane + v)[block] |= rows_by_value[v];
  }
}

void LevelProfiles::set_column(PrivateId attribute, const Column& column) {
  column.for_each([&](std::size_t row, std::uint32_t value) {
    set(RowId{static_cast<std::uint32_t>(row)}, attribute,
        ValueId{static_cast<std::uint16_t>(value)}, levels_);
  });
}

std::uint32_t LevelProfiles::strength(RowId row, PrivateId attribute, ValueId value) const {
  const auto& stored = storage_->attributes[+attribute];
  if (!stored.dense) return find_in_list(stored.lists[+value], +row);
  std::uint32_t total = 0;
  for (std::uint32_t bit = 0; bit < bits(); ++bit) {
    const std::uint64_t* plane = storage_->dense->plane(stored.first_plane + +value * bits() + bit);
    total |= static_cast<std::uint32_t>((plane[+row / 64] >> (+row % 64)) & 1) << bit;
  }
  return total;
}

namespace {

template <typename Visit>
void for_each_row(const Plane& plane, std::uint32_t rows, const Visit& visit) {
  for (std::uint32_t row : plane.rows) visit(RowId{row});
  if (plane.bits == nullptr) return;
  for_each_set_bit(plane.bits, (std::size_t{rows} + 63) / 64,
                   [&](std::size_t row) { visit(RowId{static_cast<std::uint32_t>(row)}); });
}

}  // namespace

void LevelProfiles::for_each_bit(PrivateId attribute, const VisitBit& visit) const {
  AttributePlanes all = planes(attribute);
  for (std::uint32_t v = 0; v < all.domain_size(); ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    for (std::uint32_t bit = 0; bit < all.bits; ++bit) {
      for_each_row(all.plane(v, bit), rows_, [&](RowId row) { visit(row, value, bit); });
    }
  }
}

AttributePlanes LevelProfiles::planes(PrivateId attribute) const {
  const auto& stored = storage_->attributes[+attribute];
  if (!stored.dense) return planes_from_lists(stored.lists, rows_, bits());
  AttributePlanes made;
  made.bits = bits();
  for (std::size_t i = 0; i < std::size_t{domain_sizes_[+attribute]} * bits(); ++i) {
    made.planes.push_back({storage_->dense->plane(stored.first_plane + i), {}});
  }
  made.owners.push_back(storage_);
  return made;
}

GroupShares::GroupShares(std::uint32_t groups, std::vector<std::uint32_t> domain_sizes)
    : domain_sizes_(std::move(domain_sizes)), sizes_(groups, 1), in_full_(groups, 0) {
  std::size_t planes = 0;
  for (std::uint32_t size : domain_sizes_) {
    first_plane_.push_back(planes);
    planes += size;
  }
  counts_.resize(planes * groups);
}

void GroupShares::set_sum(std::uint32_t group, const GroupShares& from,
                          std::span<const std::uint32_t> parts,
                          std::span<const std::uint8_t> only) {
  std::uint32_t size = 0;
  for (std::uint32_t part : parts) size += from.size(part);
  set_size(group, std::max(1U, size));
  for (std::uint32_t j = 0; j < from.domain_sizes().size(); ++j) {
    if (!only.empty() && only[j] == 0) continue;
    for (std::uint32_t v = 0; v < from.domain_sizes()[j]; ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      auto counts = from.counts(PrivateId{j}, value);
      std::uint32_t total = 0;
      for (std::uint32_t part : parts) total += counts[part];
      set_count(group, PrivateId{j}, value, total);
    }
  }
}

std::uint32_t Profiles::rows() const {
  if (const auto* levels = std::get_if<LevelProfiles>(&kinds_)) return levels->rows();
  return std::get<GroupedProfiles>(kinds_).signals.rows();
}

namespace {

double match_of(const LevelProfiles& profiles, RowId row, PrivateId attribute, ValueId value) {
  return static_cast<double>(profiles.strength(row, attribute, value)) / profiles.levels();
}

double match_of(const GroupedProfiles& profiles, RowId row, PrivateId attribute, ValueId value) {
  std::uint32_t group = profiles.group_of[+row];
  double share = static_cast<double>(profiles.shares.count(group, attribute, value)) /
                 profiles.shares.size(group);
  double keep = static_cast<double>(profiles.keep.numerator) / profiles.keep.denominator;
  double rest = profiles.shares.in_full(group) ? 1 : 1 - keep;
  return keep * match_of(profiles.signals, row, attribute, value) + rest * share;
}

}  // namespace

double Profiles::match(RowId row, PrivateId attribute, ValueId value) const {
  return std::visit([&](const auto& profiles) { return match_of(profiles, row, attribute, value); },
                    kinds_);
}

Profiles unprotected_profiles(const Table& table) {
  const Schema& schema = table.schema();
  LevelProfiles profiles(table.rows(), schema.private_domain_sizes(), 1);
  for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
    profiles.set_column(PrivateId{j}, table.column(AttributeId{schema.public_count() + j}));
  }
  Profiles made(std::move(profiles));
  made.set_unprotected();
  return made;
}

}  // namespace rankveil
