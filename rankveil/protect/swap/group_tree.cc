#include "rankveil/protect/swap/group_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil {

namespace {

using fitted::FittedSwap;

constexpr std::size_t rows_to_fit = 60'000;
constexpr std::size_t rows_to_compare = 2048;  // that say how much a coordinate differs
constexpr std::uint32_t max_coordinates = 48;
constexpr double whole_unit = 1 << 16;

// What one value of one attribute is predicted to be, as a sum over public columns: the deviation
// of its logarithm, times share (1 - share), which is about the deviation of the prediction.
struct Predictor {
  std::vector<std::vector<double>> weights;  // [public column][feature]
  double spread = 0;                         // variance over some rows
};

class Predictions {
 public:
  Predictions(const Task& task, const FittedSwap& swap)
      : task_(task), swap_(swap), publics_(task.table.schema().public_count()) {
    choose_rows();
    std::vector<std::vector<Predictor>> made(task.private_count());
    for (std::uint32_t j = 0; j < made.size(); ++j) made[j] = predictors_of(j);
    for (auto& list : made) {
      for (Predictor& one : list) best_.push_back(std::move(one));
    }
    std::stable_sort(best_.begin(), best_.end(),
                     [](const Predictor& a, const Predictor& b) { return a.spread > b.spread; });
    if (best_.size() > max_coordinates) best_.resize(max_coordinates);
  }

  // In whole numbers, by code.
  void write(GroupTree& tree) const {
    tree.coordinates = static_cast<std::uint32_t>(best_.size());
    tree.weights.resize(publics_);
    for (std::uint32_t c = 0; c < publics_; ++c) {
      const auto& of_code = swap_.sight().map(c).of_code;
      tree.weights[c].assign(of_code.size() * best_.size(), 0);
      for (std::size_t code = 0; code < of_code.size(); ++code) {
        if (of_code[code] == no_feature) continue;
        for (std::size_t i = 0; i < best_.size(); ++i) {
          double weight = best_[i].weights[c][of_code[code]];
          tree.weights[c][code * best_.size() + i] =
              static_cast<std::int32_t>(std::floor(weight * whole_unit + 0.5));
        }
      }
    }
  }

 private:
  void choose_rows() {
    const auto& rows = swap_.sight().rows(false);
    std::size_t step = std::max<std::size_t>(1, rows.size() / rows_to_fit);
    for (std::size_t i = 0; i < rows.size(); i += step) rows_.push_back(rows[i]);
    for (std::uint32_t c = 0; c < publics_; ++c) {
      const FeatureColumn& all = swap_.sight().features(false)[c];
      FeatureColumn& some = columns_.emplace_back(FeatureColumn{all.features, all.ordered, {}});
      for (std::size_t i = 0; i < rows.size(); i += step) some.of_row.push_back(all.of_row[i]);
    }
  }

  std::vector<Predictor> predictors_of(std::uint32_t j) const {
    std::vector<std::uint16_t> shown;
    for (std::uint32_t row : rows_) shown.push_back(swap_.shown()[j][row]);
    std::uint32_t domain = task_.attribute(PrivateId{j}).domain.size();
    fitted::ValueClasses classes = fitted::value_classes(shown, domain);
    std::vector<double> shares(classes.fitted, 0);
    for (std::uint16_t& code : shown) {
      code = classes.of_code[code];
      shares[code] += 1.0 / static_cast<double>(rows_.size());
    }
    Multinomial model =
        fit_multinomial(columns_, shown, classes.fitted,
                        {.ridge = fitted::fit_ridge, .tolerance = 1e-5, .threads = task_.threads});
    std::vector<Predictor> made;
    for (std::uint32_t k = 0; k < classes.fitted; ++k) made.push_back(predictor(model, shares, k));
    return made;
  }

  Predictor predictor(const Multinomial& model, const std::vector<double>& shares,
                      std::uint32_t label) const {
    Predictor made;
    double scale = shares[label] * (1 - shares[label]);
    for (std::uint32_t c = 0; c < publics_; ++c) {
      auto& list = made.weights.emplace_back();
      for (std::uint32_t f = 0; f < model.features(c); ++f) {
        auto weights = model.weights(c, f);
        double mean = 0;
        for (std::size_t k = 0; k < shares.size(); ++k) mean += shares[k] * weights[k];
        list.push_back(scale * (weights[label] - mean));
      }
    }
    made.spread = spread_of(made);
    return made;
  }

  double spread_of(const Predictor& predictor) const {
    double sum = 0;
    double squares = 0;
    double count = 0;
    std::size_t step = std::max<std::size_t>(1, rows_.size() / rows_to_compare);
    for (std::size_t i = 0; i < rows_.size(); i += step, ++count) {
      double place = 0;
      for (std::uint32_t c = 0; c < publics_; ++c) {
        std::uint16_t feature = columns_[c].of_row[i];
        if (feature != no_feature) place += predictor.weights[c][feature];
      }
      sum += place;
      squares += place * place;
    }
    return count == 0 ? 0 : squares / count - sum / count * (sum / count);
  }

  const Task& task_;
  const FittedSwap& swap_;
  std::uint32_t publics_;
  std::vector<std::uint32_t> rows_;
  std::vector<FeatureColumn> columns_;
  std::vector<Predictor> best_;
};

// ---- The tree ----

struct RowRange {
  std::size_t begin;
  std::size_t end;
  std::uint32_t node;

  std::size_t size() const { return end - begin; }
};

struct Cut {
  double worth = -1;  // rows times variance of the coordinate; below 0: cannot be cut
  std::uint32_t coordinate = 0;
  std::int32_t threshold = 0;
};

class TreeGrower {
 public:
  TreeGrower(const Task& task, const FittedSwap& swap, GroupTree& tree)
      : task_(task), tree_(tree), rows_(swap.sight().rows(false)) {
    std::uint64_t shown = 0;
    for (std::uint8_t shows : swap.shows()) shown += shows;
    const GroupSizes& sizes = GroupSizes::in_use();
    max_leaves_ =
        std::clamp<std::uint64_t>(shown / sizes.base_rows_a_group, 1, sizes.max_base_groups);
    least_ = sizes.base_group;
  }

  // The most worthwhile cut first.
  void grow() {
    tree_.nodes.emplace_back();
    std::priority_queue<Candidate> waiting;
    auto offer = [&](RowRange range) { waiting.push({best_cut(range), range}); };
    offer({0, rows_.size(), 0});
    std::uint64_t leaves = 1;
    while (leaves < max_leaves_ && waiting.top().cut.worth >= 0) {
      Candidate next = waiting.top();
      waiting.pop();
      auto [left, right] = cut(next);
      offer(left);
      offer(right);
      ++leaves;
    }
    number_leaves();
  }

 private:
  struct Candidate {
    Cut cut;
    RowRange range;

    bool operator<(const Candidate& other) const {
      if (cut.worth != other.cut.worth) return cut.worth < other.cut.worth;
      return range.node > other.range.node;
    }
  };

  std::int32_t place(std::uint32_t row, std::uint32_t coordinate) const {
    std::int32_t sum = 0;
    for (std::uint32_t c = 0; c < tree_.weights.size(); ++c) {
      ValueId value = task_.table.value(RowId{row}, AttributeId{c});
      std::size_t code = value == missing_value ? task_.table.schema()[AttributeId{c}].domain.size()
                                                : std::size_t{+value};
      sum += tree_.weights[c][code * tree_.coordinates + coordinate];
    }
    return sum;
  }

  // Coordinates by how much they differ here, most first.
  std::vector<std::pair<double, std::uint32_t>> spreads(RowRange range) const {
    std::size_t step = std::max<std::size_t>(1, range.size() / rows_to_compare);
    std::vector<double> sums(tree_.coordinates, 0);
    std::vector<double> squares(tree_.coordinates, 0);
    double count = 0;
    for (std::size_t i = range.begin; i < range.end; i += step, ++count) {
      for (std::uint32_t k = 0; k < tree_.coordinates; ++k) {
        double own = place(rows_[i], k);
        sums[k] += own;
        squares[k] += own * own;
      }
    }
    std::vector<std::pair<double, std::uint32_t>> made;
    for (std::uint32_t k = 0; k < tree_.coordinates; ++k) {
      made.emplace_back(squares[k] / count - sums[k] / count * (sums[k] / count), k);
    }
    std::stable_sort(made.begin(), made.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    return made;
  }

  Cut best_cut(RowRange range) const {
    if (range.size() < 2 * std::size_t{least_} || tree_.coordinates == 0) return {};
    for (const auto& [spread, coordinate] : spreads(range)) {
      if (spread <= 0) break;
      auto threshold = median(range, coordinate);
      if (!threshold) continue;
      return {spread * static_cast<double>(range.size()), coordinate, *threshold};
    }
    return {};
  }

  // Nearest to the middle, with enough rows on both sides. Equal rows stay together.
  std::optional<std::int32_t> median(RowRange range, std::uint32_t coordinate) const {
    std::vector<std::int32_t> places;
    places.reserve(range.size());
    for (std::size_t i = range.begin; i < range.end; ++i) {
      places.push_back(place(rows_[i], coordinate));
    }
    std::sort(places.begin(), places.end());
    std::int32_t middle = places[places.size() / 2];
    auto lower = std::lower_bound(places.begin(), places.end(), middle) - places.begin();
    auto upper = std::upper_bound(places.begin(), places.end(), middle) - places.begin();
    auto most = static_cast<std::ptrdiff_t>(places.size()) - least_;
    auto fits = [&](std::ptrdiff_t at) { return at >= least_ && at <= most; };
    auto half = static_cast<std::ptrdiff_t>(places.size() / 2);
    if (fits(lower) && (!fits(upper) || half - lower <= upper - half)) return middle;
    if (fits(upper)) return places[static_cast<std::size_t>(upper)];
    return std::nullopt;
  }

  std::pair<RowRange, RowRange> cut(const Candidate& next) {
    auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(next.range.begin);
    auto end = rows_.begin() + static_cast<std::ptrdiff_t>(next.range.end);
    auto middle = std::stable_partition(begin, end, [&](std::uint32_t row) {
      return place(row, next.cut.coordinate) < next.cut.threshold;
    });
    auto at = static_cast<std::size_t>(middle - rows_.begin());
    auto left = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.resize(tree_.nodes.size() + 2);
    tree_.nodes[next.range.node] = {static_cast<std::int32_t>(next.cut.coordinate),
                                    next.cut.threshold, left, left + 1};
    return {{next.range.begin, at, left}, {at, next.range.end, left + 1}};
  }

  void number_leaves() {
    std::uint32_t groups = 0;
    for (GroupNode& node : tree_.nodes) {
      if (node.coordinate < 0) node.left = groups++;
    }
  }

  const Task& task_;
  GroupTree& tree_;
  std::vector<std::uint32_t> rows_;
  std::uint64_t max_leaves_ = 1;
  std::uint32_t least_ = 1;
};

}  // namespace

GroupTree grow_group_tree(const Task& task, const FittedSwap& swap) {
  GroupTree tree;
  Predictions(task, swap).write(tree);
  TreeGrower(task, swap, tree).grow();
  return tree;
}

}  // namespace rankveil
