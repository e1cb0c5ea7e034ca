// The answers of one repetition: the same question again and again, while the own row's hidden
// value goes to and fro between a and b.
//
// A feature of the answers follows the value when it is one text in all answers for a, another in
// all answers for b. What varies while the value stays (a time stamp, the order of ties, chance)
// follows nothing.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "rankveil/probe/features.h"
#include "rankveil/probe/finding.h"

namespace rankveil::probe {

enum class State { A, B };

// How long after a write, and after it was asked last, a way gave an answer that had moved.
struct Pace {
  double after_write = 0;
  double after_ask = 0;
};

struct Observation {
  State state;
  Features features;
  Exchange exchange;    // with `observed` empty
  double asked = 0;     // when; waits for a service that throttles come after
  double answered = 0;  // when
  double written = 0;   // when the own row was written last
};

class Repetition {
 public:
  void add(Observation observation) { observations_.push_back(std::move(observation)); }
  // The last one was too early: it is seen again.
  void replace_last(Observation observation) { observations_.back() = std::move(observation); }

  // Names, what says most first. Needs an answer for a and one for b.
  std::vector<std::string> following() const;
  // Whether the service would not answer all of them. Nothing follows, then.
  bool throttled() const;
  // Whether the order, presence or number of rows varies while the value stays. A time stamp in a
  // row does not count: it follows nothing, and says nothing about the others.
  bool restless() const;
  // The answers in which the own row was seen lie on two sides: all places under a before all under
  // b, or the other way round. 0: neither; else -1 or 1.
  int sides() const;
  // Whether the own row was in all answers.
  bool in_sight() const;
  // The fastest change from one value to the other that answers followed. REQUIRES: some feature
  // follows.
  Pace pace() const;
  // The shortest run a, b, a.
  Proof proof(const std::string& feature) const;

  const std::vector<Observation>& observations() const { return observations_; }

 private:
  std::vector<std::string> names() const;
  std::set<std::string> texts(const std::string& name, State state) const;
  std::vector<Observation> observations_;
};

}  // namespace rankveil::probe
