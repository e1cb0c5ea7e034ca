// Groups of similar make-up pose the same problem: counts of values with how often each is asked
// for, in falling order, without their common factor. Every problem is solved once, and its answer
// is about places in that order; each group remembers which of its values stands where.
#include "rankveil/protect/capped.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/asked_values.h"
#include "rankveil/protect/capped_program.h"
#include "rankveil/protect/caps.h"
#include "rankveil/protect/draw_name.h"
#include "rankveil/protect/signal_profiles.h"

namespace rankveil {

namespace {

// Counts and frequencies by turns, most common value first.
using ProblemKey = std::vector<std::uint64_t>;

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
  }
  return key;
}

CappedProblem problem_of(const ProblemKey& key, const Demand& demand) {
  CappedProblem problem;
  double rows = 0;
  for (std::size_t i = 0; i < key.size(); i += 2) rows += static_cast<double>(key[i]);
  for (std::size_t i = 0; i < key.size(); i += 2) {
    problem.shares.push_back(static_cast<double>(key[i]) / rows);
    problem.frequencies.push_back(static_cast<double>(key[i + 1]));
  }
  problem.caps = caps_of(problem.shares, demand.l, gamma_of(demand));
  return problem;
}

// A mechanism made ready to draw from: for each place, signals with cumulated probabilities.
struct Channel {
  struct Choice {
    double up_to;
    std::uint32_t signal;
  };
  std::vector<std::vector<Choice>> choices;  // [place]
  // Place and strength in levels, without those that round to 0.
  using Levels = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  std::vector<Levels> levels;  // [signal]
  double largest_rounding = 0;
  bool proven = false;

  // The signal for a value, and a number in [0, 1).
  std::uint32_t draw(std::uint32_t place, double u) const {
    const auto& from = choices[place];
    auto choice = std::find_if(from.begin(), from.end() - 1,
                               [u](const Choice& one) { return u < one.up_to; });
    return choice->signal;
  }
};

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
  set_choices(mechanism, places, channel);
  for (const Signal& signal : mechanism.signals) {
    auto& rounded = channel.levels.emplace_back();
    for (auto [place, p] : signal) {
      std::uint32_t level = nearest_level(p, levels);
      if (level > 0) rounded.emplace_back(place, level);
      channel.largest_rounding =
          std::max(channel.largest_rounding, std::abs(p - static_cast<double>(level) / levels));
    }
  }
  return channel;
}

// All problems of a task, and which one each group and attribute poses.
class Problems {
 public:
  Problems(const Task& task, const GroupShares& shares)
      : groups_(shares.groups()),
        asked_(asked_values(task.table.schema(), task.workload)),
        number_of_(std::size_t{groups_} * task.private_count()),
        codes_(number_of_.size()) {
    std::vector<ProblemKey> keys(number_of_.size());
    parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
      PrivateId attribute{static_cast<std::uint32_t>(j)};
      for (std::uint32_t group = 0; group < groups_; ++group) {
        auto held = held_values(shares, group, attribute, asked_[j]);
        keys[at(group, attribute)] = key_of(held);
        for (const Held& value : held) codes_[at(group, attribute)].push_back(value.code);
      }
    });
    std::unordered_map<ProblemKey, std::uint32_t, KeyHash> numbers;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto next = static_cast<std::uint32_t>(keys_.size());
      auto [place, is_new] = numbers.try_emplace(std::move(keys[i]), next);
      if (is_new) keys_.push_back(place->first);
      number_of_[i] = place->second;
    }
  }

  void solve(const Task& task) {
    channels_.resize(keys_.size());
    parallel_for(keys_.size(), task.threads, [&](std::size_t i) {
      CappedProblem problem = problem_of(keys_[i], task.demand);
      channels_[i] = channel_of(best_capped(problem), problem.shares.size(), task.demand.levels);
    });
  }

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
  std::vector<std::vector<std::uint64_t>> asked_;
  std::vector<ProblemKey> keys_;
  std::vector<std::uint32_t> number_of_;
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<Channel> channels_;
};

// The signals of all groups for one attribute, in the attribute's values. A signal is a number of
// entries and then the entries, 256 x value + level; rows point to theirs. Groups are gone through
// one by one while their channel is at hand, and rows are written in their order afterwards.
class AttributeSignals {
 public:
  AttributeSignals(const Task& task, PrivateId attribute)
      : task_(task),
        attribute_(attribute),
        column_(task.private_column(attribute)),
        stream_(task.key, "capped signal", task.attribute(attribute).name),
        domain_(task.attribute(attribute).domain),
        chosen_(task.table.rows(), none) {}

  void draw(const std::vector<RowId>& rows, const Channel& channel,
            const std::vector<std::uint32_t>& codes) {
    std::vector<std::uint32_t> begins;
    for (const auto& signal : channel.levels) begins.push_back(add_signal(signal, codes));
    std::vector<std::uint32_t> places(column_.domain_size() + 1, 0);
    for (std::uint32_t place = 0; place < codes.size(); ++place) places[codes[place]] = place;
    RowNames::Digits digits;
    for (RowId row : rows) {
      ValueId value = column_.value(row);
      std::uint32_t code = value == missing_value ? column_.domain_size() : +value;
      std::string_view name = task_.table.names().text(row, digits);
      double u = stream_.uniform(draw_name(name, domain_, value));
      chosen_[+row] = begins[channel.draw(places[code], u)];
    }
  }

  void write(LevelProfiles& signals) const {
    for (std::uint32_t row = 0; row < chosen_.size(); ++row) {
      if (chosen_[row] == none) continue;
      const std::uint32_t* entries = pool_.data() + chosen_[row];
      for (std::uint32_t i = 1; i <= entries[0]; ++i) {
        signals.set(RowId{row}, attribute_, ValueId{static_cast<std::uint16_t>(entries[i] >> 8)},
                    entries[i] & 0xFF);
      }
    }
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  std::uint32_t add_signal(const Channel::Levels& signal, const std::vector<std::uint32_t>& codes) {
    auto begin = static_cast<std::uint32_t>(pool_.size());
    pool_.push_back(0);
    for (auto [place, level] : signal) {
      if (codes[place] == column_.domain_size()) continue;  // missing matches nothing
      pool_.push_back(codes[place] << 8 | level);
      ++pool_[begin];
    }
    return begin;
  }

  const Task& task_;
  PrivateId attribute_;
  const Column& column_;
  KeyedStream stream_;
  const Domain& domain_;
  std::vector<std::uint32_t> pool_;
  std::vector<std::uint32_t> chosen_;
};

LevelProfiles draw_all(const Task& task, const Climb& climb, const Problems& problems) {
  LevelProfiles signals(task.table.rows(), task.private_domain_sizes(), task.demand.levels);
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    AttributeSignals drawn(task, attribute);
    for (std::uint32_t group = 0; group < climb.groups.size(); ++group) {
      drawn.draw(climb.groups[group], problems.channel(group, attribute),
                 problems.codes(group, attribute));
    }
    drawn.write(signals);
  });
  return signals;
}

void describe_programs(const Problems& problems, ProtectionReport& made) {
  for (const Channel& channel : problems.channels()) {
    ++made.solved;
    made.proven += channel.proven ? 1 : 0;
    made.largest_rounding = std::max(made.largest_rounding, channel.largest_rounding);
  }
}

}  // namespace

Result<Protection> protect_capped(const Task& task) {
  if (auto checked = check_gamma(task.demand); !checked) return checked.error();
  report(task.progress, "forming groups", 0);
  Climb groups = climb(task);
  SilentGroups silent = silent_groups(task, groups);
  auto count = static_cast<std::uint32_t>(groups.groups.size());
  GroupShares shares(count, task.private_domain_sizes());
  count_groups(task, groups.group_of, count, shares);
  report(task.progress, "solving linear programs", 0.1);
  Problems problems(task, shares);
  problems.solve(task);
  report(task.progress, "drawing signals", 0.7);
  LevelProfiles signals = draw_all(task, groups, problems);
  ProtectionReport made;
  made.rungs = describe(task, groups);
  made.rows_without_signal = silent.rows;
  describe_programs(problems, made);
  report(task.progress, "drawing signals", 1);
  return Protection{with_silent_rows(silent, shares, std::move(signals)), std::move(made)};
}

}  // namespace rankveil
