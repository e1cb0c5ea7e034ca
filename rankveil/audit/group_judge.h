// What adversaries of all levels learn about the rows of one group.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/audit/joint.h"
#include "rankveil/audit/knowledge.h"
#include "rankveil/audit/people/gain_counts.h"
#include "rankveil/audit/prior.h"
#include "rankveil/audit/tally.h"
#include "rankveil/audit/vector_weights.h"

namespace rankveil::audit {

// In the order of level_names().
enum class LevelId : std::uint32_t {
  Prior,
  PriorPublic,
  Ignorant,
  Knowledgeable,
  MechanismTable,
  MechanismPublic,
  Joint,
  JointBalanced,
  BayesianJoint,
  Population,
  Intersecting,
  Acquaintance,  // this and the next ones: people/coin_level.h
  AcquaintanceThree,
  Share,
  Sets,
};
inline constexpr std::size_t level_count = 15;
using LevelSet = std::array<bool, level_count>;

// Tallies of every level and attribute, and what could not be done as it should.
class Board {
 public:
  explicit Board(std::uint32_t width) : width_(width), tallies_(level_count * width) {}

  Tally& at(LevelId level, std::uint32_t attribute) {
    return tallies_[static_cast<std::size_t>(level) * width_ + attribute];
  }
  const Tally& at(LevelId level, std::uint32_t attribute) const {
    return tallies_[static_cast<std::size_t>(level) * width_ + attribute];
  }
  void add(const Board& other);

  std::uint64_t unexplained = 0;  // rows whose profiles no vector of the group leads to
  std::uint64_t unmatched = 0;    // rows of groups too large, or too odd, to hand out vectors in
  std::vector<GainCounts> sets;   // of Observed::sensitive_sets
  // Rows, once for each level, whose attributes were weighed one by one: too many vectors fit.
  std::uint64_t one_by_one = 0;

 private:
  std::uint32_t width_;
  std::vector<Tally> tallies_;
};

// How likely the row's true vector is before and after the release, for `informed`.
struct OwnBelief {
  double before = 0;
  double after = 0;
};

class GroupJudge {
 public:
  GroupJudge(const Knowledge& knowledge, std::uint32_t group, std::uint32_t threads);

  void run(const LevelSet& levels, Board& board);
  // One for each row of the group, in their order. REQUIRES: a mechanism is known.
  std::vector<OwnBelief> own_beliefs();

 private:
  using Posteriors = std::vector<std::vector<double>>;  // [kind][place]
  // What a release by cluster says: factors on the counts of vectors, class by class; an empty list
  // says nothing.
  struct ClusterRelease {
    ClassList classes;
    std::vector<std::vector<Weighted>> factors;

    const std::vector<Weighted>& of(std::uint32_t row) const {
      return factors[classes.class_of[row]];
    }
  };

  // The vectors that fit a class, class by class.
  struct Fitting {
    Edges edges;
    std::vector<std::uint32_t> class_at;  // which class stands where
  };

  void judge_silent(const LevelSet& levels, Board& board);
  void judge_baselines(const LevelSet& levels, Board& board);
  void judge_ignorant(std::uint32_t j, Board& board);
  void judge_mechanism_table(std::uint32_t j, Board& board);
  void judge_fitting(const LevelSet& levels, Board& board);
  void judge_edges(bool knowledgeable, std::span<const LevelId> joint,
                   std::span<const LawColumn> columns, Board& board);
  void judge_unmatched(bool knowledgeable, std::span<const LevelId> joint,
                       std::span<const LawColumn> columns, Board& board);
  void judge_laws(const LevelSet& levels, Board& board);
  void judge_sets(Board& board);
  void judge_population(Board& board);
  void judge_intersecting(Board& board);

  std::vector<std::vector<Truth>> truths_by_kind(std::uint32_t j, const LawColumn& column) const;
  std::uint32_t own_code(std::size_t i, std::uint32_t j) const;
  const Strengths& strengths_of(std::uint32_t j, std::uint32_t kind) const;
  double law_weight(std::size_t release, std::uint32_t j, std::uint32_t kind, std::uint32_t code,
                    std::uint32_t pattern) const;
  bool fits(std::uint32_t j, std::uint32_t kind, std::uint32_t code) const;
  std::vector<LawColumn> fit_columns(const Prior& prior) const;
  std::vector<LawColumn> law_columns(const Prior& prior, Source source, std::size_t releases) const;
  Posteriors posteriors_of_kinds(std::uint32_t j) const;
  Posteriors posteriors_alone(std::uint32_t j, const LawColumn& column) const;
  const LawColumn& column_alone(std::uint32_t j, LawColumn& room) const;
  double mass_of(const ValueSet& set, std::span<const double> chances) const;

  // Knowledge::spared, by place in the prior.
  std::vector<std::uint8_t> spared_places(const Prior& prior, std::uint32_t j) const;
  void tally_by_attribute(LevelId level, Board& board) const;
  void tally_rows(LevelId level, const Prior& prior, std::span<const std::uint32_t> rows,
                  std::uint32_t j, std::span<const double> posterior, Board& board) const;
  void tally_shares(LevelId level, Board& board) const;
  void tally_class(LevelId level, const Prior& prior, std::span<const std::uint32_t> rows,
                   const Marginals& posterior, Board& board) const;
  void tally_edges(std::span<const LevelId> levels, const ClassList& classes,
                   const Fitting& fitting, std::span<const double> masses, Board& board) const;

  void weigh_densely(LevelId level, const Prior& prior, std::span<const LawColumn> columns,
                     const ClassList& classes, Board& board) const;
  std::vector<std::uint32_t> weigh_vectors(LevelId level, const Prior& prior,
                                           std::span<const LawColumn> columns,
                                           std::span<const std::uint32_t> rows, Board& board) const;
  void weigh_attributes(LevelId level, const Prior& prior, std::span<const LawColumn> columns,
                        std::span<const std::uint32_t> rows, Board& board) const;
  void weigh_all(LevelId level, const Prior& prior, std::span<const LawColumn> columns,
                 Board& board) const;
  std::optional<Fitting> find_fitting(std::span<const LawColumn> columns,
                                      const ClassList& classes) const;

  std::vector<Weighted> swap_weights(std::size_t row, std::size_t releases, double& others) const;
  void intersect_swaps(Board& board);
  double cluster_share(std::uint32_t j, std::uint32_t kind, std::uint32_t code) const;
  ClusterRelease read_clusters(std::size_t release) const;
  void intersect_clusters(Board& board);

  void own_by_swap(std::vector<OwnBelief>& beliefs) const;
  void own_by_fitted(std::vector<OwnBelief>& beliefs) const;
  void own_by_cluster(std::vector<OwnBelief>& beliefs) const;
  void own_by_law(std::vector<OwnBelief>& beliefs) const;

  const Knowledge& known_;
  std::uint32_t number_;
  const KnownGroup& group_;
  std::uint32_t threads_;
  std::uint32_t width_;
  Prior prior_;
  std::vector<LawColumn> kinds_;  // [attribute], of the observed release
};

}  // namespace rankveil::audit
