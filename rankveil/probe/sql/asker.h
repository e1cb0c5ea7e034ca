// A PostgreSQL role that asks: by the table, by views and by functions that it may use.
//
//   auto asker = SqlAsker::make(*database, catalogue, {});
//   asker->ways();      "table order by", "app.by_income", "app.people_by(field)"
//
// Questions write nothing: the connection is made read only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rankveil/connect/database.h"
#include "rankveil/probe/asking.h"
#include "rankveil/probe/sql/catalogue.h"

namespace rankveil::probe {

struct SqlAskerOptions {
  std::uint32_t page = 100;        // rows in an answer
  std::uint32_t most_columns = 8;  // of a view, that it is ordered by
};

class SqlAsker : public Asker {
 public:
  static Result<SqlAsker> make(connect::Database& database, const SqlCatalogue& catalogue,
                               const SqlAskerOptions& options);

  std::span<const Way> ways() const override { return ways_; }
  Answer ask(const Question& question) override;

 private:
  SqlAsker(connect::Database& database, const SqlCatalogue& catalogue,
           const SqlAskerOptions& options);
  // Places: {field} a quoted name, {direction}; then {value}, {low}, {high}, {name} as parameters.
  void add(std::string name, Kind kind, std::string rows);
  std::string newest_first() const;
  void add_table();
  void add_view(const SqlView& view);
  void add_function(const SqlFunction& function);
  connect::Statement statement(const Question& question) const;
  connect::Database& database_;
  SqlCatalogue catalogue_;
  SqlAskerOptions options_;
  std::vector<Way> ways_;
  std::map<std::string, std::string> templates_;  // by way
};

}  // namespace rankveil::probe
