#include "rankveil/api/table_input.h"

#include "rankveil/base/file.h"

namespace rankveil::api {

namespace {

Result<Policy> read_policy(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  return parse_policy(*text, path);
}

}  // namespace

Result<Policy> load_policy(const TableInput& input) {
  Result<Policy> policy = input.policy_path.empty() ? Policy{} : read_policy(input.policy_path);
  if (!policy) return policy;
  if (auto applied = apply(input.overrides, *policy); !applied) return applied.error();
  return policy;
}

connect::ReadOptions read_options(const TableInput& input) {
  return {.threads = input.threads, .progress = input.progress};
}

}  // namespace rankveil::api
