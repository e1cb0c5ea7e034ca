// Writing to a pipe or socket that nobody reads any more is an error, not the end of the process.
#pragma once

#include <csignal>

namespace rankveil {

// While it lives, SIGPIPE does not reach this thread; one that this thread caused is taken back.
// The program's own handling of the signal stays as it is.
class QuietPipes {
 public:
  QuietPipes();
  ~QuietPipes();
  QuietPipes(const QuietPipes&) = delete;
  QuietPipes& operator=(const QuietPipes&) = delete;

 private:
  sigset_t before_;
  bool was_pending_;
};

}  // namespace rankveil
