#include "rankveil/ranking/sample_workload.h"

#include <algorithm>
#include <cmath>

#include "rankveil/base/random.h"

namespace rankveil {

namespace {

// `count` different numbers from [first, first + size), fewer when there are fewer.
std::vector<std::uint32_t> draw(Rng& rng, std::uint32_t first, std::uint32_t size,
                                std::uint32_t count) {
  std::vector<std::uint32_t> pool(size);
  for (std::uint32_t i = 0; i < size; ++i) pool[i] = first + i;
  count = std::min(count, size);
  for (std::uint32_t i = 0; i < count; ++i) std::swap(pool[i], pool[i + rng.below(size - i)]);
  pool.resize(count);
  return pool;
}

std::vector<std::uint32_t> draw_attributes(Rng& rng, const Schema& schema, std::uint32_t wishes) {
  std::uint32_t open = schema.public_count();
  std::uint32_t hidden = schema.private_count();
  std::uint32_t wanted_hidden = std::min((wishes + 1) / 2, hidden);
  auto attributes = draw(rng, 0, open, wishes - wanted_hidden);
  auto missing = wishes - static_cast<std::uint32_t>(attributes.size());
  for (std::uint32_t attribute : draw(rng, open, hidden, missing)) attributes.push_back(attribute);
  return attributes;
}

RowId random_row(Rng& rng, const Table& table) {
  return RowId{static_cast<std::uint32_t>(rng.below(table.rows()))};
}

std::vector<ValueId> sample_wish(Rng& rng, const Table& table, RowId asker, AttributeId attribute) {
  std::vector<ValueId> wanted = {table.value(asker, attribute)};
  if (rng.below(4) == 0) wanted.push_back(table.value(random_row(rng, table), attribute));
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::erase(wanted, missing_value);
  return wanted;
}

Query sample_query(Rng& rng, const Table& table, const SampleWorkloadOptions& options) {
  const Schema& schema = table.schema();
  auto span = options.max_wishes - options.fewest_wishes + 1;
  auto wishes = options.fewest_wishes + static_cast<std::uint32_t>(rng.below(span));
  RowId asker = random_row(rng, table);
  Query query = empty_query(schema);
  for (std::uint32_t i : draw_attributes(rng, schema, std::min(wishes, schema.size()))) {
    query.wanted[i] = sample_wish(rng, table, asker, AttributeId{i});
  }
  return query;
}

// At least 2 for half of the queries, at least 4 for a quarter, and so on up to 1024.
std::uint64_t sample_count(Rng& rng) {
  double skewed = 1 / (1 - rng.uniform());
  return static_cast<std::uint64_t>(std::min(1024.0, skewed));
}

void ask_for(Query& query, const Table& table, RowId row, std::uint32_t attribute) {
  ValueId value = table.value(row, AttributeId{attribute});
  if (value != missing_value) query.wanted[attribute] = {value};
}

Query same_query(Rng& rng, const Table& table) {
  Query query = empty_query(table.schema());
  RowId row = random_row(rng, table);
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) ask_for(query, table, row, i);
  return query;
}

Query uniform_query(Rng& rng, const Table& table) {
  Query query = empty_query(table.schema());
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    std::uint32_t domain = table.schema().attributes[i].domain.size();
    if (domain == 0) continue;
    query.wanted[i] = {ValueId{static_cast<std::uint16_t>(rng.below(domain))}};
  }
  return query;
}

Query sparse_query(Rng& rng, const Table& table) {
  Query query = same_query(rng, table);
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < query.wanted.size(); ++i) {
    if (!query.wanted[i].empty()) asked.push_back(i);
  }
  if (asked.empty()) return query;
  std::uint32_t spare = asked[rng.below(asked.size())];
  bool any = false;
  std::vector<bool> keep;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    keep.push_back(rng.below(2) == 0);
    any = any || keep.back();
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    bool kept = any ? keep[i] : asked[i] == spare;
    if (!kept) query.wanted[asked[i]].clear();
  }
  return query;
}

Query test_query(Rng& rng, const Table& table, TestQueries kind) {
  switch (kind) {
    case TestQueries::Same:
      return same_query(rng, table);
    case TestQueries::Uniform:
      return uniform_query(rng, table);
    case TestQueries::Sparse:
      break;
  }
  return sparse_query(rng, table);
}

}  // namespace

std::string_view test_queries_name(TestQueries kind) {
  constexpr std::array<std::string_view, all_test_queries.size()> names = {"same", "uniform",
                                                                           "sparse"};
  return names[static_cast<std::size_t>(kind)];
}

Workload test_workload(const Table& table, TestQueries kind, const TestWorkloadOptions& options) {
  Workload workload;
  if (table.rows() == 0) return workload;
  // A stream for each kind: `sparse` must not ask the rows that `same` does.
  Rng seeds(options.seed);
  for (std::size_t i = 0; i < static_cast<std::size_t>(kind); ++i) (void)seeds();
  Rng rng(seeds());
  for (std::uint32_t i = 0; i < options.queries; ++i) {
    workload.entries.push_back({test_query(rng, table, kind), 1});
  }
  return workload;
}

Workload sample_workload(const Table& table, const SampleWorkloadOptions& options) {
  Workload workload;
  if (table.rows() == 0) return workload;
  Rng rng(options.seed);
  for (std::uint32_t i = 0; i < options.queries; ++i) {
    Query query = sample_query(rng, table, options);
    workload.entries.push_back({std::move(query), sample_count(rng)});
  }
  return workload;
}

}  // namespace rankveil
