// From a CSV file to an index file, against DuckDB's own CREATE TABLE AS SELECT on the same file.
//
//   bench_load [ROWS] [ROUNDS] [THREADS] [FOLDER]
//
// Makes a CSV file of synthetic people in FOLDER (default: the system's temporary folder), times
// both on it in turn, and prints the medians as a Markdown table, with what opening the index file
// takes and how large it is. The files are removed afterwards.
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
#include "rankveil/ranking/index_file.h"
#include "rankveil/table/people/people.h"

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

struct OurTimes {
  std::vector<double> read, total, open;
};

void time_ours(const Options& options, const std::string& path, const Policy& policy,
               const std::string& index_path, OurTimes& times) {
  Result<connect::LoadedTable> loaded = connect::LoadedTable{};
  double read = time([&] {
    loaded = connect::read_table({path, "", ""}, policy, {options.threads, {}});
  });
  if (!loaded) fail(loaded.error().message);
  if (loaded->table.rows() != options.rows) fail("rows were lost");
  double write = time([&] {
    Index index = Index::build(public_part(loaded->table), unprotected_profiles(loaded->table), {});
    if (auto written = write_index(index, index_path); !written) fail(written.error().message);
  });
  double open = time([&] {
    auto index = open_index(index_path);
    if (!index) fail(index.error().message);
  });
  times.read.push_back(read);
  times.total.push_back(read + write);
  times.open.push_back(open);
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

  std::string index_path = path + ".rankveil";
  std::vector<double> duckdb;
  OurTimes ours;
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    duckdb.push_back(time_duckdb(options, path));
    time_ours(options, path, policy, index_path, ours);
  }
  auto index_bytes = static_cast<double>(std::filesystem::file_size(index_path));
  std::filesystem::remove(path);
  std::filesystem::remove(index_path);

  fmt::print("{} rows, {:.0f} MB of CSV, {} threads, median of {} rounds in turn\n\n", options.rows,
             megabytes, options.threads, options.rounds);
  fmt::print("| | time | speed | ratio to DuckDB |\n|---|---|---|---|\n");
  double theirs = median(duckdb);
  print_row("DuckDB, CREATE TABLE AS SELECT", theirs, megabytes, 1);
  print_row("rankveil, CSV to table in memory", median(ours.read), megabytes,
            median(ours.read) / theirs);
  print_row("rankveil, CSV to index file", median(ours.total), megabytes,
            median(ours.total) / theirs);
  fmt::print("\nIndex file: {:.1f} MB, {:.1f} bytes a row; opened and checked in {:.1f} ms\n",
             index_bytes / 1e6, index_bytes / options.rows, median(ours.open) * 1e3);
}
