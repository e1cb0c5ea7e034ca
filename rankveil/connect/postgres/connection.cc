// PostgreSQL as a Database, through libpq: the one place where it is met.
//
// Statements are sent and waited for apart, so that a server that falls silent costs a time-out and
// not the campaign.
#include <fmt/core.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include "rankveil/base/result.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/connect/database.h"
#include "rankveil/connect/loopback.h"

namespace rankveil::connect {
namespace {

struct FreeConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct FreeResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Connection = std::unique_ptr<PGconn, FreeConnection>;
using Answer = std::unique_ptr<PGresult, FreeResult>;
using Options = std::unique_ptr<PQconninfoOption, FreeOptions>;

// Their messages end in line breaks, and run over several lines.
std::string without_breaks(std::string_view message) {
  std::string line;
  for (char c : message) line += c == '\n' || c == '\t' ? ' ' : c;
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

// ---- where the server is ----

// Sockets in the file system and in the abstract namespace are on this machine.
bool is_local(std::string_view host) {
  return host.empty() || host.starts_with('/') || host.starts_with('@') || is_loopback(host);
}

bool all_local(std::string_view hosts) {
  while (true) {
    std::size_t comma = hosts.find(',');
    if (!is_local(hosts.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    hosts.remove_prefix(comma + 1);
  }
}

std::string option(const PQconninfoOption* options, std::string_view keyword) {
  for (; options != nullptr && options->keyword != nullptr; ++options) {
    if (keyword == options->keyword && options->val != nullptr) return options->val;
  }
  return {};
}

// A password, that of a certificate's key, or another that libpq calls one.
bool has_secret(const PQconninfoOption* options) {
  for (; options != nullptr && options->keyword != nullptr; ++options) {
    const bool is_secret = options->dispchar != nullptr && options->dispchar[0] == '*';
    if (is_secret && options->val != nullptr && options->val[0] != '\0') return true;
  }
  return false;
}

// As libpq will see it: from the text, or else from the environment.
std::string effective(const Options& given, const Options& defaults, std::string_view keyword) {
  std::string value = option(given.get(), keyword);
  return value.empty() ? option(defaults.get(), keyword) : value;
}

Status check_place(const std::string& connection, bool allow_remote) {
  char* problem = nullptr;
  Options given(PQconninfoParse(connection.c_str(), &problem));
  if (given == nullptr) {
    std::string message = problem == nullptr ? "it cannot be read" : without_breaks(problem);
    PQfreemem(problem);
    return bad_input(fmt::format("the connection of the target is not one: {}", message));
  }
  if (allow_remote) return {};
  Options defaults(PQconndefaults());
  if (!effective(given, defaults, "service").empty()) {
    return wrong_use(
        "the connection names a service, which may be on another machine; write the host, or allow "
        "remote targets");
  }
  std::string host = effective(given, defaults, "hostaddr");
  if (host.empty()) host = effective(given, defaults, "host");
  if (all_local(host)) return {};
  return wrong_use(fmt::format(
      "the PostgreSQL server is at \"{}\", which is not this machine; allow remote targets to "
      "attack it all the same",
      host));
}

// ---- parameters ----

std::string array_literal(const std::vector<std::string>& texts) {
  std::string literal = "{";
  for (const std::string& text : texts) {
    literal += literal.size() > 1 ? ",\"" : "\"";
    for (char c : text) {
      if (c == '"' || c == '\\') literal += '\\';
      literal += c;
    }
    literal += '"';
  }
  return literal + "}";
}

struct AsText {
  std::optional<std::string> operator()(std::monostate) const { return std::nullopt; }
  std::optional<std::string> operator()(std::int64_t number) const {
    return std::to_string(number);
  }
  std::optional<std::string> operator()(const std::string& text) const { return text; }
  std::optional<std::string> operator()(const std::vector<std::string>& texts) const {
    return array_literal(texts);
  }
};

// ---- trouble ----

// Classes of SQLSTATE that may be gone the next time: connection lost, transaction rolled back (a
// conflict), resources short, and the operator at work (shutdown, cancelled).
bool may_pass(std::string_view state) {
  constexpr std::array<std::string_view, 4> classes = {"08", "40", "53", "57"};
  return std::ranges::any_of(classes, [&](auto one) { return state.starts_with(one); });
}

// Values that are not of the type they are compared with, or beyond what it holds: that says
// nothing about who may ask.
bool is_of_another_type(std::string_view state) {
  constexpr std::array<std::string_view, 7> states = {"22P02", "22003", "22007", "22008",
                                                      "42804", "42846", "42883"};
  return std::ranges::find(states, state) != states.end();
}

class PostgresDatabase : public Database {
 public:
  PostgresDatabase(Connection connection, double timeout)
      : connection_(std::move(connection)), timeout_(timeout) {}

  Reply<std::vector<std::string>> run(const Statement& statement) override {
    if (!send(statement)) return lost();
    if (auto there = wait(); !there) return there.trouble();
    Answer last;
    while (Answer next{PQgetResult(connection_.get())}) last = std::move(next);
    return read(last.get());
  }

  bool in_transaction() const override {
    return PQstatus(connection_.get()) == CONNECTION_OK &&
           PQtransactionStatus(connection_.get()) == PQTRANS_INTRANS;
  }

 private:
  bool send(const Statement& statement) {
    std::vector<std::optional<std::string>> texts;
    for (const SqlValue& value : statement.values) texts.push_back(std::visit(AsText{}, value));
    std::vector<const char*> values;
    values.reserve(texts.size());
    for (const auto& text : texts) values.push_back(text ? text->c_str() : nullptr);
    return PQsendQueryParams(connection_.get(), statement.sql.c_str(),
                             static_cast<int>(values.size()), nullptr, values.data(), nullptr,
                             nullptr, 0) == 1;
  }

  // Until the whole answer is there.
  Reply<Done> wait() {
    Stopwatch watch;
    while (PQisBusy(connection_.get()) == 1) {
      double left = timeout_ - watch.seconds();
      if (left <= 0) return late();
      pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
      ::poll(&socket, 1, static_cast<int>(std::ceil(left * 1000)));
      if (socket.revents != 0 && PQconsumeInput(connection_.get()) == 0) return lost();
    }
    return Done{};
  }

  Trouble lost() const {
    return {io_error(without_breaks(PQerrorMessage(connection_.get()))), true, true};
  }

  // The connection is of no more use: an answer may still come in.
  Trouble late() {
    if (PGcancel* cancel = PQgetCancel(connection_.get())) {
      std::array<char, 256> problem{};
      PQcancel(cancel, problem.data(), problem.size());
      PQfreeCancel(cancel);
    }
    connection_.reset();
    return {io_error(fmt::format("no answer within {} s", timeout_)), true, true};
  }

  Reply<std::vector<std::string>> read(const PGresult* result) const {
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) return failed(result);
    std::vector<std::string> texts;
    if (PQnfields(result) == 0) return texts;
    for (int row = 0; row < PQntuples(result); ++row) {
      if (PQgetisnull(result, row, 0) == 1) {
        return bad_input("the statement returns NULL in its first column");
      }
      texts.emplace_back(PQgetvalue(result, row, 0),
                         static_cast<std::size_t>(PQgetlength(result, row, 0)));
    }
    return texts;
  }

  Trouble failed(const PGresult* result) const {
    if (result == nullptr || PQstatus(connection_.get()) != CONNECTION_OK) return lost();
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char* message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    std::string text = without_breaks(message == nullptr ? PQresultErrorMessage(result) : message);
    Trouble trouble{bad_input(text), state != nullptr && may_pass(state)};
    trouble.is_misfit = state != nullptr && is_of_another_type(state);
    return trouble;
  }

  Connection connection_;
  double timeout_;
};

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// "postgres://user:password@host/database?password=...". What libpq cannot read has one all the
// same: messages about it would show it.
bool has_password_in_address(std::string_view rest) {
  const std::size_t question = std::min(rest.find('?'), rest.size());
  const std::string_view place = rest.substr(0, question);
  const std::string_view more = rest.substr(question);
  if (more.find("?password=") != std::string_view::npos) return true;
  if (more.find("&password=") != std::string_view::npos) return true;
  // A password may have anything in it that should have been encoded.
  const std::size_t at = std::min(place.rfind('@'), rest.rfind('@'));
  if (at == std::string_view::npos) return false;
  const std::size_t colon = rest.substr(0, at).find(':');
  return colon != std::string_view::npos && colon + 1 < at;
}

// "host=... password=...", with blanks around the sign or without.
bool has_password_among_words(std::string_view text) {
  bool is_connection = false;
  bool has_one = false;
  for (std::string_view name : {"host", "hostaddr", "dbname", "user", "port", "password"}) {
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      const std::size_t sign = text.find_first_not_of(' ', at + name.size());
      const bool begins = at == 0 || text[at - 1] == ' ';
      if (!begins || sign == std::string_view::npos || text[sign] != '=') continue;
      (name == "password" ? has_one : is_connection) = true;
    }
  }
  return is_connection && has_one;
}

bool has_password(const std::string& connection) {
  const std::string text = in_small_letters(connection);
  for (std::string_view scheme : {"postgres://", "postgresql://"}) {
    if (text.starts_with(scheme))
      return has_password_in_address(std::string_view(text).substr(scheme.size()));
  }
  return has_password_among_words(text);
}

}  // namespace

Status refuse_password(const std::string& connection) {
  char* problem = nullptr;
  const Options given(PQconninfoParse(connection.c_str(), &problem));
  PQfreemem(problem);
  if (!has_secret(given.get()) && !has_password(connection)) return {};
  return wrong_use(
      "the connection has a password in it, which others on this machine can read; leave it out "
      "and "
      "put it into the environment (PGPASSWORD) or into ~/.pgpass");
}

Reply<std::unique_ptr<Database>> open_postgres(const std::string& connection,
                                               const PostgresOptions& options) {
  if (auto fine = check_place(connection, options.allow_remote); !fine) return fine.error();
  const std::string seconds = std::to_string(std::max(2, static_cast<int>(options.timeout)));
  // The first wins over what the text says of it, the last is for what it leaves out.
  const char* keywords[] = {"dbname", "connect_timeout", "client_encoding",
                            "fallback_application_name", nullptr};
  const char* values[] = {connection.c_str(), seconds.c_str(), "UTF8", "rankveil", nullptr};
  Connection opened(PQconnectdbParams(keywords, values, /*expand_dbname=*/1));
  if (PQstatus(opened.get()) != CONNECTION_OK) {
    return Trouble{io_error(without_breaks(PQerrorMessage(opened.get()))), true};
  }
  PQsetNoticeProcessor(
      opened.get(), [](void*, const char*) {}, nullptr);  // else on stderr
  return std::unique_ptr<Database>(
      std::make_unique<PostgresDatabase>(std::move(opened), options.timeout));
}

}  // namespace rankveil::connect
