// How strongly each value of a private attribute matches each row: the one thing a ranking may
// know about private values. Schemes make profiles, the engine scores them, audits study them.
//
// Here and in Index::match, private attributes are numbered from 0 among themselves
// (PrivateId j is schema attribute public_count + j).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "rankveil/table/column.h"
#include "rankveil/table/table.h"

namespace rankveil {

enum class PrivateId : std::uint32_t {};
constexpr std::uint32_t operator+(PrivateId id) { return static_cast<std::uint32_t>(id); }

struct AttributePlanes;

// Strengths come in at most this many steps: levels times the denominator of `keep`.
inline constexpr std::uint32_t max_steps = 255;

// A probability as an exact fraction.
struct Fraction {
  std::uint32_t numerator = 0;
  std::uint32_t denominator = 1;
};

// Strengths that are multiples of 1/levels. With levels = 1 every row has, per attribute, a set of
// values that match fully. An IN query takes the union of sets (levels = 1), or the sum of
// strengths (levels > 1).
class LevelProfiles {
 public:
  // Everything starts at strength 0. `domain_sizes`: one per private attribute. levels <= 255.
  LevelProfiles(std::uint32_t rows, std::vector<std::uint32_t> domain_sizes, std::uint32_t levels);

  std::uint32_t rows() const { return rows_; }
  std::uint32_t levels() const { return levels_; }
  const std::vector<std::uint32_t>& domain_sizes() const { return domain_sizes_; }

  // REQUIRES: strength <= levels. Two threads may set different attributes, or different blocks of
  // 64 rows of an attribute with bitmaps, and only while there is no copy: setting a value makes a
  // copy's memory its own first. Cheapest in row order.
  void set(RowId row, PrivateId attribute, ValueId value, std::uint32_t strength = 1);
  // Rows 64 * block to 64 * block + 63 at once: bit r of rows_by_value[v] says that row
  // 64 * block + r matches value v; what matched before stays. The same rules for threads.
  // REQUIRES: one level, an attribute with bitmaps, no bit beyond the last row.
  void add_block(PrivateId attribute, std::uint32_t block,
                 std::span<const std::uint64_t> rows_by_value);
  // Every row that has a value gets that value at full strength.
  void set_column(PrivateId attribute, const Column& column);
  std::uint32_t strength(RowId row, PrivateId attribute, ValueId value) const;

  // Calls visit(row, value, bit) for every set bit of every strength, value by value.
  using VisitBit = std::function<void(RowId row, ValueId value, std::uint32_t bit)>;
  void for_each_bit(PrivateId attribute, const VisitBit& visit) const;

  // How many bits a strength takes.
  std::uint32_t bits() const;
  // Whether the attribute is kept as bitmaps; large domains are kept as lists of rows.
  bool has_bitmaps(PrivateId attribute) const;

  // The bitmaps themselves, for an index to keep.
  AttributePlanes planes(PrivateId attribute) const;

 private:
  struct Storage;
  void own_storage();

  std::uint32_t rows_;
  std::uint32_t levels_;
  std::vector<std::uint32_t> domain_sizes_;
  std::shared_ptr<Storage> storage_;
};

// How often each private value occurs in each group of rows; frozen when released.
class GroupShares {
 public:
  GroupShares() = default;
  GroupShares(std::uint32_t groups, std::vector<std::uint32_t> domain_sizes);

  std::uint32_t groups() const { return static_cast<std::uint32_t>(sizes_.size()); }
  const std::vector<std::uint32_t>& domain_sizes() const { return domain_sizes_; }
  std::uint32_t size(std::uint32_t group) const { return sizes_[group]; }
  std::uint32_t count(std::uint32_t group, PrivateId attribute, ValueId value) const {
    return counts_[plane(attribute, value) * groups() + group];
  }
  // Counts of one value in all groups, side by side.
  std::span<const std::uint32_t> counts(PrivateId attribute, ValueId value) const {
    return std::span(counts_).subspan(plane(attribute, value) * groups(), groups());
  }
  std::span<const std::uint32_t> sizes() const { return sizes_; }

  // Shares that count in full, not only for what a signal leaves over: those of rows, or of
  // attributes of rows, that have no signal.
  bool in_full(std::uint32_t group) const { return in_full_[group] != 0; }
  void set_in_full(std::uint32_t group) { in_full_[group] = 1; }

  void set_size(std::uint32_t group, std::uint32_t size) { sizes_[group] = size; }
  void set_count(std::uint32_t group, PrivateId attribute, ValueId value, std::uint32_t count) {
    counts_[plane(attribute, value) * groups() + group] = count;
  }
  // Makes a group the sum of some groups of `from`: their rows, and how many of them have each
  // value, in the attributes marked in `only` (empty: in all). Whether it counts in full stays.
  // REQUIRES: no domain of `from` is larger.
  void set_sum(std::uint32_t group, const GroupShares& from, std::span<const std::uint32_t> parts,
               std::span<const std::uint8_t> only = {});

 private:
  std::size_t plane(PrivateId attribute, ValueId value) const {
    return first_plane_[+attribute] + +value;
  }
  std::vector<std::uint32_t> domain_sizes_;
  std::vector<std::size_t> first_plane_;
  std::vector<std::uint32_t> sizes_;   // rows a share is taken over; at least 1
  std::vector<std::uint32_t> counts_;  // [attribute, value][group]
  std::vector<std::uint8_t> in_full_;
};

// A signal plus the shares of the row's group:
//   M(x) = keep strength(x) / levels + (1 - keep) share_group(x)
// where 1 - keep is 1 for groups whose shares count in full. Their rows have no signal; or a signal
// in some attributes, and the group has no counts in those. An IN query sums over its values
// (signals of one level: takes their union).
struct GroupedProfiles {
  Fraction keep;  // its denominator times the signals' levels is at most max_steps
  LevelProfiles signals;
  std::vector<std::uint32_t> group_of;  // one per row
  GroupShares shares;
};

class Profiles {
 public:
  Profiles(LevelProfiles profiles) : kinds_(std::move(profiles)) {}    // NOLINT: implicit
  Profiles(GroupedProfiles profiles) : kinds_(std::move(profiles)) {}  // NOLINT: implicit

  std::uint32_t rows() const;
  // M(row, attribute, value), between 0 and 1.
  double match(RowId row, PrivateId attribute, ValueId value) const;
  const std::variant<LevelProfiles, GroupedProfiles>& kinds() const { return kinds_; }

  // Whether these are the private values themselves. An index made of them says so.
  bool unprotected() const { return unprotected_; }
  void set_unprotected() { unprotected_ = true; }

 private:
  std::variant<LevelProfiles, GroupedProfiles> kinds_;
  bool unprotected_ = false;
};

// Every row matches exactly its own values. Serving this protects nothing.
Profiles unprotected_profiles(const Table& table);

}  // namespace rankveil
