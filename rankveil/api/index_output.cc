#include "rankveil/api/index_output.h"

#include <fmt/core.h>

#include <filesystem>

#include "rankveil/base/file.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api {

bool file_exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

Status check_can_write(const std::string& path) {
  auto probe = AtomicFile::create(path);  // made and dropped
  if (!probe) return probe.error();
  return {};
}

Status check_index_output(const std::string& path) {
  if (file_exists(path) && !looks_like_index(path)) {
    return wrong_use(
        fmt::format("{} exists and is no index; choose another name for the output", path));
  }
  return check_can_write(path);
}

}  // namespace rankveil::api
