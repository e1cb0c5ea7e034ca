#include "rankveil/base/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace rankveil {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (part == 0 || whole == 0) return "0%";
  if (part == whole) return "100%";
  double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (share < 0.1) return "<0.1%";
  if (share > 99.9) return ">99.9%";  // rounding must not say "all" where some are missing
  return fmt::format("{:.1f}%", share);
}

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  constexpr std::array<const char*, 4> units = {"kB", "MB", "GB", "TB"};
  double amount = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; amount >= 999.95 && unit + 1 < units.size(); ++unit) amount /= 1000;
  return fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string format_seconds(double seconds) {
  if (seconds < 0.001) return fmt::format("{:.2f} ms", seconds * 1e3);
  if (seconds < 0.01) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string listed(std::span<const std::string> names, std::size_t most) {
  std::string list;
  for (const std::string& name : names.first(std::min(most, names.size()))) {
    list += (list.empty() ? "" : ", ") + name;
  }
  if (names.size() > most) list += fmt::format(", ... ({} in all)", names.size());
  return list;
}

}  // namespace rankveil
