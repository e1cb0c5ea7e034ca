// One hidden field under all ways of asking.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rankveil/probe/control.h"
#include "rankveil/probe/finding.h"
#include "rankveil/probe/round.h"

namespace rankveil::probe {

struct TrialOptions {
  std::uint32_t repetitions = 3;  // with fresh values, before LEAK is said
  bool all = false;               // goes on after the first proof of a way, at the other end
};

// A finding for each way.
std::vector<Finding> try_field(Bench& bench, const Field& field, std::span<const Way> ways,
                               const Controls& controls, const TrialOptions& options);

// INERT, REFUSED and ABSENT are worth what the controls are worth.
bool rests_on_control(const Finding& finding);

// What nobody can say any more when a way that acted has stopped to act meanwhile is BLIND.
void settle_findings(std::vector<Finding>& findings, const Controls& controls,
                     const Result<std::vector<std::string>>& still_acting);

}  // namespace rankveil::probe
