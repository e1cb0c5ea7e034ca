#include "tests/audit/command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "rankveil/base/file.h"

extern char** environ;  // NOLINT: its name is the system's

namespace rankveil::tests {

namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

// Later settings of a name win.
std::vector<std::string> environment(const std::vector<std::string>& settings) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string text = *entry;
    bool replaced = false;
    for (const std::string& setting : settings) {
      replaced = replaced || text.starts_with(setting.substr(0, setting.find('=') + 1));
    }
    if (!replaced) all.push_back(std::move(text));
  }
  all.insert(all.end(), settings.begin(), settings.end());
  return all;
}

}  // namespace

Command::Command(std::vector<std::string> words, const std::string& folder,
                 const std::vector<std::string>& settings)
    : out_path_(folder + "/out"), err_path_(folder + "/err") {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out_path_.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err_path_.c_str(), flags, 0600);
  posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
  auto names = environment(settings);
  if (posix_spawn(&process_, words.front().c_str(), &files, nullptr, pointers(words).data(),
                  pointers(names).data()) != 0) {
    ended_ = true;
    status_ = SIGKILL;
  }
  posix_spawn_file_actions_destroy(&files);
}

Command::~Command() {
  kill();
  wait();
}

// A process that was waited for is gone, and its number may be somebody else's.
void Command::kill() const {
  if (!ended_) ::kill(process_, SIGKILL);
}

bool Command::has_ended() {
  if (!ended_) ended_ = waitpid(process_, &status_, WNOHANG) == process_;
  return ended_;
}

int Command::wait() {
  if (!ended_) ended_ = waitpid(process_, &status_, 0) == process_;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

std::string Command::out() const { return read_text(out_path_).value(); }

std::string Command::err() const { return read_text(err_path_).value(); }

}  // namespace rankveil::tests
