// How vectors are cut into clusters that keep caps.
//
// A cluster of n vectors keeps the cap of value v if count(v) <= n x cap(v). The quotient
//   need(v) = count(v) / cap(v)
// is the size that a cluster must have for the count it has, and need(cluster) the largest of them.
// So a cluster is done when it has l vectors and need <= size. A value with a low cap is dear: one
// of it asks for 1 / cap - 1 vectors beside it.
//
// Example, l = 3: eight vectors of two attributes. Half of them have a, which may rise to 0.667; b,
// c and z are rare, with caps of 1/3; x and y have 3/8, with caps of 0.583.
//   vector   1    2    3    4    5    6    7    8      value      a    b    c     x     y    z
//           a,x  a,x  a,y  a,z  b,y  b,x  c,y  c,z     1 / cap   1.5   3    3   1.71  1.71   3
// 1. Grow. The first vector is the one with the value that is hardest to place, by
//    pressure = count in what is left / cap: 6 for a, b, c and z. Say 5; its need is 3.
// 2. Add the vector with the least excess, the sum over attributes of max(0, need - size) that the
//    cluster would have; among equals the one with the most pressure. Another b would need 6,
//    another y 3.43. Vectors 4 and 8 have no excess and the most pressure: add 4, then 1.
// 3. {5, 4, 1} has a twice (need 3), b, x, y and z once (need 3 at most): size 3, done. So is
//    {8, 6, 3}. Now 7 and 2 are left; {7, 2} has a need of 3 and nothing to add: both are loose.
// 4. Loose vectors look for a cluster that stays done with them: 2 joins {8, 6, 3} (x twice:
//    3.43 <= 4), and 7 joins {5, 4, 1} (y twice: 3.43 <= 4).
// 5. What finds no place takes in whole clusters until it is done. The set as a whole keeps its
//    caps, so that ends.
//
// Invariant: every cluster in done_ has need <= size and at least l vectors, whatever was added.
// The way depends on the vectors and on secret draws alone, never on which row has which vector.
//
// Each choice looks at a sample of 48: a run of a shuffled list, from a place drawn anew. The list
// is closed up from its end when something leaves it.
#include "rankveil/protect/cluster/clustering.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace rankveil {

namespace {

// Needs are quotients of counts and caps: equal ones may differ in the last digits.
constexpr double need_tolerance = 1e-12;

bool keeps_caps(double need, std::size_t size) {
  return need <= static_cast<double>(size) * (1 + need_tolerance);
}

bool is_done(const ClusterOptions& options, double need, std::size_t size) {
  return size >= options.l && keeps_caps(need, size);
}

// Calls look(place) for `sample` different places of a list, or all.
template <typename Look>
void look_at_sample(std::size_t size, std::uint32_t sample, SecretDraws& draws, const Look& look) {
  std::size_t place = size <= sample ? 0 : draws.below(size);
  for (std::size_t i = std::min<std::size_t>(sample, size); i-- > 0;) {
    look(place);
    if (++place == size) place = 0;
  }
}

// How many vectors the cluster that grows must have for the counts it has: count / cap, at its
// largest.
class Needs {
 public:
  explicit Needs(const VectorSet& vectors)
      : vectors_(vectors), counts_(vectors.caps.size(), 0), needs_(vectors.attributes, 0) {
    for (double cap : vectors.caps) inverse_.push_back(1 / cap);
    next_ = inverse_;
  }

  void add(std::uint32_t vector) {
    const std::uint32_t* coordinates = vectors_.vector(vector);
    for (std::uint32_t j = 0; j < vectors_.attributes; ++j) {
      std::uint32_t at = coordinates[j];
      needs_[j] = std::max(needs_[j], next_[at]);
      next_[at] = (++counts_[at] + 1) * inverse_[at];
    }
  }
  // Makes the table empty again. `members` are all that were added.
  void clear(const Cluster& members) {
    for (std::uint32_t vector : members) {
      const std::uint32_t* coordinates = vectors_.vector(vector);
      for (std::uint32_t j = 0; j < vectors_.attributes; ++j) {
        counts_[coordinates[j]] = 0;
        next_[coordinates[j]] = inverse_[coordinates[j]];
      }
    }
    std::fill(needs_.begin(), needs_.end(), 0.0);
  }

  double inverse(std::uint32_t coordinate) const { return inverse_[coordinate]; }
  double need() const { return *std::max_element(needs_.begin(), needs_.end()); }
  const std::vector<double>& needs() const { return needs_; }  // per attribute
  // What the need of a coordinate would be with one more.
  const std::vector<double>& next() const { return next_; }

 private:
  const VectorSet& vectors_;
  std::vector<double> inverse_;
  std::vector<std::uint32_t> counts_;
  std::vector<double> next_;
  std::vector<double> needs_;
};

// The vectors that are in no cluster yet, shuffled, with their coordinates side by side in that
// order: a sample then lies in one piece.
class Left {
 public:
  Left(const VectorSet& vectors, const Needs& needs, SecretDraws& draws)
      : width_(vectors.attributes),
        needs_(needs),
        remaining_(vectors.caps.size(), 0),
        pressure_(vectors.caps.size(), 0) {
    for (std::uint32_t i = 0; i < vectors.size(); ++i) list_.push_back(i);
    for (std::size_t i = list_.size(); i > 1; --i) std::swap(list_[i - 1], list_[draws.below(i)]);
    coordinates_.reserve(vectors.coordinates.size());
    for (std::uint32_t i : list_) {
      coordinates_.insert(coordinates_.end(), vectors.vector(i), vectors.vector(i) + width_);
    }
    for (std::uint32_t at : coordinates_) pressure_[at] = ++remaining_[at] * needs.inverse(at);
  }

  std::size_t size() const { return list_.size(); }
  const std::uint32_t* coordinates(std::size_t place) const {
    return coordinates_.data() + place * width_;
  }
  // How many of what is left have a coordinate, over its cap.
  double pressure(std::uint32_t coordinate) const { return pressure_[coordinate]; }

  std::uint32_t take(std::size_t place) {
    std::uint32_t taken = list_[place];
    std::uint32_t* gap = coordinates_.data() + place * width_;
    for (std::size_t j = 0; j < width_; ++j) {
      pressure_[gap[j]] = --remaining_[gap[j]] * needs_.inverse(gap[j]);
    }
    std::copy_n(coordinates(list_.size() - 1), width_, gap);
    list_[place] = list_.back();
    list_.pop_back();
    return taken;
  }

 private:
  std::size_t width_;
  const Needs& needs_;
  std::vector<std::uint32_t> list_;
  std::vector<std::uint32_t> coordinates_;
  std::vector<std::uint32_t> remaining_;
  std::vector<double> pressure_;
};

// A cluster with how many of it have each coordinate, in the order of coordinates.
struct Part {
  Cluster members;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> counts;
  double need = 0;
};

// Parts that are done, and behind them those that are not.
struct Pool {
  std::vector<Part> done;
  std::vector<Part> loose;

  std::size_t size() const { return done.size() + loose.size(); }
  const Part& at(std::size_t place) const {
    return place < done.size() ? done[place] : loose[place - done.size()];
  }
  Part take(std::size_t place) {
    std::vector<Part>& list = place < done.size() ? done : loose;
    std::swap(list[place < done.size() ? place : place - done.size()], list.back());
    Part taken = std::move(list.back());
    list.pop_back();
    return taken;
  }
};

// Each vector that is still loose takes in others, done or not, until it is a cluster. Parts can
// become as large as the set, so nothing here looks at their members one by one.
class Merging {
 public:
  Merging(const VectorSet& vectors, const ClusterOptions& options, const SecretDraws& draws)
      : vectors_(vectors), options_(options), draws_(draws) {
    for (double cap : vectors.caps) inverse_.push_back(1 / cap);
  }

  std::vector<Cluster> run(std::vector<Cluster> done, const std::vector<std::uint32_t>& loose) {
    Pool pool;
    for (Cluster& cluster : done) pool.done.push_back(counted(std::move(cluster)));
    for (std::uint32_t vector : loose) pool.loose.push_back(counted({vector}));
    while (!pool.loose.empty()) {
      Part part = pool.take(pool.size() - 1);
      while (!is_done(options_, part.need, part.members.size()) && pool.size() > 0) {
        Part taken = pool.take(best_of_sample(pool, part));
        part = joined(std::move(part), std::move(taken));
      }
      pool.done.push_back(std::move(part));
    }
    done.clear();
    for (Part& part : pool.done) done.push_back(std::move(part.members));
    return done;
  }

 private:
  Part counted(Cluster members) const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t vector : members) {
      all.insert(all.end(), vectors_.vector(vector), vectors_.vector(vector) + vectors_.attributes);
    }
    std::sort(all.begin(), all.end());
    Part part{std::move(members), {}, 0};
    for (std::uint32_t at : all) {
      if (part.counts.empty() || part.counts.back().first != at) part.counts.push_back({at, 0});
      ++part.counts.back().second;
      part.need = std::max(part.need, part.counts.back().second * inverse_[at]);
    }
    return part;
  }

  // Calls visit(coordinate, count in both together).
  template <typename Visit>
  static void for_each_count(const Part& left, const Part& right, const Visit& visit) {
    auto a = left.counts.begin();
    auto b = right.counts.begin();
    while (a != left.counts.end() || b != right.counts.end()) {
      bool from_a = b == right.counts.end() || (a != left.counts.end() && a->first <= b->first);
      bool from_b = a == left.counts.end() || (b != right.counts.end() && b->first <= a->first);
      std::uint32_t at = from_a ? a->first : b->first;
      std::uint32_t count = (from_a ? a->second : 0) + (from_b ? b->second : 0);
      visit(at, count);
      a += from_a ? 1 : 0;
      b += from_b ? 1 : 0;
    }
  }

  double need_of_both(const Part& left, const Part& right) const {
    double need = std::max(left.need, right.need);
    for_each_count(left, right, [&](std::uint32_t at, std::uint32_t count) {
      need = std::max(need, count * inverse_[at]);
    });
    return need;
  }

  Part joined(Part left, Part right) const {
    Part both{{}, {}, need_of_both(left, right)};
    for_each_count(left, right, [&](std::uint32_t at, std::uint32_t count) {
      both.counts.emplace_back(at, count);
    });
    if (left.members.size() < right.members.size()) std::swap(left.members, right.members);
    both.members = std::move(left.members);
    both.members.insert(both.members.end(), right.members.begin(), right.members.end());
    return both;
  }

  // The one that leaves the least to do, and of those the smallest.
  std::size_t best_of_sample(const Pool& pool, const Part& part) {
    std::size_t best = 0;
    std::pair<double, std::size_t> least{std::numeric_limits<double>::infinity(), 0};
    look_at_sample(pool.size(), options_.sample, draws_, [&](std::size_t place) {
      std::size_t size = part.members.size() + pool.at(place).members.size();
      double missing = need_of_both(part, pool.at(place)) - static_cast<double>(size);
      std::pair<double, std::size_t> value{std::max(0.0, missing), size};
      if (value >= least) return;
      least = value;
      best = place;
    });
    return best;
  }

  const VectorSet& vectors_;
  const ClusterOptions& options_;
  SecretDraws draws_;
  std::vector<double> inverse_;
};

class Clustering {
 public:
  Clustering(const VectorSet& vectors, const ClusterOptions& options, const SecretDraws& draws)
      : vectors_(vectors), options_(options), draws_(draws), needs_(vectors) {}

  std::vector<Cluster> run() {
    grow_all();
    reinsert();
    if (loose_.empty()) return std::move(done_);
    return Merging(vectors_, options_, draws_).run(std::move(done_), loose_);
  }

 private:
  std::size_t best_seed(const Left& left) {
    std::size_t best = 0;
    double most = -1;
    look_at_sample(left.size(), options_.sample, draws_, [&](std::size_t place) {
      const std::uint32_t* at = left.coordinates(place);
      double pressure = 0;
      for (std::uint32_t j = 0; j < vectors_.attributes; ++j) {
        pressure = std::max(pressure, left.pressure(at[j]));
      }
      if (pressure <= most) return;
      most = pressure;
      best = place;
    });
    return best;
  }

  // The innermost loop of all.
  std::size_t best_addition(const Left& left, std::size_t size) {
    auto room = static_cast<double>(std::max<std::size_t>(options_.l, size + 1));
    excess_so_far_.clear();
    for (double need : needs_.needs()) excess_so_far_.push_back(std::max(0.0, need - room));
    const double* next = needs_.next().data();
    const double* so_far = excess_so_far_.data();
    std::size_t best = 0;
    double best_excess = std::numeric_limits<double>::infinity();
    double best_pressure = 0;
    look_at_sample(left.size(), options_.sample, draws_, [&](std::size_t place) {
      const std::uint32_t* at = left.coordinates(place);
      double excess = 0;
      for (std::uint32_t j = 0; j < vectors_.attributes; ++j) {
        excess += std::max(next[at[j]] - room, so_far[j]);
      }
      if (excess > best_excess) return;
      double pressure = 0;
      for (std::uint32_t j = 0; j < vectors_.attributes; ++j) pressure += left.pressure(at[j]);
      if (excess == best_excess && pressure <= best_pressure) return;
      best = place;
      best_excess = excess;
      best_pressure = pressure;
    });
    return best;
  }

  void grow_all() {
    Left left(vectors_, needs_, draws_);
    while (left.size() > 0) {
      Cluster cluster = grow(left);
      bool done = is_done(options_, needs_.need(), cluster.size());
      needs_.clear(cluster);
      if (done) {
        done_.push_back(std::move(cluster));
      } else {
        loose_.insert(loose_.end(), cluster.begin(), cluster.end());
      }
    }
  }

  Cluster grow(Left& left) {
    std::size_t limit = std::max(options_.limit, 2 * options_.l);
    Cluster cluster;
    do {
      std::size_t best = cluster.empty() ? best_seed(left) : best_addition(left, cluster.size());
      cluster.push_back(left.take(best));
      needs_.add(cluster.back());
    } while (!is_done(options_, needs_.need(), cluster.size()) && left.size() > 0 &&
             cluster.size() < limit);
    return cluster;
  }

  // Whether a cluster that is done stays so with one more.
  bool takes(const Cluster& cluster, std::uint32_t vector) const {
    const std::uint32_t* wanted = vectors_.vector(vector);
    for (std::uint32_t j = 0; j < vectors_.attributes; ++j) {
      std::uint32_t count = 1;
      for (std::uint32_t member : cluster) count += vectors_.vector(member)[j] == wanted[j] ? 1 : 0;
      if (!keeps_caps(count * needs_.inverse(wanted[j]), cluster.size() + 1)) return false;
    }
    return true;
  }

  void reinsert() {
    std::vector<std::uint32_t> alone;
    for (std::uint32_t vector : loose_) {
      std::optional<std::size_t> best;
      look_at_sample(done_.size(), options_.sample, draws_, [&](std::size_t place) {
        bool smaller = !best || done_[place].size() < done_[*best].size();
        if (smaller && takes(done_[place], vector)) best = place;
      });
      if (best) {
        done_[*best].push_back(vector);
      } else {
        alone.push_back(vector);
      }
    }
    loose_ = std::move(alone);
  }

  const VectorSet& vectors_;
  const ClusterOptions& options_;
  SecretDraws draws_;
  Needs needs_;
  std::vector<double> excess_so_far_;
  std::vector<Cluster> done_;
  std::vector<std::uint32_t> loose_;
};

}  // namespace

std::vector<Cluster> cluster_vectors(const VectorSet& vectors, const ClusterOptions& options,
                                     const SecretDraws& draws) {
  return Clustering(vectors, options, draws).run();
}

}  // namespace rankveil
