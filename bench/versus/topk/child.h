// Other programs: run one to its end, or talk to one line by line.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::versus {

struct Finished {
  int exit_code = 0;
  std::string output;  // stdout
};

// `quiet` drops its stderr. `environment`: NAME=value, added to ours.
Result<Finished> run_program(const std::vector<std::string>& command, bool quiet,
                             const std::vector<std::string>& environment = {});

// A folder of its own under TMPDIR, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A running program that answers lines with lines; ends when this does.
class LineChild {
 public:
  static Result<LineChild> start(const std::vector<std::string>& command);
  LineChild(LineChild&& other) noexcept;
  LineChild& operator=(LineChild&& other) noexcept;
  ~LineChild();

  Status write(const std::string& text);
  Result<std::string> read_line();

 private:
  LineChild() = default;
  void stop();

  pid_t pid_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace rankveil::versus
