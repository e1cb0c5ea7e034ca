// What an owner asks of a scheme. Every scheme reads the fields it knows and ignores the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rankveil {

// How estt finds members for its sets.
enum class Pairing { Random, SortedWeight, Optimal };

// What pvst gives an attribute whose set cannot be filled from the row's public group.
enum class Fallback {
  Shares,       // the shares of the nearest coarser public group that is large enough
  Suppress,     // nothing: such rows sink below all others
  WholeDomain,  // every value matches
};

// Values of one private attribute that everybody may learn.
struct NotSensitive {
  std::string attribute;
  std::vector<std::string> values;
  bool operator==(const NotSensitive&) const = default;
};

// Values of one private attribute that are as sensitive together as one alone.
struct SensitiveSet {
  std::string attribute;
  std::vector<std::string> values;
  bool operator==(const SensitiveSet&) const = default;
};

// ldp: what one private attribute may show, where that is not Demand::epsilon.
struct AttributeBudget {
  std::string attribute;
  double epsilon = 0;
  bool operator==(const AttributeBudget&) const = default;
};

struct Demand {
  std::string scheme = "swap";
  std::uint32_t l = 3;  // at least 2

  // What single schemes read of these, and from where to where it goes: scheme_options.h.
  // A group with fewer rows must not speak for itself: it goes up the ladder.
  std::uint32_t min_group = 21;

  std::uint32_t set_size = 0;  // estt: rows in a set, at least l; 0: l
  Pairing pairing = Pairing::Optimal;
  std::uint64_t node_budget = 100'000;  // esvt: nodes of the search for one tuple
  Fallback fallback = Fallback::Shares;
  double gamma = 0;           // cluster, capped: how far common values are capped; 0: l / (l - 1)
  double epsilon = 0;         // ldp: the budget of one attribute; 0: ln 3, or less for a total of 8
  bool any_epsilon = false;   // ldp: also totals above 8, which promise nothing
  std::uint32_t levels = 15;  // steps that posteriors are rounded to: capped, ldp, rr-mean
  // cluster, capped: values that are not capped (not_sensitive.h).
  std::vector<NotSensitive> not_sensitive = {};
  std::vector<SensitiveSet> sensitive_sets = {};  // cluster: capped as values are
  std::vector<AttributeBudget> budgets = {};      // ldp (ldp_budgets.h)
};

}  // namespace rankveil
