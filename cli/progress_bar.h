// How far long work is, on one line of stderr that vanishes when it ends.
#pragma once

#include <chrono>
#include <string>

#include "rankveil/base/progress.h"

namespace rankveil::cli {

// Draws nothing when stderr is no terminal, or while the work is younger than a fifth of a second.
class ProgressBar {
 public:
  ProgressBar() = default;
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Stays valid as long as the bar. Empty when there is nothing to draw on.
  Progress progress();
  // Call before other talk, so that it starts on a clean line.
  void clear();

 private:
  void draw(std::string_view what, double done);
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool drawn_ = false;
};

// Runs `work` with a bar that `progress` draws on while it lasts.
template <typename Work>
auto with_bar(Progress& progress, Work work) {
  ProgressBar bar;
  progress = bar.progress();
  auto result = work();
  bar.clear();
  progress = {};
  return result;
}

}  // namespace rankveil::cli
