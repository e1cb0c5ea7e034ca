// One process at a time: a lock that goes when its holder does, however it ends.
#pragma once

#include <string>

#include "rankveil/base/result.h"

namespace rankveil {

class FileLock {
 public:
  // On `path`, an empty file of mode 0600 that is there as long as the lock is. Refuses with `busy`
  // when somebody else holds it.
  static Result<FileLock> take(const std::string& path, const std::string& busy);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;

 private:
  FileLock(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::string path_;
  int descriptor_;
};

}  // namespace rankveil
