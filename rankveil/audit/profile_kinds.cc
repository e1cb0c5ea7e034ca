#include "rankveil/audit/profile_kinds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace rankveil::audit {

double strength_of(const Strengths& strengths, std::uint32_t value) {
  auto place = std::lower_bound(strengths.begin(), strengths.end(), value,
                                [](const auto& one, std::uint32_t v) { return one.first < v; });
  return place != strengths.end() && place->first == value ? place->second : 0;
}

double rest_of(const Strengths& strengths) {
  constexpr double nothing = 1e-6;
  double rest = 1;
  for (const auto& [value, strength] : strengths) rest -= strength;
  return rest > nothing ? rest : 0;
}

bool is_set(const Strengths& strengths) {
  return std::all_of(strengths.begin(), strengths.end(),
                     [](const auto& one) { return one.second == 1; });
}

Strengths strengths_of(std::span<const std::uint32_t> levels, std::uint32_t steps) {
  Strengths strengths;
  for (std::uint32_t v = 0; v < levels.size(); ++v) {
    if (levels[v] > 0) strengths.emplace_back(v, static_cast<double>(levels[v]) / steps);
  }
  return strengths;
}

std::size_t KindNumbers::Hash::operator()(const Strengths& strengths) const {
  std::uint64_t hash = strengths.size();
  for (const auto& [value, strength] : strengths) {
    hash = (hash ^ value ^ std::bit_cast<std::uint64_t>(strength)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  return hash;
}

namespace {

// Shares of the same counts may be divided in different orders: what differs less is one strength.
constexpr double strength_steps = 1e9;

void round_strengths(Strengths& strengths) {
  for (auto& [value, strength] : strengths) {
    strength = std::round(strength * strength_steps) / strength_steps;
  }
}

}  // namespace

std::uint32_t KindNumbers::add(Strengths strengths) {
  round_strengths(strengths);
  auto [place, is_new] = numbers_.try_emplace(std::move(strengths), count());
  if (is_new) kinds_.push_back(&place->first);
  return place->second;
}

std::uint32_t KindNumbers::find(Strengths strengths) const {
  round_strengths(strengths);
  auto place = numbers_.find(strengths);
  return place == numbers_.end() ? none : place->second;
}

namespace {

// Signals in steps of 1/levels: value and steps, row by row.
struct RowSignals {
  std::vector<std::size_t> begin;  // per row, and one more
  std::vector<std::pair<std::uint16_t, std::uint16_t>> entries;

  auto of(std::uint32_t row) const {
    return std::span(entries).subspan(begin[row], begin[row + 1] - begin[row]);
  }
};

struct Bit {
  std::uint32_t row;
  std::uint16_t value;
  std::uint16_t steps;
};

// Bits of one value arrive together, so that those of one row and value end up side by side.
RowSignals read_signals(const LevelProfiles& signals, PrivateId attribute) {
  std::vector<Bit> bits;
  RowSignals made;
  made.begin.assign(signals.rows() + std::size_t{1}, 0);
  signals.for_each_bit(attribute, [&](RowId row, ValueId value, std::uint32_t bit) {
    bits.push_back(
        {+row, static_cast<std::uint16_t>(+value), static_cast<std::uint16_t>(1U << bit)});
    ++made.begin[+row + 1];
  });
  for (std::size_t row = 1; row < made.begin.size(); ++row) made.begin[row] += made.begin[row - 1];
  made.entries.resize(bits.size());
  std::vector<std::size_t> next(made.begin.begin(), made.begin.end() - 1);
  for (const Bit& bit : bits) made.entries[next[bit.row]++] = {bit.value, bit.steps};
  return made;
}

// Steps of one value summed up, as strengths.
Strengths signal_strengths(const RowSignals& signals, std::uint32_t row, std::uint32_t levels) {
  Strengths strengths;
  std::uint32_t steps = 0;
  for (const auto& [value, part] : signals.of(row)) {
    bool same = !strengths.empty() && strengths.back().first == value;
    steps = same ? steps + part : part;
    if (!same) strengths.emplace_back(value, 0.0);
    strengths.back().second = static_cast<double>(steps) / levels;
  }
  return strengths;
}

// As Profiles::match adds them up.
Strengths with_shares(const Strengths& signal, const GroupedProfiles& profiles, std::uint32_t group,
                      PrivateId attribute) {
  double keep = static_cast<double>(profiles.keep.numerator) / profiles.keep.denominator;
  double rest = profiles.shares.in_full(group) ? 1 : 1 - keep;
  double size = profiles.shares.size(group);
  Strengths strengths;
  for (std::uint32_t v = 0; v < profiles.shares.domain_sizes()[+attribute]; ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    double share = profiles.shares.count(group, attribute, value) / size;
    double strength = keep * strength_of(signal, v) + rest * share;
    if (strength > 0) strengths.emplace_back(v, strength);
  }
  return strengths;
}

std::vector<std::uint32_t> kinds_of_grouped(const GroupedProfiles& profiles, PrivateId attribute,
                                            KindNumbers& numbers) {
  KindNumbers signals;
  std::vector<std::uint32_t> kinds = kinds_of(profiles.signals, attribute, signals);
  std::unordered_map<std::uint64_t, std::uint32_t> known;  // by signal and group
  for (std::size_t row = 0; row < kinds.size(); ++row) {
    std::uint32_t group = profiles.group_of[row];
    std::uint64_t key = std::uint64_t{kinds[row]} << 32 | group;
    auto [place, is_new] = known.try_emplace(key, 0);
    if (is_new) {
      place->second = numbers.add(with_shares(signals.of(kinds[row]), profiles, group, attribute));
    }
    kinds[row] = place->second;
  }
  return kinds;
}

}  // namespace

std::vector<std::uint32_t> kinds_of(const LevelProfiles& signals, PrivateId attribute,
                                    KindNumbers& numbers) {
  RowSignals all = read_signals(signals, attribute);
  std::vector<std::uint32_t> kinds(signals.rows());
  for (std::uint32_t row = 0; row < kinds.size(); ++row) {
    kinds[row] = numbers.add(signal_strengths(all, row, signals.levels()));
  }
  return kinds;
}

std::vector<std::uint32_t> kinds_of(const Profiles& profiles, PrivateId attribute,
                                    KindNumbers& numbers) {
  if (const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds())) {
    return kinds_of_grouped(*grouped, attribute, numbers);
  }
  return kinds_of(*std::get_if<LevelProfiles>(&profiles.kinds()), attribute, numbers);
}

}  // namespace rankveil::audit
