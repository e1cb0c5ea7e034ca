// Ctrl-C that lets work end in good order.
#pragma once

#include <atomic>

namespace rankveil::cli {

inline constexpr int exit_interrupted = 130;

// From now on the first Ctrl-C (or SIGTERM, SIGHUP) sets what is returned; a second one ends the
// program at once. Signals that whoever started us wants ignored stay so.
const std::atomic<bool>& stop_on_signals();

}  // namespace rankveil::cli
