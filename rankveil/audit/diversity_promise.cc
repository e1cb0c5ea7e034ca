#include "rankveil/audit/diversity_promise.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace rankveil::audit {

namespace {

using publish::ColumnGuess;
using publish::Disclosure;
using publish::Diversity;
using publish::GroupGuess;
using publish::Publication;
using publish::PublishedGroup;

constexpr double slack = 1e-9;

const Disclosure* shown(const PublishedGroup& group, const std::string& column) {
  for (const Disclosure& one : group.sensitive) {
    if (one.column == column && one.is_shown()) return &one;
  }
  return nullptr;
}

// `distinct` different values in a group leave at most so much for the commonest.
double by_distinct(std::uint32_t distinct, double members) {
  return std::clamp((members - distinct + 1) / members, 0.0, 1.0);
}

// The largest share that a value of a group can have when exp(entropy) is at least `least`: the
// rest is spread as widely as the members allow.
double by_entropy(double least, double members) {
  if (least > members + slack) return 0;  // no group of this size may be shown
  double others = members - 1;
  auto entropy = [&](double share) {
    double rest = 1 - share;
    double sum = share > 0 ? -share * std::log(share) : 0;
    return rest > 0 && others > 0 ? sum - rest * std::log(rest / others) : sum;
  };
  double low = 1 / members, high = 1;
  for (int i = 0; i < 60; ++i) {
    double middle = (low + high) / 2;
    (entropy(middle) >= std::log(least) ? low : high) = middle;
  }
  return high;
}

// Where values are shown, as many as they say: shares are shares of those.
double members_of(const PublishedGroup& group, const Disclosure& one) {
  std::uint64_t members = one.range ? group.members : one.missing;
  if (!one.range) {
    for (const auto& [value, count] : one.values) members += count;
  }
  return static_cast<double>(std::max<std::uint64_t>(members, 1));
}

bool is_counted(const Diversity& demand) { return demand.distinct || demand.entropy; }

bool is_close(const Diversity& demand, const ColumnGuess& guess) {
  return demand.closeness && !guess.is_number;
}

double allowed_in(const PublishedGroup& group, const Disclosure& one, const Diversity& demand) {
  double members = members_of(group, one);
  double allowed = 1;
  if (demand.distinct) allowed = std::min(allowed, by_distinct(*demand.distinct, members));
  if (demand.entropy) allowed = std::min(allowed, by_entropy(*demand.entropy, members));
  return allowed;
}

// A figure of a group beside what the tests allow for it.
struct Margin {
  std::size_t group = 0;
  double is = 0;
  double allowed = 0;
  bool is_rise = false;

  double excess() const { return is - allowed; }
  std::string text() const {
    std::string what = is_rise
                           ? fmt::format("a value has a share of {:.3f} more than in the table", is)
                           : fmt::format("a guess is right with probability {:.3f}", is);
    return fmt::format("in group {} {}; {:.3f} is allowed", group + 1, what, allowed);
  }
};

class Margins {
 public:
  Margins(const Publication& publication, const ColumnGuess& guess) {
    const Diversity& demand = publication.diversity;
    for (const GroupGuess& told : guess.groups) {
      const PublishedGroup& group = publication.groups[told.group];
      const Disclosure& one = *shown(group, guess.column);
      bool is_comparable = !one.range || told.largest >= 1 - slack;
      if (is_counted(demand) && is_comparable) {
        add({told.group, told.largest, allowed_in(group, one, demand)});
      }
      if (is_close(demand, guess)) add({told.group, told.rise, *demand.closeness, true});
    }
  }

  // The one nearest to what is allowed, or farthest beyond.
  const std::optional<Margin>& tightest() const { return tightest_; }

 private:
  void add(const Margin& margin) {
    if (!tightest_ || margin.excess() > tightest_->excess()) tightest_ = margin;
  }

  std::optional<Margin> tightest_;
};

}  // namespace

Promise diversity_promise(const Publication& publication, const ColumnGuess& guess) {
  const Diversity& demand = publication.diversity;
  if (!is_counted(demand) && !is_close(demand, guess)) return {};
  double allowed = 0;
  for (const PublishedGroup& group : publication.groups) {
    const Disclosure* one = shown(group, guess.column);
    if (one != nullptr) allowed = std::max(allowed, allowed_in(group, *one, demand));
  }
  if (is_close(demand, guess)) allowed = std::min(allowed, guess.commonest + *demand.closeness);
  return {PromiseKind::GuessAtMost, allowed};
}

DiversityVerdict judge_diversity(const Publication& publication, const ColumnGuess& guess) {
  const Margins margins(publication, guess);
  if (!margins.tightest()) {
    return {true, guess.is_shown ? "groups show ranges of several values"
                                 : "no group that people are placed in shows it"};
  }
  return {margins.tightest()->excess() <= slack, margins.tightest()->text()};
}

}  // namespace rankveil::audit
