// The bounds of noiseless privacy beside what attacks achieve.
//
// The paper proves, or means to prove, that any k-anonymous release of n users is (epsilon,
// delta)-private against each level: Theorem 2 for level I, 3 for II, 4 for III and 5 for IV. A
// guarantee is about telling two values of one user's data apart. bound/identification.h turns it
// into the thing that attacks measure: how often u's list is found among those of his set. Users
// all of whose friends are known (levels III and IV) count as identified, since no theorem covers
// them and the measured share has them in it.
//
// When a measured rate lies above the bound, the theorem does not hold of this release. That is
// possible in both modes. Paper: the printed formula is claimed of the release. Sound: what is
// proved is about a sum over all users, and about intervals of it; a release shows lists, which is
// more. So a crossing in sound mode is no contradiction: it says that the sum's bound must not be
// taken for the release's. Theorems 2 and 4, and so levels I and III, take lists to be independent
// in either mode. They are not, since friendship is mutual: who shows these bounds must say so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/graphs/attack/evaluation.h"
#include "rankveil/graphs/bounds/sum_theorems.h"

namespace rankveil::attack {

// The theorem that speaks of a level; 0: none does.
std::uint32_t theorem_of(LinkageLevel level);

// What a release has to do with it.
struct Promiser {
  std::uint32_t smallest_set = 2;  // so few lists are the candidates
  std::uint32_t largest_set = 2;
  // Paper mode: the most that sets differ in size, at least 1, as the proxy of what the paper calls
  // syntactic sensitivity. Sound mode: 1, since a user's data lies in [0, 1).
  double sensitivity(bound::Mode mode) const;
};
Promiser promiser_of(const EvaluatedRelease& release);

struct Promised {
  double epsilon = 0, delta = 0;
  double rate = 1;  // over all users; 1: promises nothing
};

// Bounds for one graph.
class Promises {
 public:
  explicit Promises(const graph::Graph& graph);

  // Nothing where the theorem does not apply: a level without one, or no user left whose data is
  // uncertain.
  std::optional<Promised> at(const LinkagePoint& point, std::uint32_t k, const Promiser& release,
                             bound::Mode mode) const;

 private:
  bound::CrowdSums sums_;
  std::uint64_t neighbourhood_;
};

// A measured row and its bounds. A bound is crossed when the whole interval lies above it.
struct HeldAgainst {
  std::optional<Promised> paper, sound;
  bool crosses_paper = false, crosses_sound = false;
};
// One a row. REQUIRES: `evaluation` is of the graph of `promises`.
std::vector<HeldAgainst> hold_against(const Evaluation& evaluation, const Promises& promises);

// A bound as background grows.
struct PromisedPoint {
  double x = 0;
  double rate = 1;
};
struct PromisedCurve {
  std::string technique;
  std::uint32_t k = 0;
  LinkageLevel level = LinkageLevel::I;
  bound::Mode mode = bound::Mode::Sound;
  bool over_lambda1 = false;          // level II; else over lambda2
  double lambda1 = 0;                 // level IV: stays there
  std::vector<PromisedPoint> points;  // where a bound exists
};
// For each release and each of the levels II, III and IV that were run, in both modes: from 0 to
// .95, and at every share that was run.
std::vector<PromisedCurve> promised_curves(const Evaluation& evaluation, const Promises& promises);

}  // namespace rankveil::attack
