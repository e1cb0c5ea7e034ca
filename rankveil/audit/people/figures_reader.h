// Reads figures back from JSON, and remembers whether all of them were there. For this folder only.
#pragma once

#include <cstdint>
#include <string_view>

#include "rankveil/base/json.h"

namespace rankveil::audit {

class FiguresReader {
 public:
  bool sound() const { return sound_; }

  double number(const Json& json, std::string_view name) {
    const Json* found = json.find(name);
    auto value = found == nullptr ? std::nullopt : found->as_number();
    sound_ &= value.has_value();
    return value.value_or(0);
  }
  std::uint64_t count(const Json& json, std::string_view name) {
    const Json* found = json.find(name);
    return found == nullptr ? fail() : whole(*found);
  }
  std::uint64_t whole(const Json& json) {
    const std::int64_t* value = json.as_integer();
    return value == nullptr || *value < 0 ? fail() : static_cast<std::uint64_t>(*value);
  }

  // A list of as many items as `items` has.
  template <typename Items, typename Read>
  void each(const Json& json, std::string_view name, Items& items, Read read) {
    const Json* found = json.find(name);
    const Json::Array* list = found == nullptr ? nullptr : found->as_array();
    sound_ &= list != nullptr && list->size() == items.size();
    for (std::size_t i = 0; sound_ && i < items.size(); ++i) items[i] = read((*list)[i]);
  }

 private:
  std::uint64_t fail() {
    sound_ = false;
    return 0;
  }

  bool sound_ = true;
};

}  // namespace rankveil::audit
