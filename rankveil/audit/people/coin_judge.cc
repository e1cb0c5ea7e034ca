#include "rankveil/audit/people/coin_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "rankveil/audit/people/calibration.h"
#include "rankveil/audit/people/learners.h"
#include "rankveil/base/parallel.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

constexpr std::uint32_t circle_piece = 256;    // rows of a group that are looked at together
constexpr std::uint32_t vector_piece = 400;    // the same in a fitted exchange of whole vectors
constexpr std::uint32_t most_victims = 4'000;  // whom acquaintances ask about
constexpr std::uint32_t few_values = 100;  // of a column; where one has more, fewer are asked about
constexpr std::uint32_t rounds = 20;       // of scaling
constexpr double largest_sign = 12;

// Rows that are looked at together, those that are judged first.
struct Piece {
  std::vector<std::uint32_t> rows;
  std::uint32_t judged = 0;
};

using Laws = std::array<PeopleLaw, 2>;  // by half

// What the signs of one pair came to.
struct PairSigns {
  double log_ratio = 0;   // R'(z) / R(z)
  double log_chance = 0;  // R'(z)
  double if_moved = 0;    // R(z)
};

// The work of somebody who knows some attributes of every victim, under way. Victims are the first
// of the judged rows.
struct Acquaintance {
  std::vector<std::uint32_t> known;              // attributes
  std::vector<std::vector<PairSigns>> signs;     // [block][victim]
  std::vector<std::vector<std::uint8_t>> moved;  // [block][victim], 1: it shows another value
  std::vector<std::vector<float>> chances;       // [attribute][victim][code]: R', knowing that much
  std::vector<std::vector<double>> beliefs;      // [block][victim]; 0: it surely moved

  bool knows(std::uint32_t attribute) const {
    return std::ranges::find(known, attribute) != known.end();
  }
  bool knows_all(const std::vector<std::uint32_t>& block) const {
    return std::ranges::all_of(block, [&](std::uint32_t j) { return knows(j); });
  }
  bool knows_some(const std::vector<std::uint32_t>& block) const {
    return std::ranges::any_of(block, [&](std::uint32_t j) { return knows(j); });
  }
};

// Public columns, what is shown in place of the private ones, and behind them what is true.
CodedRows with_truth(const CodedRows& shown, const CodedRows& truth, std::uint32_t publics) {
  CodedRows both = shown;
  for (std::size_t i = publics; i < truth.codes.size(); ++i) {
    both.domains.push_back(truth.domains[i]);
    both.codes.push_back(truth.codes[i]);
  }
  return both;
}

// What acquaintances learn from: a release of which they know everything.
struct Practice {
  // REQUIRES: the task has one.
  explicit Practice(const CoinTask& task)
      : people(with_truth(task.practice->coded,
                          task.population != nullptr ? *task.population : task.truth,
                          task.publics)),
        release(with_truth(task.shown.coded, task.truth, task.publics)),
        learners(task.population != nullptr ? release : people,
                 task.population != nullptr ? &people : nullptr, task.effort, task.seed,
                 task.threads) {}
  Practice(const Practice&) = delete;
  Practice& operator=(const Practice&) = delete;

  CodedRows people, release;  // with_truth: those that are learnt from, and those that are judged
  Learners learners;          // in the same halves as the judge's
};

class CoinJudge {
 public:
  explicit CoinJudge(const CoinTask& task)
      : task_(task), learners_(task.truth, task.population, task.effort, task.seed, task.threads) {
    if (task.practice != nullptr && !task.knows.empty()) practice_.emplace(task);
  }

  std::optional<CoinJudgement> run() {
    draw_rows();
    if (judged_.size() < least_people || !learners_.enough()) return std::nullopt;
    signs_.assign(task_.blocks.size(), std::vector<PairSigns>(judged_.size()));
    chances_.resize(task_.truth.codes.size() - task_.publics);
    for (std::uint32_t count : task_.knows) introduce(count);
    for (std::uint32_t b = 0; b < task_.blocks.size(); ++b) {
      report(task_.progress, "looking for coins",
             static_cast<double>(b) / static_cast<double>(task_.blocks.size()));
      judge_block(b);
    }
    return judgement();
  }

 private:
  // ---- Rows ----

  void draw_rows() {
    std::vector<std::uint32_t> showing;
    for (std::uint32_t row = 0; row < task_.truth.rows; ++row) {
      if (task_.shown.shows[row] != 0) showing.push_back(row);
    }
    judged_ = drawn(showing, most_judged, task_.seed ^ 0xc01);
    fitted_ = drawn(std::move(showing), task_.effort.shown, task_.seed ^ 0xf17);
    for (std::uint32_t at = 0; at < judged_.size(); ++at) place_of_[judged_[at]] = at;
  }

  // ---- Models ----

  LawColumns columns_for(const std::vector<std::uint32_t>& block) const {
    LawColumns columns;
    for (std::uint32_t i = 0; i < task_.truth.codes.size(); ++i) {
      bool own = i >= task_.publics &&
                 std::find(block.begin(), block.end(), i - task_.publics) != block.end();
      if (!own) columns.given.push_back(i);
    }
    for (std::uint32_t j : block) columns.block.push_back(task_.publics + j);
    return columns;
  }

  // ---- Pieces ----

  BlockVector vector_of(const CodedRows& rows, const std::vector<std::uint32_t>& block,
                        std::uint32_t row) const {
    BlockVector vector;
    for (std::uint32_t j : block) vector.push_back(rows.codes[task_.publics + j][row]);
    return vector;
  }

  std::uint32_t exchanged_with(std::uint32_t row) const {
    return task_.group_of.empty() ? 0 : task_.group_of[row];
  }

  // Rows that show something, by group.
  std::map<std::uint32_t, std::vector<std::uint32_t>> showing_by_group() const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
    for (std::uint32_t row = 0; row < task_.truth.rows; ++row) {
      if (task_.shown.shows[row] != 0) groups[exchanged_with(row)].push_back(row);
    }
    return groups;
  }

  std::uint32_t piece_size(const std::vector<std::uint32_t>& block) const {
    if (task_.exchange == Exchange::Circles) return circle_piece;
    return block.size() == 1 ? most_judged : vector_piece;
  }

  // The judged rows of a group in pieces by lot, filled up with others where they are few.
  std::vector<Piece> pieces_for(const std::vector<std::uint32_t>& block) const {
    std::vector<Piece> pieces;
    std::uint32_t size = piece_size(block);
    for (const auto& [group, rows] : showing_by_group()) {
      std::vector<std::uint32_t> judged, others;
      for (std::uint32_t row : rows) (place_of_.contains(row) ? judged : others).push_back(row);
      Rng rng(task_.seed ^ (std::uint64_t{group} << 16) ^ 0x91ece);
      for (std::size_t i = judged.size(); i > 1; --i)
        std::swap(judged[i - 1], judged[rng.below(i)]);
      for (std::size_t at = 0; at < judged.size(); at += size) {
        auto begin = judged.begin() + static_cast<std::ptrdiff_t>(at);
        auto end = judged.begin() +
                   static_cast<std::ptrdiff_t>(std::min<std::size_t>(judged.size(), at + size));
        Piece& piece = pieces.emplace_back(Piece{{begin, end}, 0});
        piece.judged = static_cast<std::uint32_t>(piece.rows.size());
        fill_up(others, size, rng, piece);
      }
    }
    return pieces;
  }

  static void fill_up(std::vector<std::uint32_t> others, std::uint32_t size, Rng& rng,
                      Piece& piece) {
    for (std::size_t i = 0; piece.rows.size() < size && i < others.size(); ++i) {
      std::swap(others[i], others[i + rng.below(others.size() - i)]);
      piece.rows.push_back(others[i]);
    }
  }

  // ---- One block ----

  void judge_block(std::uint32_t b) {
    const auto& block = task_.blocks[b];
    LawColumns columns = columns_for(block);
    Laws people = learners_.learn(columns);
    std::optional<PeopleLaw> shown_law;
    if (task_.exchange == Exchange::Fitted) {
      shown_law = PeopleLaw::learn(task_.shown.coded.only(fitted_), columns, learners_.options());
    }
    for (std::uint32_t j : block) {
      chances_[j].assign(std::size_t{judged_.size()} * domain(j), 0);
      for (Acquaintance& one : acquaintances_) {
        one.chances[j].assign(victims() * domain(j), 0);
      }
    }
    std::vector<Laws> knowing = laws_knowing(b, people);
    std::vector<Piece> pieces = pieces_for(block);
    parallel_for(pieces.size(), task_.threads, [&](std::size_t i) {
      judge_piece(b, pieces[i], people, shown_law ? &*shown_law : nullptr, knowing);
    });
  }

  std::uint32_t domain(std::uint32_t j) const { return task_.truth.domains[task_.publics + j]; }

  void judge_piece(std::uint32_t b, const Piece& piece, const Laws& people,
                   const PeopleLaw* shown_law, const std::vector<Laws>& knowing) {
    const auto& block = task_.blocks[b];
    std::map<BlockVector, std::uint32_t> number_of;
    for (std::uint32_t row : piece.rows) number_of[vector_of(task_.shown.coded, block, row)] = 0;
    std::vector<BlockVector> vectors;
    for (auto& [vector, number] : number_of) {
      number = static_cast<std::uint32_t>(vectors.size());
      vectors.push_back(vector);
    }
    std::vector<std::uint32_t> shown_at;
    std::vector<double> counts(vectors.size(), 0);
    for (std::uint32_t row : piece.rows) {
      shown_at.push_back(number_of[vector_of(task_.shown.coded, block, row)]);
      counts[shown_at.back()] += 1;
    }
    std::vector<double> factors;
    ChanceTable own = chances_by_people(piece, people, vectors, counts, factors);
    auto rows = static_cast<std::uint32_t>(piece.rows.size());
    std::optional<ChanceTable> moved;
    if (shown_law != nullptr) {
      moved.emplace(rows, static_cast<std::uint32_t>(vectors.size()));
      std::vector<std::uint8_t> all(rows, 1);
      shown_law->fill_log_chances(task_.shown.coded, piece.rows, all, vectors, *moved);
      scale_to_counts(*moved, counts, rounds);
    }
    for (std::uint32_t i = 0; i < piece.judged; ++i) {
      std::uint32_t t = shown_at[i];
      double if_moved = moved ? (*moved)(i, t) : counts[t] / rows;
      std::uint32_t at = place_of_.at(piece.rows[i]);
      signs_[b][at] = {std::log(std::max(own(i, t), 1e-12) / if_moved),
                       std::log(std::max(own(i, t), 1e-12)), if_moved};
      keep_chances(block, vectors, own, i, at);
    }
    for (std::size_t i = 0; i < acquaintances_.size(); ++i) {
      ask_acquaintance(b, piece, knowing[i], vectors, factors, shown_at, acquaintances_[i]);
    }
  }

  // ---- Acquaintances ----

  std::size_t victims() const {
    bool whole_vectors =
        std::ranges::any_of(task_.blocks, [](const auto& block) { return block.size() > 1; });
    std::size_t most = whole_vectors ? most_victims / 2 : most_victims;
    // Each value of a column is weighed for each victim and acquaintance.
    std::uint32_t values = few_values;
    for (std::uint32_t j = 0; j < chances_.size(); ++j) values = std::max(values, domain(j));
    return std::min<std::size_t>(judged_.size(), most * few_values / values);
  }

  // Those who know one attribute: each of them, where there are no more. Who knows more: by lot.
  std::vector<std::vector<std::uint32_t>> sets_of(std::uint32_t count) const {
    auto width = static_cast<std::uint32_t>(chances_.size());
    std::vector<std::uint32_t> all(width);
    std::iota(all.begin(), all.end(), 0U);
    std::vector<std::vector<std::uint32_t>> sets;
    if (count == 1) {
      for (std::uint32_t j : drawn(all, task_.effort.sets, task_.seed ^ 0xac1)) sets.push_back({j});
      return sets;
    }
    for (std::uint32_t i = 0; i < std::min(width, task_.effort.sets); ++i) {
      sets.push_back(drawn(all, count, task_.seed ^ (i << 8) ^ 0xac3));
    }
    return sets;
  }

  void introduce(std::uint32_t count) {
    bool can_learn = practice_ || task_.exchange == Exchange::Circles;
    if (count >= chances_.size() || !can_learn) return;
    for (auto& known : sets_of(count)) {
      Acquaintance& one = acquaintances_.emplace_back();
      one.known = std::move(known);
      one.signs.assign(task_.blocks.size(), std::vector<PairSigns>(victims()));
      one.moved.assign(task_.blocks.size(), std::vector<std::uint8_t>(victims()));
      one.beliefs.assign(task_.blocks.size(), std::vector<double>(victims(), 0));
      one.chances.resize(chances_.size());
    }
  }

  // A block's law by public columns, what the other blocks show, and what he knows of them. In
  // circles there is no other block.
  std::vector<Laws> laws_knowing(std::uint32_t b, const Laws& people) const {
    const auto& block = task_.blocks[b];
    auto columns_shown = static_cast<std::uint32_t>(task_.truth.codes.size());
    std::vector<Laws> laws;
    for (const Acquaintance& one : acquaintances_) {
      if (!practice_ || one.knows_all(block)) {
        laws.push_back(people);
        continue;
      }
      LawColumns columns = columns_for(block);
      for (std::uint32_t known : one.known) {
        bool inside = std::ranges::find(block, known) != block.end();
        if (!inside) columns.given.push_back(columns_shown + known);
      }
      for (std::uint32_t& column : columns.block) column += columns_shown - task_.publics;
      laws.push_back(practice_->learners.learn(columns, 0.5));
    }
    return laws;
  }

  bool fits_known(const std::vector<std::uint32_t>& block, const BlockVector& vector,
                  std::uint32_t at, const Acquaintance& one) const {
    for (std::size_t place = 0; place < block.size(); ++place) {
      std::uint32_t truth = task_.truth.codes[task_.publics + block[place]][judged_[at]];
      if (one.knows(block[place]) && vector[place] != truth) return false;
    }
    return true;
  }

  // R' of victims, knowing that much, among the vectors of their piece.
  ChanceTable chances_knowing(std::uint32_t b, const Laws& laws,
                              const std::vector<std::uint32_t>& which,
                              const std::vector<BlockVector>& vectors,
                              const std::vector<double>& factors, const Acquaintance& one) const {
    ChanceTable chances(static_cast<std::uint32_t>(which.size()),
                        static_cast<std::uint32_t>(vectors.size()));
    const CodedRows& rows = practice_ ? practice_->release : task_.shown.coded;
    fill_log_chances(laws, rows, which, vectors, chances);
    for (std::uint32_t i = 0; i < which.size(); ++i) {
      double largest = -1e300, sum = 0;
      for (std::uint32_t t = 0; t < vectors.size(); ++t) largest = std::max(largest, chances(i, t));
      for (std::uint32_t t = 0; t < vectors.size(); ++t) {
        bool fits = fits_known(task_.blocks[b], vectors[t], place_of_.at(which[i]), one);
        double factor = practice_ ? 1 : factors[t];
        chances(i, t) = fits ? std::exp(chances(i, t) - largest) * factor : 0;
        sum += chances(i, t);
      }
      for (std::uint32_t t = 0; t < vectors.size() && sum > 0; ++t) chances(i, t) /= sum;
    }
    return chances;
  }

  void fill_log_chances(const Laws& laws, const CodedRows& rows,
                        const std::vector<std::uint32_t>& which,
                        const std::vector<BlockVector>& vectors, ChanceTable& chances) const {
    for (std::uint8_t half = 0; half < 2; ++half) {
      std::vector<std::uint8_t> wanted;
      for (std::uint32_t row : which) wanted.push_back(learners_.half_of(row) == half ? 1 : 0);
      laws[half].fill_log_chances(rows, which, wanted, vectors, chances);
    }
  }

  void ask_acquaintance(std::uint32_t b, const Piece& piece, const Laws& laws,
                        const std::vector<BlockVector>& vectors, const std::vector<double>& factors,
                        const std::vector<std::uint32_t>& shown_at, Acquaintance& one) {
    std::vector<std::uint32_t> which, shown;
    for (std::uint32_t i = 0; i < piece.judged; ++i) {
      if (place_of_.at(piece.rows[i]) >= victims()) continue;
      which.push_back(piece.rows[i]);
      shown.push_back(shown_at[i]);
    }
    ChanceTable chances = chances_knowing(b, laws, which, vectors, factors, one);
    for (std::uint32_t i = 0; i < which.size(); ++i) {
      keep_belief(b, vectors, chances, i, shown[i], place_of_.at(which[i]), one);
    }
  }

  // Of row i of the chances, which shows that vector and is the victim at that place.
  void keep_belief(std::uint32_t b, const std::vector<BlockVector>& vectors,
                   const ChanceTable& chances, std::uint32_t i, std::uint32_t shown,
                   std::uint32_t at, Acquaintance& one) const {
    const auto& block = task_.blocks[b];
    one.moved[b][at] = fits_known(block, vectors[shown], at, one) ? 0 : 1;
    double own = std::max(chances(i, shown), 1e-12), if_moved = signs_[b][at].if_moved;
    one.signs[b][at] = {std::log(own / if_moved), std::log(own), if_moved};
    for (std::size_t place = 0; place < block.size(); ++place) {
      float* by_code = &one.chances[block[place]][std::size_t{at} * domain(block[place])];
      for (std::uint32_t t = 0; t < vectors.size(); ++t) {
        by_code[vectors[t][place]] += static_cast<float>(chances(i, t));
      }
    }
  }

  // What the other blocks say: those that he knows something of show it, or do not.
  double known_says(const Acquaintance& one, std::uint32_t b, std::uint32_t at) const {
    double sum = 0;
    for (std::uint32_t c = 0; c < task_.blocks.size(); ++c) {
      if (c != b && one.knows_some(task_.blocks[c])) sum += one.moved[c][at] != 0 ? -1 : 1;
    }
    return sum;
  }

  // Of all who know so many attributes, together: of blocks of which they know a part, or nothing.
  void fill_beliefs(std::uint32_t count, bool inside) {
    std::vector<CoinSigns> signs;
    std::vector<CoinBelief> coins;
    std::vector<double*> places;
    double asked = 0;  // those that surely moved among them
    for (Acquaintance& one : acquaintances_) {
      if (one.known.size() != count) continue;
      for (std::uint32_t b = 0; b < task_.blocks.size(); ++b) {
        const auto& block = task_.blocks[b];
        if (one.knows_all(block) || one.knows_some(block) != inside) continue;
        asked += static_cast<double>(victims());
        for (std::uint32_t at = 0; at < victims(); ++at) {
          if (one.moved[b][at] != 0) continue;
          const PairSigns& own = one.signs[b][at];
          coins.push_back(coin_of(b, at, own));
          signs.push_back({std::clamp(own.log_ratio, -largest_sign, largest_sign)});
          if (task_.blocks.size() > 1) signs.back().push_back(known_says(one, b, at));
          places.push_back(&one.beliefs[b][at]);
        }
      }
    }
    calibrate(signs, task_.keep, task_.seed, coins, kept_on_average(asked, coins.size()));
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = coins[i].belief;
  }

  // Of so many coins, where those that surely fell the other way are left out. In circles rows that
  // nobody could trade with are as good as kept, so it is not known there.
  std::optional<double> kept_on_average(double asked, std::size_t left) const {
    if (task_.exchange == Exchange::Circles || left == 0) return std::nullopt;
    return std::min(0.99, task_.keep * asked / static_cast<double>(left));
  }

  // What he believes of an attribute before the release: [victim][code], by public columns and
  // what he knows.
  ChanceTable believed_before(const Acquaintance& one, std::uint32_t j) const {
    LawColumns columns{{}, {task_.publics + j}};
    for (std::uint32_t i = 0; i < task_.publics; ++i) columns.given.push_back(i);
    for (std::uint32_t known : one.known) columns.given.push_back(task_.publics + known);
    auto laws = learners_.learn(columns, 0.5);
    std::vector<std::uint32_t> rows(judged_.begin(),
                                    judged_.begin() + static_cast<std::ptrdiff_t>(victims()));
    return chances_of_values(laws, learners_, task_.truth, rows, task_.publics + j);
  }

  AcquaintanceJudgement judgement_of(std::uint32_t count) {
    AcquaintanceJudgement made{count, {}, {}, {}};
    made.gains.assign(chances_.size(), GainCounts(task_.keep));
    made.guesses.resize(chances_.size());
    made.guesses_before.resize(chances_.size());
    for (bool inside : {false, true}) fill_beliefs(count, inside);
    parallel_for(chances_.size(), task_.threads, [&](std::size_t j) {
      for (const Acquaintance& one : acquaintances_) {
        bool asked = one.known.size() == count && !one.knows(static_cast<std::uint32_t>(j));
        if (asked) add_gains(one, static_cast<std::uint32_t>(j), made);
      }
    });
    return made;
  }

  std::uint32_t block_of(std::uint32_t j) const {
    std::uint32_t b = 0;
    while (std::ranges::find(task_.blocks[b], j) == task_.blocks[b].end()) ++b;
    return b;
  }

  void add_gains(const Acquaintance& one, std::uint32_t j, AcquaintanceJudgement& made) const {
    std::uint32_t b = block_of(j), codes = domain(j);
    ChanceTable before = believed_before(one, j);
    bool inside = one.knows_some(task_.blocks[b]);
    std::vector<double> after(codes);
    for (std::uint32_t at = 0; at < victims(); ++at) {
      std::span<const double> own(&before.at[std::size_t{at} * codes], codes);
      double belief = one.beliefs[b][at], gain = 0;
      for (std::uint32_t code = 0; code < codes; ++code) {
        after[code] = (1 - belief) * one.chances[j][std::size_t{at} * codes + code];
      }
      after[task_.shown.coded.codes[task_.publics + j][judged_[at]]] += belief;
      for (std::uint32_t code = 0; code < codes; ++code) {
        if (own[code] < 0.5) gain = std::max(gain, (after[code] - own[code]) / (1 - own[code]));
      }
      std::array<Truth, 1> truth = {Truth{task_.truth.codes[task_.publics + j][judged_[at]], 1}};
      made.guesses[j].add(after, own, truth);
      made.guesses_before[j].add(own, own, truth);
      made.gains[j].add(gain, inside);
    }
  }

  ChanceTable chances_by_people(const Piece& piece, const Laws& people,
                                const std::vector<BlockVector>& vectors,
                                const std::vector<double>& counts,
                                std::vector<double>& factors) const {
    ChanceTable own(static_cast<std::uint32_t>(piece.rows.size()),
                    static_cast<std::uint32_t>(vectors.size()));
    fill_log_chances(people, task_.shown.coded, piece.rows, vectors, own);
    factors = scale_to_counts(own, counts, rounds);
    return own;
  }

  void keep_chances(const std::vector<std::uint32_t>& block,
                    const std::vector<BlockVector>& vectors, const ChanceTable& own,
                    std::uint32_t i, std::uint32_t at) {
    for (std::size_t place = 0; place < block.size(); ++place) {
      std::uint32_t j = block[place];
      float* chances = &chances_[j][std::size_t{at} * domain(j)];
      for (std::uint32_t t = 0; t < vectors.size(); ++t) {
        chances[vectors[t][place]] += static_cast<float>(own(i, t));
      }
    }
  }

  // ---- What it comes to ----

  CoinBelief coin_of(std::uint32_t b, std::uint32_t at, const PairSigns& signs) const {
    std::uint32_t row = judged_[at];
    CoinBelief coin{.row = row};
    if (!task_.kept.empty()) {
      coin.own = task_.kept[std::size_t{b} * task_.truth.rows + row] != 0;
      return coin;
    }
    coin.own = vector_of(task_.shown.coded, task_.blocks[b], row) ==
               vector_of(task_.truth, task_.blocks[b], row);
    coin.own_if_moved = std::min(std::exp(signs.log_chance), 1.0);
    return coin;
  }

  // What the other blocks of the row say about it: coins of one row may hang together, and blocks
  // that are both its own agree.
  double others_say(std::uint32_t b, std::uint32_t at) const {
    double sum = 0;
    for (std::uint32_t c = 0; c < signs_.size(); ++c) {
      if (c != b) sum += signs_[c][at].log_ratio;
    }
    return std::clamp(sum, -largest_sign, largest_sign);
  }

  double shows_again(std::uint32_t b, std::uint32_t at, const ShownRows& other) const {
    std::uint32_t row = judged_[at];
    if (other.shows[row] == 0) return 0;
    bool same = vector_of(other.coded, task_.blocks[b], row) ==
                vector_of(task_.shown.coded, task_.blocks[b], row);
    return same ? 1 : -1;
  }

  CoinSigns signs_of(std::uint32_t b, std::uint32_t at, bool insider) const {
    const PairSigns& own = signs_[b][at];
    CoinSigns signs = {std::clamp(own.log_ratio, -largest_sign, largest_sign)};
    if (signs_.size() > 1) signs.push_back(others_say(b, at));
    for (const ShownRows* other : task_.again) signs.push_back(shows_again(b, at, *other));
    if (!insider) return signs;
    // What is shown is rare, or was more likely than most of what could be shown.
    signs.push_back(std::log(std::max(own.if_moved, 1e-4)));
    signs.push_back(std::max(own.log_chance, -largest_sign));
    return signs;
  }

  // [row][block], blocks of a row side by side.
  std::vector<CoinBelief> coins(bool insider) const {
    std::vector<CoinBelief> made;
    std::vector<CoinSigns> signs;
    for (std::uint32_t at = 0; at < judged_.size(); ++at) {
      for (std::uint32_t b = 0; b < task_.blocks.size(); ++b) {
        made.push_back(coin_of(b, at, signs_[b][at]));
        signs.push_back(signs_of(b, at, insider));
      }
    }
    calibrate(signs, task_.keep, task_.seed, made);
    return made;
  }

  CoinJudgement judgement() {
    CoinJudgement made;
    made.rows_left_out = task_.population == nullptr;
    std::vector<CoinBelief> all = coins(false);
    made.all = coin_figures(all, task_.keep);
    made.insider = coin_figures(coins(true), task_.keep);
    made.attributes.resize(chances_.size());
    made.guesses.resize(chances_.size());
    made.guesses_before.resize(chances_.size());
    made.gains.assign(chances_.size(), GainCounts(task_.keep));
    for (std::uint32_t b = 0; b < task_.blocks.size(); ++b) add_block(b, all, made);
    for (const CodeSet& set : task_.sets) made.sets.push_back(gains_of_set(set, all));
    for (std::uint32_t count : task_.knows) {
      bool asked = std::ranges::any_of(
          acquaintances_, [&](const Acquaintance& one) { return one.known.size() == count; });
      if (asked) made.acquaintances.push_back(judgement_of(count));
    }
    return made;
  }

  void add_block(std::uint32_t b, const std::vector<CoinBelief>& all, CoinJudgement& made) const {
    std::vector<CoinBelief> own;
    for (std::size_t at = b; at < all.size(); at += task_.blocks.size()) own.push_back(all[at]);
    for (std::uint32_t j : task_.blocks[b]) {
      made.attributes[j] = coin_figures(own, task_.keep);
      for (std::uint32_t at = 0; at < judged_.size(); ++at) {
        made.gains[j].add(
            add_guess(j, at, own[at].belief, chances_[j], made.guesses[j], made.guesses_before[j]));
      }
    }
  }

  GainCounts gains_of_set(const CodeSet& set, const std::vector<CoinBelief>& all) const {
    GainCounts gains(task_.keep);
    std::uint32_t j = set.attribute, b = block_of(j);
    const auto& shown = task_.shown.coded.codes[task_.publics + j];
    for (std::uint32_t at = 0; at < judged_.size(); ++at) {
      double before = 0;
      for (std::uint32_t code : set.codes)
        before += chances_[j][std::size_t{at} * domain(j) + code];
      bool inside = std::ranges::find(set.codes, shown[judged_[at]]) != set.codes.end();
      double belief = all[std::size_t{at} * task_.blocks.size() + b].belief;
      gains.add(inside && before < 1 - 1e-6 ? belief : 0);
    }
    return gains;
  }

  // Gives the largest gain over what was believed before.
  double add_guess(std::uint32_t j, std::uint32_t at, double belief,
                   const std::vector<float>& chances, Tally& guesses, Tally& guesses_before) const {
    std::uint32_t row = judged_[at], codes = domain(j);
    std::vector<double> before(codes), after(codes);
    for (std::uint32_t code = 0; code < codes; ++code) {
      before[code] = chances[std::size_t{at} * codes + code];
      after[code] = (1 - belief) * before[code];
    }
    std::uint32_t shown = task_.shown.coded.codes[task_.publics + j][row];
    after[shown] += belief;
    std::array<Truth, 1> truth = {Truth{task_.truth.codes[task_.publics + j][row], 1}};
    guesses.add(after, before, truth);
    guesses_before.add(before, before, truth);
    return before[shown] < 1 - 1e-6 ? belief : 0;
  }

  const CoinTask& task_;
  Learners learners_;
  std::optional<Practice> practice_;
  std::vector<std::uint32_t> judged_, fitted_;
  std::map<std::uint32_t, std::uint32_t> place_of_;  // in judged_
  std::vector<std::vector<PairSigns>> signs_;        // [block][place in judged_]
  // [private attribute][place in judged_][code]: R'.
  std::vector<std::vector<float>> chances_;
  std::vector<Acquaintance> acquaintances_;
};

}  // namespace

std::optional<CoinJudgement> judge_coins_of(const CoinTask& task) { return CoinJudge(task).run(); }

}  // namespace rankveil::audit
