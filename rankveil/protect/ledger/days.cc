#include "rankveil/protect/ledger/days.h"

#include <fmt/core.h>

#include <chrono>

namespace rankveil {

std::uint32_t today() {
  auto days = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return static_cast<std::uint32_t>(days.time_since_epoch().count());
}

std::string date_text(std::uint32_t day) {
  std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace rankveil
