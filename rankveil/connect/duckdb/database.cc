// DuckDB as a Database: a session of our own, with somebody's file attached.
#include "rankveil/connect/database.h"

#include <fmt/core.h>

#include "rankveil/base/file.h"
#include "rankveil/connect/duckdb/session.h"
#include "rankveil/connect/sql.h"

namespace rankveil::connect {
namespace {

class DuckdbDatabase : public Database {
 public:
  DuckdbDatabase(Session session, double timeout)
      : session_(std::move(session)), timeout_(timeout) {}

  Reply<std::vector<std::string>> run(const Statement& statement) override {
    auto texts = session_.first_column(statement, timeout_);
    is_sound_ = static_cast<bool>(texts);
    return texts;
  }
  bool in_transaction() const override { return is_sound_; }

 private:
  Session session_;
  double timeout_;
  bool is_sound_ = true;
};

// What the file lacks is looked for among what the setup made.
Status attach(Session& session, const DuckdbOptions& options) {
  if (is_missing(options.path)) return no_such_file(options.path);
  auto attached = session.run(fmt::format("ATTACH {} AS target ({})", quoted_text(options.path),
                                          options.read_only ? "READ_ONLY" : "READ_WRITE"));
  if (!attached) return attached;
  return session.run("SET search_path = 'target.main,memory.main'");
}

}  // namespace

Reply<std::unique_ptr<Database>> open_duckdb(const DuckdbOptions& options) {
  auto session = Session::open();
  if (!session) return session.error();
  for (const std::string& statement : options.setup) {
    if (auto done = session->run(statement); !done) return done.error();
  }
  if (!options.path.empty()) {
    if (auto attached = attach(*session, options); !attached) return attached.error();
  }
  return std::unique_ptr<Database>(
      std::make_unique<DuckdbDatabase>(std::move(*session), options.timeout));
}

}  // namespace rankveil::connect
