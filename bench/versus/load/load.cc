// Loading a table: read_table against DuckDB's own CREATE TABLE AS SELECT on the same CSV file.
//
//   bench_load [ROWS] [ROUNDS] [THREADS] [FOLDER]
//
// Makes a CSV file of synthetic people in FOLDER (default: the system's temporary folder), times
// both on it in turn, and prints the medians as a Markdown table. The file is removed afterwards.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "rankveil/connect/duckdb/session.h"
#include "rankveil/connect/source.h"
#include "rankveil/connect/sql.h"
#include "rankveil/table/people.h"

namespace {

using namespace rankveil;

struct Options {
  std::uint32_t rows = 3'000'000;
  std::uint32_t rounds = 3;
  std::uint32_t threads = 2;
  std::string folder = std::filesystem::temp_directory_path().string();
};

Options parse(int count, char** words) {
  Options options;
  auto number = [&](int i) { return static_cast<std::uint32_t>(std::stoul(words[i])); };
  if (count > 1) options.rows = number(1);
  if (count > 2) options.rounds = number(2);
  if (count > 3) options.threads = number(3);
  if (count > 4) options.folder = words[4];
  return options;
}

[[noreturn]] void fail(const std::string& message) {
  fmt::print(stderr, "bench_load: {}\n", message);
  std::exit(1);
}

// Seconds that `work` takes.
double time(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Policy make_file(const Options& options, const std::string& path) {
  auto table = generate_people({.rows = options.rows});
  if (!table) fail(table.error().message);
  if (auto written = connect::write_table(*table, path); !written) fail(written.error().message);
  return people_policy(table->schema());
}

// The session is opened outside the clock, and what is stored is dropped outside it, too.
double time_duckdb(const Options& options, const std::string& path) {
  auto session = connect::Session::open(options.threads);
  if (!session) fail(session.error().message);
  return time([&] {
    auto made = session->run("CREATE TABLE people AS SELECT * FROM read_csv(" +
                             connect::quoted_path(path) + ")");
    if (!made) fail(made.error().message);
  });
}

double time_ours(const Options& options, const std::string& path, const Policy& policy) {
  double seconds = 0;
  Result<connect::LoadedTable> loaded = connect::LoadedTable{};
  seconds = time([&] {
    loaded = connect::read_table({path, "", ""}, policy, {options.threads, {}});
  });
  if (!loaded) fail(loaded.error().message);
  if (loaded->table.rows() != options.rows) fail("rows were lost");
  return seconds;
}

void print_row(const char* who, double seconds, double megabytes, double ratio) {
  fmt::print("| {} | {:.2f} s | {:.0f} MB/s | {:.2f} |\n", who, seconds, megabytes / seconds,
             ratio);
}

}  // namespace

int main(int count, char** words) {
  Options options = parse(count, words);
  std::string path = (std::filesystem::path(options.folder) / "rankveil-bench-load.csv").string();
  Policy policy = make_file(options, path);
  double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;

  std::vector<double> duckdb, ours;
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    duckdb.push_back(time_duckdb(options, path));
    ours.push_back(time_ours(options, path, policy));
  }
  std::filesystem::remove(path);

  fmt::print("{} rows, {:.0f} MB of CSV, {} threads, median of {} rounds in turn\n\n", options.rows,
             megabytes, options.threads, options.rounds);
  fmt::print("| | time | speed | ratio to DuckDB |\n|---|---|---|---|\n");
  print_row("DuckDB, CREATE TABLE AS SELECT", median(duckdb), megabytes, 1);
  print_row("rankveil, read_table", median(ours), megabytes, median(ours) / median(duckdb));
}
