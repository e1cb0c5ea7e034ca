// Reads single values out of a policy's text and refuses with the line. What keys mean is in
// policy.cc, policy_values.cc and policy_people.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/toml/toml.h"

namespace rankveil {

// How a table shows the value: 3, 0.5, true. None for dates, lists and numbers without digits.
std::optional<std::string> value_text(const Toml& node);

// `what` names the thing in messages, e.g. `weight of "age"`.
class PolicyNodes {
 public:
  explicit PolicyNodes(std::string_view source) : source_(source) {}

  std::string_view source() const { return source_; }
  Error error(const Toml& node, std::string_view message) const {
    return toml_error(source_, node.line, message);
  }
  Status only(const Toml& table, const std::vector<std::string_view>& known,
              const std::string& where) const {
    return check_keys(table, known, where, source_);
  }

  // A name in quotes, not empty.
  Result<std::string> text(const Toml& node, const std::string& what) const;
  Result<bool> truth(const Toml& node, const std::string& what) const;
  Result<std::uint32_t> whole(const Toml& node, const std::string& what, std::uint32_t least,
                              std::uint32_t most) const;
  // REQUIRES: a list. Its items as text, each once; `list` names it.
  Result<std::vector<std::string>> values(const Toml& node, const std::string& list) const;
  // The same for names of columns: text in quotes, not empty.
  Result<std::vector<std::string>> names(const Toml& node, const std::string& list) const;

 private:
  std::string_view source_;
};

// Sets `target` from the key's node when there is one.
template <typename Read, typename Target>
Status take(const Toml& table, std::string_view key, Target& target, Read read) {
  const Toml* node = table.find(key);
  if (node == nullptr) return {};
  auto value = read(*node);
  if (!value) return value.error();
  target = std::move(*value);
  return {};
}

}  // namespace rankveil
