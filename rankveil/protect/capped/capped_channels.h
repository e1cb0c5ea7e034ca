// How `capped` speaks in every group and attribute: which signals there are, and how likely a value
// leads to each. No secret is in it: anyone who knows the table can work it out.
//
// Groups of similar make-up pose the same problem: counts of values with how often each is asked
// for, in falling order, without their common factor. Every problem is solved once, and its answer
// is about places in that order; each group remembers which of its values stands where.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "rankveil/protect/capped/capped_program.h"
#include "rankveil/protect/task.h"

namespace rankveil {

// A mechanism made ready to draw from: for each place, signals with cumulated probabilities.
struct Channel {
  struct Choice {
    double up_to;
    std::uint32_t signal;
  };
  std::vector<std::vector<Choice>> choices;  // [place]
  // Place and strength in levels, without those that round to 0.
  using Levels = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  std::vector<Levels> levels;   // [signal]
  std::vector<Signal> signals;  // what they are before they are rounded
  bool proven = false;

  // Pr(signal | the value at `place`).
  double probability(std::uint32_t place, std::uint32_t signal) const;
  // The signal for a value, and a number in [0, 1).
  std::uint32_t draw(std::uint32_t place, double u) const;
};

// The channels of all groups of a climb. `shares`: their counts.
class CappedChannels {
 public:
  CappedChannels(const Task& task, const GroupShares& shares);

  const Channel& channel(std::uint32_t group, PrivateId attribute) const {
    return channels_[number_of_[at(group, attribute)]];
  }
  // The values that stand at the places of the channel; the domain's size: missing.
  const std::vector<std::uint32_t>& codes(std::uint32_t group, PrivateId attribute) const {
    return codes_[at(group, attribute)];
  }
  const std::vector<Channel>& channels() const { return channels_; }

 private:
  std::size_t at(std::uint32_t group, PrivateId attribute) const {
    return std::size_t{+attribute} * groups_ + group;
  }

  std::uint32_t groups_;
  std::vector<std::uint32_t> number_of_;
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<Channel> channels_;
};

}  // namespace rankveil
