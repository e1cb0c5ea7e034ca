#include "rankveil/protect/estt/pair_exchange.h"

#include <algorithm>

namespace rankveil {

namespace {

// Tries of one faulty pair in a round. More do not pay (measured on skewed tables).
constexpr std::uint64_t max_tries = 2000;
constexpr std::uint32_t tries_of_a_walk = 64;
// Tries in all, and of them swaps that keep the number of faults, for each pair.
constexpr std::uint64_t tries_per_pair = 2000;
constexpr std::uint64_t walk_tries_per_pair = 400;
constexpr std::uint64_t min_tries_in_all = 20'000;
constexpr std::uint64_t max_tries_in_all = 20'000'000;

std::uint32_t count_bits(std::uint64_t bits) {
  bits -= (bits >> 1) & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + ((bits >> 2) & 0x3333333333333333U);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<std::uint32_t>((bits * 0x0101010101010101U) >> 56);
}

// Faults of pairs, as the header counts them.
class PairFaults {
 public:
  explicit PairFaults(const CodeRows& rows) : rows_(rows) {
    for (std::uint32_t j = 0; j < rows.width() && forced_count_ < 64; ++j) mark_majority(j);
    if (forced_count_ > 0) majority_.push_back(0);  // nobody's
    forced_ = forced_count_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << forced_count_) - 1;
  }

  std::uint32_t of(std::uint32_t left, std::uint32_t right) const {
    std::uint32_t same = std::max(left, right) == rows_.size() ? 0 : rows_.same(left, right);
    if (forced_count_ == 0) return same;
    std::uint64_t a = majority_[left];
    std::uint64_t b = majority_[right];
    return same - count_bits(a & b) + count_bits(forced_ & ~a & ~b);
  }

 private:
  // A value that more than half of the rows have survives when different values cancel out.
  std::uint16_t likely_majority(std::uint32_t attribute) const {
    std::uint16_t candidate = 0;
    std::uint32_t votes = 0;
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      std::uint16_t code = rows_.code(row, attribute);
      if (votes == 0) candidate = code;
      votes += votes == 0 || code == candidate ? 1U : ~0U;
    }
    return candidate;
  }

  void mark_majority(std::uint32_t attribute) {
    std::uint16_t code = likely_majority(attribute);
    std::uint32_t count = 0;
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      count += rows_.code(row, attribute) == code ? 1 : 0;
    }
    if (count <= (rows_.size() + 1) / 2) return;
    majority_.resize(rows_.size(), 0);
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      std::uint64_t is_majority = rows_.code(row, attribute) == code ? 1 : 0;
      majority_[row] |= is_majority << forced_count_;
    }
    ++forced_count_;
  }

  const CodeRows& rows_;
  std::uint32_t forced_count_ = 0;       // attributes with a majority that must meet itself
  std::uint64_t forced_ = 0;             // a bit for each
  std::vector<std::uint64_t> majority_;  // per row: in which of them it has the majority's value
};

class Exchange {
 public:
  Exchange(const CodeRows& rows, Rng& rng, std::vector<std::uint32_t>& pairs)
      : faults_(rows), rng_(rng), pairs_(pairs), faults_of_(pairs.size() / 2) {
    for (std::uint32_t i = 0; i < faults_of_.size(); ++i) {
      faults_of_[i] = faults_.of(pairs[first_of(i)], pairs[first_of(i) + 1]);
      total_ += faults_of_[i];
      if (faults_of_[i] > 0) faulty_.push_back(i);
    }
  }

  void run() {
    std::uint64_t count = faults_of_.size();
    limit_ = std::clamp(count * tries_per_pair, min_tries_in_all, max_tries_in_all);
    for (std::uint64_t tries :
         {std::uint64_t{8}, std::uint64_t{64}, std::uint64_t{512}, max_tries}) {
      std::uint64_t before = total_ + 1;
      while (!done() && total_ < before) {
        before = total_;
        round(std::min(tries, 4 * count), /*walk=*/false);
      }
    }
    limit_ = std::min(limit_, tried_ + count * walk_tries_per_pair);
    while (!done()) round(tries_of_a_walk, /*walk=*/true);
  }

 private:
  bool done() const { return total_ == 0 || faults_of_.size() < 2 || tried_ >= limit_; }

  // Lets every faulty pair look for others to swap with.
  void round(std::uint64_t tries, bool walk) {
    std::size_t kept = 0;
    // The list grows while it is walked: a pair that takes over a fault stands at its end.
    for (std::size_t i = 0; i < faulty_.size(); ++i) {
      std::uint32_t pair = faulty_[i];
      if (faults_of_[pair] > 0 && !done()) look(pair, tries, walk);
      if (faults_of_[pair] > 0) faulty_[kept++] = pair;
    }
    faulty_.resize(kept);
    // A pair may stand there twice.
    std::sort(faulty_.begin(), faulty_.end());
    faulty_.erase(std::unique(faulty_.begin(), faulty_.end()), faulty_.end());
  }

  void look(std::uint32_t pair, std::uint64_t tries, bool walk) {
    for (std::uint64_t i = 0; i < tries && faults_of_[pair] > 0 && !done(); ++i) {
      // Other faulty pairs are the likeliest to gain, but not all gains are among them.
      auto other = static_cast<std::uint32_t>(i % 2 == 0 ? faulty_[rng_.below(faulty_.size())]
                                                         : rng_.below(faults_of_.size()));
      ++tried_;
      if (other != pair) try_swap(pair, other, walk);
    }
  }

  // Where a pair stands among all ends.
  static std::size_t first_of(std::uint32_t pair) { return std::size_t{2} * pair; }

  void try_swap(std::uint32_t one, std::uint32_t two, bool walk) {
    std::uint32_t a = pairs_[first_of(one)];
    std::uint32_t b = pairs_[first_of(one) + 1];
    std::uint32_t c = pairs_[first_of(two)];
    std::uint32_t d = pairs_[first_of(two) + 1];
    std::uint32_t most = faults_of_[one] + faults_of_[two] - (walk ? 0 : 1);
    if (!try_ends(one, two, {a, c, b, d}, most)) try_ends(one, two, {a, d, b, c}, most);
  }

  // Pairs `ends` up as they stand, if that makes at most `most` faults.
  struct Ends {
    std::uint32_t a, b, c, d;
  };
  bool try_ends(std::uint32_t one, std::uint32_t two, Ends ends, std::uint32_t most) {
    std::uint32_t first = faults_.of(ends.a, ends.b);
    if (first > most) return false;
    std::uint32_t second = faults_.of(ends.c, ends.d);
    if (first + second > most) return false;
    pairs_[first_of(one)] = ends.a;
    pairs_[first_of(one) + 1] = ends.b;
    pairs_[first_of(two)] = ends.c;
    pairs_[first_of(two) + 1] = ends.d;
    total_ -= faults_of_[one] + faults_of_[two] - first - second;
    if (faults_of_[two] == 0 && second > 0) faulty_.push_back(two);
    faults_of_[one] = first;
    faults_of_[two] = second;
    return true;
  }

  PairFaults faults_;
  Rng& rng_;
  std::vector<std::uint32_t>& pairs_;
  std::vector<std::uint32_t> faults_of_;  // per pair
  std::vector<std::uint32_t> faulty_;     // pairs with faults
  std::uint64_t total_ = 0;
  std::uint64_t tried_ = 0;
  std::uint64_t limit_ = 0;
};

}  // namespace

void exchange_pairs(const CodeRows& rows, Rng& rng, std::vector<std::uint32_t>& pairs) {
  Exchange(rows, rng, pairs).run();
}

}  // namespace rankveil
