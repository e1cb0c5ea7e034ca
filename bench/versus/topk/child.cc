#include "bench/versus/topk/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace rankveil::versus {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

void send_to_nowhere(int descriptor) {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, descriptor);
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t size; (size = read(descriptor, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return text;
}

}  // namespace

Result<Finished> run_program(const std::vector<std::string>& command, bool quiet,
                             const std::vector<std::string>& environment) {
  std::array<int, 2> output{};
  if (pipe2(output.data(), O_CLOEXEC) != 0) return io_error("cannot make a pipe");
  pid_t pid = fork();
  if (pid < 0) return io_error(fmt::format("cannot start {}", command[0]));
  if (pid == 0) {
    dup2(output[1], STDOUT_FILENO);
    send_to_nowhere(STDIN_FILENO);
    if (quiet) send_to_nowhere(STDERR_FILENO);
    for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
    become(command);
  }
  close(output[1]);
  Finished finished;
  finished.output = read_all(output[0]);
  close(output[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return finished;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "versus.XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<LineChild> LineChild::start(const std::vector<std::string>& command) {
  std::array<int, 2> input{};
  std::array<int, 2> output{};
  if (pipe2(input.data(), O_CLOEXEC) != 0 || pipe2(output.data(), O_CLOEXEC) != 0) {
    return io_error("cannot make a pipe");
  }
  LineChild child;
  child.pid_ = fork();
  if (child.pid_ < 0) return io_error(fmt::format("cannot start {}", command[0]));
  if (child.pid_ == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    become(command);
  }
  close(input[0]);
  close(output[1]);
  child.to_ = fdopen(input[1], "w");
  child.from_ = fdopen(output[0], "r");
  return child;
}

LineChild::LineChild(LineChild&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, nullptr)),
      from_(std::exchange(other.from_, nullptr)) {}

LineChild& LineChild::operator=(LineChild&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(to_, other.to_);
  std::swap(from_, other.from_);
  return *this;
}

LineChild::~LineChild() { stop(); }

// A child that reads lines ends by itself when there are no more.
void LineChild::stop() {
  if (to_ != nullptr) std::fclose(to_);
  if (from_ != nullptr) std::fclose(from_);
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

Status LineChild::write(const std::string& text) {
  if (std::fputs(text.c_str(), to_) < 0 || std::fflush(to_) != 0) {
    return io_error("the program does not read any more");
  }
  return {};
}

Result<std::string> LineChild::read_line() {
  std::string line;
  for (int c; (c = std::fgetc(from_)) != EOF && c != '\n';) line.push_back(static_cast<char>(c));
  if (line.empty()) return io_error("the program ended without an answer");
  return line;
}

}  // namespace rankveil::versus
