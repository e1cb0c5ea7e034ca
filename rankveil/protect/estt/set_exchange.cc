#include "rankveil/protect/estt/set_exchange.h"

#include <algorithm>
#include <numeric>

namespace rankveil {

namespace {

constexpr std::size_t look_ahead = 64;

bool has_code(const CodeRows& rows, std::span<const std::uint32_t> set, std::uint32_t attribute,
              std::uint16_t code) {
  for (std::uint32_t member : set) {
    if (rows.code(member, attribute) == code) return true;
  }
  return false;
}

// The values that are new in the set, in attributes that still lack some.
std::uint32_t fills(const CodeRows& rows, std::span<const std::uint32_t> set,
                    const std::vector<std::uint32_t>& distinct, std::uint32_t l,
                    std::uint32_t row) {
  std::uint32_t count = 0;
  for (std::uint32_t j = 0; j < rows.width(); ++j) {
    if (distinct[j] < l && !has_code(rows, set, j, rows.code(row, j))) ++count;
  }
  return count;
}

class GreedySets {
 public:
  GreedySets(const CodeRows& rows, std::uint32_t set_size, std::uint32_t l)
      : rows_(rows), l_(l), free_(rows.size()) {
    made_.set_size = set_size;
    std::iota(free_.begin(), free_.end(), 0U);
  }

  EquivalentSets run() {
    while (free_.size() - first_ >= made_.set_size) fill_set();
    made_.rows.insert(made_.rows.end(), free_.begin() + static_cast<std::ptrdiff_t>(first_),
                      free_.end());
    return std::move(made_);
  }

 private:
  void fill_set() {
    std::size_t begin = made_.rows.size();
    std::vector<std::uint32_t> distinct(rows_.width(), 0);
    for (std::uint32_t i = 0; i < made_.set_size; ++i) {
      auto set = std::span<const std::uint32_t>(made_.rows).subspan(begin);
      std::size_t at = i == 0 ? first_ : best_place(set, distinct);
      std::uint32_t row = free_[at];
      for (std::uint32_t j = 0; j < rows_.width(); ++j) {
        distinct[j] += has_code(rows_, set, j, rows_.code(row, j)) ? 0 : 1;
      }
      // The rows before the one that was taken move up by one place and keep their order.
      std::move_backward(free_.begin() + static_cast<std::ptrdiff_t>(first_),
                         free_.begin() + static_cast<std::ptrdiff_t>(at),
                         free_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
      ++first_;
      made_.rows.push_back(row);
    }
  }

  std::size_t best_place(std::span<const std::uint32_t> set,
                         const std::vector<std::uint32_t>& distinct) const {
    std::size_t best = first_;
    std::uint32_t most = 0;
    auto lacking = static_cast<std::uint32_t>(
        std::count_if(distinct.begin(), distinct.end(), [&](auto count) { return count < l_; }));
    std::size_t end = std::min(free_.size(), first_ + look_ahead);
    for (std::size_t i = first_; i < end && most < lacking; ++i) {
      std::uint32_t filled = fills(rows_, set, distinct, l_, free_[i]);
      if (filled <= most) continue;
      most = filled;
      best = i;
    }
    return best;
  }

  const CodeRows& rows_;
  std::uint32_t l_;
  std::vector<std::uint32_t> free_;
  std::size_t first_ = 0;  // rows before are taken
  EquivalentSets made_;
};

}  // namespace

EquivalentSets greedy_sets(const CodeRows& rows, std::uint32_t set_size, std::uint32_t l) {
  return GreedySets(rows, set_size, l).run();
}

namespace {

constexpr std::uint64_t tries_per_set = 2000;
constexpr std::uint64_t walk_tries_per_set = 400;
constexpr std::uint64_t max_set_tries = 5'000'000;

class MemberExchange {
 public:
  MemberExchange(const CodeRows& rows, std::uint32_t l, Rng& rng, EquivalentSets& sets)
      : rows_(rows), l_(l), rng_(rng), sets_(sets), count_(sets.count()), cost_of_(count_) {
    for (std::uint32_t i = 0; i < count_; ++i) cost_of_[i] = set_cost(rows, sets.set(i), l);
    for (std::uint32_t j = 0; j < rows.width(); ++j)
      bounds_.push_back(cost_bound(rows, j, count_, l));
  }

  void run() {
    limit_ = std::min(max_set_tries, count_ * tries_per_set);
    for (std::uint32_t tries : {8U, 64U, 512U}) {
      std::uint64_t before = sets_.cost + 1;
      while (!done() && sets_.cost < before) {
        before = sets_.cost;
        round(tries, /*walk=*/false);
      }
    }
    limit_ = std::min(limit_, tried_ + count_ * walk_tries_per_set);
    while (!done()) round(64, /*walk=*/true);
  }

 private:
  bool done() const { return sets_.cost == sets_.bound || count_ < 2 || tried_ >= limit_; }

  std::uint32_t lacks(std::uint32_t set, std::uint32_t attribute) const {
    return l_ - distinct_values(rows_, sets_.set(set), attribute, l_);
  }

  // Sets that lack values in attributes that cost more than they must.
  void list_costly() {
    std::vector<std::uint64_t> costs(rows_.width(), 0);
    costly_.clear();
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (cost_of_[i] == 0) continue;
      for (std::uint32_t j = 0; j < rows_.width(); ++j) costs[j] += lacks(i, j);
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      bool can_gain = false;
      for (std::uint32_t j = 0; j < rows_.width() && cost_of_[i] > 0 && !can_gain; ++j) {
        can_gain = costs[j] > bounds_[j] && lacks(i, j) > 0;
      }
      if (can_gain) costly_.push_back(i);
    }
  }

  void round(std::uint32_t tries, bool walk) {
    list_costly();
    for (std::uint32_t set : costly_) {
      for (std::uint32_t t = 0; t < tries && cost_of_[set] > 0 && !done(); ++t) {
        auto other = static_cast<std::uint32_t>(t % 2 == 0 ? costly_[rng_.below(costly_.size())]
                                                           : rng_.below(count_));
        ++tried_;
        if (other != set) try_swap(set, other, walk);
      }
    }
  }

  std::uint32_t& random_member(std::uint32_t set) {
    std::size_t size = sets_.set(set).size();
    return sets_.rows[std::size_t{set} * sets_.set_size + rng_.below(size)];
  }

  void try_swap(std::uint32_t one, std::uint32_t two, bool walk) {
    std::uint32_t& left = random_member(one);
    std::uint32_t& right = random_member(two);
    std::swap(left, right);
    std::uint64_t most = cost_of_[one] + cost_of_[two];
    std::uint64_t new_one = set_cost(rows_, sets_.set(one), l_);
    std::uint64_t new_two = new_one > most ? 0 : set_cost(rows_, sets_.set(two), l_);
    if (new_one + new_two > most || (new_one + new_two == most && !walk)) {
      std::swap(left, right);
      return;
    }
    sets_.cost -= most - new_one - new_two;
    cost_of_[one] = new_one;
    cost_of_[two] = new_two;
  }

  const CodeRows& rows_;
  std::uint32_t l_;
  Rng& rng_;
  EquivalentSets& sets_;
  std::uint32_t count_;
  std::vector<std::uint64_t> cost_of_;  // per set
  std::vector<std::uint64_t> bounds_;   // per attribute
  std::vector<std::uint32_t> costly_;
  std::uint64_t tried_ = 0;
  std::uint64_t limit_ = 0;
};

}  // namespace

void exchange_members(const CodeRows& rows, std::uint32_t l, Rng& rng, EquivalentSets& sets) {
  MemberExchange(rows, l, rng, sets).run();
}

}  // namespace rankveil
