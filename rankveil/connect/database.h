// A database that statements with parameters are run on: PostgreSQL or DuckDB.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/reply.h"

namespace rankveil::connect {

// What a parameter $1, $2, ... stands for: NULL, a number, a text, or a list of texts. Values go to
// the database beside the statement, never inside it.
using SqlValue = std::variant<std::monostate, std::int64_t, std::string, std::vector<std::string>>;

struct Statement {
  std::string sql;
  std::vector<SqlValue> values = {};
};

class Database {
 public:
  virtual ~Database() = default;
  // Runs one statement and gives the first column of what it returns, as text. Refuses NULL there.
  virtual Reply<std::vector<std::string>> run(const Statement& statement) = 0;
  // Whether a transaction is open and sound. After trouble it is not.
  virtual bool in_transaction() const = 0;
};

struct PostgresOptions {
  double timeout = 10;        // seconds for connecting, and for each statement
  bool allow_remote = false;  // servers on other machines, too
};
// Refuses a connection with a password in it, readable or not: who sees the command line sees it.
Status refuse_password(const std::string& connection);

// `connection` as libpq takes it: "host=/run/postgresql dbname=app", or a postgresql:// address.
// What it leaves out comes from the environment (PGPASSWORD, PGUSER, ...).
Reply<std::unique_ptr<Database>> open_postgres(const std::string& connection,
                                               const PostgresOptions& options);

struct DuckdbOptions {
  std::string path = {};                // a database file; empty: none
  bool read_only = true;                // the file
  std::vector<std::string> setup = {};  // run first, in a database in memory
  double timeout = 10;                  // seconds for each statement
};
Reply<std::unique_ptr<Database>> open_duckdb(const DuckdbOptions& options);

}  // namespace rankveil::connect
