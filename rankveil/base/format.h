// Numbers and lists as people read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rankveil {

std::string grouped(std::uint64_t number);                          // 1,234,567
std::string percent(std::uint64_t part, std::uint64_t whole);       // 6.4%, <0.1%, 100%
std::string format_bytes(std::uint64_t bytes);                      // 812 bytes, 6.0 MB (of 10^6)
std::string format_seconds(double seconds);                         // 0.12 ms, 34 ms, 1.5 s
std::string counted(std::uint64_t count, const std::string& noun);  // 1 row, 2,000 rows
// "a, b, c"; beyond `most` names "a, b, ... (40 in all)", so that a message stays a line.
std::string listed(std::span<const std::string> names, std::size_t most = SIZE_MAX);

}  // namespace rankveil
