// The different profiles that rows have in one attribute, each kept once.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rankveil/ranking/profiles.h"

namespace rankveil::audit {

// Values that match, ascending, with their strengths; the others match with 0.
using Strengths = std::vector<std::pair<std::uint32_t, double>>;

double strength_of(const Strengths& strengths, std::uint32_t value);
// What strengths leave of 1, for rows without a value; 0 when there is none to speak of.
double rest_of(const Strengths& strengths);
// Whether all values that match do so fully.
bool is_set(const Strengths& strengths);

// Of a row with these levels, by value, each 1/steps.
Strengths strengths_of(std::span<const std::uint32_t> levels, std::uint32_t steps);

// Numbers for profiles: equal ones have one number, whichever release or simulation they are from.
class KindNumbers {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  std::uint32_t add(Strengths strengths);
  // `none`: nobody has such a profile.
  std::uint32_t find(Strengths strengths) const;
  const Strengths& of(std::uint32_t kind) const { return *kinds_[kind]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(kinds_.size()); }

 private:
  struct Hash {
    std::size_t operator()(const Strengths& strengths) const;
  };
  std::unordered_map<Strengths, std::uint32_t, Hash> numbers_;
  std::vector<const Strengths*> kinds_;
};

// The number of every row's profile in one attribute.
std::vector<std::uint32_t> kinds_of(const Profiles& profiles, PrivateId attribute,
                                    KindNumbers& numbers);
// The same of signals alone.
std::vector<std::uint32_t> kinds_of(const LevelProfiles& signals, PrivateId attribute,
                                    KindNumbers& numbers);

}  // namespace rankveil::audit
