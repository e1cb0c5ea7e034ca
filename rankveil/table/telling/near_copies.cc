#include "rankveil/table/telling/near_copies.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "rankveil/base/parallel.h"
#include "rankveil/table/toml/toml_text.h"

namespace rankveil {

namespace {

constexpr std::uint32_t rows_looked_at = 300'000;
constexpr double nearly = 0.5;

// A missing value is the one behind the last.
std::uint32_t code_of(const Column& column, std::uint32_t row) {
  ValueId value = column.value(RowId{row});
  return value == missing_value ? column.domain_size() : +value;
}

// The entropy, in nats, of counts that add up to `rows`.
template <typename Counts>
double entropy_of(const Counts& counts, std::uint32_t rows) {
  double sum = 0, different = 0, all = rows;
  for (double count : counts) {
    if (count == 0) continue;
    ++different;
    sum -= count / all * std::log(count / all);
  }
  return sum + (different - 1) / (2 * all);
}

double entropy_of(const Column& column, std::uint32_t rows) {
  std::vector<double> counts(column.domain_size() + std::size_t{1}, 0);
  for (std::uint32_t row = 0; row < rows; ++row) ++counts[code_of(column, row)];
  return entropy_of(counts, rows);
}

double joint_entropy_of(const Column& a, const Column& b, std::uint32_t rows) {
  constexpr std::uint64_t max_cells = std::uint64_t{1} << 22;
  std::uint64_t width = b.domain_size() + std::uint64_t{1};
  auto cell_of = [&](std::uint32_t row) { return code_of(a, row) * width + code_of(b, row); };
  if ((a.domain_size() + std::uint64_t{1}) * width <= max_cells) {
    std::vector<double> counts((a.domain_size() + std::size_t{1}) * width, 0);
    for (std::uint32_t row = 0; row < rows; ++row) ++counts[cell_of(row)];
    return entropy_of(counts, rows);
  }
  std::unordered_map<std::uint64_t, double> cells;
  for (std::uint32_t row = 0; row < rows; ++row) ++cells[cell_of(row)];
  std::vector<double> counts;
  for (const auto& [cell, count] : cells) counts.push_back(count);
  std::ranges::sort(counts);  // so that sums do not hang on the map
  return entropy_of(counts, rows);
}

struct Pair {
  std::uint32_t a, b;  // attributes
  double shared = 0;
};

bool holds(const std::vector<std::string>& list, const std::string& column) {
  return std::ranges::find(list, column) != list.end();
}

bool some_list_holds(const ColumnLists& lists, const std::string& a, const std::string& b) {
  return std::ranges::any_of(lists,
                             [&](const auto& list) { return holds(list, a) && holds(list, b); });
}

std::vector<Pair> open_pairs(const Schema& schema, const ColumnLists& settled) {
  std::vector<Pair> pairs;
  for (std::uint32_t a = schema.public_count(); a < schema.size(); ++a) {
    for (std::uint32_t b = a + 1; b < schema.size(); ++b) {
      if (some_list_holds(settled, schema.attributes[a].name, schema.attributes[b].name)) continue;
      pairs.push_back({a, b});
    }
  }
  return pairs;
}

// Which group each attribute is in, as pairs join them: called by its first attribute.
std::vector<std::uint32_t> joined_by(const std::vector<Pair>& pairs, std::uint32_t attributes) {
  std::vector<std::uint32_t> group(attributes);
  std::iota(group.begin(), group.end(), 0U);
  for (const Pair& pair : pairs) {
    if (pair.shared <= nearly) continue;
    std::uint32_t kept = std::min(group[pair.a], group[pair.b]);
    std::uint32_t given_up = std::max(group[pair.a], group[pair.b]);
    std::ranges::replace(group, given_up, kept);
  }
  return group;
}

std::string toml_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + toml_quoted(name);
  return "[" + list + "]";
}

std::string toml_lists(const ColumnLists& lists) {
  std::string text;
  for (const auto& list : lists) text += (text.empty() ? "" : ", ") + toml_list(list);
  return "[" + text + "]";
}

}  // namespace

// On one line, so that one mark is taken away. A column stands in one list.
std::string together_key(ColumnLists lists, const std::vector<NearCopies>& copies) {
  for (const NearCopies& one : copies) {
    std::vector<std::string> joined = one.columns;
    std::erase_if(lists, [&](const auto& list) {
      bool meets =
          std::ranges::any_of(list, [&](const auto& name) { return holds(one.columns, name); });
      for (const auto& name : list) {
        if (meets && !holds(joined, name)) joined.push_back(name);
      }
      return meets;
    });
    lists.push_back(std::move(joined));
  }
  return "together = " + toml_lists(lists);
}

std::string apart_key(ColumnLists lists, const std::vector<NearCopies>& copies) {
  for (const NearCopies& one : copies) lists.push_back(one.columns);
  return "apart = " + toml_lists(lists);
}

std::string together_hint(const ColumnLists& lists, const std::vector<NearCopies>& copies) {
  if (copies.empty()) return "";
  return "# these private columns say nearly the same, so what one shows tells the coins of "
         "another;\n"
         "# joined, they share a coin (or write them into apart, if that is meant)\n"
         "# " +
         together_key(lists, copies) + "\n";
}

std::vector<NearCopies> near_copies(const Table& table, const ColumnLists& settled,
                                    std::uint32_t threads) {
  const Schema& schema = table.schema();
  std::uint32_t rows = std::min(table.rows(), rows_looked_at);
  if (rows == 0) return {};
  auto column = [&](std::uint32_t attribute) -> const Column& {
    return table.column(AttributeId{attribute});
  };
  std::vector<double> entropies(schema.size(), 0);
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    entropies[i] = entropy_of(column(i), rows);
  }
  std::vector<Pair> pairs = open_pairs(schema, settled);
  parallel_for(pairs.size(), threads, [&](std::size_t i) {
    Pair& pair = pairs[i];
    double smaller = std::min(entropies[pair.a], entropies[pair.b]);
    double joint = joint_entropy_of(column(pair.a), column(pair.b), rows);
    if (smaller > 0) pair.shared = (entropies[pair.a] + entropies[pair.b] - joint) / smaller;
  });
  std::vector<std::uint32_t> group = joined_by(pairs, schema.size());
  std::vector<NearCopies> found;
  for (std::uint32_t first = schema.public_count(); first < schema.size(); ++first) {
    NearCopies copies{{}, 1};
    for (std::uint32_t i = first; i < schema.size(); ++i) {
      if (group[i] == first) copies.columns.push_back(schema.attributes[i].name);
    }
    if (copies.columns.size() < 2) continue;
    for (const Pair& pair : pairs) {
      bool joins = pair.shared > nearly && group[pair.a] == first;
      if (joins) copies.shared = std::min(copies.shared, pair.shared);
    }
    found.push_back(std::move(copies));
  }
  return found;
}

}  // namespace rankveil
