// How long work is told to end early: by somebody who presses Ctrl-C, or by a clock.
#pragma once

#include <functional>

namespace rankveil {

// True from some moment on. May be empty: never. May be called from any thread.
using Stop = std::function<bool()>;

inline bool told_to(const Stop& stop) { return stop && stop(); }

}  // namespace rankveil
