// How long work tells its caller how far it is. The library never prints; a front does.
#pragma once

#include <functional>
#include <string_view>

namespace rankveil {

// `done` in [0, 1]; `what` is a short phrase such as "reading people.csv". May be empty.
// Called from one thread at a time, at most a few hundred times for a piece of work.
using Progress = std::function<void(std::string_view what, double done)>;

inline void report(const Progress& progress, std::string_view what, double done) {
  if (progress) progress(what, done);
}

}  // namespace rankveil
