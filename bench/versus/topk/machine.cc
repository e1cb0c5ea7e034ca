#include "bench/versus/topk/machine.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <thread>

namespace rankveil::versus {
namespace {

// The value behind the first line of /proc/cpuinfo that starts with `name`.
std::string cpu_info(const std::string& name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

}  // namespace

// What the kernel says; in virtual machines sysconf counts caches that belong to others.
long largest_cache() {
  long largest = 0;
  for (int level = 0; level < 5; ++level) {
    std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", level));
    long kilobytes = 0;
    if (file >> kilobytes) largest = std::max(largest, kilobytes << 10);
  }
  return largest;
}

std::string cpu_text() {
  return fmt::format("{}, {} hardware threads, last-level cache {} MiB", cpu_info("model name"),
                     std::thread::hardware_concurrency(), largest_cache() >> 20);
}

std::string system_text() {
  utsname names{};
  uname(&names);
  double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return fmt::format("{} {}, {:.0f} GiB memory", names.sysname, names.release, bytes / (1 << 30));
}

std::string compiler_text() {
#ifdef __clang__
  return fmt::format("clang {}", __clang_version__);
#else
  return fmt::format("g++ {}", __VERSION__);
#endif
}

std::string date_text() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

std::string time_text(double microseconds) {
  if (microseconds < 1000) return fmt::format("{:.1f} us", microseconds);
  if (microseconds < 1e6) return fmt::format("{:.2f} ms", microseconds / 1e3);
  return fmt::format("{:.2f} s", microseconds / 1e6);
}

std::string count_text(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (int place = static_cast<int>(digits.size()) - 3; place > 0; place -= 3) {
    digits.insert(static_cast<std::size_t>(place), ",");
  }
  return digits;
}

}  // namespace rankveil::versus
