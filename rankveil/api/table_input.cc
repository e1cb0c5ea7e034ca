#include "rankveil/api/table_input.h"

#include <fmt/core.h>

#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::api {

namespace {

Result<Policy> read_policy(const std::string& path) {
  if (is_missing(path)) {
    return no_such_file(path,
                        fmt::format("rankveil inspect TABLE --write-policy {} drafts one", path));
  }
  auto text = read_text(path);
  if (!text) return text.error();
  return parse_policy(*text, path);
}

// In single quotes, as a shell reads them.
std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// With a line for each column, to be pasted once it is right.
Status refuse_undecided(const TableInput& input, const Policy& policy) {
  auto undecided = policy.undecided();
  if (undecided.empty() || input.accept_draft) return {};
  std::string lines;
  for (const std::string& name : undecided) {
    lines += fmt::format("\n  --role {}", shell_quoted(name + "=ignored"));
  }
  return wrong_use(
      fmt::format("{} leaves {} undecided (role = \"?\"); say public, private or ignored of each, "
                  "in the file or "
                  "by the flags below, or leave them all out by --accept-draft{}",
                  input.policy_path.empty() ? "the policy" : input.policy_path,
                  counted(undecided.size(), "column"), lines));
}

// What `rankveil inspect` is given to look at the same rows.
std::string to_inspect(const connect::Source& source) {
  std::string text = source.path;
  if (!source.table.empty()) text += " --table " + source.table;
  if (!source.sql.empty()) text += text.empty() ? "--sql SELECT" : " --sql SELECT";
  return text;
}

}  // namespace

Result<Policy> load_policy(const TableInput& input) {
  Result<Policy> policy = input.policy_path.empty() ? Policy{} : read_policy(input.policy_path);
  if (!policy) return policy;
  if (auto applied = apply(input.overrides, *policy); !applied) return applied.error();
  if (auto known = check_scheme_name(policy->scheme); !known) return known.error();
  if (auto decided = refuse_undecided(input, *policy); !decided) return decided.error();
  return policy;
}

Status check_has_policy(const TableInput& input, std::string_view command) {
  if (!input.policy_path.empty() || !input.overrides.roles.empty()) return {};
  return wrong_use(fmt::format(
      "{} needs a policy that says what is private; write a first one with rankveil inspect {} "
      "--write-policy policy.toml, read it, then pass --policy policy.toml",
      command, to_inspect(input.source)));
}

connect::ReadOptions read_options(const TableInput& input) {
  return {.threads = input.threads, .progress = input.progress};
}

}  // namespace rankveil::api
