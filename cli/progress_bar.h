// How far long work is: on a terminal, one line of stderr that vanishes when the work ends, with
// the time that its step will still take; elsewhere a line every half minute.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "rankveil/base/progress.h"

namespace rankveil::cli {

// Draws nothing while the work is younger than a fifth of a second.
class ProgressBar {
 public:
  explicit ProgressBar(std::chrono::milliseconds between_lines = std::chrono::seconds(30))
      : between_lines_(between_lines) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Stays valid as long as the bar.
  Progress progress();
  // Call before other talk, so that it starts on a clean line.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(std::string_view what, double done);
  void note(std::string_view what, double done);
  void begin_step(std::string_view what);
  void tell_now_and_then();

  std::chrono::milliseconds between_lines_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  Clock::time_point step_start_ = start_;
  bool drawn_ = false;

  // Of the step under way; the teller is another thread.
  std::string what_;
  double done_ = 0;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread teller_;
};

// "about 2 min 10 s left", from how long a part of the work took; empty where that says little.
std::string time_left(double seconds, double done);

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
