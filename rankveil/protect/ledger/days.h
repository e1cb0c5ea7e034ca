// Days as whole numbers since 1970-01-01, in UTC: how long somebody waits.
#pragma once

#include <cstdint>
#include <string>

namespace rankveil {

std::uint32_t today();
std::string date_text(std::uint32_t day);  // "2026-11-18"

}  // namespace rankveil
