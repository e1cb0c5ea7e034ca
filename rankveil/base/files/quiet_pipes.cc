#include "rankveil/base/files/quiet_pipes.h"

#include <ctime>

namespace rankveil {
namespace {

sigset_t pipe_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

bool is_pending() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

QuietPipes::QuietPipes() : before_{}, was_pending_(is_pending()) {
  sigset_t set = pipe_signal();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

QuietPipes::~QuietPipes() {
  sigset_t set = pipe_signal();
  timespec no_time{};
  if (!was_pending_ && is_pending()) sigtimedwait(&set, nullptr, &no_time);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace rankveil
