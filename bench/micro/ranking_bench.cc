// Single functions of the ranking engine.
//
//   bench_micro --benchmark_filter=rank/
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "bench/versus/topk/our_index.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil {
namespace {

constexpr std::uint64_t seed = 1;

versus::Data data_of(versus::Kind kind, std::uint32_t rows) {
  auto table = versus::make_table(rows, seed);
  switch (kind) {
    case versus::Kind::Sets:
      return versus::set_data(std::move(table), seed);
    case versus::Kind::Levels:
      return versus::level_data(std::move(table), seed);
    case versus::Kind::Shown:
      return versus::shown_data(std::move(table), 20, seed);
    default:
      return versus::exact_data(std::move(table));
  }
}

std::vector<Query> queries_of(const versus::Data& data) {
  std::vector<Query> queries;
  for (const auto& question :
       versus::make_questions(*data.table, 64, data.table->attributes(), seed)) {
    queries.push_back(versus::query_of(question));
  }
  return queries;
}

std::uint32_t rows_of(const benchmark::State& state) {
  return static_cast<std::uint32_t>(state.range(0));
}

void count_rows(benchmark::State& state, std::int64_t rows_per_turn) {
  state.SetItemsProcessed(state.iterations() * rows_per_turn);
}

void rank(benchmark::State& state, versus::Kind kind) {
  versus::Data data = data_of(kind, rows_of(state));
  Index index = versus::build_index(data);
  std::vector<Query> queries = queries_of(data);
  std::size_t turn = 0;
  for (auto _ : state) {
    auto answer = index.rank(queries[turn++ % queries.size()], {.k = 100});
    benchmark::DoNotOptimize(answer);
  }
  count_rows(state, rows_of(state));
}

void rank_all(benchmark::State& state) {
  versus::Data data = data_of(versus::Kind::Exact, rows_of(state));
  Index index = versus::build_index(data);
  std::vector<Query> queries = queries_of(data);
  for (auto _ : state) {
    auto answers = index.rank_all(queries, {.k = 100});
    benchmark::DoNotOptimize(answers);
  }
  count_rows(state, std::int64_t{rows_of(state)} * static_cast<std::int64_t>(queries.size()));
}

void ranks(benchmark::State& state, RankKind kind) {
  versus::Data data = data_of(versus::Kind::Exact, rows_of(state));
  Index index = versus::build_index(data);
  std::vector<Query> queries = queries_of(data);
  std::size_t turn = 0;
  for (auto _ : state) {
    auto all = index.ranks(queries[turn++ % queries.size()], kind);
    benchmark::DoNotOptimize(all);
  }
  count_rows(state, rows_of(state));
}

// Bitmaps of ten public columns and ten profiles, from columns of codes.
void build(benchmark::State& state) {
  versus::Data data = data_of(versus::Kind::Exact, rows_of(state));
  for (auto _ : state) {
    Index index = versus::build_index(data);
    benchmark::DoNotOptimize(index);
  }
  count_rows(state, rows_of(state));
}

void open(benchmark::State& state) {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("bench_micro." + std::to_string(getpid()) + ".index"))
                         .string();
  Index index = versus::build_index(data_of(versus::Kind::Exact, rows_of(state)));
  if (Status written = write_index(index, path); !written) {
    state.SkipWithError(written.error().message.c_str());
    return;
  }
  for (auto _ : state) {
    auto opened = open_index(path);
    benchmark::DoNotOptimize(opened);
  }
  std::remove(path.c_str());
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(300'000)->Arg(3'000'000)->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(rank, exact, versus::Kind::Exact)->Apply(sizes);
BENCHMARK_CAPTURE(rank, sets, versus::Kind::Sets)->Apply(sizes);
BENCHMARK_CAPTURE(rank, strengths, versus::Kind::Levels)->Apply(sizes);
BENCHMARK_CAPTURE(rank, shown, versus::Kind::Shown)->Apply(sizes);
BENCHMARK(rank_all)->Apply(sizes);
BENCHMARK_CAPTURE(ranks, competition, RankKind::Competition)->Apply(sizes);
BENCHMARK_CAPTURE(ranks, ordinal, RankKind::Ordinal)->Apply(sizes);
BENCHMARK(build)->Apply(sizes);
BENCHMARK(open)->Apply(sizes);

}  // namespace
}  // namespace rankveil

BENCHMARK_MAIN();
