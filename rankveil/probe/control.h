// Whether a way of asking does anything at all, seen with a public field.
//
// The own row's public value is changed, and the answers must follow it. And they must not be those
// to the same question about a field that nobody has: a service that does not know the way may have
// an order of its own, by that public field.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "rankveil/probe/round.h"

namespace rankveil::probe {

struct WayControl {
  bool acts = false;
  // It takes the own row out of sight, or says more of it, where a listing shows it anyway. It
  // never brings it into sight.
  bool needs_sight = false;
  End end = End::Top;     // at which it was seen to act
  bool refused = false;   // it refuses public fields, too
  bool answered = false;  // at least one, or refused it
  bool restless = false;  // answers vary by themselves
  bool sighted = true;    // all answers had the own row, or no rows at all
};

using Controls = std::map<std::string, WayControl>;  // by the way's name

// REQUIRES: the bench has a control field. Learns how long answers lag, waiting `patience` seconds
// at most. An error: the public value does not arrive, or the meter says no.
Result<Controls> check_controls(Bench& bench, std::span<const Way> ways, double patience);

// Those that acted before, and still do.
Result<std::vector<std::string>> still_acting(Bench& bench, std::span<const Way> ways,
                                              const Controls& controls);

}  // namespace rankveil::probe
