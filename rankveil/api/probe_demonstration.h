// What a probe found, done: a few values of test data, for those who doubt it.
#pragma once

#include "rankveil/api/probe_service.h"

namespace rankveil::api {

// Of each number that leaks: by a condition with two ends, or, where the probe may write, by an
// order and a row of ours beside another. Adds what it recovered, and notes what it took, to
// `result`.
void demonstrate_leaks(probe::Asker& asker, ProbeService& service, bool may_write,
                       probe::ProbeResult& result);

}  // namespace rankveil::api
