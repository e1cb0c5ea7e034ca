// Files read whole or mapped, and files that appear complete or not at all.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "rankveil/base/result.h"

namespace rankveil {

// Whether two names mean one file: spelled alike, by way of another folder, or through a link. Also
// of files that are not there yet.
bool same_file(const std::string& left, const std::string& right);

bool is_missing(const std::string& path);  // nothing is there; not: it may not be read
// "cannot open people.csv: there is no such file; check its name", or another way out.
Error no_such_file(const std::string& path, std::string_view way_out = "check its name");

Result<std::string> read_text(const std::string& path);

// A file mapped read-only for as long as the object lives.
class MappedFile {
 public:
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

// A file in the making: bytes go to a temporary name beside `path`; commit() syncs and renames.
// Without a commit nothing is left behind. Only a regular file is replaced: a folder, a pipe or a
// device is refused. A link stays, and the file it leads to is replaced.
class AtomicFile {
 public:
  // `mode` says who may read and write the file, less what the umask takes away.
  static Result<AtomicFile> create(const std::string& path, mode_t mode = 0644);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  // Where to write when another library does the writing. Same folder as the file to be, and the
  // same ending.
  const std::string& temporary() const { return temporary_; }
  Status write(std::span<const std::byte> bytes);
  Status commit();

 private:
  AtomicFile(std::string path, std::string target, std::string temporary, int descriptor)
      : path_(std::move(path)),
        target_(std::move(target)),
        temporary_(std::move(temporary)),
        descriptor_(descriptor) {}
  std::string path_;    // as the caller knows it
  std::string target_;  // where it leads, links followed
  std::string temporary_;
  int descriptor_;
};

Status write_text(const std::string& path, std::string_view text);

}  // namespace rankveil
