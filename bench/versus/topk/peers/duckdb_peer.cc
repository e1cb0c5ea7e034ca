// DuckDB through its C API: bytes as columns, a sum of CASE, on one thread unless the case says
// two.
#include <duckdb.h>
#include <fmt/format.h>

#include "bench/versus/topk/peers/peers.h"

namespace rankveil::versus {
namespace {

bool holds_set(const Data& data, std::uint32_t attribute) {
  return data.kind == Kind::Sets && attribute >= data.table->public_count;
}

std::string weight_text(const Weights& weights, std::size_t attribute) {
  if (weights.per_one == 1) return fmt::format("{}", weights.units[attribute]);
  return fmt::format("{:.6f}::DOUBLE", static_cast<double>(weights.units[attribute]) /
                                           static_cast<double>(weights.per_one));
}

// Columns a0 to a19 hold the value's number; those of sets a bit per value that matches.
std::string create_table(const Data& data) {
  std::string text = "CREATE TABLE people (id UINTEGER";
  for (std::uint32_t a = 0; a < data.table->attributes(); ++a) {
    text += fmt::format(", a{} {}", a, holds_set(data, a) ? "USMALLINT" : "UTINYINT");
  }
  return text + ")";
}

std::uint32_t stored_value(const Data& data, std::uint32_t attribute, std::uint32_t row) {
  std::uint32_t own = data.table->columns[attribute][row];
  if (!holds_set(data, attribute)) return own;
  return 1U << own | 1U << data.second[attribute - data.table->public_count][row];
}

std::string top_k_query(const Data& data, const Task& task, std::size_t question) {
  std::string sum;
  const Question& asked = task.questions[question];
  for (std::uint32_t a = 0; a < asked.wanted.size(); ++a) {
    int wanted = asked.wanted[a];
    if (wanted == no_wish) continue;
    std::string condition = holds_set(data, a) ? fmt::format("(a{} & {}) <> 0", a, 1U << wanted)
                                               : fmt::format("a{} = {}", a, wanted);
    sum += fmt::format("{}CASE WHEN {} THEN {} ELSE 0 END", sum.empty() ? "" : " + ", condition,
                       weight_text(task.weights, a));
  }
  return fmt::format("SELECT id, {} AS score FROM people ORDER BY score DESC, id LIMIT {}", sum,
                     top_k);
}

class DuckDb : public Contestant {
 public:
  ~DuckDb() override {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  std::string name() const override { return "DuckDB"; }
  std::string version() const override {
    return fmt::format("DuckDB {}", duckdb_library_version());
  }
  bool supports(const Case& what) const override {
    bool is_known = what.kind == Kind::Exact || what.kind == Kind::Sets;
    return is_known && !what.is_batch;
  }

  Status prepare(const Data& data) override {
    data_ = &data;
    if (duckdb_open(nullptr, &database_) != DuckDBSuccess ||
        duckdb_connect(database_, &connection_) != DuckDBSuccess) {
      return io_error("DuckDB does not start");
    }
    Status created = execute(create_table(data));
    return created ? append_rows() : created;
  }

  Status ask(const Task& task) override {
    queries_.clear();
    for (std::size_t q = 0; q < task.questions.size(); ++q) {
      queries_.push_back(top_k_query(*data_, task, q));
    }
    return execute(fmt::format("SET threads = {}", task.what->threads));
  }

  Status run(std::size_t question, Hits& hits) override {
    duckdb_result result;
    if (duckdb_query(connection_, queries_[question].c_str(), &result) != DuckDBSuccess) {
      return fail(result);
    }
    hits.resize(duckdb_row_count(&result));
    for (std::size_t i = 0; i < hits.size(); ++i) {
      hits[i].row = duckdb_value_uint32(&result, 0, i);
      hits[i].score = duckdb_value_double(&result, 1, i);
    }
    duckdb_destroy_result(&result);
    return {};
  }

 private:
  static Error fail(duckdb_result& result) {
    Error error = io_error(fmt::format("DuckDB says: {}", duckdb_result_error(&result)));
    duckdb_destroy_result(&result);
    return error;
  }

  Status execute(const std::string& sql) {
    duckdb_result result;
    if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) return fail(result);
    duckdb_destroy_result(&result);
    return {};
  }

  Status append_rows() {
    duckdb_appender appender = nullptr;
    if (duckdb_appender_create(connection_, nullptr, "people", &appender) != DuckDBSuccess) {
      return io_error("DuckDB gives no appender");
    }
    for (std::uint32_t row = 0; row < data_->table->rows; ++row) append_row(appender, row);
    bool is_done = duckdb_appender_close(appender) == DuckDBSuccess;
    duckdb_appender_destroy(&appender);
    return is_done ? Status{} : Status{io_error("DuckDB does not take the rows")};
  }

  void append_row(duckdb_appender appender, std::uint32_t row) const {
    duckdb_append_uint32(appender, row);
    for (std::uint32_t a = 0; a < data_->table->attributes(); ++a) {
      duckdb_append_uint16(appender, static_cast<std::uint16_t>(stored_value(*data_, a, row)));
    }
    duckdb_appender_end_row(appender);
  }

  const Data* data_ = nullptr;
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  std::vector<std::string> queries_;
};

}  // namespace

std::unique_ptr<Contestant> make_duckdb() { return std::make_unique<DuckDb>(); }

}  // namespace rankveil::versus
