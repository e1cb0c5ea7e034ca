#include "rankveil/api/policy_file.h"

#include <fmt/core.h>

#include <filesystem>

#include "rankveil/base/file.h"

namespace rankveil::api {

Status check_may_write_policy(const std::string& path, std::string_view text, bool force) {
  std::error_code ignored;
  if (force || !std::filesystem::exists(path, ignored)) return {};
  auto present = read_text(path);
  if (!present) return present.error();
  if (*present == text) return {};
  return wrong_use(fmt::format("{} exists and differs; pass --force to replace it", path));
}

Status write_policy(const std::string& path, std::string_view text, bool force) {
  if (auto allowed = check_may_write_policy(path, text, force); !allowed) return allowed;
  return write_text(path, text);
}

}  // namespace rankveil::api
