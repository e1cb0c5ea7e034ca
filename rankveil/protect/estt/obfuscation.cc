#include "rankveil/protect/estt/obfuscation.h"

#include <algorithm>
#include <cassert>

#include "rankveil/base/random.h"

namespace rankveil {

namespace {

bool contains(const std::vector<ValueId>& values, ValueId value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::uint32_t count_distinct(const std::vector<ValueId>& values) {
  std::uint32_t distinct = 0;
  for (auto value = values.begin(); value != values.end(); ++value) {
    distinct += std::find(values.begin(), value, *value) == value ? 1 : 0;
  }
  return distinct;
}

// The last holder of the value that most members have, the first such value on a tie.
std::size_t give_way(const std::vector<ValueId>& values) {
  std::ptrdiff_t most = 1;
  ValueId crowded = missing_value;
  for (ValueId value : values) {
    auto count = std::count(values.begin(), values.end(), value);
    if (count <= most) continue;
    most = count;
    crowded = value;
  }
  assert(most > 1 && "a set that lacks values has one twice");
  auto last = std::find(values.rbegin(), values.rend(), crowded);
  return static_cast<std::size_t>(values.rend() - last - 1);
}

// Keeps the value that a secret ranks highest.
class Highest {
 public:
  explicit Highest(std::uint64_t secret) : secret_(secret) {}

  void offer(ValueId value) {
    std::uint64_t rank = Rng(secret_ ^ +value)();
    if (found_ && rank <= rank_) return;
    found_ = true;
    rank_ = rank;
    value_ = value;
  }
  bool found() const { return found_; }
  ValueId value() const { return value_; }

 private:
  std::uint64_t secret_;
  std::uint64_t rank_ = 0;
  ValueId value_ = missing_value;
  bool found_ = false;
};

}  // namespace

void Obfuscator::start_group(std::span<const ValueId> values) {
  ++stamp_;
  group_values_.clear();
  for (ValueId value : values) {
    if (value == missing_value || seen_[+value] == stamp_) continue;
    seen_[+value] = stamp_;
    group_values_.push_back(value);
  }
}

ValueId Obfuscator::replacement(std::uint64_t secret, const std::vector<ValueId>& taken) const {
  Highest best(secret);
  for (ValueId value : group_values_) {
    if (!contains(taken, value)) best.offer(value);
  }
  if (best.found()) return best.value();
  for (std::uint32_t v = 0; v < seen_.size(); ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (!contains(taken, value)) best.offer(value);
  }
  assert(best.found() && "a domain has at least l values");
  return best.value();
}

std::uint32_t Obfuscator::lacking(const std::vector<ValueId>& values) const {
  std::uint32_t distinct = count_distinct(values);
  return distinct < l_ ? l_ - distinct : 0;
}

void Obfuscator::obfuscate(std::uint64_t secret, std::vector<ValueId>& values,
                           std::span<std::uint8_t> changed) const {
  if (values.size() < l_) std::fill(changed.begin(), changed.end(), std::uint8_t{1});
  for (std::uint32_t left = lacking(values); left > 0; --left) {
    ValueId added = replacement(secret, values);
    if (values.size() < l_) {
      values.push_back(added);
      continue;
    }
    std::size_t place = give_way(values);
    values[place] = added;
    if (place < changed.size()) changed[place] = 1;
  }
}

}  // namespace rankveil
