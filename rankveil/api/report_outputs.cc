#include "rankveil/api/report_outputs.h"

#include <fmt/core.h>

#include <filesystem>

#include "rankveil/base/file.h"

namespace rankveil::api {

namespace {

bool is_same(const std::string& left, const std::string& right) {
  return !left.empty() && !right.empty() && same_file(left, right);
}

}  // namespace

Status check_report_outputs(const std::vector<std::string>& outputs,
                            const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    for (const std::string& input : inputs) {
      if (!is_same(outputs[i], input)) continue;
      return wrong_use(fmt::format("the output would replace {}; choose another name", input));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!is_same(outputs[i], outputs[j])) continue;
      return wrong_use(
          fmt::format("two outputs go to {}; choose another name for one", outputs[i]));
    }
    auto probe = AtomicFile::create(outputs[i]);  // made and dropped
    if (!probe) return probe.error();
  }
  return {};
}

Status both(const Status& one, const Status& other) {
  if (one.ok() || other.ok()) return one.ok() ? other : one;
  return Error{one.error().code, fmt::format("{}; {}", one.error().message, other.error().message)};
}

Status write_outputs(std::initializer_list<Output> outputs) {
  Status all;
  for (const Output& output : outputs) {
    if (output.path.empty()) continue;
    all = both(all, write_text(output.path, output.text()));
  }
  return all;
}

Status check_may_write(const std::string& path, bool force) {
  std::error_code problem;
  if (force || path.empty() || !std::filesystem::exists(path, problem)) return {};
  return wrong_use(
      fmt::format("{} exists; choose another name, or pass --force to replace it", path));
}

}  // namespace rankveil::api
