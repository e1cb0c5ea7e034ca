// A ranking and its audit, for defenses that are built by hand.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "rankveil/audit/audit.h"
#include "rankveil/base/random.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit::testing_support {

// What a defense says about itself, and what it really shows.
struct Defended {
  Table table;
  Mechanism mechanism;
  Profiles profiles;
  std::vector<Profiles> others = {};  // further releases
  Rebuild rebuild = {};
  MakeTarget target = {};  // where answers are not those of an index of the profiles
};

Mechanism declared(const std::string& scheme, std::uint32_t l);

// The scheme as the library has it.
Profiles protected_profiles(const Table& table, const Mechanism& mechanism, std::uint64_t key);

// swap, written again so that it can go wrong.
struct HandSwap {
  std::uint32_t l = 3;          // as declared, and as strengths say
  double keep = 1.0 / 3;        // how often a row really keeps its vector
  bool popular_decoys = false;  // rows that do not keep theirs show the most common values
  int forgotten = -1;           // a private attribute whose own value is always shown
  // Coarser lists of public columns, by which small groups trade, too.
  std::vector<std::vector<AttributeId>> rungs = {};
};
Profiles hand_swap(const Table& table, const HandSwap& how, std::uint64_t seed);

AuditReport audit_of(const Defended& defended, std::uint64_t seed);

// Levels and checks by which a promise is broken.
std::set<std::string> broken_by(const AuditReport& report);

}  // namespace rankveil::audit::testing_support
