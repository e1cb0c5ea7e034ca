// Small distinct types for the three things everything is addressed by. `+id` is the number.
#pragma once

#include <cstdint>

namespace rankveil {

enum class RowId : std::uint32_t {};        // position in the table's row order, from 0
enum class AttributeId : std::uint32_t {};  // position in Schema::attributes
enum class ValueId : std::uint16_t {};      // position in an attribute's domain

constexpr std::uint32_t operator+(RowId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t operator+(AttributeId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t operator+(ValueId id) { return static_cast<std::uint32_t>(id); }

// What a row without a value has. It matches nothing.
inline constexpr ValueId missing_value{0xFFFF};

// The most rows of a table and of an index: 512 rows of an index make a line, and whole lines of
// them still have 32-bit numbers.
inline constexpr std::uint32_t max_rows = 0xFFFFFC00;

// Domains hold at most this many values, so that a value and `missing_value` fit two bytes.
inline constexpr std::uint32_t largest_domain = 0xFFFF;

}  // namespace rankveil
