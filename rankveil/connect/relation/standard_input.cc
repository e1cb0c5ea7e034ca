#include "rankveil/connect/relation/standard_input.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>

namespace rankveil::connect {

namespace {

FileKind kind_by(std::string_view start) {
  if (start.starts_with("PAR1")) return FileKind::Parquet;
  auto first = start.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return FileKind::Csv;
  if (start[first] == '{') return FileKind::JsonLines;
  return start[first] == '[' ? FileKind::Json : FileKind::Csv;
}

Status write_all(int to, const char* bytes, std::size_t count) {
  while (count > 0) {
    ssize_t written = ::write(to, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      return io_error(fmt::format("cannot keep standard input: {}", std::strerror(errno)));
    }
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return {};
}

// Private values stand in it, so it goes to no disk.
Result<StandardInput> copy_input() {
  int copy = ::memfd_create("standard input", MFD_CLOEXEC);
  if (copy < 0)
    return io_error(fmt::format("cannot keep standard input: {}", std::strerror(errno)));
  std::array<char, 1 << 16> block;
  std::string start;
  std::size_t total = 0;
  while (true) {
    ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return io_error(fmt::format("cannot read standard input: {}", std::strerror(errno)));
    }
    if (count == 0) break;
    auto size = static_cast<std::size_t>(count);
    if (start.size() < block.size()) start.append(block.data(), size);
    if (auto written = write_all(copy, block.data(), size); !written) return written.error();
    total += size;
  }
  if (total == 0) return bad_input("standard input is empty; pipe a table into it, or name a file");
  return StandardInput{fmt::format("/proc/self/fd/{}", copy), kind_by(start)};
}

}  // namespace

Result<StandardInput> read_standard_input(const std::string& use) {
  static std::mutex mutex;
  static std::string taken_for;
  static std::optional<Result<StandardInput>> input;
  std::lock_guard lock(mutex);
  if (!input) {
    taken_for = use;
    input = copy_input();
  }
  if (taken_for != use) {
    return wrong_use(
        fmt::format("standard input (-) is {} already; name a file for {}", taken_for, use));
  }
  return *input;
}

Error about_standard_input(const StandardInput& input, Error error) {
  for (auto at = error.message.find(input.path); at != std::string::npos;
       at = error.message.find(input.path)) {
    error.message.replace(at, input.path.size(), "standard input");
  }
  return error;
}

}  // namespace rankveil::connect
