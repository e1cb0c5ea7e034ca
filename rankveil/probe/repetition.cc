#include "rankveil/probe/repetition.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace rankveil::probe {
namespace {

// What the own row's place is worth in comparisons: rows that are not there come last.
double place_or_last(const Observation& observation) {
  const auto& places = observation.exchange.seen.places;
  if (places.empty() || !places.front()) return std::numeric_limits<double>::infinity();
  return static_cast<double>(*places.front());
}

}  // namespace

// In the order of the answer that has most of them; those of the others follow.
std::vector<std::string> Repetition::names() const {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const Observation& observation : observations_) {
    for (const auto& feature : observation.features) {
      if (known.insert(feature.first).second) names.push_back(feature.first);
    }
  }
  return names;
}

std::set<std::string> Repetition::texts(const std::string& name, State state) const {
  std::set<std::string> texts;
  for (const Observation& observation : observations_) {
    if (observation.state == state) texts.insert(feature_text(observation.features, name));
  }
  return texts;
}

bool Repetition::throttled() const {
  return std::ranges::any_of(observations_, [](const Observation& observation) {
    return observation.exchange.seen.outcome == Outcome::Throttled;
  });
}

std::vector<std::string> Repetition::following() const {
  if (throttled()) return {};
  std::vector<std::string> following;
  for (const std::string& name : names()) {
    const auto a = texts(name, State::A);
    const auto b = texts(name, State::B);
    if (a.size() == 1 && b.size() == 1 && a != b) following.push_back(name);
  }
  return following;
}

bool Repetition::restless() const {
  return std::ranges::any_of(names(), [this](const std::string& name) {
    if (is_part(name)) return false;
    return texts(name, State::A).size() > 1 || texts(name, State::B).size() > 1;
  });
}

int Repetition::sides() const {
  double least[2] = {std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::infinity()};
  double most[2] = {0, 0};
  for (const Observation& observation : observations_) {
    const auto state = static_cast<std::size_t>(observation.state);
    least[state] = std::min(least[state], place_or_last(observation));
    most[state] = std::max(most[state], place_or_last(observation));
  }
  if (most[0] < least[1]) return -1;
  return most[1] < least[0] ? 1 : 0;
}

bool Repetition::in_sight() const {
  return std::ranges::all_of(observations_, [](const Observation& observation) {
    const auto& places = observation.exchange.seen.places;
    return !places.empty() && places.front();
  });
}

Pace Repetition::pace() const {
  Pace fastest{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::size_t i = 1; i < observations_.size(); ++i) {
    const Observation& before = observations_[i - 1];
    const Observation& now = observations_[i];
    if (now.state == before.state) continue;
    // A service may have looked as late as this, and have kept the answer before as early as that.
    const Pace pace{now.answered - now.written, now.answered - before.asked};
    if (pace.after_ask < fastest.after_ask) fastest = pace;
  }
  return fastest;
}

Proof Repetition::proof(const std::string& feature) const {
  Proof proof{feature, {}};
  for (const State state : {State::A, State::B, State::A}) {
    const auto last = [&](const Observation& observation) { return observation.state == state; };
    auto found = proof.exchanges.size() < 2
                     ? std::ranges::find_if(observations_, last)
                     : std::find_if(observations_.rbegin(), observations_.rend(), last).base() - 1;
    assert(found != observations_.end() && "a proof needs answers for a and for b");
    Exchange exchange = found->exchange;
    exchange.seen.observed = feature_text(found->features, feature);
    proof.exchanges.push_back(std::move(exchange));
  }
  return proof;
}

}  // namespace rankveil::probe
