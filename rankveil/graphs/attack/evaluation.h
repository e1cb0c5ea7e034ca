// Techniques against attacks: the share of identified users over levels, k and background.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/graphs/attack/linkage.h"
#include "rankveil/graphs/release/release.h"

namespace rankveil::attack {

// A technique with its options; k is set by the plan.
struct Contestant {
  std::string name;  // "ca", "be similar 1024"
  graph::ReleaseOptions options;
};

// A release that is there already; its k is what it says.
struct ReadyRelease {
  std::string name;
  graph::Release release;
};

// A level, and the shares that are known to its adversary; 0 where it has no such sample.
struct LinkagePoint {
  LinkageLevel level = LinkageLevel::I;
  double lambda1 = 0, lambda2 = 0;

  bool is_drawn() const { return uses_lambda1(level) || uses_lambda2(level); }
};

struct EvaluationPlan {
  std::vector<Contestant> contestants;
  std::vector<ReadyRelease> ready =
      {};  // of the same graph; attacked as they are, after the others
  std::vector<std::uint32_t> ks = {6};
  std::vector<LinkageLevel> levels = {LinkageLevel::I, LinkageLevel::II, LinkageLevel::III,
                                      LinkageLevel::IV};
  std::vector<double> lambda1s = {0.2};   // levels II and IV
  std::vector<double> lambda2s = {0.2};   // levels III and IV: every pair with lambda1s
  std::vector<LinkagePoint> points = {};  // instead of levels and shares, when there are any
  bool any_label = false;                 // MLE also without the own-label rule
  std::uint32_t draws = 10;               // of Lambda and Gamma
  std::uint64_t seed = 1;                 // draw i is the same for all contestants
  std::uint32_t threads = 0;              // 0: all cores
  Progress progress = {};
};

// fu is the mean over draws; [low, high] a 95% interval: Student's over draws where the level has
// any, else Wilson's over users.
struct EvaluationRow {
  std::string technique;
  std::string attack;  // mle, mle-any-label, bas
  LinkageLevel level = LinkageLevel::I;
  std::uint32_t k = 0;
  double lambda1 = 0, lambda2 = 0;  // 0 where the level has no such sample
  double fu = 0, low = 0, high = 0;
};

// What was released, for each contestant and k.
struct EvaluatedRelease {
  std::string technique;
  std::uint32_t k = 0;
  std::uint32_t sets = 0, smallest_set = 0, largest_set = 0;
  graph::EdgeChanges changes;
  double seconds = 0;         // to release
  double attack_seconds = 0;  // all draws of all levels
  std::vector<std::string> notes;
};

template <typename Field>
void describe(Field& field, EvaluatedRelease& release) {
  field("technique", release.technique, "what was attacked; with `--release`, the file");
  field("k", release.k, "users that hide together, at least; of a file, its smallest set");
  field("sets", release.sets, "sets of users");
  field("smallest_set", release.smallest_set, "users of the smallest");
  field("largest_set", release.largest_set, "users of the largest");
  field("edges_added", release.changes.added, "edges that the original lacks");
  field("edges_deleted", release.changes.deleted, "edges that only the original has");
  field("notes", release.notes, "what did not go by the book");
  field("seconds", release.seconds, "to release");
  field("attack_seconds", release.attack_seconds, "all attacks");
}

struct Evaluation {
  std::vector<EvaluationRow> rows;  // by contestant, k, level, lambda1, lambda2, attack
  std::vector<EvaluatedRelease> releases;
};

// Refuses an empty plan, shares outside [0, 1), no draws, and what a technique refuses.
Result<Evaluation> evaluate(const std::shared_ptr<const graph::Graph>& graph,
                            const EvaluationPlan& plan);

}  // namespace rankveil::attack
