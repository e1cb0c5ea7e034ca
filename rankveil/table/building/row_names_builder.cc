#include "rankveil/table/building/row_names_builder.h"

#include <fmt/core.h>

#include <bit>
#include <charconv>
#include <functional>
#include <optional>

namespace rankveil {

namespace {

std::optional<std::int64_t> as_integer(std::string_view text) {
  std::int64_t number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  bool negative = text[0] == '-';
  std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits[0] == '0' && (negative || digits.size() > 1)) return std::nullopt;
  return number;
}

std::string_view view_at(const TextNames& names, std::size_t row) {
  std::uint64_t begin = row == 0 ? 0 : names.ends[row - 1];
  return std::string_view(names.bytes).substr(begin, names.ends[row] - begin);
}

struct Repeat {
  std::size_t row, earlier;
};

// The first row whose id an earlier row has. A set of row numbers: `hash` and `equal` look at the
// ids behind them.
template <typename Hash, typename Equal>
std::optional<Repeat> find_repeat(std::size_t rows, Hash hash, Equal equal) {
  constexpr std::uint32_t free = 0xFFFFFFFF;
  std::vector<std::uint32_t> slots(std::bit_ceil(2 * rows + 2), free);
  int shift = 64 - std::countr_zero(slots.size());
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t slot = (hash(row) * 0x9e3779b97f4a7c15U) >> shift;
    for (; slots[slot] != free; slot = (slot + 1) & (slots.size() - 1)) {
      if (equal(slots[slot], row)) return Repeat{row, slots[slot]};
    }
    slots[slot] = static_cast<std::uint32_t>(row);
  }
  return std::nullopt;
}

std::optional<Repeat> find_repeat(const std::vector<std::int64_t>& ids) {
  return find_repeat(
      ids.size(),
      [&](std::size_t row) {
        auto id = static_cast<std::uint64_t>(ids[row]);
        return id ^ (id >> 32);
      },
      [&](std::size_t left, std::size_t right) { return ids[left] == ids[right]; });
}

std::optional<Repeat> find_repeat(const TextNames& ids) {
  return find_repeat(
      ids.ends.size(),
      [&](std::size_t row) {
        return std::uint64_t{std::hash<std::string_view>()(view_at(ids, row))};
      },
      [&](std::size_t left, std::size_t right) {
        return view_at(ids, left) == view_at(ids, right);
      });
}

}  // namespace

Status RowNamesBuilder::add(std::span<const PackedText> ids, Presence present) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!present[i] || ids[i].size() == 0) {
      return bad_input(
          fmt::format("row {} has no {}; every row needs an id of its own, or leave the id column "
                      "out of the policy",
                      rows() + 1, column_));
    }
    auto integer = is_text_ ? std::nullopt : as_integer(ids[i].view());
    if (!integer) {
      add_text(ids[i].view());
      continue;
    }
    auto& values = integers_.values;
    ascends_ = ascends_ && (values.empty() || values.back() < *integer);
    values.push_back(*integer);
  }
  return {};
}

void RowNamesBuilder::add_text(std::string_view id) {
  if (!is_text_) turn_into_text();
  texts_.bytes += id;
  texts_.ends.push_back(texts_.bytes.size());
}

void RowNamesBuilder::turn_into_text() {
  is_text_ = true;
  for (std::int64_t integer : integers_.values) add_text(std::to_string(integer));
  integers_ = {};
}

std::string RowNamesBuilder::text_at(std::size_t row) const {
  return is_text_ ? std::string(view_at(texts_, row)) : std::to_string(integers_.values[row]);
}

Error RowNamesBuilder::repeated(std::size_t row, std::size_t earlier) const {
  return bad_input(
      fmt::format("{} \"{}\" names two rows, {} and {}; every row needs an id of its own", column_,
                  text_at(row), earlier + 1, row + 1));
}

Result<RowNames> RowNamesBuilder::finish() && {
  std::optional<Repeat> repeat;
  if (is_text_) {
    repeat = find_repeat(texts_);
  } else if (!ascends_) {
    repeat = find_repeat(integers_.values);
  }
  if (repeat) return repeated(repeat->row, repeat->earlier);
  if (is_text_) return RowNames(std::move(texts_));
  return RowNames(std::move(integers_));
}

}  // namespace rankveil
