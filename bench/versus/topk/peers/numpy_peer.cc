#include "bench/versus/topk/peers/numpy_peer.h"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <numeric>
#include <sstream>

#include "bench/versus/topk/child.h"

namespace rankveil::versus {
namespace {

// Debian's interpreter: another one may come first on PATH and lack NumPy.
constexpr const char* python = "/usr/bin/python3";

class NumPy : public Contestant {
 public:
  explicit NumPy(Threshold threshold) : threshold_(threshold) {}

  std::string name() const override {
    return threshold_ == Threshold::Bincount ? "NumPy, bincount" : "NumPy, search";
  }
  std::string version() const override { return "NumPy " + version_; }
  std::uint32_t largest_table() const override { return UINT32_MAX; }
  bool supports(const Case& what) const override {
    return what.kind == Kind::Exact && what.threads == 1 && !what.has_real_weights;
  }

  Status prepare(const Data& data) override;
  Status ask(const Task& task) override;
  Status run(std::size_t question, Hits& hits) override;
  Status run_batch(std::vector<Hits>& answers) override;
  std::optional<double> own_clock() const override { return microseconds_; }

 private:
  Status start();
  Status expect_ok();

  Threshold threshold_;
  std::string version_ = "not started";
  std::optional<LineChild> child_;
  std::size_t questions_ = 0;
  std::optional<double> microseconds_;
};

Status NumPy::start() {
  std::signal(SIGPIPE, SIG_IGN);
  std::string mode = threshold_ == Threshold::Bincount ? "bincount" : "search";
  auto child = LineChild::start({python, RANKVEIL_NUMPY_SCRIPT, mode});
  if (!child) return child.error();
  child_ = std::move(*child);
  auto line = child_->read_line();
  if (!line) return io_error(fmt::format("{} cannot import numpy", python));
  version_ = *line;
  return {};
}

Status NumPy::expect_ok() {
  auto line = child_->read_line();
  if (!line) return line.error();
  return *line == "ok" ? Status{} : Status{io_error("NumPy answered: " + *line)};
}

Status NumPy::prepare(const Data& data) {
  if (Status started = start(); !started) return started;
  TemporaryFolder folder;
  std::string path = folder.path() + "/columns";
  std::ofstream file(path, std::ios::binary);
  for (const auto& column : data.table->columns) {
    file.write(reinterpret_cast<const char*>(column.data()),
               static_cast<std::streamsize>(column.size()));
  }
  file.close();
  if (!file) return io_error("cannot write " + path);
  auto sent = child_->write(
      fmt::format("load {} {} {}\n", data.table->rows, data.table->attributes(), path));
  if (!sent) return sent;
  return expect_ok();
}

Status NumPy::ask(const Task& task) {
  questions_ = task.questions.size();
  std::string text = fmt::format("ask {}\n", questions_);
  for (const Question& question : task.questions) {
    for (std::size_t a = 0; a < question.wanted.size(); ++a) {
      if (question.wanted[a] == no_wish) continue;
      text += fmt::format("{}:{}:{} ", a, question.wanted[a], task.weights.units[a]);
    }
    text += '\n';
  }
  if (Status sent = child_->write(text); !sent) return sent;
  return expect_ok();
}

Status NumPy::run(std::size_t question, Hits& hits) {
  if (Status sent = child_->write(fmt::format("run {}\n", question)); !sent) return sent;
  auto line = child_->read_line();
  if (!line) return line.error();
  std::istringstream words(*line);
  double nanoseconds = 0;
  std::size_t count = 0;
  words >> nanoseconds >> count;
  microseconds_ = nanoseconds / 1000;
  hits.resize(count);
  for (Hit& hit : hits) words >> hit.row >> hit.score;
  return words ? Status{} : Status{io_error("NumPy gave half an answer")};
}

Status NumPy::run_batch(std::vector<Hits>& answers) {
  double sum = 0;
  for (std::size_t q = 0; q < questions_; ++q) {
    if (Status ran = run(q, answers[q]); !ran) return ran;
    sum += *microseconds_;
  }
  microseconds_ = sum;
  return {};
}

}  // namespace

std::unique_ptr<Contestant> make_numpy(Threshold threshold) {
  return std::make_unique<NumPy>(threshold);
}

}  // namespace rankveil::versus
