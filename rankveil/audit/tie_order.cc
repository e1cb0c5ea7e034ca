#include "rankveil/audit/tie_order.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "rankveil/audit/check.h"
#include "rankveil/base/format.h"
#include "rankveil/base/random.h"
#include "rankveil/table/row_groups.h"

namespace rankveil::audit {

namespace {

constexpr double tie_error_rate = 0.01;

// ---- Asking ----

using Rows = std::vector<std::uint32_t>;

std::vector<Rows> largest_groups(const Table& truth, std::size_t most) {
  RowGroups alike = group_rows(truth, public_attributes(truth.schema()));
  std::vector<Rows> groups(alike.count());
  for (std::uint32_t row = 0; row < truth.rows(); ++row) {
    groups[alike.group_of[row]].push_back(row);
  }
  std::erase_if(groups, [](const Rows& rows) { return rows.size() < 2; });
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Rows& a, const Rows& b) { return a.size() > b.size(); });
  groups.resize(std::min(groups.size(), most));
  return groups;
}

Query query_for(const Table& truth, std::uint32_t row) {
  Query query = empty_query(truth.schema());
  for (std::uint32_t i = 0; i < truth.schema().public_count(); ++i) {
    ValueId value = truth.value(RowId{row}, AttributeId{i});
    if (value != missing_value) query.wanted[i].push_back(value);
  }
  return query;
}

// Returned rows in their order, and of the others as many again: they share the mean of the places
// that are left.
TieBlock block_of(const Rows& group, const Rows& answer, Rng& rng) {
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (std::size_t i = 0; i < answer.size(); ++i) place.emplace(answer[i], i);
  Rows returned, left;
  for (std::uint32_t row : group) (place.contains(row) ? returned : left).push_back(row);
  std::sort(returned.begin(), returned.end(),
            [&](std::uint32_t a, std::uint32_t b) { return place[a] < place[b]; });
  std::size_t kept = std::min(left.size(), returned.size());
  for (std::size_t i = 0; i < kept; ++i) std::swap(left[i], left[i + rng.below(left.size() - i)]);
  left.resize(kept);
  TieBlock block;
  for (std::size_t i = 0; i < returned.size(); ++i) block.places.push_back(static_cast<double>(i));
  double behind = static_cast<double>(returned.size()) + (static_cast<double>(kept) - 1) / 2;
  block.places.insert(block.places.end(), kept, behind);
  block.rows = std::move(returned);
  block.rows.insert(block.rows.end(), left.begin(), left.end());
  return block;
}

Result<std::vector<TieBlock>> ask(const Arena& arena, const Table& truth,
                                  const std::vector<Rows>& groups, std::uint64_t seed) {
  Rng rng(seed ^ 0x71e5);
  auto target = arena.fresh();
  if (!target) return target.error();
  std::vector<TieBlock> blocks;
  for (const Rows& group : groups) {
    auto answer = (*target)->query(query_for(truth, group.front()));
    if (!answer) return answer.error();
    TieBlock block = block_of(group, *answer, rng);
    if (block.rows.size() >= 2) blocks.push_back(std::move(block));
  }
  return blocks;
}

// ---- Testing ----

// Places of every block around 0 with variance 1, so that blocks weigh alike.
std::vector<double> scaled(const std::vector<double>& places) {
  auto count = static_cast<double>(places.size());
  double mean = std::accumulate(places.begin(), places.end(), 0.0) / count;
  double variance = 0;
  for (double place : places) variance += (place - mean) * (place - mean) / count;
  std::vector<double> out;
  for (double place : places)
    out.push_back(variance > 0 ? (place - mean) / std::sqrt(variance) : 0);
  return out;
}

class OrderTest {
 public:
  OrderTest(const std::vector<TieBlock>& blocks, const Column& values)
      : codes_(values.domain_size() + 1), all_(codes_), own_(codes_) {
    for (const TieBlock& block : blocks) {
      places_.push_back(scaled(block.places));
      auto& codes = values_.emplace_back();
      for (std::uint32_t row : block.rows) {
        ValueId value = values.value(RowId{row});
        codes.push_back(value == missing_value ? codes_ - 1 : +value);
      }
    }
  }

  // How far apart the mean places of values are.
  double statistic() {
    std::fill(all_.begin(), all_.end(), Sum{});
    double sum = 0;
    for (std::size_t b = 0; b < values_.size(); ++b) {
      for (std::size_t i = 0; i < values_[b].size(); ++i) {
        own_[values_[b][i]].add(places_[b][i]);
        all_[values_[b][i]].add(places_[b][i]);
      }
      for (std::uint32_t code : values_[b]) sum += own_[code].take();
    }
    for (Sum& one : all_) sum += one.take();
    return sum;
  }

  void shuffle(Rng& rng) {
    for (auto& codes : values_) {
      for (std::size_t i = codes.size(); i > 1; --i) std::swap(codes[i - 1], codes[rng.below(i)]);
    }
  }

 private:
  struct Sum {
    double places = 0;
    double rows = 0;
    void add(double place) {
      places += place;
      rows += 1;
    }
    // Its part of the statistic, once.
    double take() {
      double part = rows > 0 ? places * places / rows : 0;
      *this = {};
      return part;
    }
  };

  std::uint32_t codes_;
  std::vector<Sum> all_, own_;
  std::vector<std::vector<double>> places_;
  std::vector<std::vector<std::uint32_t>> values_;
};

}  // namespace

// Draws until it is clear: ten orders as close end it early (Besag and Clifford 1991), and then
// ten over the number of draws is a valid chance.
double chance_of_order(const std::vector<TieBlock>& blocks, const Column& values, double alpha,
                       std::uint64_t seed) {
  constexpr std::uint32_t enough = 10;
  constexpr double rounding = 1e-9;
  auto draws = static_cast<std::uint32_t>(std::ceil(2 * enough / alpha));
  OrderTest test(blocks, values);
  double observed = test.statistic();
  Rng rng(seed ^ 0x0bde12);
  std::uint32_t as_close = 0;
  for (std::uint32_t i = 1; i <= draws; ++i) {
    test.shuffle(rng);
    if (test.statistic() >= observed - rounding) ++as_close;
    if (as_close == enough) return static_cast<double>(enough) / i;
  }
  return (as_close + 1.0) / (draws + 1.0);
}

Result<std::vector<Finding>> check_ties(const Arena& arena, const Table& truth, std::uint64_t seed,
                                        std::uint32_t queries) {
  auto blocks = ask(arena, truth, largest_groups(truth, queries), seed);
  if (!blocks) return blocks.error();
  std::vector<Finding> findings;
  if (blocks->empty()) return findings;
  std::uint64_t rows = 0;
  for (const TieBlock& block : *blocks) rows += block.rows.size();
  const Schema& schema = truth.schema();
  double alpha = tie_error_rate / std::max(1U, schema.private_count());
  for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
    const Column& values = truth.column(AttributeId{schema.public_count() + j});
    double chance = chance_of_order(*blocks, values, alpha, seed + j);
    std::string evidence;
    if (chance <= alpha) {
      evidence = fmt::format(
          "rows with equal public values come in an order that follows {}: by "
          "chance that happens with probability {:.2g}; order them by a number "
          "that has nothing to do with it",
          private_name(truth, j), chance);
    }
    findings.push_back(check_finding("ties", private_name(truth, j), rows, std::move(evidence)));
  }
  return findings;
}

}  // namespace rankveil::audit
