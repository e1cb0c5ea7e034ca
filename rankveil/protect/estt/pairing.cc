#include "rankveil/protect/estt/pairing.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/estt/pair_exchange.h"
#include "rankveil/protect/estt/perfect_matching.h"
#include "rankveil/protect/estt/set_exchange.h"
#include "rankveil/protect/estt/small_sets.h"
#include "rankveil/protect/estt/sorted_weight.h"

namespace rankveil {

namespace {

constexpr std::uint32_t max_unwindowed = 5000;
constexpr std::uint32_t window = 1024;
constexpr std::uint32_t windows_per_block = 16;
constexpr std::uint32_t max_matched = 500;

// Sorted Weight inside windows, which threads share. Windows are even, so only the last can leave a
// row over.
std::vector<std::uint32_t> pairs_by_window(const CodeRows& rows, std::uint32_t threads) {
  std::uint32_t windows = (rows.size() + window - 1) / window;
  std::vector<std::uint32_t> all(rows.size());
  parallel_for(windows, threads, [&](std::size_t w) {
    auto begin = static_cast<std::uint32_t>(w * window);
    auto pairs = sorted_weight(rows.part(begin, std::min(window, rows.size() - begin)));
    for (std::size_t i = 0; i < pairs.size(); ++i) all[begin + i] = pairs[i] + begin;
  });
  return all;
}

// Swaps inside blocks of windows: most of the work of the exchange, and threads can share it.
void exchange_in_blocks(const CodeRows& rows, const PairingOptions& options,
                        std::vector<std::uint32_t>& all) {
  constexpr std::uint32_t block = window * windows_per_block;
  parallel_for(rows.size() / block, options.threads, [&](std::size_t b) {
    auto begin = static_cast<std::uint32_t>(b * block);
    CodeRows part = rows.part(begin, block);
    auto first = all.begin() + begin;
    std::vector<std::uint32_t> pairs(first, first + block);
    for (std::uint32_t& row : pairs) row -= begin;
    Rng rng(options.seed + 1 + b);
    exchange_pairs(part, rng, pairs);
    for (std::uint32_t i = 0; i < block; ++i) all[begin + i] = pairs[i] + begin;
  });
}

std::vector<std::uint32_t> sorted_pairs(const CodeRows& rows, std::uint32_t threads) {
  return rows.size() > max_unwindowed ? pairs_by_window(rows, threads) : sorted_weight(rows);
}

// Moves the pair that gains most from a third row, the last one of `pairs`, to the end.
void join_best(const CodeRows& rows, std::vector<std::uint32_t>& pairs) {
  std::size_t count = pairs.size() / 2;
  std::uint32_t left_over = pairs.back();
  std::size_t best = count - 1;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::uint32_t, 3> three{pairs[2 * i], pairs[2 * i + 1], left_over};
    std::uint64_t gain = rows.same(three[0], three[1]);
    if (gain > most) gain -= set_cost(rows, three, 2);
    if (gain <= most) continue;
    most = gain;
    best = i;
  }
  std::swap_ranges(pairs.begin() + static_cast<std::ptrdiff_t>(2 * best),
                   pairs.begin() + static_cast<std::ptrdiff_t>(2 * best + 2),
                   pairs.begin() + static_cast<std::ptrdiff_t>(2 * count - 2));
}

// Swaps with nobody as the partner of a row that is left over; then that row joins a pair.
void improve_pairs(const CodeRows& rows, const PairingOptions& options, EquivalentSets& sets) {
  if (rows.size() > max_unwindowed) exchange_in_blocks(rows, options, sets.rows);
  bool odd = rows.size() % 2 != 0;
  if (odd) sets.rows.push_back(rows.size());
  Rng rng(options.seed);
  exchange_pairs(rows, rng, sets.rows);
  if (!odd) return;
  for (std::size_t i = 0; i + 1 < sets.rows.size(); i += 2) {
    if (std::max(sets.rows[i], sets.rows[i + 1]) != rows.size()) continue;
    std::uint32_t alone = std::min(sets.rows[i], sets.rows[i + 1]);
    sets.rows[i] = sets.rows[sets.rows.size() - 2];
    sets.rows[i + 1] = sets.rows[sets.rows.size() - 1];
    sets.rows.resize(sets.rows.size() - 2);
    sets.rows.push_back(alone);
    break;
  }
  join_best(rows, sets.rows);
}

// Partners by matching, where `nobodies` rows are left out: they stand at the end.
std::vector<std::uint32_t> matched_pairs(const CodeRows& rows, std::uint32_t nobodies) {
  std::uint32_t n = rows.size() + nobodies;
  auto never = static_cast<std::int32_t>(rows.size() * rows.width() + 1);
  std::vector<std::int32_t> costs(std::size_t{n} * n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      std::int32_t cost = i < rows.size()   ? static_cast<std::int32_t>(rows.same(i, j))
                          : j < rows.size() ? 0
                                            : never;
      costs[std::size_t{i} * n + j] = costs[std::size_t{j} * n + i] = cost;
    }
  }
  auto partners = cheapest_matching(n, costs);
  std::vector<std::uint32_t> pairs;
  std::vector<std::uint32_t> left_out;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (partners[i] >= rows.size()) left_out.push_back(i);
    if (i > partners[i] || partners[i] >= rows.size()) continue;
    pairs.push_back(i);
    pairs.push_back(partners[i]);
  }
  pairs.insert(pairs.end(), left_out.begin(), left_out.end());
  return pairs;
}

void keep_cheaper(const CodeRows& rows, std::vector<std::uint32_t> pairs, EquivalentSets& sets) {
  EquivalentSets other{2, std::move(pairs), 0, sets.bound};
  other.cost = total_cost(rows, other, 2);
  if (other.cost < sets.cost) sets = std::move(other);
}

std::uint64_t constant_attributes(const CodeRows& rows) {
  std::uint64_t constant = 0;
  for (std::uint32_t j = 0; j < rows.width(); ++j) {
    constant += code_counts(rows, j).size() == 1 ? 1 : 0;
  }
  return constant;
}

// Every partition leaves three rows to its large set and pairs up the others, so it costs at least
// the cheapest pairs that leave any three out, plus what any three rows cost: an attribute in which
// all rows are equal.
void match_odd(const CodeRows& rows, EquivalentSets& sets) {
  auto pairs = matched_pairs(rows, 3);
  std::uint64_t three = set_cost(rows, std::span(pairs).last(3), 2);
  std::uint64_t others = total_cost(rows, {2, pairs, 0, 0}, 2) - three;
  sets.bound = std::max(sets.bound, others + constant_attributes(rows));
  keep_cheaper(rows, std::move(pairs), sets);
  if (sets.proven()) return;
  pairs = matched_pairs(rows, 1);
  join_best(rows, pairs);
  keep_cheaper(rows, std::move(pairs), sets);
}

void match(const CodeRows& rows, EquivalentSets& sets) {
  if (rows.size() % 2 != 0) {
    match_odd(rows, sets);
    return;
  }
  keep_cheaper(rows, matched_pairs(rows, 0), sets);
  sets.bound = sets.cost;
}

EquivalentSets optimal_pairs(const CodeRows& rows, const PairingOptions& options,
                             EquivalentSets sets) {
  if (rows.size() <= max_small_rows) {
    sets.rows = cheapest_small_pairs(rows);
    sets.bound = sets.cost = total_cost(rows, sets, 2);
    return sets;
  }
  sets.rows = sorted_pairs(rows, options.threads);
  sets.cost = total_cost(rows, sets, 2);
  if (sets.proven()) return sets;
  EquivalentSets better = sets;
  improve_pairs(rows, options, better);
  better.cost = total_cost(rows, better, 2);
  if (better.cost < sets.cost) sets = std::move(better);
  if (!sets.proven() && rows.size() <= max_matched) match(rows, sets);
  return sets;
}

EquivalentSets pairs_of(const CodeRows& rows, const PairingOptions& options, EquivalentSets sets) {
  if (options.pairing == Pairing::Optimal) return optimal_pairs(rows, options, std::move(sets));
  sets.rows = sorted_pairs(rows, options.threads);
  sets.cost = total_cost(rows, sets, 2);
  return sets;
}

EquivalentSets larger_sets(const CodeRows& rows, const PairingOptions& options,
                           std::uint64_t bound) {
  EquivalentSets sets = greedy_sets(rows, options.set_size, options.l);
  sets.cost = total_cost(rows, sets, options.l);
  sets.bound = bound;
  if (options.pairing == Pairing::Optimal) {
    Rng rng(options.seed);
    exchange_members(rows, options.l, rng, sets);
  }
  return sets;
}

}  // namespace

EquivalentSets cut_into_sets(const CodeRows& rows, const PairingOptions& options) {
  EquivalentSets sets{options.set_size, std::vector<std::uint32_t>(rows.size()), 0, 0};
  sets.bound = cost_bound(rows, sets.count(), options.l);
  std::iota(sets.rows.begin(), sets.rows.end(), 0U);
  if (sets.count() == 1 || options.pairing == Pairing::Random) {
    sets.cost = total_cost(rows, sets, options.l);
    return sets;
  }
  if (options.set_size == 2) return pairs_of(rows, options, std::move(sets));
  return larger_sets(rows, options, sets.bound);
}

}  // namespace rankveil
