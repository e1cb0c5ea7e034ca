#include "rankveil/audit/adding.h"

#include <algorithm>
#include <cmath>

#include "rankveil/audit/check.h"
#include "rankveil/audit/prior.h"
#include "rankveil/audit/profile_kinds.h"
#include "rankveil/base/parallel.h"
#include "rankveil/base/random.h"
#include "rankveil/table/telling/cells.h"

namespace rankveil::audit {

namespace {

constexpr std::uint32_t crowd = 100;
constexpr std::size_t most_columns = 10;

struct RepeatingColumn {
  AttributeId column;
  Cells cells;
  std::size_t repeated = 0;  // values in 2 to 99 rows
};

bool is_repeated(std::uint32_t rows) { return rows >= 2 && rows < crowd; }

// The rows of each cell that has a value: those without one are nobody's.
template <typename Visit>
void each_repeated(const Table& table, const RepeatingColumn& repeating, Visit visit) {
  std::span<const std::uint32_t> order = repeating.cells.order();
  std::span<const std::uint32_t> starts = repeating.cells.starts();
  for (std::size_t cell = 0; cell + 1 < starts.size(); ++cell) {
    std::uint32_t rows = starts[cell + 1] - starts[cell];
    auto alike = order.subspan(starts[cell], rows);
    if (!is_repeated(rows)) continue;
    if (table.value(RowId{alike.front()}, repeating.column) == missing_value) continue;
    visit(alike);
  }
}

std::vector<RepeatingColumn> repeating_columns(const Table& table) {
  std::vector<RepeatingColumn> found;
  SampledRows all(table, table.rows());
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    AttributeId column{i};
    RepeatingColumn one{column, Cells(table.rows()).cut_by(all.codes(column), all.width(column))};
    std::uint64_t rows = 0;
    each_repeated(table, one, [&](std::span<const std::uint32_t> alike) {
      rows += alike.size();
      ++one.repeated;
    });
    if (2 * rows >= table.rows()) found.push_back(std::move(one));
  }
  std::ranges::stable_sort(found, std::greater(), &RepeatingColumn::repeated);
  if (found.size() > most_columns) {
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(most_columns), found.end());
  }
  return found;
}

// What rows show of one private attribute.
class Shown {
 public:
  Shown(const Profiles& profiles, PrivateId attribute, std::uint32_t domain)
      : mean_(domain, 0), spread_(domain, 0), sum_(domain, 0) {
    const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds());
    bool signals = grouped != nullptr && grouped->keep.numerator > 0;
    kind_of_ = signals ? kinds_of(grouped->signals, attribute, kinds_)
                       : kinds_of(profiles, attribute, kinds_);
    for (std::uint32_t kind : kind_of_) {
      for (const auto& [value, strength] : kinds_.of(kind)) {
        mean_[value] += strength;
        spread_[value] += strength * strength;
      }
    }
    auto rows = static_cast<double>(kind_of_.size());
    for (std::uint32_t v = 0; v < domain; ++v) {
      mean_[v] /= rows;
      spread_[v] = spread_[v] / rows - mean_[v] * mean_[v];
    }
  }

  // The value that these rows show most beyond what all do, and by how many deviations.
  struct Most {
    std::uint32_t value = 0;
    double deviations = 0;
  };
  Most most_of(std::span<const std::uint32_t> rows) {
    seen_.clear();
    for (std::uint32_t row : rows) {
      for (const auto& [value, strength] : kinds_.of(kind_of_[row])) {
        if (sum_[value] == 0) seen_.push_back(value);
        sum_[value] += strength;
      }
    }
    Most most;
    auto count = static_cast<double>(rows.size());
    for (std::uint32_t value : seen_) {
      double above = sum_[value] - count * mean_[value];
      double deviations = above / std::sqrt(std::max(count * spread_[value], 1e-9));
      if (deviations > most.deviations) most = {value, deviations};
      sum_[value] = 0;
    }
    return most;
  }

 private:
  KindNumbers kinds_;
  std::vector<std::uint32_t> kind_of_;
  std::vector<double> mean_, spread_, sum_;
  std::vector<std::uint32_t> seen_;
};

class Adder {
 public:
  Adder(const Observed& observed, std::uint32_t attribute, std::uint64_t seed)
      : table_(observed.table),
        attribute_(attribute),
        seed_(seed),
        domain_(domain_of(observed.table, attribute)),
        shown_(observed.profiles, PrivateId{attribute}, domain_),
        counts_(domain_ + 1, 0),
        spared_(spared_values(observed)) {
    for (std::uint32_t row = 0; row < table_.rows(); ++row) {
      ++counts_[code_of(table_, RowId{row}, attribute)];
    }
  }

  Finding add_up(const RepeatingColumn& repeating) {
    Rng rng(seed_ ^ (0xadd0000 + +repeating.column));
    std::vector<Bet> bets;
    each_repeated(table_, repeating, [&](std::span<const std::uint32_t> alike) {
      Shown::Most most = shown_.most_of(alike);
      std::uint32_t one = alike[rng.below(alike.size())];
      if (most.deviations <= 0 || spared_.has(PrivateId{attribute_}, most.value)) return;
      bets.push_back({.gain = 1 - std::exp(-most.deviations / 2),
                      .prior = share_without(alike, most.value),
                      .won = code_of(table_, RowId{one}, attribute_) == most.value});
    });
    return bets_finding("adding", "", private_name(table_, attribute_), std::move(bets));
  }

 private:
  static std::uint32_t domain_of(const Table& table, std::uint32_t attribute) {
    const Schema& schema = table.schema();
    return schema[AttributeId{schema.public_count() + attribute}].domain.size();
  }

  double share_without(std::span<const std::uint32_t> alike, std::uint32_t value) const {
    std::uint64_t have = counts_[value];
    for (std::uint32_t row : alike)
      have -= code_of(table_, RowId{row}, attribute_) == value ? 1 : 0;
    auto others = static_cast<double>(table_.rows() - alike.size());
    return others <= 0 ? 1 : static_cast<double>(have) / others;
  }

  const Table& table_;
  std::uint32_t attribute_;
  std::uint64_t seed_;
  std::uint32_t domain_;
  Shown shown_;
  std::vector<std::uint64_t> counts_;
  SparedValues spared_;
};

bool is_known(const std::vector<std::vector<AttributeId>>& known, std::uint32_t attribute,
              AttributeId column) {
  return attribute < known.size() &&
         std::ranges::find(known[attribute], column) != known[attribute].end();
}

}  // namespace

std::string adding_method(const std::string& column) { return "rows alike in " + column; }

std::vector<Finding> judge_adding(const Observed& observed,
                                  const std::vector<std::vector<AttributeId>>& known,
                                  std::uint64_t seed, std::uint32_t threads) {
  const Schema& schema = observed.table.schema();
  std::vector<RepeatingColumn> columns = repeating_columns(observed.table);
  if (columns.empty()) return {};
  std::vector<std::vector<Finding>> found(schema.private_count());
  parallel_for(found.size(), threads, [&](std::size_t j) {
    auto attribute = static_cast<std::uint32_t>(j);
    Adder adder(observed, attribute, seed);
    for (const RepeatingColumn& column : columns) {
      if (is_known(known, attribute, column.column)) continue;
      Finding finding = adder.add_up(column);
      finding.method = adding_method(schema[column.column].name);
      bool more = found[j].empty() || finding.gain > found[j].front().gain;
      if (more) found[j] = {std::move(finding)};
    }
  });
  std::vector<Finding> all;
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace rankveil::audit
