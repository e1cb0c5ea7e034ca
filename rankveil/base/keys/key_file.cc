#include "rankveil/base/keys/key_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>

#include "rankveil/base/file.h"

namespace rankveil {

namespace {

constexpr std::string_view first_word = "rankveil-key-1 ";
constexpr std::string_view digits = "0123456789abcdef";

constexpr std::size_t line_size = first_word.size() + 2 * SecretKey::size + 1;

SecretBytes<line_size> line_of(const SecretKey& key) {
  SecretBytes<line_size> line;
  std::uint8_t* end = std::copy(first_word.begin(), first_word.end(), line.data());
  for (std::uint8_t byte : key.bytes()) {
    *end++ = static_cast<std::uint8_t>(digits[byte >> 4]);
    *end++ = static_cast<std::uint8_t>(digits[byte & 15]);
  }
  *end = '\n';
  return line;
}

// The beginning of a file, in memory that is wiped; one byte more than a key has tells longer
// files.
struct Start {
  SecretBytes<line_size + 1> bytes;
  std::size_t size = 0;
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), size}; }
};

Result<Start> read_start(const std::string& path) {
  auto failed = [&] {
    return io_error(fmt::format("cannot read the key {}: {}", path, std::strerror(errno)));
  };
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failed();
  Start start;
  ssize_t count = 1;
  while (count != 0 && start.size < start.bytes.size()) {
    count = ::read(descriptor, start.bytes.data() + start.size, start.bytes.size() - start.size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    start.size += static_cast<std::size_t>(count);
  }
  Result<Start> result = count < 0 ? Result<Start>(failed()) : Result<Start>(start);
  ::close(descriptor);
  return result;
}

std::optional<SecretKey> key_of(std::string_view line) {
  if (!line.starts_with(first_word)) return std::nullopt;
  line.remove_prefix(first_word.size());
  if (line.ends_with("\n")) line.remove_suffix(1);
  SecretKey::Bytes bytes;
  if (line.size() != 2 * bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < line.size(); ++i) {
    auto digit = digits.find(line[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    bytes[i / 2] = static_cast<std::uint8_t>(bytes[i / 2] << 4 | digit);
  }
  return SecretKey(bytes);
}

// Says nothing of what the file holds: it may be most of a key.
std::string problem_of(std::string_view text) {
  if (text.empty()) return "is empty";
  if (!text.starts_with(first_word)) return "holds no key";
  bool too_short = text.size() + 1 < line_size;
  return fmt::format("holds a damaged key: {}",
                     too_short ? "its line is cut short" : "its line is not as keygen wrote it");
}

}  // namespace

namespace {

Result<mode_t> check_file(const std::string& path, const std::string& what) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    if (errno == ENOENT && what == "key") {
      return no_such_file(path, fmt::format("rankveil keygen {} makes a key", path));
    }
    return io_error(fmt::format("cannot read the {} {}: {}", what, path, std::strerror(errno)));
  }
  if (S_ISDIR(found.st_mode)) {
    return io_error(
        fmt::format("cannot read the {} {}: it is a folder; name the file", what, path));
  }
  return found.st_mode & 07777;
}

}  // namespace

Status check_private_file(const std::string& path, const std::string& what) {
  auto mode = check_file(path, what);
  if (!mode) return mode.error();
  if ((*mode & 077) == 0) return {};
  return bad_input(
      fmt::format("others may read the {} {} (mode {:04o}); close it with chmod 600 {}", what, path,
                  *mode, path));
}

Result<SecretKey> read_key_file(const std::string& path) {
  if (auto there = check_file(path, "key"); !there) return there.error();
  auto start = read_start(path);
  if (!start) return start.error();
  // What is no key needs no closing.
  bool is_some_key = start->text().starts_with(first_word);
  if (is_some_key) {
    if (auto closed = check_private_file(path, "key"); !closed) return closed.error();
  }
  auto key = key_of(start->text());
  if (key) return *key;
  return bad_input(fmt::format(
      "{} {}; take it back from a copy, or make a new key with rankveil keygen FILE and "
      "start over with --new-release",
      path, problem_of(start->text())));
}

Status write_key_file(const SecretKey& key, const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0) {
    return wrong_use(fmt::format(
        "{} exists, and a key is never replaced: rows keep what they show only with the old one; "
        "choose another name",
        path));
  }
  auto file = AtomicFile::create(path, 0600);
  if (!file) return file.error();
  auto line = line_of(key);
  if (auto written = file->write(std::as_bytes(std::span(line.data(), line.size()))); !written) {
    return written;
  }
  return file->commit();
}

}  // namespace rankveil
