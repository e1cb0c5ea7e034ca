// What a PostgreSQL role may read of a table, what it may not, and by which views and functions it
// may ask all the same.
//
// All of it is asked as that role: the catalogue of a database is open to everybody in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/database.h"
#include "rankveil/probe/field.h"

namespace rankveil::probe {

struct SqlColumn {
  Field field;
  std::string type;       // as PostgreSQL writes it: "integer", "text"
  bool readable = false;  // by the role, in the table itself
  bool needed = false;    // no row without it: NOT NULL, and no default
};

struct SqlView {
  std::string name;  // quoted, with its schema
  std::vector<std::string> columns;
};

struct SqlFunction {
  std::string name;                    // quoted, with its schema
  std::vector<std::string> arguments;  // names, "" where they have none
};

struct SqlCatalogue {
  std::string table;  // quoted, with its schema
  std::string key;    // the column that says which row it is
  std::vector<SqlColumn> columns;
  std::vector<SqlView> views;          // that the role may read, and that show the key
  std::vector<SqlFunction> functions;  // that the role may call, and that return rows

  std::vector<Field> hidden() const;  // columns that the role may not read
  // A readable text that is not the key, to see whether a way acts; nothing: there is none.
  std::optional<Field> control() const;
};

// `key` empty: the primary key, where it is one column. Refuses a table that is not there.
Result<SqlCatalogue> read_catalogue(connect::Database& as_role, const std::string& table,
                                    const std::string& key = {});

// Tables with columns that the role may not read while it may read others, or a view of them.
Result<std::vector<std::string>> tables_with_hidden_columns(connect::Database& as_role);

}  // namespace rankveil::probe
