// Who keeps their own, block by block: a coin a person and block, keyed, so that tests and the
// owner's audit can toss it again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/keys/keyed.h"

namespace rankveil {

// What a block is called: its columns' names, in the order of bytes.
std::string block_name(std::vector<std::string> columns);

// Whether the person keeps their own in this block: probability 1/l. `times_shown`: how often they
// were given something to show before; a person shown anew tosses anew.
bool keeps(const SecretKey& key, std::string_view block_name, std::string_view person_or_id,
           std::uint32_t l, std::uint32_t times_shown);

// The same for many persons, and their place in the order that breaks ties.
class BlockCoins {
 public:
  BlockCoins(const SecretKey& key, std::string_view block_name, double keep)
      : coins_(key, "fitted swap coin", block_name),
        order_(key, "fitted swap order", block_name),
        keep_(keep) {}

  bool keeps(std::string_view person, std::uint32_t times_shown) const {
    return coins_.uniform(person, times_shown) < keep_;
  }
  std::uint64_t order(std::string_view person, std::uint32_t times_shown) const {
    return order_.number(person, times_shown);
  }

 private:
  KeyedStream coins_;
  KeyedStream order_;
  double keep_;
};

}  // namespace rankveil
