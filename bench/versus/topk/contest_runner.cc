#include "bench/versus/topk/contest_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bench/versus/topk/machine.h"
#include "bench/versus/topk/oracle.h"

namespace rankveil::versus {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The plain answers to a task; entrants of the same task share them.
struct Expected {
  const Task* task;
  std::vector<Hits> answers;
};

const std::vector<Hits>& expected_answers(const Entrant& entrant, std::vector<Expected>& known) {
  for (const Expected& one : known) {
    if (one.task == entrant.task) return one.answers;
  }
  known.push_back({entrant.task, {}});
  for (const Question& question : entrant.task->questions) {
    known.back().answers.push_back(
        plain_top_k(*entrant.data, entrant.task->weights, question, top_k));
  }
  return known.back().answers;
}

// A core that has slept while others had their turn takes tens of milliseconds to run at full
// speed.
constexpr double warm_up_seconds = 0.1;

// One entrant's way through a case.
class Course {
 public:
  Course(const Entrant& entrant, const std::vector<Hits>& expected)
      : entrant_(entrant), expected_(expected), answers_(expected.size()) {}

  bool is_out() const { return !wrong_.empty() || !failed_.empty(); }
  const std::string& wrong() const { return wrong_; }
  const std::string& failed() const { return failed_; }
  const std::vector<double>& timings() const { return timings_; }

  // Hands over the questions and compares answers, all of them if `seconds` allow.
  void check(double seconds) {
    note(entrant_.contestant->ask(*entrant_.task));
    Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < steps() && !is_out(); ++i) {
      if (i >= 4 && microseconds_since(start) > seconds * 1e6) break;
      step(i);
    }
    timings_.clear();
  }

  // All questions once, from where the last round broke off, or as many as `seconds` allow. Those
  // before it in the round have filled the caches with their own data, so everybody may first
  // answer all questions without the clock, for as long as `warm_up_seconds` last.
  void round(double seconds) {
    Clock::time_point start = Clock::now();
    std::size_t before = timings_.size();
    while (!is_out() && microseconds_since(start) < warm_up_seconds * 1e6) {
      for (std::size_t i = 0; i < steps() && !is_out(); ++i) {
        if (i > 0 && microseconds_since(start) > warm_up_seconds * 1e6) break;
        step(i);
      }
    }
    timings_.resize(before);
    start = Clock::now();
    for (std::size_t i = 0; i < steps() && !is_out(); ++i) {
      if (i > 0 && microseconds_since(start) > seconds * 1e6) break;
      step(next_);
      next_ = (next_ + 1) % steps();
    }
  }

  Measurement measurement() const {
    Measurement result;
    result.rows = entrant_.data->table->rows;
    result.case_name = entrant_.task->what->name;
    result.contestant = entrant_.contestant->name();
    result.threads = entrant_.task->what->threads;
    result.is_reference = entrant_.is_reference;
    result.median_us = median(timings_);
    result.min_us = *std::min_element(timings_.begin(), timings_.end());
    result.timings = timings_.size();
    result.answers_checked = checked_;
    result.compares_rows = entrant_.contestant->breaks_ties_by_row();
    return result;
  }

 private:
  bool is_batch() const { return entrant_.task->what->is_batch; }
  std::size_t steps() const { return is_batch() ? 1 : expected_.size(); }

  void note(const Status& status) {
    if (!status) {
      failed_ = fmt::format("{}: {}", entrant_.contestant->name(), status.error().message);
    }
  }

  // A query or a batch: timed, then compared.
  void step(std::size_t question) {
    Contestant& contestant = *entrant_.contestant;
    Clock::time_point start = Clock::now();
    Status ran =
        is_batch() ? contestant.run_batch(answers_) : contestant.run(question, answers_[question]);
    double microseconds = microseconds_since(start);
    note(ran);
    if (is_out()) return;
    double own = contestant.own_clock().value_or(microseconds);
    timings_.push_back(is_batch() ? own / static_cast<double>(expected_.size()) : own);
    if (!is_batch()) return compare(question);
    for (std::size_t q = 0; q < expected_.size(); ++q) compare(q);
  }

  void compare(std::size_t question) {
    std::string text = difference(*entrant_.data, *entrant_.task, question, expected_[question],
                                  answers_[question], entrant_.contestant->breaks_ties_by_row());
    ++checked_;
    if (text.empty()) return;
    wrong_ = fmt::format("{}, {} rows, {}: {}", entrant_.contestant->name(),
                         count_text(entrant_.data->table->rows), entrant_.task->what->name, text);
  }

  const Entrant& entrant_;
  const std::vector<Hits>& expected_;
  std::vector<Hits> answers_;
  std::vector<double> timings_;
  std::size_t checked_ = 0;
  std::size_t next_ = 0;
  std::string wrong_;
  std::string failed_;
};

CaseOutcome collect(const std::vector<Course>& courses) {
  CaseOutcome outcome;
  for (const Course& course : courses) {
    if (!course.wrong().empty()) outcome.wrong.push_back(course.wrong());
    if (!course.failed().empty()) outcome.failed.push_back(course.failed());
    if (!course.is_out()) outcome.measurements.push_back(course.measurement());
  }
  return outcome;
}

}  // namespace

CaseOutcome run_case(const std::vector<Entrant>& entrants, const Pace& pace, const Say& say) {
  std::vector<Expected> known;
  known.reserve(entrants.size());
  std::vector<Course> courses;
  courses.reserve(entrants.size());
  for (const Entrant& entrant : entrants) {
    say(fmt::format("checking {}", entrant.contestant->name()));
    courses.emplace_back(entrant, expected_answers(entrant, known));
    courses.back().check(pace.cap_seconds);
  }
  for (std::uint32_t round = 0; round < pace.rounds; ++round) {
    say(fmt::format("round {} of {}", round + 1, pace.rounds));
    for (Course& course : courses) {
      if (!course.is_out()) course.round(pace.cap_seconds / pace.rounds);
    }
  }
  return collect(courses);
}

}  // namespace rankveil::versus
