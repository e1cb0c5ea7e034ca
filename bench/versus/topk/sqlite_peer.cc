// SQLite in memory; statements are prepared before the clock starts.
#include <sqlite3.h>

#include "bench/versus/topk/peers.h"
#include "bench/versus/topk/sql.h"

namespace rankveil::versus {
namespace {

class Sqlite : public Contestant {
 public:
  ~Sqlite() override {
    finish_statements();
    sqlite3_close(database_);
  }

  std::string name() const override { return "SQLite"; }
  std::string version() const override { return std::string("SQLite ") + sqlite3_libversion(); }
  bool supports(const Case& what) const override {
    return what.kind == Kind::Exact && what.has_unit_weights && !what.is_batch &&
           what.threads == 1 && what.asked == 20;
  }

  Status prepare(const Data& data) override {
    data_ = &data;
    if (sqlite3_open(":memory:", &database_) != SQLITE_OK) return fail();
    Status created = execute(create_table(data, "INTEGER PRIMARY KEY", "INTEGER", "INTEGER"));
    if (!created) return created;
    if (Status began = execute("BEGIN"); !began) return began;
    if (Status inserted = insert_rows(); !inserted) return inserted;
    return execute("COMMIT");
  }

  Status ask(const Task& task) override {
    finish_statements();
    for (std::size_t q = 0; q < task.questions.size(); ++q) {
      statements_.push_back(nullptr);
      std::string sql = top_k_query(*data_, task, q, "");
      if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statements_.back(), nullptr) !=
          SQLITE_OK) {
        return fail();
      }
    }
    return {};
  }

  Status run(std::size_t question, Hits& hits) override {
    sqlite3_stmt* statement = statements_[question];
    hits.clear();
    while (sqlite3_step(statement) == SQLITE_ROW) {
      hits.push_back({static_cast<std::uint32_t>(sqlite3_column_int64(statement, 0)),
                      sqlite3_column_double(statement, 1)});
    }
    return sqlite3_reset(statement) == SQLITE_OK ? Status{} : Status{fail()};
  }

 private:
  Error fail() const { return io_error(std::string("SQLite says: ") + sqlite3_errmsg(database_)); }

  Status execute(const std::string& sql) {
    bool is_done = sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    return is_done ? Status{} : Status{fail()};
  }

  Status insert_rows() {
    std::string sql = "INSERT INTO people VALUES (?";
    for (std::uint32_t a = 0; a < data_->table->attributes(); ++a) sql += ", ?";
    sqlite3_stmt* insert = nullptr;
    if (sqlite3_prepare_v2(database_, (sql + ")").c_str(), -1, &insert, nullptr) != SQLITE_OK) {
      return fail();
    }
    for (std::uint32_t row = 0; row < data_->table->rows; ++row) insert_row(insert, row);
    return sqlite3_finalize(insert) == SQLITE_OK ? Status{} : Status{fail()};
  }

  void insert_row(sqlite3_stmt* insert, std::uint32_t row) const {
    sqlite3_bind_int64(insert, 1, row);
    for (std::uint32_t a = 0; a < data_->table->attributes(); ++a) {
      sqlite3_bind_int(insert, static_cast<int>(a) + 2,
                       static_cast<int>(stored_value(*data_, a, row)));
    }
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }

  void finish_statements() {
    for (sqlite3_stmt* statement : statements_) sqlite3_finalize(statement);
    statements_.clear();
  }

  const Data* data_ = nullptr;
  sqlite3* database_ = nullptr;
  std::vector<sqlite3_stmt*> statements_;
};

}  // namespace

std::unique_ptr<Contestant> make_sqlite() { return std::make_unique<Sqlite>(); }

}  // namespace rankveil::versus
