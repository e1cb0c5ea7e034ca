#include "rankveil/protect/swap/fitted/block_swap.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/swap/fitted/coins.h"
#include "rankveil/protect/swap/fitted/exchange.h"
#include "rankveil/protect/swap/fitted/prediction_groups.h"
#include "rankveil/protect/swap/fitted/word_source.h"

namespace rankveil::fitted {

namespace {

constexpr std::size_t units_per_piece = 4096;

// Those who move together: places are filled from this list.
struct MovingUnits {
  bool alike = false;  // uniformly
  std::vector<std::uint32_t> units;
  std::vector<std::uint64_t> order;  // keyed, one a unit

  std::uint32_t size() const { return static_cast<std::uint32_t>(units.size()); }
};

// What a list of units is called, so that no two lists are rearranged by the same random words.
std::string stream_name(const Block& block, const MovingUnits& moving) {
  std::uint64_t sum = 0;
  for (std::uint64_t number : moving.order) sum += number;
  return fmt::format("{}\n{}\n{}\n{:016x}", block.name, moving.alike ? "alike" : "fitted",
                     moving.size(), sum);
}

class BlockSwap {
 public:
  BlockSwap(const BlockTask& block, std::span<const std::uint32_t> members, const Alike& alike)
      : block_(block), members_(members), alike_(alike), shows_(members.begin(), members.end()) {}

  std::vector<std::uint32_t> run(BlockReport& counts) {
    toss();
    form_groups(counts);
    std::vector<BlockReport> reports(groups_.size());
    parallel_for(groups_.size(), block_.task.threads, [&](std::size_t g) {
      if (groups_[g].alike) {
        shuffle(groups_[g]);
      } else {
        rearrange(groups_[g], reports[g]);
      }
    });
    for (const BlockReport& report : reports) add(report, counts);
    return std::move(shows_);
  }

 private:
  static void add(const BlockReport& more, BlockReport& counts) {
    counts.sweeps = std::max(counts.sweeps, more.sweeps);
    counts.tried += more.tried;
    counts.accepted += more.accepted;
    counts.own_half_way += more.own_half_way;
    counts.own += more.own;
  }

  std::uint32_t times_shown(std::uint32_t unit) const {
    return block_.task.times_shown(block_.units.row(unit, 0));
  }

  void toss() {
    const Task& task = block_.task;
    BlockCoins coins(task.key, block_.block.name, double(task.l_before) / task.demand.l);
    moves_.assign(members_.size(), 0);
    order_.assign(members_.size(), 0);
    std::size_t pieces = (members_.size() + units_per_piece - 1) / units_per_piece;
    parallel_for(pieces, block_.task.threads, [&](std::size_t piece) {
      RowNames::Digits digits;
      std::size_t end = std::min(members_.size(), (piece + 1) * units_per_piece);
      for (std::size_t i = piece * units_per_piece; i < end; ++i) {
        std::string_view name = block_.units.name(members_[i], digits);
        std::uint32_t times = times_shown(members_[i]);
        moves_[i] = coins.keeps(name, times) ? 0 : 1;
        if (moves_[i] != 0) order_[i] = coins.order(name, times);
      }
    });
  }

  // Classes of those alike, then the others: all together, or by the length of their histories.
  void form_groups(BlockReport& counts) {
    std::uint32_t lengths = block_.block.varies ? longest_history : 1;
    groups_.resize(std::size_t{alike_.classes()} + lengths);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      bool in_class = alike_.of(i) != Alike::few;
      counts.in_classes += in_class ? 1 : 0;
      if (moves_[i] == 0) continue;
      std::uint32_t length = block_.block.varies ? block_.units.row_count(members_[i]) : 1;
      std::uint32_t group = in_class ? alike_.of(i) : alike_.classes() + length - 1;
      groups_[group].alike = in_class;
      groups_[group].units.push_back(static_cast<std::uint32_t>(i));
      groups_[group].order.push_back(order_[i]);
      ++counts.moved;
    }
    counts.persons += members_.size();
    std::erase_if(groups_, [](const MovingUnits& group) { return group.size() < 2; });
    // The large ones take long: they start first.
    std::stable_sort(
        groups_.begin(), groups_.end(),
        [](const MovingUnits& a, const MovingUnits& b) { return a.size() > b.size(); });
  }

  // Every arrangement alike.
  void shuffle(const MovingUnits& moving) {
    WordSource words(block_.task.key, "fitted swap", stream_name(block_.block, moving),
                     moving.size());
    std::vector<std::uint32_t> from = moving.units;
    sort_by_order(from);
    std::vector<std::uint32_t> to = from;
    for (std::uint32_t i = moving.size(); i > 1; --i)
      std::swap(from[i - 1], from[scaled(words(), i)]);
    for (std::size_t i = 0; i < to.size(); ++i) shows_[to[i]] = members_[from[i]];
  }

  void sort_by_order(std::vector<std::uint32_t>& units) const {
    std::sort(units.begin(), units.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(order_[a], a) < std::pair(order_[b], b);
    });
  }

  // By the law that the model says.
  void rearrange(const MovingUnits& moving, BlockReport& report) {
    std::vector<std::uint32_t> unit_at;  // per place: a member
    Places places = places_of(moving, unit_at);
    Tokens tokens = tokens_of(places, unit_at);
    const Tokens own = tokens;
    WordSource words(block_.task.key, "fitted swap", stream_name(block_.block, moving),
                     4 * std::uint64_t{usual_sweeps} * moving.size());
    sweep(places, usual_sweeps / 2, words, tokens, report);
    std::vector<std::uint8_t> half_way = own_places(own, tokens);
    sweep(places, usual_sweeps / 2, words, tokens, report);
    std::vector<std::uint8_t> after = own_places(own, tokens);
    if (differ(half_way, after)) {
      half_way = std::move(after);
      sweep(places, max_sweeps - usual_sweeps, words, tokens, report);
      after = own_places(own, tokens);
    }
    report.own_half_way = count(half_way);
    report.own = count(after);
    for (std::size_t i = 0; i < unit_at.size(); ++i) {
      shows_[unit_at[i]] = members_[unit_at[tokens.owner[i]]];
    }
  }

  static void sweep(const Places& places, std::uint32_t sweeps, WordSource& words, Tokens& tokens,
                    BlockReport& report) {
    ExchangeCounts counts = exchange(places, std::uint64_t{sweeps} * places.size(), words, tokens);
    report.sweeps += sweeps;
    report.tried += counts.tried;
    report.accepted += counts.accepted;
  }

  // Whether each place holds values like its own.
  static std::vector<std::uint8_t> own_places(const Tokens& own, const Tokens& now) {
    std::size_t slots = own.values.size() / own.owner.size();
    std::vector<std::uint8_t> same(own.owner.size());
    for (std::size_t i = 0; i < same.size(); ++i) {
      auto begin = own.values.begin() + static_cast<std::ptrdiff_t>(i * slots);
      auto now_begin = now.values.begin() + static_cast<std::ptrdiff_t>(i * slots);
      same[i] = std::equal(begin, begin + static_cast<std::ptrdiff_t>(slots), now_begin) ? 1 : 0;
    }
    return same;
  }

  static std::uint64_t count(const std::vector<std::uint8_t>& flags) {
    return static_cast<std::uint64_t>(std::count(flags.begin(), flags.end(), 1));
  }

  // By more than three standard errors of a difference between pairs.
  static bool differ(const std::vector<std::uint8_t>& before,
                     const std::vector<std::uint8_t>& after) {
    double lost = 0;
    double won = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      lost += before[i] > after[i] ? 1 : 0;
      won += before[i] < after[i] ? 1 : 0;
    }
    return std::abs(lost - won) > 3 * std::sqrt(lost + won);
  }

  std::uint32_t rows_of(std::uint32_t member) const {
    return block_.block.varies ? block_.units.row_count(members_[member]) : 1;
  }

  Places places_of(const MovingUnits& moving, std::vector<std::uint32_t>& unit_at) const {
    std::uint32_t rows = rows_of(moving.units.front());
    std::uint32_t row_width = block_.model.width();
    std::uint32_t width = rows * row_width;
    std::vector<std::int16_t> scores(std::size_t{moving.size()} * width);
    std::size_t pieces = (moving.size() + units_per_piece - 1) / units_per_piece;
    parallel_for(pieces, block_.task.threads, [&](std::size_t piece) {
      std::size_t end = std::min<std::size_t>(moving.size(), (piece + 1) * units_per_piece);
      for (std::size_t i = piece * units_per_piece; i < end; ++i) {
        auto own = block_.units.rows(members_[moving.units[i]]);
        for (std::uint32_t t = 0; t < rows; ++t) {
          block_.model.score(block_.sight, +own[t],
                             &scores[i * width + std::size_t{t} * row_width]);
        }
      }
    });
    PredictionGroups grouped = prediction_groups(scores, width, moving.order, block_.task.threads);
    return in_order(moving, grouped, scores, {width, rows}, unit_at);
  }

  struct Shape {
    std::uint32_t width;
    std::uint32_t rows;
  };

  Places in_order(const MovingUnits& moving, const PredictionGroups& grouped,
                  const std::vector<std::int16_t>& scores, Shape shape,
                  std::vector<std::uint32_t>& unit_at) const {
    Places places;
    places.width = shape.width;
    places.slots = shape.rows * static_cast<std::uint32_t>(block_.model.attributes.size());
    places.groups = grouped.groups;
    places.scores.reserve(scores.size());
    for (std::uint32_t place : grouped.order) {
      unit_at.push_back(moving.units[place]);
      auto from = scores.begin() + static_cast<std::ptrdiff_t>(std::size_t{place} * shape.width);
      places.scores.insert(places.scores.end(), from, from + shape.width);
    }
    for (std::uint32_t g = 0; g < grouped.groups.size(); ++g) {
      places.group_of.insert(places.group_of.end(), grouped.groups[g].size, g);
    }
    return places;
  }

  // What every place holds at first: its own.
  Tokens tokens_of(const Places& places, const std::vector<std::uint32_t>& unit_at) const {
    Tokens tokens;
    tokens.owner.resize(places.size());
    std::iota(tokens.owner.begin(), tokens.owner.end(), 0U);
    tokens.values.reserve(std::size_t{places.size()} * places.slots);
    std::vector<Codes> codes;
    for (PrivateId j : block_.block.attributes) codes.emplace_back(block_.task.private_column(j));
    for (std::uint32_t member : unit_at) {
      auto rows = block_.units.rows(members_[member]);
      std::uint32_t first = 0;
      for (std::uint32_t t = 0; t < rows_of(member); ++t) {
        for (std::size_t j = 0; j < codes.size(); ++j) {
          const AttributeModel& attribute = block_.model.attributes[j];
          std::uint32_t value = attribute.classes.of_code[codes[j][+rows[t]]];
          tokens.values.push_back(static_cast<std::uint16_t>(first + value));
          first += attribute.width;
        }
      }
    }
    return tokens;
  }

  const BlockTask& block_;
  std::span<const std::uint32_t> members_;
  const Alike& alike_;
  std::vector<std::uint32_t> shows_;  // per member
  std::vector<std::uint8_t> moves_;   // per member
  std::vector<std::uint64_t> order_;  // per member
  std::vector<MovingUnits> groups_;
};

}  // namespace

std::vector<std::uint32_t> swap_block(const BlockTask& block,
                                      std::span<const std::uint32_t> members, const Alike& alike,
                                      BlockReport& counts) {
  return BlockSwap(block, members, alike).run(counts);
}

}  // namespace rankveil::fitted
