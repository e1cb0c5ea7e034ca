// The finite set of values an attribute can take, in a fixed order.
//
// A domain may hold values that no row has (a declared domain). Its order is the declared one, or
// else numbers ascending before text in byte order; schemes break ties by it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/ids.h"

namespace rankveil {

class Domain {
 public:
  Domain() = default;

  // Keeps the order given. Refuses repeated values and more than `largest_domain` of them.
  static Result<Domain> of(std::vector<std::string> values);

  std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  const std::string& text(ValueId value) const { return values_[+value]; }
  const std::vector<std::string>& values() const { return values_; }
  std::optional<ValueId> find(std::string_view text) const;

  bool operator==(const Domain& other) const { return values_ == other.values_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::vector<std::string> values_;
  std::unordered_map<std::string, ValueId, Hash, std::equal_to<>> ids_;
};

// The order of a domain that nobody declared: numbers by size, then text by bytes.
bool natural_order(std::string_view left, std::string_view right);

}  // namespace rankveil
