// The levels that weigh whole private vectors.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "rankveil/audit/dense_weights.h"
#include "rankveil/audit/fit_bits.h"
#include "rankveil/audit/group_judge.h"
#include "rankveil/audit/whole_vectors.h"
#include "rankveil/base/parallel.h"

namespace rankveil::audit {

namespace {

constexpr std::uint32_t classes_per_piece = 2048;
// More edges than this are not kept: classes and vectors of so large a group are not matched. Each
// takes 4 bytes, and as many groups as there are threads may keep so many at once. The limit does
// not hang on the threads, or else findings would.
constexpr std::size_t most_edges = 48'000'000;
// Fewer pairs of class and vector are not worth any preparation.
constexpr std::size_t small_work = 2000;
// A vector found by going down a tree takes as long as so many words of bits.
constexpr double words_per_vector = 8;
// Where so many vectors fit, they are not even gone through: attributes are looked at one by one.
constexpr double most_visits = 1e9;

// Runs body(begin, end, board) over [0, count) in pieces, each with a board of its own; boards are
// added in order, so that threads change nothing.
template <typename Body>
void in_pieces(std::uint32_t count, std::uint32_t threads, std::uint32_t width, Board& board,
               const Body& body) {
  std::size_t pieces = (count + classes_per_piece - 1) / classes_per_piece;
  if (pieces == 1) return body(0, count, board);
  std::vector<Board> boards(pieces, Board(width));
  parallel_for(pieces, threads, [&](std::size_t piece) {
    auto begin = static_cast<std::uint32_t>(piece) * classes_per_piece;
    body(begin, std::min(count, begin + classes_per_piece), boards[piece]);
  });
  for (const Board& one : boards) board.add(one);
}

bool nothing_ruled_out(std::span<const LawColumn> columns) {
  return std::all_of(columns.begin(), columns.end(),
                     [](const LawColumn& column) { return column.rules_nothing_out(); });
}

void normalise(std::span<double> values) {
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value = sum > 0 ? value / sum : 0;
}

std::vector<std::uint32_t> all_rows(const KnownGroup& group) {
  std::vector<std::uint32_t> rows(group.rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

std::vector<LawColumn> GroupJudge::fit_columns(const Prior& prior) const {
  std::vector<LawColumn> columns;
  for (std::uint32_t j = 0; j < width_; ++j) {
    LawColumn& column = columns.emplace_back(kinds_[j]);
    fill_weights(
        prior, {},
        [&](std::uint32_t kind, std::uint32_t code, std::uint32_t) {
          return fits(j, kind, code) ? 1.0 : 0.0;
        },
        column);
  }
  return columns;
}

std::vector<LawColumn> GroupJudge::law_columns(const Prior& prior, Source source,
                                               std::size_t releases) const {
  std::vector<LawColumn> columns;
  for (std::size_t r = 0; r < releases; ++r) {
    const Likelihood& law = *known_.law(r);
    for (std::uint32_t j = 0; j < width_; ++j) {
      LawColumn& column = columns.emplace_back(
          r == 0 ? kinds_[j] : column_of(group_, known_.release(r).kinds[j], j));
      fill_weights(
          prior, [&](std::uint32_t v) { return law.pattern(source, prior.example[v], j); },
          [&](std::uint32_t kind, std::uint32_t code, std::uint32_t pattern) {
            return law_weight(r, j, kind, code, pattern);
          },
          column);
    }
  }
  return columns;
}

// The rows of a class by their true values, which may be none of the prior's. Somebody
// knowledgeable takes all values that are possible for alike.
void GroupJudge::tally_rows(LevelId level, const Prior& prior, std::span<const std::uint32_t> rows,
                            std::uint32_t j, std::span<const double> posterior,
                            Board& board) const {
  std::vector<Truth> truths;
  for (std::uint32_t i : rows) {
    if (!known_.counts(group_.rows[i])) continue;
    std::uint32_t place =
        &prior == &prior_ ? prior_.place(prior_.vector_of[i], j) : prior.find(j, own_code(i, j));
    auto known = std::find_if(truths.begin(), truths.end(),
                              [&](const Truth& truth) { return truth.place == place; });
    if (known != truths.end()) {
      ++known->rows;
    } else {
      truths.push_back({place, 1});
    }
  }
  std::vector<std::uint8_t> spared = spared_places(prior, j);
  if (level != LevelId::Knowledgeable) {
    board.at(level, j).add(posterior, prior.shares[j], truths, spared);
    return;
  }
  std::vector<double> even(posterior.size());
  double values = 0;
  for (double p : posterior) values += p > 0 ? 1 : 0;
  for (std::size_t x = 0; x < even.size(); ++x) even[x] = posterior[x] > 0 ? 1 / values : 0;
  board.at(level, j).add(even, prior.shares[j], truths, spared);
}

// The same in all attributes.
void GroupJudge::tally_class(LevelId level, const Prior& prior, std::span<const std::uint32_t> rows,
                             const Marginals& posterior, Board& board) const {
  for (std::uint32_t j = 0; j < width_; ++j) {
    tally_rows(level, prior, rows, j, posterior.of(j), board);
  }
}

void GroupJudge::weigh_densely(LevelId level, const Prior& prior,
                               std::span<const LawColumn> columns, const ClassList& classes,
                               Board& board) const {
  DenseWeights weights(prior, columns, classes);
  for (std::uint32_t half = 0; half < DenseWeights::halves; ++half) {
    in_pieces(classes.count(), threads_, width_, board,
              [&](std::uint32_t begin, std::uint32_t end, Board& own) {
                weights.run(half, begin, end,
                            [&](std::uint32_t one, std::uint32_t j, std::span<double> posterior) {
                              normalise(posterior);
                              tally_rows(level, prior, classes.members[one], j, posterior, own);
                            });
              });
  }
}

// Rows that no vector explains are left: they are returned, and not counted.
std::vector<std::uint32_t> GroupJudge::weigh_vectors(LevelId level, const Prior& prior,
                                                     std::span<const LawColumn> columns,
                                                     std::span<const std::uint32_t> rows,
                                                     Board& board) const {
  if (prior.vectors() == 1 && nothing_ruled_out(columns)) {  // most groups, where many are alone
    for (std::uint32_t j = 0; j < width_; ++j) {
      tally_rows(level, prior, rows, j, prior.shares[j], board);
    }
    return {};
  }
  ClassList classes = classes_of(columns, rows);
  bool is_small = std::size_t{classes.count()} * prior.vectors() < small_work;
  if (!is_small && nothing_ruled_out(columns)) {
    weigh_densely(level, prior, columns, classes, board);
    return {};
  }
  SparseWeights weights(prior, columns, classes);
  if (weights.expected_left() > most_visits) {
    weigh_attributes(level, prior, columns, rows, board);
    board.one_by_one += rows.size();
    return {};
  }
  std::vector<double> masses(prior.counts.begin(), prior.counts.end());
  std::vector<std::uint8_t> explained(classes.count(), 1);
  in_pieces(classes.count(), threads_, width_, board,
            [&](std::uint32_t begin, std::uint32_t end, Board& own) {
              weights.run_sums(begin, end, masses,
                               [&](std::uint32_t one, Marginals& marginals, bool any) {
                                 explained[one] = any ? 1 : 0;
                                 if (!any) return;
                                 marginals.normalise();
                                 tally_class(level, prior, classes.members[one], marginals, own);
                               });
            });
  std::vector<std::uint32_t> unexplained;
  for (std::uint32_t one = 0; one < classes.count(); ++one) {
    if (explained[one] != 0) continue;
    unexplained.insert(unexplained.end(), classes.members[one].begin(), classes.members[one].end());
  }
  return unexplained;
}

// What each attribute says by itself, for some rows.
void GroupJudge::weigh_attributes(LevelId level, const Prior& prior,
                                  std::span<const LawColumn> columns,
                                  std::span<const std::uint32_t> rows, Board& board) const {
  for (std::uint32_t j = 0; j < width_; ++j) {
    std::vector<std::vector<double>> posteriors;
    for (std::size_t kind = 0; kind < columns[j].kinds.size(); ++kind) {
      posteriors.push_back(posterior_of(columns[j], kind, prior.shares[j].size()));
      auto& own = posteriors.back();
      bool silent = std::all_of(own.begin(), own.end(), [](double p) { return p <= 0; });
      if (silent) own = prior.shares[j];
    }
    for (std::uint32_t i : rows) {
      tally_rows(level, prior, std::span(&i, 1), j, posteriors[columns[j].kind_of[i]], board);
    }
  }
}

// Where no vector leads to all profiles of a row: vectors that fit them; where there are none
// either, each attribute speaks for itself.
void GroupJudge::weigh_all(LevelId level, const Prior& prior, std::span<const LawColumn> columns,
                           Board& board) const {
  auto left = weigh_vectors(level, prior, columns, all_rows(group_), board);
  if (left.empty()) return;
  board.unexplained += left.size();
  std::vector<LawColumn> fitting = fit_columns(prior);
  left = weigh_vectors(level, prior, fitting, left, board);
  weigh_attributes(level, prior, columns, left, board);
}

// Where attributes do not speak for themselves, knowing the mechanism means to simulate vectors:
// the same as weighing them.
void GroupJudge::judge_laws(const LevelSet& levels, Board& board) {
  bool attributes = levels[static_cast<std::size_t>(LevelId::MechanismPublic)];
  bool vectors = levels[static_cast<std::size_t>(LevelId::BayesianJoint)];
  bool product = known_.form() == Form::Product;
  bool simulated = looks_at_whole_vectors(known_.scheme());
  if (attributes && !simulated) tally_by_attribute(LevelId::MechanismPublic, board);
  if (vectors && !product) tally_by_attribute(LevelId::BayesianJoint, board);
  if (!product || !(vectors || (attributes && simulated))) return;
  Board weighed(width_);
  weigh_all(LevelId::BayesianJoint, prior_, law_columns(prior_, Source::Table, 1), weighed);
  for (std::uint32_t j = 0; j < width_; ++j) {
    const Tally& tally = weighed.at(LevelId::BayesianJoint, j);
    if (attributes && simulated) board.at(LevelId::MechanismPublic, j).add(tally);
    if (vectors) board.at(LevelId::BayesianJoint, j).add(tally);
  }
  board.unexplained += weighed.unexplained;
  board.one_by_one += weighed.one_by_one;
}

// A release by swap or cluster tells the shares of a group itself: other rows add nothing.
void GroupJudge::judge_population(Board& board) {
  if (known_.form() != Form::Product) return tally_by_attribute(LevelId::Population, board);
  Prior others = prior_of(*known_.observed().population, known_.population_like(group_));
  weigh_all(LevelId::Population, others, law_columns(others, Source::Population, 1), board);
}

namespace {

// Rows of classes, numbered as the edges number them, with their vectors. Nothing: a row's own
// vector does not fit it.
std::optional<std::vector<Held>> held_by(std::span<const LawColumn> columns,
                                         const ClassList& classes, const Prior& prior,
                                         const std::vector<std::uint32_t>& class_at) {
  std::vector<Held> held;
  for (std::uint32_t at = 0; at < class_at.size(); ++at) {
    for (std::uint32_t row : classes.members[class_at[at]]) {
      std::uint32_t vector = prior.vector_of[row];
      held.push_back({at, vector});
      for (const LawColumn& column : columns) {
        double weight = column.weights[column.kind_of[row]][column.feature_of[vector]];
        if (weight <= 0) return std::nullopt;
      }
    }
  }
  return held;
}

}  // namespace

// The vectors that fit a class, class by class. Nothing: there are too many.
std::optional<GroupJudge::Fitting> GroupJudge::find_fitting(std::span<const LawColumn> columns,
                                                            const ClassList& classes) const {
  SparseWeights weights(prior_, columns, classes);
  double expected = weights.expected_left();
  if (expected > static_cast<double>(most_edges)) return std::nullopt;
  std::optional<FitBits> bits;
  if (expected > small_work) bits.emplace(columns, classes, prior_.vectors());
  bool by_bits = bits && bits->work() < words_per_vector * expected;
  struct Piece {
    std::vector<std::uint32_t> classes, counts, vectors;
  };
  std::size_t pieces = (classes.count() + classes_per_piece - 1) / classes_per_piece;
  std::vector<Piece> found(pieces);
  std::size_t most = most_edges / std::max<std::size_t>(pieces, 1);
  parallel_for(pieces, threads_, [&](std::size_t piece) {
    auto begin = static_cast<std::uint32_t>(piece) * classes_per_piece;
    std::uint32_t end = std::min(classes.count(), begin + classes_per_piece);
    Piece& to = found[piece];
    SparseWeights::Walk walk(weights);
    for (std::uint32_t at = begin; at < end && to.vectors.size() <= most; ++at) {
      std::size_t before = to.vectors.size();
      if (by_bits) {
        bits->list(at, to.vectors);
        to.classes.push_back(at);
      } else {
        walk.go_to(at);
        walk.list(to.vectors);
        to.classes.push_back(walk.one());
      }
      to.counts.push_back(static_cast<std::uint32_t>(to.vectors.size() - before));
    }
  });
  Fitting fitting;
  auto& [edges, class_at] = fitting;
  std::size_t total = 0;
  for (const Piece& piece : found) {
    if (piece.vectors.size() > most) return std::nullopt;
    total += piece.vectors.size();
  }
  edges.vectors.reserve(total);
  for (Piece& piece : found) {
    class_at.insert(class_at.end(), piece.classes.begin(), piece.classes.end());
    for (std::uint32_t count : piece.counts) edges.begin.push_back(edges.begin.back() + count);
    edges.vectors.insert(edges.vectors.end(), piece.vectors.begin(), piece.vectors.end());
    piece = {};  // or all edges would be there twice
  }
  return fitting;
}

// Levels that know which vectors a group has, and which of them fit a row. Knowledgeable: all
// values of those that fit are alike.
void GroupJudge::judge_fitting(const LevelSet& levels, Board& board) {
  std::vector<LevelId> joint;
  for (LevelId level : {LevelId::Joint, LevelId::JointBalanced}) {
    if (levels[static_cast<std::size_t>(level)]) joint.push_back(level);
  }
  bool knowledgeable = levels[static_cast<std::size_t>(LevelId::Knowledgeable)];
  if (joint.empty() && !knowledgeable) return;
  std::vector<LawColumn> columns = fit_columns(prior_);
  if (nothing_ruled_out(columns)) {
    if (knowledgeable) tally_shares(LevelId::Knowledgeable, board);
    for (LevelId level : joint) tally_shares(level, board);
    return;
  }
  judge_edges(knowledgeable, joint, columns, board);
}

void GroupJudge::judge_edges(bool knowledgeable, std::span<const LevelId> joint,
                             std::span<const LawColumn> columns, Board& board) {
  ClassList classes = classes_of(columns, all_rows(group_));
  auto fitting = find_fitting(columns, classes);
  auto held = fitting ? held_by(columns, classes, prior_, fitting->class_at) : std::nullopt;
  if (!held) return judge_unmatched(knowledgeable, joint, columns, board);
  std::vector<double> masses(prior_.counts.begin(), prior_.counts.end());
  std::size_t fit = fitting->edges.vectors.size();
  std::vector<LevelId> alike;  // levels that weigh the same edges alike
  if (knowledgeable) alike.push_back(LevelId::Knowledgeable);
  if (!joint.empty()) {
    Edges possible = fitting->edges;
    keep_possible(*held, prior_.vectors(), possible);
    if (possible.vectors.size() < fit) {
      tally_edges(alike, classes, *fitting, masses, board);
      alike.clear();
      fitting->edges = std::move(possible);
    }
  }
  bool balance = false;
  for (LevelId level : joint) {
    if (level == LevelId::Joint) alike.push_back(level);
    balance |= level == LevelId::JointBalanced;
  }
  tally_edges(alike, classes, *fitting, masses, board);
  if (!balance) return;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t one : fitting->class_at) rows.push_back(classes.rows[one]);
  masses = balanced(fitting->edges, rows, prior_.counts).by_vector;
  tally_edges(std::array{LevelId::JointBalanced}, classes, *fitting, masses, board);
}

// Where vectors cannot be handed out, what fits is weighed.
void GroupJudge::judge_unmatched(bool knowledgeable, std::span<const LevelId> joint,
                                 std::span<const LawColumn> columns, Board& board) {
  if (knowledgeable) weigh_all(LevelId::Knowledgeable, prior_, columns, board);
  if (joint.empty()) return;
  board.unmatched += group_.rows.size();
  Board weighed(width_);
  weigh_all(joint.front(), prior_, columns, weighed);
  for (LevelId level : joint) {
    for (std::uint32_t j = 0; j < width_; ++j) board.at(level, j).add(weighed.at(joint.front(), j));
  }
  board.one_by_one += weighed.one_by_one;
}

// Nothing is learnt.
void GroupJudge::tally_shares(LevelId level, Board& board) const {
  std::vector<std::uint32_t> rows = all_rows(group_);
  for (std::uint32_t j = 0; j < width_; ++j) {
    tally_rows(level, prior_, rows, j, prior_.shares[j], board);
  }
}

// Every vector weighs its mass wherever it fits.
void GroupJudge::tally_edges(std::span<const LevelId> levels, const ClassList& classes,
                             const Fitting& fitting, std::span<const double> masses,
                             Board& board) const {
  if (levels.empty()) return;
  in_pieces(fitting.edges.classes(), threads_, width_, board,
            [&](std::uint32_t begin, std::uint32_t end, Board& own) {
              Marginals marginals(prior_);
              for (std::uint32_t at = begin; at < end; ++at) {
                marginals.clear();
                marginals.add(prior_, fitting.edges.of(at), masses);
                marginals.normalise();
                const auto& members = classes.members[fitting.class_at[at]];
                for (LevelId level : levels) tally_class(level, prior_, members, marginals, own);
              }
            });
}

void GroupJudge::judge_intersecting(Board& board) {
  if (known_.form() == Form::Product) {
    auto columns = law_columns(prior_, Source::Table, known_.releases());
    return weigh_all(LevelId::Intersecting, prior_, columns, board);
  }
  if (known_.form() == Form::Swap) return intersect_swaps(board);
  intersect_clusters(board);
}

namespace {

// The vector that a row shows in a release, by its number in the prior; none: it shows what it
// showed before, or a vector that nobody in the group has.
std::uint32_t shown_vector(const Knowledge& known, const Prior& prior, std::size_t release,
                           RowId row) {
  std::vector<std::uint32_t> places;
  for (std::uint32_t j = 0; j < prior.width; ++j) {
    std::uint32_t signal = known.signals(release).kinds[j][+row];
    if (signal == untold) return Prior::nowhere;
    const Strengths& shown = known.signal(j, signal);
    places.push_back(prior.find(j, shown.empty() ? known.domain(j) : shown.front().first));
    if (places.back() == Prior::nowhere) return Prior::nowhere;
  }
  return prior.find_vector(places);
}

}  // namespace

// Every release makes the vector that is shown more likely by the same factor, and all others less.
std::vector<Weighted> GroupJudge::swap_weights(std::size_t row, std::size_t releases,
                                               double& others) const {
  SwapOdds odds = swap_odds(1.0 / known_.task()->demand.l, prior_.rows);
  std::vector<std::uint32_t> shown;
  for (std::size_t r = 0; r < releases; ++r) {
    std::uint32_t vector = shown_vector(known_, prior_, r, group_.rows[row]);
    if (vector != Prior::nowhere) shown.push_back(vector);
  }
  others = std::pow(odds.other, static_cast<double>(shown.size()));
  std::vector<Weighted> weights;
  for (std::uint32_t vector : shown) {
    bool seen = std::any_of(weights.begin(), weights.end(),
                            [&](const Weighted& one) { return one.vector == vector; });
    if (seen) continue;
    double count = prior_.counts[vector];
    double weight = count;
    for (std::uint32_t other : shown) {
      weight *= other == vector ? odds.other + (odds.own - odds.other) / count : odds.other;
    }
    weights.push_back({vector, weight});
  }
  return weights;
}

void GroupJudge::intersect_swaps(Board& board) {
  Marginals marginals(prior_);
  for (std::uint32_t i = 0; i < group_.rows.size(); ++i) {
    double others = 1;
    std::vector<Weighted> weights = swap_weights(i, known_.releases(), others);
    for (Weighted& one : weights) one.weight -= prior_.counts[one.vector] * others;
    for (std::uint32_t j = 0; j < width_; ++j) {
      auto to = marginals.of(j);
      for (std::size_t x = 0; x < to.size(); ++x)
        to[x] = prior_.shares[j][x] * prior_.rows * others;
    }
    marginals.add(prior_, weights);
    marginals.normalise();
    for (std::uint32_t j = 0; j < width_; ++j) {
      tally_rows(LevelId::Intersecting, prior_, std::span(&i, 1), j, marginals.of(j), board);
    }
  }
}

namespace {

// Scales weights by turns until every attribute's come out at the shares of the cluster: what its
// shares say about whole vectors.
void fit_to_shares(const Prior& prior, const std::vector<std::vector<double>>& shares,
                   std::vector<Weighted>& vectors) {
  constexpr int rounds = 12;
  Marginals marginals(prior);
  for (int round = 0; round < rounds; ++round) {
    for (std::uint32_t j = 0; j < prior.width; ++j) {
      marginals.clear();
      marginals.add(prior, vectors);
      auto now = marginals.of(j);
      for (Weighted& one : vectors) {
        std::uint32_t place = prior.place(one.vector, j);
        one.weight *= shares[j][place] / now[place];
      }
    }
  }
}

}  // namespace

// What a release by cluster says about the vectors of every class, as a factor on their counts.
GroupJudge::ClusterRelease GroupJudge::read_clusters(std::size_t release) const {
  ClusterRelease made;
  std::vector<LawColumn> columns;
  for (std::uint32_t j = 0; j < width_; ++j) {
    LawColumn& column =
        columns.emplace_back(column_of(group_, known_.release(release).kinds[j], j));
    fill_weights(
        prior_, {},
        [&](std::uint32_t kind, std::uint32_t code, std::uint32_t) {
          return kind == untold || cluster_share(j, kind, code) > 0 ? 1.0 : 0.0;
        },
        column);
  }
  made.classes = classes_of(columns, all_rows(group_));
  made.factors.resize(made.classes.count());
  SparseWeights weights(prior_, columns, made.classes);
  weights.run(0, made.classes.count(), [&](std::uint32_t one, std::span<const Weighted> left) {
    if (columns[0].kinds[made.classes.kind(one, 0)] == untold) return;
    std::vector<std::vector<double>> shares(width_);
    for (std::uint32_t j = 0; j < width_; ++j) {
      std::uint32_t kind = columns[j].kinds[made.classes.kind(one, j)];
      for (std::uint32_t code : prior_.codes[j]) shares[j].push_back(cluster_share(j, kind, code));
    }
    auto& factors = made.factors[one];
    factors.assign(left.begin(), left.end());
    std::sort(factors.begin(), factors.end(),
              [](const Weighted& a, const Weighted& b) { return a.vector < b.vector; });
    fit_to_shares(prior_, shares, factors);
    for (Weighted& factor : factors) factor.weight /= prior_.counts[factor.vector];
  });
  return made;
}

double GroupJudge::cluster_share(std::uint32_t j, std::uint32_t kind, std::uint32_t code) const {
  const Strengths& strengths = strengths_of(j, kind);
  return code < known_.domain(j) ? strength_of(strengths, code) : rest_of(strengths);
}

namespace {

// Factors of vectors that both lists have.
std::vector<Weighted> multiplied(const std::vector<Weighted>& left,
                                 const std::vector<Weighted>& right) {
  std::vector<Weighted> both;
  for (auto a = left.begin(), b = right.begin(); a != left.end() && b != right.end();) {
    if (a->vector == b->vector) {
      both.push_back({a->vector, a++->weight * b++->weight});
    } else if (a->vector < b->vector) {
      ++a;
    } else {
      ++b;
    }
  }
  return both;
}

}  // namespace

// An empty list of factors is that of a row which shows what it showed: it says nothing new.
void GroupJudge::intersect_clusters(Board& board) {
  std::vector<ClusterRelease> releases;
  for (std::size_t r = 0; r < known_.releases(); ++r) releases.push_back(read_clusters(r));
  Posteriors none;
  std::vector<Posteriors> alone;
  for (std::uint32_t j = 0; j < width_; ++j) alone.push_back(posteriors_of_kinds(j));
  Marginals marginals(prior_);
  for (std::uint32_t i = 0; i < group_.rows.size(); ++i) {
    std::vector<Weighted> factors = releases[0].of(i);
    bool more = false;
    for (std::size_t r = 1; r < releases.size(); ++r) {
      if (releases[r].of(i).empty()) continue;
      factors = multiplied(factors, releases[r].of(i));
      more = true;
    }
    for (Weighted& one : factors) one.weight *= prior_.counts[one.vector];
    marginals.clear();
    marginals.add(prior_, factors);
    bool found = marginals.normalise();
    for (std::uint32_t j = 0; j < width_; ++j) {
      bool by_cluster = !more || !found;
      std::span<const double> posterior = alone[j][kinds_[j].kind_of[i]];
      if (!by_cluster) posterior = marginals.of(j);
      tally_rows(LevelId::Intersecting, prior_, std::span(&i, 1), j, posterior, board);
    }
  }
}

std::vector<OwnBelief> GroupJudge::own_beliefs() {
  std::vector<OwnBelief> beliefs;
  for (std::uint32_t vector : prior_.vector_of) {
    double share = static_cast<double>(prior_.counts[vector]) / prior_.rows;
    beliefs.push_back({share, share});
  }
  if (group_.silent) return beliefs;
  if (known_.form() == Form::Swap) own_by_swap(beliefs);
  if (known_.form() == Form::Fitted) own_by_fitted(beliefs);
  if (known_.form() == Form::Cluster) own_by_cluster(beliefs);
  if (known_.form() == Form::Product) own_by_law(beliefs);
  return beliefs;
}

void GroupJudge::own_by_swap(std::vector<OwnBelief>& beliefs) const {
  for (std::uint32_t i = 0; i < beliefs.size(); ++i) {
    double others = 1;
    std::vector<Weighted> weights = swap_weights(i, 1, others);
    if (weights.empty()) continue;
    // Weights of the shown vector and of all others sum to 1.
    std::uint32_t own = prior_.vector_of[i];
    beliefs[i].after = own == weights[0].vector ? weights[0].weight : prior_.counts[own] * others;
  }
}

// Column by column: how much likelier what is shown is for somebody with the
// row's own value than for anybody in its base group.
void GroupJudge::own_by_fitted(std::vector<OwnBelief>& beliefs) const {
  double keep = 1.0 / known_.task()->demand.l;
  for (std::uint32_t i = 0; i < beliefs.size(); ++i) {
    double before = 1, ratio = 1;
    for (std::uint32_t j = 0; j < width_; ++j) {
      const Strengths& strengths = known_.strengths(j, known_.release(0).kinds[j][+group_.rows[i]]);
      const Strengths& signal = known_.signal(j, known_.signals(0).kinds[j][+group_.rows[i]]);
      std::uint32_t shown = signal.empty() ? known_.domain(j) : signal.front().first;
      std::uint32_t own = own_code(i, j);
      auto share = [&](std::uint32_t code) {
        double all = code < known_.domain(j) ? strength_of(strengths, code) : rest_of(strengths);
        return std::max(1e-9, (all - (code == shown ? keep : 0)) / (1 - keep));
      };
      before *= share(own);
      ratio *= ((own == shown ? keep : 0) + (1 - keep) * share(shown)) / share(shown);
    }
    beliefs[i] = {before, std::min(1.0, before * ratio)};
  }
}

// Who shows the same shares is in the same cluster, or in one that is like it.
void GroupJudge::own_by_cluster(std::vector<OwnBelief>& beliefs) const {
  ClassList classes = classes_of(kinds_, all_rows(group_));
  for (const auto& members : classes.members) {
    for (std::uint32_t i : members) {
      double same = 0;
      for (std::uint32_t mate : members) same += prior_.vector_of[i] == prior_.vector_of[mate];
      beliefs[i].after = same / static_cast<double>(members.size());
    }
  }
}

void GroupJudge::own_by_law(std::vector<OwnBelief>& beliefs) const {
  std::vector<LawColumn> columns = law_columns(prior_, Source::Table, 1);
  ClassList classes = classes_of(columns, all_rows(group_));
  if (nothing_ruled_out(columns)) {
    DenseWeights weights(prior_, columns, classes);
    weights.run(0, 0, classes.count(),
                [&](std::uint32_t one, std::uint32_t j, std::span<const double> all) {
                  if (j != weights.first_attribute(0)) return;
                  double total = std::accumulate(all.begin(), all.end(), 0.0);
                  for (std::uint32_t i : classes.members[one]) {
                    beliefs[i].after = weights.weight(one, prior_.vector_of[i]) / total;
                  }
                });
    return;
  }
  SparseWeights weights(prior_, columns, classes);
  weights.run(0, classes.count(), [&](std::uint32_t one, std::span<const Weighted> left) {
    double total = 0;
    for (const Weighted& vector : left) total += vector.weight;
    if (total <= 0) return;
    for (std::uint32_t i : classes.members[one]) {
      auto own = std::find_if(left.begin(), left.end(), [&](const Weighted& vector) {
        return vector.vector == prior_.vector_of[i];
      });
      bool found = own != left.end();
      beliefs[i].after = found ? own->weight / total : 0;
    }
  });
}

}  // namespace rankveil::audit
