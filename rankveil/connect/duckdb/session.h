// A private DuckDB in memory: the one place where its C API is met.
//
// Nothing leaves the machine or stays on it: extensions are neither installed nor loaded, and
// nothing is spilled to disk. Rows keep their order, whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/database.h"
#include "rankveil/table/building/packed_text.h"
#include "rankveil/table/column.h"

namespace rankveil::connect {

// Some rows of a result, valid only during the call that hands it over.
class Chunk {
 public:
  explicit Chunk(void* chunk) : chunk_(chunk) {}

  std::size_t rows() const;
  // REQUIRES: the result's column is VARCHAR.
  std::span<const PackedText> texts(std::size_t column) const;
  // REQUIRES: the result's column is DOUBLE.
  std::span<const double> numbers(std::size_t column) const;
  Presence present(std::size_t column) const;

 private:
  void* chunk_;
};

// A table to be filled column by column, a chunk of rows at a time.
class ChunkWriter {
 public:
  static constexpr std::size_t max_rows = 2048;

  explicit ChunkWriter(void* chunk) : chunk_(chunk) {}

  // REQUIRES: the column's type is BIGINT, VARCHAR, or ENUM of the column's domain.
  void set(std::size_t column, std::span<const std::int64_t> integers);
  void set(std::size_t column, std::size_t row, std::string_view text);
  void set(std::size_t column, const Column& codes, std::size_t first_row, std::size_t rows);
  void set_missing(std::size_t column, std::size_t rows);

 private:
  void* chunk_;
};

// Of the library in use, such as "v1.4.4".
std::string duckdb_version();

class Session {
 public:
  // `threads` 0: all cores.
  static Result<Session> open(std::uint32_t threads = 0);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // `done` in [0, 1] is told now and then.
  Status run(const std::string& sql, const std::function<void(double done)>& progress = {});

  // A small result as text; NULL is empty.
  Result<std::vector<std::vector<std::string>>> rows(const std::string& sql);

  // Runs one statement with its parameters and gives the first column of what it returns, as text.
  // Stopped, and trouble that passes, after `timeout` seconds.
  Reply<std::vector<std::string>> first_column(const Statement& statement, double timeout);

  // Refuses what is not one SELECT, before anything is run.
  Status check_is_select(const std::string& sql);

  // Runs a SELECT and hands over its rows in order, chunk by chunk, while it is still running.
  // Stops at the first refusal of `take`. `done` in [0, 1] is told now and then.
  Status stream(const std::string& select, const std::function<Status(const Chunk&)>& take,
                const std::function<void(double done)>& progress = {});

  // Appends `rows` rows to a table; `fill` is called with a first row and how many are due.
  Status append(const std::string& table, std::size_t rows,
                const std::function<void(ChunkWriter&, std::size_t first, std::size_t rows)>& fill);

 private:
  struct State;
  bool parses_as_select(const std::string& sql) const;
  Status run_watched(const std::string& sql, const std::function<void(double done)>& progress);
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rankveil::connect
