#include "tests/privacy/enumerations/two_blocks.h"

#include <numeric>
#include <utility>

namespace rankveil::enumerations {

void Beliefs::scale() {
  shown_ = 0;
  for (const Weighed& weighed : worlds_) shown_ += weighed.chance;
  for (Weighed& weighed : worlds_) weighed.chance /= shown_;
}

double Beliefs::of(const Event& event) const {
  double sum = 0;
  for (const Weighed& weighed : worlds_) {
    if (event(weighed.world)) sum += weighed.chance;
  }
  return sum;
}

double Beliefs::both(const Event& one, const Event& other) const {
  return of([&](const World& world) { return one(world) && other(world); });
}

namespace {

double pair_weight(const JointModel& model, const Arrangement& first, const Arrangement& second) {
  double product = 1;
  for (std::size_t row = 0; row < first.size(); ++row) {
    product *=
        model[row][static_cast<std::size_t>(first[row])][static_cast<std::size_t>(second[row])];
  }
  return product;
}

double total(const JointLaw& law) {
  double sum = 0;
  for (const Law& part : law) sum = std::accumulate(part.begin(), part.end(), sum);
  return sum;
}

// What a row's second value is likely to be, whatever the first.
std::vector<double> second_shares(const std::vector<std::vector<double>>& row) {
  std::vector<double> shares(row.front().size(), 0);
  for (const auto& given_first : row) {
    for (std::size_t v = 0; v < shares.size(); ++v) shares[v] += given_first[v];
  }
  scale_to_one(shares);
  return shares;
}

Law summed_over_first(const JointLaw& law) {
  Law second(law.front().size(), 0);
  for (const Law& part : law) {
    for (std::size_t j = 0; j < second.size(); ++j) second[j] += part[j];
  }
  return second;
}

}  // namespace

TwoBlocks::TwoBlocks(const Arrangement& firsts, const Arrangement& seconds, JointModel model)
    : firsts_(arrangements(firsts)), seconds_(arrangements(seconds)), model_(std::move(model)) {
  for (const Arrangement& first : firsts_) {
    law_.emplace_back();
    for (const Arrangement& second : seconds_) {
      law_.back().push_back(pair_weight(model_, first, second));
    }
  }
  double sum = total(law_);
  for (Law& part : law_) {
    for (double& share : part) share /= sum;
  }
}

Law TwoBlocks::first_law() const {
  Law first;
  for (const Law& part : law_) first.push_back(std::accumulate(part.begin(), part.end(), 0.0));
  return first;
}

JointLaw TwoBlocks::after_first(double p, std::size_t z1) const {
  JointLaw after(firsts_.size(), Law(seconds_.size(), 0));
  const Law first = first_law();
  for (Coins coins = 0; coins < coin_sets(rows()); ++coins) {
    const Kernel kernel = exact_draw(firsts_, first, coins);
    for (std::size_t i = 0; i < firsts_.size(); ++i) {
      for (std::size_t j = 0; j < seconds_.size(); ++j) {
        after[i][j] += chance(coins, rows(), p) * law_[i][j] * kernel[i][z1];
      }
    }
  }
  return after;
}

TwoBlocks::SecondLaws TwoBlocks::exact_second(double p) const {
  SecondLaws laws;
  for (std::size_t z1 = 0; z1 < firsts_.size(); ++z1) {
    laws.push_back(summed_over_first(after_first(p, z1)));
    scale_to_one(laws.back());
  }
  return laws;
}

TwoBlocks::SecondLaws TwoBlocks::row_by_row_second(double p) const {
  SecondLaws laws;
  for (const Arrangement& shown : firsts_) {
    Model second;
    for (std::size_t row = 0; row < rows(); ++row) {
      std::vector<double> kept = model_[row][static_cast<std::size_t>(shown[row])];
      const std::vector<double> moved = second_shares(model_[row]);
      scale_to_one(kept);
      for (std::size_t v = 0; v < kept.size(); ++v) kept[v] = p * kept[v] + (1 - p) * moved[v];
      second.push_back(kept);
    }
    laws.push_back(law_of_people(seconds_, second));
  }
  return laws;
}

TwoBlocks::SecondLaws TwoBlocks::public_second() const {
  Model second;
  for (const auto& row : model_) second.push_back(second_shares(row));
  return SecondLaws(firsts_.size(), law_of_people(seconds_, second));
}

Beliefs TwoBlocks::see(const SecondLaws& laws, double p, std::size_t z1, std::size_t z2) const {
  Beliefs beliefs;
  const Law first = first_law();
  const Kernels kernels1 =
      for_all_coins(rows(), [&](Coins coins) { return exact_draw(firsts_, first, coins); });
  const Kernels kernels2 =
      for_all_coins(rows(), [&](Coins coins) { return exact_draw(seconds_, laws[z1], coins); });
  for (Coins c1 = 0; c1 < coin_sets(rows()); ++c1) {
    for (Coins c2 = 0; c2 < coin_sets(rows()); ++c2) {
      double coins = chance(c1, rows(), p) * chance(c2, rows(), p);
      for (std::size_t i = 0; i < firsts_.size(); ++i) {
        for (std::size_t j = 0; j < seconds_.size(); ++j) {
          double both = law_[i][j] * kernels1[c1][i][z1] * kernels2[c2][j][z2];
          if (both > 0) beliefs.add({c1, c2, i, j}, coins * both);
        }
      }
    }
  }
  beliefs.scale();
  return beliefs;
}

JointModel random_joint_model(Rng& rng, std::size_t rows, std::size_t values) {
  JointModel model;
  for (std::size_t row = 0; row < rows; ++row) {
    Model flat = random_model(rng, values, values);
    for (auto& given_first : flat) {
      double first = 0.05 + rng.uniform();
      for (double& share : given_first) share *= first;
    }
    model.push_back(flat);
  }
  return model;
}

JointModel copies(std::size_t rows) {
  std::vector<std::vector<double>> same(rows, std::vector<double>(rows, 0));
  for (std::size_t value = 0; value < rows; ++value) same[value][value] = 1;
  return JointModel(rows, same);
}

}  // namespace rankveil::enumerations
