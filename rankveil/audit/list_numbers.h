// Numbers for lists, in the order they come.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rankveil::audit {

class ListNumbers {
 public:
  // Whether it was new.
  std::pair<std::uint32_t, bool> number(const std::vector<std::uint32_t>& list) {
    auto [place, is_new] = numbers_.try_emplace(list, static_cast<std::uint32_t>(numbers_.size()));
    return {place->second, is_new};
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::uint32_t>& list) const {
      std::uint64_t hash = list.size();
      for (std::uint32_t part : list) {
        hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, Hash> numbers_;
};

}  // namespace rankveil::audit
