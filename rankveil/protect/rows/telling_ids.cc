#include "rankveil/protect/rows/telling_ids.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/rows/alike_blocks.h"
#include "rankveil/protect/rows/id_patterns.h"

namespace rankveil {

namespace {

constexpr double alarm_rate = 1e-6;
constexpr double min_share = 0.01;  // of the rows
constexpr std::uint32_t window_sizes[] = {4, 32};

// Guesses of one value: how many, how many were right, and how many would be by chance.
struct Guesses {
  double made = 0, right = 0, by_chance = 0;

  void operator+=(const Guesses& other) {
    made += other.made;
    right += other.right;
    by_chance += other.by_chance;
  }
  double gain() const { return made > by_chance ? (right - by_chance) / (made - by_chance) : 0; }
};

// -log of a bound on the chance of so many right guesses.
double surprise(const Guesses& guesses) {
  if (guesses.made == 0 || guesses.right <= guesses.by_chance) return 0;
  double share = guesses.right / guesses.made;
  double chance = guesses.by_chance / guesses.made;
  double bits = share * std::log(share / chance);
  if (share < 1) bits += (1 - share) * std::log((1 - share) / (1 - chance));
  return guesses.made * bits;
}

// One pattern: rows in their order, and the public block of each place.
struct Places {
  std::string_view pattern;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> blocks;
  std::uint32_t block_count = 0;
};

// How often each value occurs in each block, at even and at odd places.
class BlockShares {
 public:
  struct Count {
    std::uint32_t value;
    std::uint32_t at[2];
  };

  BlockShares(const Places& places, const std::vector<std::uint32_t>& codes,
              std::uint32_t code_count)
      : sizes_(2 * std::size_t{places.block_count}, 0), begins_(places.block_count + 1, 0) {
    std::vector<std::uint32_t> order = by_block(places);
    std::vector<std::uint32_t> place_of_code(code_count, none);
    for (std::size_t i = 0; i < order.size();) {
      std::uint32_t block = places.blocks[order[i]];
      std::size_t first = counts_.size();
      for (; i < order.size() && places.blocks[order[i]] == block; ++i) {
        std::uint32_t half = order[i] % 2;
        ++sizes_[2 * block + half];
        std::uint32_t& place = place_of_code[codes[order[i]]];
        if (place == none) {
          place = static_cast<std::uint32_t>(counts_.size());
          counts_.push_back({codes[order[i]], {0, 0}});
        }
        ++counts_[place].at[half];
      }
      for (std::size_t c = first; c < counts_.size(); ++c) place_of_code[counts_[c].value] = none;
      std::sort(counts_.begin() + static_cast<std::ptrdiff_t>(first), counts_.end(),
                [](const Count& left, const Count& right) { return left.value < right.value; });
      begins_[block + 1] = static_cast<std::uint32_t>(counts_.size());
    }
    // Blocks without a row are empty, too.
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin(),
                     [](std::uint32_t left, std::uint32_t right) { return std::max(left, right); });
  }

  // The share of the block's rows that have the value.
  double share(std::uint32_t block, std::uint32_t value) const {
    const Count* count = find(block, value);
    if (count == nullptr) return 0;
    return static_cast<double>(count->at[0] + count->at[1]) /
           static_cast<double>(sizes_[std::size_t{2} * block] + sizes_[std::size_t{2} * block + 1]);
  }
  double share_in_half(std::uint32_t block, std::uint32_t value, std::uint32_t half) const {
    const Count* count = find(block, value);
    if (count == nullptr) return 0;
    return static_cast<double>(count->at[half]) / static_cast<double>(sizes_[2 * block + half]);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  static std::vector<std::uint32_t> by_block(const Places& places) {
    std::vector<std::uint32_t> ends(places.block_count + 1, 0);
    for (std::uint32_t block : places.blocks) ++ends[block + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint32_t> order(places.blocks.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[ends[places.blocks[i]]++] = i;
    return order;
  }

  const Count* find(std::uint32_t block, std::uint32_t value) const {
    auto begin = counts_.begin() + begins_[block], end = counts_.begin() + begins_[block + 1];
    auto found = std::lower_bound(begin, end, value, [](const Count& count, std::uint32_t code) {
      return count.value < code;
    });
    return found != end && found->value == value ? &*found : nullptr;
  }

  std::vector<std::uint32_t> sizes_;  // [block][half]
  std::vector<std::uint32_t> begins_;
  std::vector<Count> counts_;
};

// The neighbours of a place as it moves along: how many have each value, and which values enough of
// them have to be guessed.
class Window {
 public:
  Window(std::uint32_t size, std::uint32_t l, std::uint32_t code_count)
      : size_(size), enough_((size + l - 1) / l), counts_(code_count, 0) {}

  void add(std::uint32_t code) {
    if (++counts_[code] == enough_) frequent_.push_back(code);
  }
  void remove(std::uint32_t code) {
    if (counts_[code]-- == enough_) std::erase(frequent_, code);
  }
  double share(std::uint32_t code) const {
    return static_cast<double>(counts_[code]) / static_cast<double>(size_);
  }
  const std::vector<std::uint32_t>& frequent() const { return frequent_; }

 private:
  std::uint32_t size_, enough_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> frequent_;
};

// One private attribute along one pattern.
class Guesser {
 public:
  Guesser(const Places& places, const Column& column, std::uint32_t l)
      : places_(places),
        l_(l),
        code_count_(column.domain_size() + 1),
        codes_(codes_of(places, column)),
        shares_(places, codes_, code_count_) {}

  // By value, of the places of one half, from so many neighbours in the other.
  std::map<std::uint32_t, Guesses> guess(std::uint32_t half, std::uint32_t window) const {
    std::map<std::uint32_t, Guesses> guesses;
    std::size_t sources = (codes_.size() + half) / 2;  // places half ^ 1, half ^ 1 + 2, ...
    if (sources < window) return guesses;
    auto source = [&](std::size_t i) { return codes_[2 * i + (half ^ 1U)]; };
    Window near(window, l_, code_count_);
    for (std::size_t i = 0; i < window; ++i) near.add(source(i));
    std::size_t first = 0;  // the sources in the window begin here
    for (std::size_t place = half; place < codes_.size(); place += 2) {
      std::size_t before = (place + half) / 2;  // sources in front of this place
      while (first + window < sources && first + window / 2 < before) {
        near.remove(source(first));
        near.add(source(first + window));
        ++first;
      }
      guess_place(place, half, near, guesses);
    }
    return guesses;
  }

 private:
  static std::vector<std::uint32_t> codes_of(const Places& places, const Column& column) {
    std::vector<std::uint32_t> codes;
    codes.reserve(places.rows.size());
    for (std::uint32_t row : places.rows) {
      ValueId value = column.value(RowId{row});
      codes.push_back(value == missing_value ? column.domain_size() : +value);
    }
    return codes;
  }

  void guess_place(std::size_t place, std::uint32_t half, const Window& near,
                   std::map<std::uint32_t, Guesses>& guesses) const {
    std::uint32_t block = places_.blocks[place];
    double best = 1.0 / l_;
    std::uint32_t guessed = code_count_;
    for (std::uint32_t value : near.frequent()) {
      double prior = shares_.share(block, value);
      double gain = prior < 1 ? (near.share(value) - prior) / (1 - prior) : 0;
      if (gain > best) {
        best = gain;
        guessed = value;
      }
    }
    if (guessed == code_count_) return;
    Guesses& own = guesses[guessed];
    ++own.made;
    own.right += codes_[place] == guessed ? 1 : 0;
    own.by_chance += shares_.share_in_half(block, guessed, half);
  }

  const Places& places_;
  std::uint32_t l_;
  std::uint32_t code_count_;
  std::vector<std::uint32_t> codes_;  // by place
  BlockShares shares_;
};

// What patterns have in common.
class TellingSearch {
 public:
  TellingSearch(const Table& table, std::uint32_t l, const std::vector<std::uint8_t>& some_rows,
                std::uint32_t threads)
      : table_(table), l_(l), some_rows_(some_rows), threads_(threads) {}

  std::vector<Telling> run(const std::vector<IdPattern>& patterns) {
    found_.assign(table_.schema().private_count(), {});
    double tests = 0;
    for (std::uint32_t i = table_.schema().public_count(); i < table_.schema().size(); ++i) {
      tests += table_.schema().attributes[i].domain.size() + 1;
    }
    tests *= static_cast<double>(2 * std::size(window_sizes) * patterns.size());
    surprising_ = std::log(std::max(1.0, tests) / alarm_rate);
    for (const IdPattern& pattern : patterns) try_pattern(pattern);
    std::erase_if(found_, [](const Telling& telling) { return telling.rows == 0; });
    return std::move(found_);
  }

 private:
  Places places_of(const IdPattern& pattern) const {
    Places places{pattern.name, pattern.order, {}, 0};
    std::erase_if(places.rows,
                  [&](std::uint32_t row) { return !some_rows_.empty() && some_rows_[row] == 0; });
    AlikeBlocks blocks = alike_blocks(table_, places.rows);
    for (std::uint32_t row : places.rows) places.blocks.push_back(blocks.block_of[row]);
    places.block_count = blocks.count;
    return places;
  }

  void try_pattern(const IdPattern& pattern) {
    Places places = places_of(pattern);
    if (places.rows.empty()) return;
    parallel_for(found_.size(), threads_, [&](std::size_t j) {
      auto attribute = AttributeId{table_.schema().public_count() + static_cast<std::uint32_t>(j)};
      Guesser guesser(places, table_.column(attribute), l_);
      for (std::uint32_t window : window_sizes) {
        Guesses guesses = surprising_guesses(guesser, window);
        bool tells = guesses.made >= min_share * static_cast<double>(places.rows.size()) &&
                     guesses.gain() > 1.0 / l_;
        double most = static_cast<double>(found_[j].rows) * found_[j].gain;
        if (!tells || guesses.made * guesses.gain() <= most) continue;
        found_[j] = {table_.schema()[attribute].name, pattern.name,
                     static_cast<std::uint64_t>(guesses.made), guesses.gain()};
      }
    });
  }

  // The guesses of all values that are guessed better than by chance.
  Guesses surprising_guesses(const Guesser& guesser, std::uint32_t window) const {
    Guesses all;
    for (std::uint32_t half : {0U, 1U}) {
      for (const auto& [value, guesses] : guesser.guess(half, window)) {
        if (surprise(guesses) > surprising_) all += guesses;
      }
    }
    return all;
  }

  const Table& table_;
  std::uint32_t l_;
  const std::vector<std::uint8_t>& some_rows_;
  std::uint32_t threads_;
  double surprising_ = 0;
  std::vector<Telling> found_;  // per private attribute
};

}  // namespace

std::vector<Telling> what_ids_tell(const Table& table, std::uint32_t l,
                                   const std::vector<std::uint8_t>& some_rows,
                                   std::uint32_t threads) {
  return TellingSearch(table, l, some_rows, threads).run(id_patterns(table.names()));
}

std::vector<Telling> what_order_tells(const Table& table, std::uint32_t l,
                                      const std::vector<std::uint8_t>& some_rows,
                                      std::uint32_t threads) {
  IdPattern pattern{"the order of rows", std::vector<std::uint32_t>(table.rows())};
  std::iota(pattern.order.begin(), pattern.order.end(), 0U);
  return TellingSearch(table, l, some_rows, threads).run({std::move(pattern)});
}

}  // namespace rankveil
