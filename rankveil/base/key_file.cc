#include "rankveil/base/key_file.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <span>

#include "rankveil/base/file.h"

namespace rankveil {

namespace {

constexpr std::string_view first_word = "rankveil-key-1 ";
constexpr std::string_view digits = "0123456789abcdef";

std::string line_of(const SecretKey& key) {
  std::string line(first_word);
  for (std::uint8_t byte : key.bytes()) {
    line += digits[byte >> 4];
    line += digits[byte & 15];
  }
  return line + "\n";
}

std::optional<SecretKey> key_of(std::string_view line) {
  if (!line.starts_with(first_word)) return std::nullopt;
  line.remove_prefix(first_word.size());
  if (line.ends_with("\n")) line.remove_suffix(1);
  SecretKey::Bytes bytes{};
  if (line.size() != 2 * bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < line.size(); ++i) {
    auto digit = digits.find(line[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    bytes[i / 2] = static_cast<std::uint8_t>(bytes[i / 2] << 4 | digit);
  }
  return SecretKey(bytes);
}

}  // namespace

Status check_private_file(const std::string& path, const std::string& what) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    return io_error(fmt::format("cannot read the {} {}: {}", what, path, std::strerror(errno)));
  }
  if ((found.st_mode & 077) != 0) {
    return bad_input(
        fmt::format("others may read the {} {} (mode {:04o}); close it with chmod 600 {}", what,
                    path, found.st_mode & 07777, path));
  }
  return {};
}

Result<SecretKey> read_key_file(const std::string& path) {
  if (auto checked = check_private_file(path, "key"); !checked) return checked.error();
  auto text = read_text(path);
  if (!text) return text.error();
  auto key = key_of(*text);
  if (!key) {
    return bad_input(fmt::format("{} holds no key; make one with rankveil keygen FILE", path));
  }
  return *key;
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
  std::string line = line_of(key);
  if (auto written = file->write(std::as_bytes(std::span(line))); !written) return written;
  return file->commit();
}

}  // namespace rankveil
