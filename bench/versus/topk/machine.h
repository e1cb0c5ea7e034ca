// What a result must say about where it comes from.
#pragma once

#include <string>

namespace rankveil::versus {

std::string cpu_text();       // "AMD EPYC, 2 cores, L3 32 MiB"
std::string system_text();    // kernel and memory
std::string compiler_text();  // "g++ 12.2.0"
std::string date_text();      // UTC

// Bytes of the largest cache; 0 when the system does not say.
long largest_cache();

// "1,234.5 us" in the unit that reads best.
std::string time_text(double microseconds);
std::string count_text(double number);  // 3,000,000

}  // namespace rankveil::versus
