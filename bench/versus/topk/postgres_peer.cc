// PostgreSQL: a server of our own in a temporary folder, reached by a unix socket only.
//
// Two-byte integers (it has no smaller ones), everything in shared buffers, one process per query,
// just-in-time compilation off: what was fastest on this kind of query.
#include <fmt/format.h>
#include <libpq-fe.h>
#include <unistd.h>

#include <cstdlib>

#include "bench/versus/topk/child.h"
#include "bench/versus/topk/peers.h"
#include "bench/versus/topk/sql.h"

namespace rankveil::versus {
namespace {

// The server refuses to run as root; Debian's package brings a user for it.
std::vector<std::string> as_server_user(std::vector<std::string> command) {
  if (geteuid() != 0) return command;
  std::vector<std::string> all = {"runuser", "-u", "postgres", "--"};
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

Status run_quietly(const std::vector<std::string>& command) {
  auto finished = run_program(command, /*quiet=*/true);
  if (!finished) return finished.error();
  if (finished->exit_code == 0) return {};
  return io_error(
      fmt::format("{} gave exit code {}", fmt::join(command, " "), finished->exit_code));
}

class Server {
 public:
  ~Server() {
    if (is_running_) static_cast<void>(control({"stop", "-m", "immediate"}));
  }

  Status start() {
    auto folder = run_program({"pg_config", "--bindir"}, /*quiet=*/true);
    if (!folder || folder->exit_code != 0) return io_error("pg_config was not found");
    programs_ = folder->output.substr(0, folder->output.find('\n'));
    if (geteuid() == 0) {
      if (Status given = run_quietly({"chown", "postgres", folder_.path()}); !given) return given;
    }
    Status made = run_quietly(as_server_user({programs_ + "/initdb", "-D", data(), "-A", "trust",
                                              "-U", "postgres", "-E", "UTF8", "--no-sync"}));
    if (!made) return made;
    std::string options = fmt::format(
        "-c listen_addresses='' -c unix_socket_directories='{}' -c shared_buffers=1GB -c fsync=off "
        "-c jit=off -c max_parallel_workers_per_gather=0 -c autovacuum=off -c wal_level=minimal "
        "-c max_wal_senders=0 -c max_wal_size=8GB",
        folder_.path());
    Status started = control({"start", "-w", "-o", options, "-l", folder_.path() + "/log"});
    is_running_ = started.ok();
    return started;
  }

  const std::string& socket_folder() const { return folder_.path(); }

 private:
  std::string data() const { return folder_.path() + "/data"; }
  Status control(std::vector<std::string> arguments) {
    std::vector<std::string> command = {programs_ + "/pg_ctl", "-D", data()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_quietly(as_server_user(command));
  }

  TemporaryFolder folder_;
  std::string programs_;
  bool is_running_ = false;
};

class Postgres : public Contestant {
 public:
  ~Postgres() override { PQfinish(connection_); }

  std::string name() const override { return "PostgreSQL"; }
  std::string version() const override {
    int number = PQserverVersion(connection_);
    if (number == 0) return "PostgreSQL not started";
    return fmt::format("PostgreSQL {}.{}", number / 10000, number % 10000);
  }
  bool supports(const Case& what) const override {
    return what.kind == Kind::Exact && what.has_unit_weights && !what.is_batch &&
           what.threads == 1 && what.asked == 20;
  }

  Status prepare(const Data& data) override {
    data_ = &data;
    if (Status started = server_.start(); !started) return started;
    std::string where =
        fmt::format("host={} user=postgres dbname=postgres", server_.socket_folder());
    connection_ = PQconnectdb(where.c_str());
    if (PQstatus(connection_) != CONNECTION_OK) return fail();
    if (Status began = execute("BEGIN"); !began) return began;
    if (Status made = execute(create_table(data, "int4", "int2", "int2")); !made) return made;
    if (Status copied = copy_rows(); !copied) return copied;
    if (Status committed = execute("COMMIT"); !committed) return committed;
    return execute("VACUUM ANALYZE people");
  }

  Status ask(const Task& task) override {
    queries_.clear();
    for (std::size_t q = 0; q < task.questions.size(); ++q) {
      queries_.push_back(top_k_query(*data_, task, q, ""));
    }
    return {};
  }

  Status run(std::size_t question, Hits& hits) override {
    PGresult* result = PQexec(connection_, queries_[question].c_str());
    if (PQresultStatus(result) != PGRES_TUPLES_OK) {
      PQclear(result);
      return fail();
    }
    hits.resize(static_cast<std::size_t>(PQntuples(result)));
    for (int i = 0; i < PQntuples(result); ++i) {
      Hit& hit = hits[static_cast<std::size_t>(i)];
      hit.row = static_cast<std::uint32_t>(std::strtoul(PQgetvalue(result, i, 0), nullptr, 10));
      hit.score = std::strtod(PQgetvalue(result, i, 1), nullptr);
    }
    PQclear(result);
    return {};
  }

 private:
  Error fail() const {
    return io_error(fmt::format("PostgreSQL says: {}", PQerrorMessage(connection_)));
  }

  Status execute(const std::string& sql) {
    PGresult* result = PQexec(connection_, sql.c_str());
    bool is_done = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return is_done ? Status{} : Status{fail()};
  }

  Status copy_rows() {
    PGresult* result = PQexec(connection_, "COPY people FROM STDIN");
    bool is_ready = PQresultStatus(result) == PGRES_COPY_IN;
    PQclear(result);
    if (!is_ready) return fail();
    std::string lines;
    for (std::uint32_t row = 0; row < data_->table->rows; ++row) {
      add_line(row, lines);
      if (lines.size() > 1 << 16) send(lines);
    }
    send(lines);
    if (PQputCopyEnd(connection_, nullptr) != 1) return fail();
    result = PQgetResult(connection_);
    bool is_done = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    PQclear(PQgetResult(connection_));
    return is_done ? Status{} : Status{fail()};
  }

  void add_line(std::uint32_t row, std::string& lines) const {
    lines += std::to_string(row);
    for (std::uint32_t a = 0; a < data_->table->attributes(); ++a) {
      lines += '\t';
      lines += std::to_string(stored_value(*data_, a, row));
    }
    lines += '\n';
  }

  // A failure here shows when the copy is ended.
  void send(std::string& lines) {
    PQputCopyData(connection_, lines.data(), static_cast<int>(lines.size()));
    lines.clear();
  }

  const Data* data_ = nullptr;
  Server server_;
  PGconn* connection_ = nullptr;
  std::vector<std::string> queries_;
};

}  // namespace

std::unique_ptr<Contestant> make_postgres() { return std::make_unique<Postgres>(); }

}  // namespace rankveil::versus
