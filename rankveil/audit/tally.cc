#include "rankveil/audit/tally.h"

#include <algorithm>
#include <cmath>

namespace rankveil::audit {

namespace {

constexpr double same = 1e-12;  // beliefs this close are equal
constexpr double certain_from = 0.999;

// A value and how much is gained on it.
struct PosteriorBet {
  std::size_t place = 0;
  double gain = 0;
};

using Spared = std::span<const std::uint8_t>;

bool counts(Spared spared, std::size_t place) { return spared.empty() || spared[place] == 0; }

PosteriorBet best_bet(std::span<const double> posterior, std::span<const double> prior,
                      Spared spared) {
  PosteriorBet best;
  for (std::size_t x = 0; x < posterior.size(); ++x) {
    if (prior[x] > 1 - same || !counts(spared, x)) continue;
    double gain = (posterior[x] - prior[x]) / (1 - prior[x]);
    if (gain > best.gain + same) best = {x, gain};
  }
  return best;
}

// One value is left, and it was not before.
bool proves(std::span<const double> posterior, std::span<const double> prior, Spared spared,
            bool knows_prior) {
  for (std::size_t x = 0; x < posterior.size(); ++x) {
    if (posterior[x] <= 1 - same) continue;
    return counts(spared, x) && !(knows_prior && prior[x] > 1 - same);
  }
  return false;
}

double effective_candidates(std::span<const double> posterior) {
  double entropy = 0;
  for (double p : posterior) {
    if (p > 0 && p < 1) entropy -= p * std::log(p);
  }
  return std::exp(entropy);
}

}  // namespace

void Tally::add(std::span<const double> posterior, std::span<const double> prior,
                std::span<const Truth> truths, std::span<const std::uint8_t> spared,
                bool knows_prior) {
  double largest = 0;
  for (std::size_t x = 0; x < posterior.size(); ++x) {
    if (counts(spared, x)) largest = std::max(largest, posterior[x]);
  }
  double ties = 0;
  for (std::size_t x = 0; x < posterior.size(); ++x) {
    ties += counts(spared, x) && posterior[x] >= largest - same ? 1 : 0;
  }
  PosteriorBet bet = best_bet(posterior, prior, spared);
  double rows = 0, won = 0;
  for (const Truth& truth : truths) {
    rows += truth.rows;
    if (truth.place >= posterior.size() || !counts(spared, truth.place)) continue;
    if (posterior[truth.place] >= largest - same) right_ += truth.rows / ties;
    if (truth.place == bet.place) won += truth.rows;
  }
  if (rows <= 0) return;  // a belief about nobody
  attempts_ += rows;
  if (largest > certain_from) certain_ += rows;
  if (proves(posterior, prior, spared, knows_prior)) proven_ += rows;
  candidates_ += rows * effective_candidates(posterior);
  if (bet.gain <= 0) return;
  largest_gain_ = std::max(largest_gain_, bet.gain);
  double room = 1 - prior[bet.place];
  bets_ += rows;
  bets_won_ += won;
  prior_ += rows * prior[bet.place];
  room_ += rows * room;
}

void Tally::add(const Tally& other) {
  attempts_ += other.attempts_;
  right_ += other.right_;
  proven_ += other.proven_;
  certain_ += other.certain_;
  candidates_ += other.candidates_;
  largest_gain_ = std::max(largest_gain_, other.largest_gain_);
  bets_ += other.bets_;
  bets_won_ += other.bets_won_;
  prior_ += other.prior_;
  room_ += other.room_;
}

double Tally::gain_of_bets() const { return room_ > 0 ? (bets_won_ - prior_) / room_ : 0; }

double Tally::sure_gain_of_bets() const {
  if (room_ <= 0) return 0;
  double rate = bets_won_ / bets_;
  double deviation = std::sqrt(std::max(bets_ * rate * (1 - rate), 1.0));
  return std::clamp((bets_won_ - 5 * deviation - prior_) / room_, 0.0, 1.0);
}

}  // namespace rankveil::audit
