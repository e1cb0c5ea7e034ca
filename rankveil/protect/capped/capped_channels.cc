#include "rankveil/protect/capped/capped_channels.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/caps.h"
#include "rankveil/protect/groups/asked_values.h"
#include "rankveil/protect/groups/signal_profiles.h"
#include "rankveil/protect/not_sensitive.h"

namespace rankveil {

namespace {

// Count, frequency and whether it is spared, of one value after another; most common first.
using ProblemKey = std::vector<std::uint64_t>;
constexpr std::size_t key_parts = 3;

struct KeyHash {
  std::size_t operator()(const ProblemKey& key) const {
    std::uint64_t hash = 0;
    for (std::uint64_t part : key) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

// A value of one attribute in one group.
struct Held {
  std::uint64_t count;
  std::uint64_t frequency;
  std::uint32_t code;  // the domain's size: missing
  bool spared = false;
};

// Most common first.
std::vector<Held> held_values(const GroupShares& shares, std::uint32_t group, PrivateId attribute,
                              const std::vector<std::uint64_t>& asked) {
  std::vector<Held> held;
  std::uint64_t missing = shares.size(group);
  auto domain = static_cast<std::uint32_t>(asked.size());
  for (std::uint32_t code = 0; code < domain; ++code) {
    std::uint64_t count = shares.count(group, attribute, ValueId{static_cast<std::uint16_t>(code)});
    if (count > 0) held.push_back({count, 1 + asked[code], code});
    missing -= count;
  }
  if (missing > 0) held.push_back({missing, 0, domain});
  std::sort(held.begin(), held.end(), [](const Held& a, const Held& b) {
    return std::tuple(b.count, b.frequency, a.code) < std::tuple(a.count, a.frequency, b.code);
  });
  return held;
}

ProblemKey key_of(const std::vector<Held>& held) {
  std::uint64_t factor = 0;
  for (const Held& value : held) factor = std::gcd(factor, value.count);
  ProblemKey key;
  for (const Held& value : held) {
    key.push_back(value.count / factor);
    key.push_back(value.frequency);
    key.push_back(value.spared ? 1 : 0);
  }
  return key;
}

CappedProblem problem_of(const ProblemKey& key, const Demand& demand) {
  CappedProblem problem;
  double rows = 0;
  std::vector<std::uint8_t> spared;
  for (std::size_t i = 0; i < key.size(); i += key_parts) rows += static_cast<double>(key[i]);
  for (std::size_t i = 0; i < key.size(); i += key_parts) {
    problem.shares.push_back(static_cast<double>(key[i]) / rows);
    problem.frequencies.push_back(static_cast<double>(key[i + 1]));
    spared.push_back(static_cast<std::uint8_t>(key[i + 2]));
  }
  problem.caps = caps_of(problem.shares, demand.l, gamma_of(demand), spared);
  return problem;
}

// Pr(signal | value) = weight of the signal x probability it gives the value / the value's share.
void set_choices(const CappedMechanism& mechanism, std::size_t places, Channel& channel) {
  channel.choices.resize(places);
  for (std::uint32_t i = 0; i < mechanism.signals.size(); ++i) {
    for (auto [place, p] : mechanism.signals[i]) {
      auto& list = channel.choices[place];
      double before = list.empty() ? 0 : list.back().up_to;
      list.push_back({before + mechanism.weights[i] * p, i});
    }
  }
  for (auto& list : channel.choices) {
    double whole = list.back().up_to;
    for (auto& choice : list) choice.up_to /= whole;
  }
}

Channel channel_of(const CappedMechanism& mechanism, std::size_t places, std::uint32_t levels) {
  Channel channel;
  channel.proven = mechanism.proven();
  channel.signals = mechanism.signals;
  set_choices(mechanism, places, channel);
  for (const Signal& signal : mechanism.signals) {
    auto& rounded = channel.levels.emplace_back();
    for (auto [place, p] : signal) {
      std::uint32_t level = nearest_level(p, levels);
      if (level > 0) rounded.emplace_back(place, level);
    }
  }
  return channel;
}

}  // namespace

double Channel::probability(std::uint32_t place, std::uint32_t signal) const {
  double before = 0;
  for (const Choice& choice : choices[place]) {
    if (choice.signal == signal) return choice.up_to - before;
    before = choice.up_to;
  }
  return 0;
}

std::uint32_t Channel::draw(std::uint32_t place, double u) const {
  const auto& from = choices[place];
  auto choice =
      std::find_if(from.begin(), from.end() - 1, [u](const Choice& one) { return u < one.up_to; });
  return choice->signal;
}

namespace {

// Every different key once, and the number of each among them.
std::vector<ProblemKey> number_keys(std::vector<ProblemKey> keys,
                                    std::vector<std::uint32_t>& number_of) {
  std::vector<ProblemKey> different;
  std::unordered_map<ProblemKey, std::uint32_t, KeyHash> numbers;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto next = static_cast<std::uint32_t>(different.size());
    auto [place, is_new] = numbers.try_emplace(std::move(keys[i]), next);
    if (is_new) different.push_back(place->first);
    number_of[i] = place->second;
  }
  return different;
}

}  // namespace

CappedChannels::CappedChannels(const Task& task, const GroupShares& shares)
    : groups_(shares.groups()),
      number_of_(std::size_t{groups_} * task.private_count()),
      codes_(number_of_.size()) {
  auto asked = asked_values(task.table.schema(), task.workload);
  SparedValues spared(task.table.schema(), task.demand.not_sensitive);
  std::vector<ProblemKey> keys(number_of_.size());
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    for (std::uint32_t group = 0; group < groups_; ++group) {
      auto held = held_values(shares, group, attribute, asked[j]);
      for (Held& value : held) value.spared = spared.has(attribute, value.code);
      keys[at(group, attribute)] = key_of(held);
      for (const Held& value : held) codes_[at(group, attribute)].push_back(value.code);
    }
  });
  std::vector<ProblemKey> different = number_keys(std::move(keys), number_of_);
  channels_.resize(different.size());
  parallel_for(different.size(), task.threads, [&](std::size_t i) {
    CappedProblem problem = problem_of(different[i], task.demand);
    channels_[i] = channel_of(best_capped(problem), problem.shares.size(), task.demand.levels);
  });
}

}  // namespace rankveil
