// The owner of a PostgreSQL table, over a connection of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/connect/database.h"
#include "rankveil/probe/asking.h"
#include "rankveil/probe/sql/catalogue.h"

namespace rankveil::probe {

// Own rows carry their mark in a text column: `mark_column`, or the last one that strangers may
// read.
class SqlWriter : public Writer {
 public:
  SqlWriter(connect::Database& database, const SqlCatalogue& catalogue,
            std::string mark_column = {});

  bool makes_rows() const override { return !mark_column_.empty(); }
  connect::Reply<std::string> create(const std::string& mark) override;
  connect::Reply<std::vector<std::string>> find(const std::string& mark) override;
  connect::Reply<HeldMark> read_mark(const std::string& row) override;
  connect::Reply<connect::Done> remove(const std::string& row) override;
  connect::Reply<connect::Done> write(const std::string& row, const Field& field,
                                      const std::optional<Value>& value) override;
  connect::Reply<std::optional<Value>> read(const std::string& row, const Field& field) override;

 private:
  connect::Statement insertion(const std::string& mark) const;
  connect::Reply<HeldMark> read_held(const std::string& row, const std::string& column);
  std::string type_of(const std::string& column) const;
  connect::Database& database_;
  SqlCatalogue catalogue_;
  std::string mark_column_;
};

}  // namespace rankveil::probe
