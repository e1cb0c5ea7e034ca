#include "rankveil/protect/swap/fitted/prediction_groups.h"

#include <algorithm>
#include <numeric>

#include "rankveil/base/parallel.h"

namespace rankveil::fitted {

namespace {

// How many places of a large node are asked which score differs most.
constexpr std::uint32_t places_to_look_at = 2048;

struct SplitKey {
  std::int16_t score;
  std::uint64_t tie;
  std::uint32_t place;

  bool operator<(const SplitKey& other) const {
    if (score != other.score) return score < other.score;
    return tie != other.tie ? tie < other.tie : place < other.place;
  }
};

class Splitter {
 public:
  Splitter(std::span<const std::int16_t> scores, std::uint32_t width,
           std::span<const std::uint64_t> ties, std::vector<std::uint32_t>& order)
      : scores_(scores), width_(width), ties_(ties), order_(order) {}

  static bool is_large(PlaceGroup node) { return node.size / 2 >= min_prediction_group; }

  // Puts the lower half first.
  std::pair<PlaceGroup, PlaceGroup> split(PlaceGroup node) const {
    std::uint32_t coordinate = most_different(node);
    std::vector<SplitKey> keys;
    keys.reserve(node.size);
    for (std::uint32_t place : places(node)) {
      keys.push_back({score(place, coordinate), ties_[place], place});
    }
    std::uint32_t half = node.size / 2;
    std::nth_element(keys.begin(), keys.begin() + half, keys.end());
    for (std::uint32_t i = 0; i < node.size; ++i) order_[node.begin + i] = keys[i].place;
    return {{node.begin, half}, {node.begin + half, node.size - half}};
  }

  void sort_by_ties(PlaceGroup node) const {
    auto group = places(node);
    std::sort(group.begin(), group.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(ties_[a], a) < std::pair(ties_[b], b);
    });
  }

 private:
  std::span<std::uint32_t> places(PlaceGroup node) const {
    return std::span(order_).subspan(node.begin, node.size);
  }
  std::int16_t score(std::uint32_t place, std::uint32_t coordinate) const {
    return scores_[std::size_t{place} * width_ + coordinate];
  }

  std::uint32_t most_different(PlaceGroup node) const {
    std::uint32_t step = std::max(1U, node.size / places_to_look_at);
    std::vector<std::int64_t> sums(width_, 0);
    std::vector<std::int64_t> squares(width_, 0);
    std::int64_t count = 0;
    auto all = places(node);
    for (std::size_t i = 0; i < all.size(); i += step, ++count) {
      for (std::uint32_t c = 0; c < width_; ++c) {
        std::int64_t own = score(all[i], c);
        sums[c] += own;
        squares[c] += own * own;
      }
    }
    std::uint32_t best = 0;
    std::int64_t most = -1;
    for (std::uint32_t c = 0; c < width_; ++c) {
      std::int64_t spread = count * squares[c] - sums[c] * sums[c];
      if (spread > most) best = c;
      most = std::max(most, spread);
    }
    return best;
  }

  std::span<const std::int16_t> scores_;
  std::uint32_t width_;
  std::span<const std::uint64_t> ties_;
  std::vector<std::uint32_t>& order_;
};

}  // namespace

PredictionGroups prediction_groups(std::span<const std::int16_t> scores, std::uint32_t width,
                                   std::span<const std::uint64_t> ties, std::uint32_t threads) {
  PredictionGroups made;
  auto places = static_cast<std::uint32_t>(ties.size());
  made.order.resize(places);
  std::iota(made.order.begin(), made.order.end(), 0U);
  Splitter splitter(scores, width, ties, made.order);
  std::vector<PlaceGroup> nodes = {{0, places}};
  while (!nodes.empty()) {
    std::vector<PlaceGroup> halves(2 * nodes.size());
    parallel_for(nodes.size(), threads, [&](std::size_t i) {
      if (!Splitter::is_large(nodes[i])) return splitter.sort_by_ties(nodes[i]);
      std::tie(halves[2 * i], halves[2 * i + 1]) = splitter.split(nodes[i]);
    });
    std::vector<PlaceGroup> next;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!Splitter::is_large(nodes[i])) {
        made.groups.push_back(nodes[i]);
      } else {
        next.push_back(halves[2 * i]);
        next.push_back(halves[2 * i + 1]);
      }
    }
    nodes = std::move(next);
  }
  std::sort(made.groups.begin(), made.groups.end(),
            [](PlaceGroup a, PlaceGroup b) { return a.begin < b.begin; });
  return made;
}

}  // namespace rankveil::fitted
