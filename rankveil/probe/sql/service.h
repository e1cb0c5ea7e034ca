// A table of a PostgreSQL database, asked as a role that may not read all of it, and written to as
// its owner.
//
//   auto service = SqlService::open({.role = "postgres://app@127.0.0.1/shop", .table = "people"});
//   Answer answer = service->asker().ask({.way = "table order by", .field = "income"});
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "rankveil/probe/sql/asker.h"
#include "rankveil/probe/sql/writer.h"

namespace rankveil::probe {

// "postgres://..." or "postgresql://...".
bool is_postgres_address(const std::string& text);

struct SqlSettings {
  std::string role;             // the connection of who asks
  std::string owner = {};       // of who writes; empty: nobody does
  std::string table = {};       // empty: the only one that hides a column from the role
  std::string mark_field = {};  // a text that own rows carry their mark in
  std::uint32_t page = 100;     // rows in an answer
  bool allow_remote = false;
  double timeout = 10;  // seconds for a statement
};

class SqlService {
 public:
  // Reads the catalogue. Refuses connections with a password in them, and servers elsewhere.
  static Result<SqlService> open(const SqlSettings& settings);

  const SqlCatalogue& catalogue() const { return *catalogue_; }
  Asker& asker() { return *asker_; }
  Writer* writer() { return writer_.get(); }  // null: no owner is told

 private:
  std::unique_ptr<connect::Database> role_;
  std::unique_ptr<connect::Database> owner_;
  std::unique_ptr<SqlCatalogue> catalogue_;
  std::unique_ptr<SqlAsker> asker_;
  std::unique_ptr<SqlWriter> writer_;
};

}  // namespace rankveil::probe
