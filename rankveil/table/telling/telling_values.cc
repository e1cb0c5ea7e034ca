#include "rankveil/table/telling/telling_values.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/format.h"
#include "rankveil/base/parallel.h"

namespace rankveil {

namespace {

using TellingCounts = std::vector<std::uint64_t>;

// [public value, private value]; a missing one stands behind the last.
struct PairCounts {
  TellingCounts cells;
  TellingCounts seen;
  TellingCounts told;
  std::uint32_t width;

  PairCounts(const Column& a, const Column& b)
      : seen(a.domain_size() + 1, 0), told(b.domain_size() + 1, 0), width(b.domain_size() + 1) {
    cells.assign(seen.size() * width, 0);
    for (std::uint32_t row = 0; row < a.size(); ++row) {
      std::uint32_t x = place(a, RowId{row});
      std::uint32_t y = place(b, RowId{row});
      ++cells[std::size_t{x} * width + y];
      ++seen[x];
      ++told[y];
    }
  }

  static std::uint32_t place(const Column& column, RowId row) {
    ValueId value = column.value(row);
    return value == missing_value ? column.domain_size() : +value;
  }
};

std::vector<TellingValue> told_by_pair(const Table& table, AttributeId seen, AttributeId told,
                                       const TellingAsked& asked) {
  std::vector<TellingValue> found;
  PairCounts counts(table.column(seen), table.column(told));
  for (std::uint32_t x = 0; x + 1 < counts.seen.size(); ++x) {
    if (counts.seen[x] < asked.min_rows) continue;
    for (std::uint32_t y = 0; y + 1 < counts.width; ++y) {
      std::uint64_t have = counts.cells[std::size_t{x} * counts.width + y];
      auto rows = static_cast<double>(counts.seen[x]);
      double of_table = static_cast<double>(counts.told[y]) / table.rows();
      double share = static_cast<double>(have) / rows;
      bool tells = (share - of_table) * asked.l > (1 - of_table) * (1 + 1e-9);
      if (!tells) continue;
      found.push_back({seen, ValueId{static_cast<std::uint16_t>(x)}, told,
                       ValueId{static_cast<std::uint16_t>(y)}, counts.seen[x], have, of_table});
    }
  }
  return found;
}

}  // namespace

std::vector<TellingValue> telling_values(const Table& table, const TellingAsked& asked) {
  const Schema& schema = table.schema();
  std::uint32_t publics = schema.public_count();
  std::size_t pairs = std::size_t{publics} * schema.private_count();
  std::vector<std::vector<TellingValue>> found(pairs);
  parallel_for(pairs, asked.threads, [&](std::size_t pair) {
    auto seen = static_cast<std::uint32_t>(pair % publics);
    auto told = publics + static_cast<std::uint32_t>(pair / publics);
    found[pair] = told_by_pair(table, AttributeId{seen}, AttributeId{told}, asked);
  });
  std::vector<TellingValue> all;
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  std::ranges::stable_sort(all, std::greater(), &TellingValue::rows);
  return all;
}

std::string to_text(const Schema& schema, const TellingValue& told, std::string_view verb) {
  const Attribute& seen = schema[told.seen];
  const Attribute& hidden = schema[told.told];
  return fmt::format("of {} with {}={}, {} {} {}={} ({:.1f}% of all do)", counted(told.rows, "row"),
                     seen.name, seen.domain.text(told.seen_value), grouped(told.have), verb,
                     hidden.name, hidden.domain.text(told.told_value), 100 * told.of_table);
}

}  // namespace rankveil
