#include "rankveil/table/building/growing_codes.h"

#include <algorithm>

namespace rankveil {

namespace {

// Code 255 stands for missing while a column grows, so a byte holds 255 values.
constexpr std::uint32_t narrow_domain = 255;

template <typename To, typename From>
std::vector<To> translate(const std::vector<From>& codes, const std::vector<std::uint16_t>& order) {
  std::vector<To> table(std::size_t{1} << (8 * sizeof(From)), static_cast<To>(order.size()));
  std::transform(order.begin(), order.end(), table.begin(),
                 [](std::uint16_t code) { return static_cast<To>(code); });
  std::vector<To> translated(codes.size());
  std::transform(codes.begin(), codes.end(), translated.begin(),
                 [&](From code) { return table[code]; });
  return translated;
}

}  // namespace

void GrowingCodes::append(std::span<const std::uint16_t> codes, std::uint32_t domain_size) {
  missing_rows_ += static_cast<std::size_t>(std::count(codes.begin(), codes.end(), missing));
  if (domain_size > narrow_domain) widen();
  std::visit(
      [&](auto& all) {
        std::size_t before = all.size();
        if (all.capacity() < before + codes.size()) all.reserve(2 * (before + codes.size()));
        all.resize(before + codes.size());
        using Code = typename std::decay_t<decltype(all)>::value_type;
        for (std::size_t i = 0; i < codes.size(); ++i) {
          all[before + i] = static_cast<Code>(codes[i]);  // missing stays all ones
        }
      },
      codes_);
}

void GrowingCodes::widen() {
  const auto* narrow = std::get_if<Narrow>(&codes_);
  if (narrow == nullptr) return;
  Wide wide(narrow->size());
  std::transform(narrow->begin(), narrow->end(), wide.begin(), [](std::uint8_t code) {
    return code == narrow_domain ? missing : std::uint16_t{code};
  });
  codes_ = std::move(wide);
}

std::size_t GrowingCodes::size() const {
  return std::visit([](const auto& codes) { return codes.size(); }, codes_);
}

std::vector<std::uint64_t> GrowingCodes::count(std::uint32_t domain_size) const {
  std::vector<std::uint64_t> rows(std::size_t{1} << 16);
  std::visit(
      [&](const auto& codes) {
        for (auto code : codes) ++rows[code];
      },
      codes_);
  rows.resize(domain_size);
  return rows;
}

Column GrowingCodes::finish(const std::vector<std::uint16_t>& order) && {
  auto domain_size = static_cast<std::uint32_t>(order.size());
  bool fits_narrow = domain_size + (missing_rows_ > 0 ? 1 : 0) <= 256;
  auto taken = std::move(codes_);  // freed on return: a table has many columns in the making
  return std::visit(
      [&](const auto& codes) {
        return fits_narrow ? Column(domain_size, translate<std::uint8_t>(codes, order))
                           : Column(domain_size, translate<std::uint16_t>(codes, order));
      },
      taken);
}

}  // namespace rankveil
