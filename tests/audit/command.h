// The rankveil command as another process, for tests.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace rankveil::tests {

// A command under way, in a folder. What it prints lands in files of that folder.
class Command {
 public:
  // `settings`: "NAME=value", beside the environment there is.
  Command(std::vector<std::string> words, const std::string& folder,
          const std::vector<std::string>& settings = {});
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  ~Command();  // one that is still under way is killed

  pid_t process() const { return process_; }
  void kill() const;  // SIGKILL: it cannot prepare for it
  bool has_ended();
  // Waits for its end: its exit code, or -1 when it was killed.
  int wait();
  std::string out() const;
  std::string err() const;

 private:
  std::string out_path_;
  std::string err_path_;
  pid_t process_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace rankveil::tests
