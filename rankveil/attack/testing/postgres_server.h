// A PostgreSQL server for tests: of its own, in a temporary folder, reached by a socket only.
#pragma once

#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "rankveil/base/testing/temporary_folder.h"

namespace rankveil::attack::testing_support {

namespace fs = std::filesystem;

// Of the newest version there is; none: PostgreSQL is not installed. Debian keeps the server's
// programs out of the way.
inline std::optional<fs::path> server_programs() {
  std::optional<fs::path> newest;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none)) {
    fs::path programs = version.path() / "bin";
    if (!fs::exists(programs / "initdb")) continue;
    if (!newest || newest->parent_path() < version.path()) newest = programs;
  }
  return newest;
}

class PostgresServer {
 public:
  explicit PostgresServer(const fs::path& programs) : programs_(programs) { is_running_ = start(); }
  ~PostgresServer() {
    if (is_running_) run(control() + " stop -m immediate");
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  bool is_running() const { return is_running_; }
  std::string connection() const {
    return "host=" + folder_.path() + " user=postgres dbname=postgres";
  }

 private:
  bool start() {
    // The server refuses to run as root.
    if (geteuid() == 0) {
      user_ = getpwnam("postgres") != nullptr ? "postgres" : "nobody";
      const passwd* entry = getpwnam(user_.c_str());
      if (entry == nullptr || chown(folder_.path().c_str(), entry->pw_uid, entry->pw_gid) != 0)
        return false;
    }
    std::string data = folder_.path("data");
    if (!run((programs_ / "initdb").string() + " -D " + data +
             " -A trust -U postgres -E UTF8 --locale=C --no-sync")) {
      return false;
    }
    return run(control() + " start -w -l " + folder_.path("log") +
               " -o \"-c listen_addresses='' -c fsync=off -c unix_socket_directories='" +
               folder_.path() + "'\"");
  }

  std::string control() const {
    return (programs_ / "pg_ctl").string() + " -D " + folder_.path("data");
  }
  bool run(std::string command) const {
    if (!user_.empty()) command = "runuser -u " + user_ + " -- " + command;
    int status = std::system(("cd / && " + command + " >/dev/null 2>&1").c_str());
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  fs::path programs_;
  TemporaryFolder folder_{"rankveil-pg"};
  std::string user_;
  bool is_running_ = false;
};

}  // namespace rankveil::attack::testing_support
