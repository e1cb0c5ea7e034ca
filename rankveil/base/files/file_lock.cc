#include "rankveil/base/files/file_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace rankveil {

namespace {

// The last holder may have removed the file after it was opened here.
bool is_still_there(const std::string& path, int descriptor) {
  struct stat held {
  }, named{};
  return ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

}  // namespace

Result<FileLock> FileLock::take(const std::string& path, const std::string& busy) {
  while (true) {
    int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) {
      return io_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      bool held = errno == EWOULDBLOCK;
      std::string reason = std::strerror(errno);
      ::close(descriptor);
      if (held) return io_error(busy);
      return io_error(fmt::format("cannot lock {}: {}", path, reason));
    }
    if (is_still_there(path, descriptor)) return FileLock(path, descriptor);
    ::close(descriptor);
  }
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace rankveil
