// A program that is talked to in lines: one to its stdin, one from its stdout. What it writes to
// stderr goes where ours goes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/reply.h"

namespace rankveil::connect {

class Process {
 public:
  // First the program, looked for as a shell would, then its arguments.
  static Result<Process> start(const std::vector<std::string>& command);
  // Closes its stdin and waits a moment for its end; then ends it.
  ~Process();
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;

  // Sends a line and waits for one, both without their line break. After trouble the program is of
  // no more use: a late answer would be taken for that to another question. A time-out passes; the
  // program's end, a line of more than 64 MB, and lines that nobody asked for do not.
  Reply<std::string> exchange(const std::string& line, double timeout);

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rankveil::connect
