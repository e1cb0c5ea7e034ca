// For tests: a folder of one's own that goes with its owner.
#pragma once

#include <stdlib.h>  // mkdtemp

#include <cassert>
#include <filesystem>
#include <string>

namespace rankveil {

class TemporaryFolder {
 public:
  // `name` says whose it is to whoever finds it.
  explicit TemporaryFolder(const std::string& name) {
    std::string pattern = (std::filesystem::temp_directory_path() / (name + "-XXXXXX")).string();
    const char* made = mkdtemp(pattern.data());
    assert(made != nullptr && "there is room for temporary files");
    path_ = made;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string path(const std::string& file) const { return path_ + "/" + file; }

 private:
  std::string path_;
};

}  // namespace rankveil
