#include "rankveil/connect/program/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include "rankveil/base/clock.h"
#include "rankveil/base/files/quiet_pipes.h"
#include "rankveil/base/stopwatch.h"

extern char** environ;  // NOLINT: its name is the system's

namespace rankveil::connect {
namespace {

constexpr std::size_t longest_line = std::size_t{64} << 20;
constexpr double moment_to_end = 0.5;

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor out;  // to read from
  Descriptor in;   // to write to
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return io_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

// The file actions of a spawn, freed with their owner.
struct Actions {
  posix_spawn_file_actions_t actions{};
  Actions() { posix_spawn_file_actions_init(&actions); }
  ~Actions() { posix_spawn_file_actions_destroy(&actions); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
};

}  // namespace

struct Process::State {
  std::string name;
  pid_t pid = -1;
  Descriptor to;
  Descriptor from;
  std::string read;  // and not yet handed over

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { end(moment_to_end); }

  // Its status, or nothing while it runs.
  bool has_ended(int& status) {
    if (pid < 0 || ::waitpid(pid, &status, WNOHANG) != pid) return false;
    pid = -1;
    return true;
  }

  void end(double patience) {
    to.close();
    int status = 0;
    Stopwatch watch;
    while (pid >= 0 && !has_ended(status) && watch.seconds() < patience) real_clock().sleep(0.002);
    if (pid < 0) return;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, &status, 0);
    pid = -1;
  }

  // What the end of its output means. It may need a moment to be gone.
  Trouble died() {
    int status = 0;
    Stopwatch watch;
    while (watch.seconds() < moment_to_end) {
      if (has_ended(status)) {
        return {io_error(fmt::format("{} {} instead of answering", name, how_it_ended(status)))};
      }
      real_clock().sleep(0.002);
    }
    return {io_error(fmt::format("{} closed its output instead of answering", name))};
  }

  // Writes some of `rest`; false when nobody reads any more.
  bool write_some(std::string_view& rest) {
    ssize_t count = ::write(to.number(), rest.data(), rest.size());
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    return count >= 0 || errno == EAGAIN || errno == EINTR;
  }

  // Reads what is there; false at the end.
  bool read_some() {
    std::array<char, 65536> bytes;  // NOLINT: filled by read
    ssize_t count = ::read(from.number(), bytes.data(), bytes.size());
    if (count > 0) read.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }

  Reply<std::string> wait_for_line(std::string_view rest, double timeout);
};

Process::Process(std::unique_ptr<State> state) : state_(std::move(state)) {}
Process::~Process() = default;
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;

Result<Process> Process::start(const std::vector<std::string>& command) {
  auto input = make_pipe();
  if (!input) return input.error();
  auto output = make_pipe();
  if (!output) return output.error();
  Actions actions;
  posix_spawn_file_actions_adddup2(&actions.actions, input->out.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions.actions, output->in.number(), STDOUT_FILENO);
  std::vector<std::string> texts = command;
  std::vector<char*> arguments;
  arguments.reserve(texts.size() + 1);
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  auto state = std::make_unique<State>();
  state->name = command.front();
  int problem = ::posix_spawnp(&state->pid, arguments[0], &actions.actions, nullptr,
                               arguments.data(), environ);
  if (problem != 0) {
    state->pid = -1;
    return io_error(fmt::format("cannot start {}: {}", command.front(), std::strerror(problem)));
  }
  state->to = std::move(input->in);
  state->from = std::move(output->out);
  ::fcntl(state->to.number(), F_SETFL, O_NONBLOCK);
  ::fcntl(state->from.number(), F_SETFL, O_NONBLOCK);
  return Process(std::move(state));
}

// Reads while it writes: a program may answer before it has read everything.
Reply<std::string> Process::State::wait_for_line(std::string_view rest, double timeout) {
  Stopwatch watch;
  for (;;) {
    if (std::size_t end = read.find('\n'); end != std::string::npos && rest.empty()) {
      std::string answer = read.substr(0, end);
      read.erase(0, end + 1);
      return answer;
    }
    if (read.size() > longest_line) return bad_input("the answer has more than 64 MB");
    double left = timeout - watch.seconds();
    if (left <= 0) {
      return Trouble{io_error(fmt::format("no answer within {} s", timeout)), true, true};
    }
    std::array<pollfd, 2> ends = {
        {{from.number(), POLLIN, 0}, {rest.empty() ? -1 : to.number(), POLLOUT, 0}}};
    ::poll(ends.data(), ends.size(), static_cast<int>(std::ceil(left * 1000)));
    if (ends[1].revents != 0 && !write_some(rest)) return died();
    if (ends[0].revents != 0 && !read_some()) return died();
  }
}

Reply<std::string> Process::exchange(const std::string& line, double timeout) {
  QuietPipes quiet;
  if (!state_->read.empty()) {
    return bad_input(fmt::format("{} wrote more than one line for an answer", state_->name));
  }
  const std::string sent = line + "\n";
  auto answer = state_->wait_for_line(sent, timeout);
  if (!answer) state_->end(0);
  return answer;
}

}  // namespace rankveil::connect
