#include "cli/progress_bar.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "cli/terminal.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

constexpr auto silence = std::chrono::milliseconds(200);
constexpr auto between_drawings = std::chrono::milliseconds(50);
constexpr int cells = 24;

std::string bar(double done) {
  int full = static_cast<int>(std::clamp(done, 0.0, 1.0) * cells);
  std::string text;
  for (int i = 0; i < cells; ++i) text += i < full ? "━" : "─";
  return text;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::string time_left(double seconds, double done) {
  constexpr double least_seconds = 2, least_done = 0.02;
  if (seconds < least_seconds || done < least_done || done >= 1) return "";
  return fmt::format("about {} left", format_seconds(seconds * (1 - done) / done));
}

Progress ProgressBar::progress() {
  if (talk_terminal().redraws) {
    return [this](std::string_view what, double done) { draw(what, done); };
  }
  return [this](std::string_view what, double done) { note(what, done); };
}

void ProgressBar::begin_step(std::string_view what) {
  if (what_ == what) return;
  what_ = what;
  step_start_ = Clock::now();
}

void ProgressBar::draw(std::string_view what, double done) {
  begin_step(what);
  auto now = Clock::now();
  bool too_soon = now - start_ < silence || (drawn_ && now - last_ < between_drawings);
  if (too_soon) return;
  last_ = now;
  drawn_ = true;
  std::string left = time_left(seconds_since(step_start_), done);
  std::string line =
      fmt::format("\r\x1b[K{} {:3.0f}%  {}{}{}", styled(talk_terminal(), Style::Cyan, bar(done)),
                  done * 100, printable(what), left.empty() ? "" : ", ", left);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void ProgressBar::note(std::string_view what, double done) {
  std::lock_guard lock(mutex_);
  begin_step(what);
  done_ = done;
  if (!teller_.joinable()) teller_ = std::thread([this] { tell_now_and_then(); });
}

// Also where a step reports nothing for minutes.
void ProgressBar::tell_now_and_then() {
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, between_lines_, [&] { return is_over_; })) {
    std::string left = time_left(seconds_since(step_start_), done_);
    std::string line =
        fmt::format("{} so far: {} {:.0f}%{}{}\n", format_seconds(seconds_since(start_)),
                    printable(what_), 100 * done_, left.empty() ? "" : ", ", left);
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
}

void ProgressBar::clear() {
  if (teller_.joinable()) {
    {
      std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_all();
    teller_.join();
  }
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace rankveil::cli
