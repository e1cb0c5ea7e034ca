#include "cli/progress_bar.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "cli/terminal.h"

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

}  // namespace

Progress ProgressBar::progress() {
  if (!talk_terminal().redraws) return {};
  return [this](std::string_view what, double done) { draw(what, done); };
}

void ProgressBar::draw(std::string_view what, double done) {
  auto now = Clock::now();
  bool too_soon = now - start_ < silence || (drawn_ && now - last_ < between_drawings);
  if (too_soon) return;
  last_ = now;
  drawn_ = true;
  std::string line =
      fmt::format("\r\x1b[K{} {:3.0f}%  {}", styled(talk_terminal(), Style::Cyan, bar(done)),
                  done * 100, printable(what));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace rankveil::cli
