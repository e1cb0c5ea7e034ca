#include "cli/stop_signals.h"

#include <csignal>

namespace rankveil::cli {

namespace {

std::atomic<bool> told_to_stop = false;

void note_signal(int signal) {
  told_to_stop = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_on_signals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, note_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  return told_to_stop;
}

}  // namespace rankveil::cli
