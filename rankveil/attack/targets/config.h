// The description of a live target: a TOML file. docs/reference/targets.md is its manual.
//
//   kind = "http"
//   rate = 20
//   [query]
//   method = "POST"
//   url = "http://127.0.0.1:8080/rank"
//   body = '{"want": ${query}, "limit": ${k}}'
//   ids = "/hits/*/id"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rankveil/attack/targets/conversation.h"
#include "rankveil/attack/targets/order.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/http/log_in.h"

namespace rankveil::attack {

struct HttpRequestConfig {
  std::string method = "GET";
  std::string url = {};
  std::string body = {};    // empty: none
  std::string answer = {};  // where ids (or the new row's id) are in it: a JSON pointer, * for all
  // Of this request alone; values may hold ${env:NAME} and what a log-in gives.
  connect::Headers headers = {};
};

// How a service says that it does not answer such questions. Without any it never does.
struct Refusal {
  std::vector<int> status = {};
  std::optional<std::string> body = {};  // a JSON pointer to something that is not empty
};

struct HttpConfig {
  HttpRequestConfig query;
  std::string next = {};  // of the query: where the next page's URL or cursor is in the answer
  Refusal refused = {};
  std::optional<HttpRequestConfig> insert = {};
  std::optional<HttpRequestConfig> update = {};  // of own rows, instead of inserting new ones
  std::vector<std::string> own_rows = {};        // that `update` may change
  std::optional<HttpRequestConfig> remove = {};
  // Of all requests: beside an insert or update only where the file says share_headers = true.
  connect::Headers headers = {};
  std::vector<connect::LogInStep> log_in = {};
};

struct PostgresConfig {
  std::string connection;  // as libpq takes it: "host=/run/postgresql dbname=app"
  std::string query;
  std::string insert = {};  // empty: none
};

struct DuckdbConfig {
  std::string path = {};                // empty: in memory
  std::vector<std::string> setup = {};  // statements run first, in a database in memory
  std::string query = {};
  std::string insert = {};
};

struct ProgramConfig {
  std::vector<std::string> command;
  bool inserts = false;
  bool sets = true;  // takes queries for several values of an attribute
};

struct IndexConfig {
  std::string path;
};

struct TargetConfig {
  std::string source;  // the file, for messages
  std::variant<IndexConfig, HttpConfig, PostgresConfig, DuckdbConfig, ProgramConfig> kind;
  double timeout = 10;  // seconds for one request
  Manners manners = {};
  NewIds new_ids = {};
  bool skip_unknown_ids = false;
  // How the target calls the table's row 17: "u_17". Has one *.
  std::string id_format = "*";
  // Of a target whose question has ${field} and ${direction}: it orders rows by one column, and is
  // asked for nothing else.
  std::optional<OrderWords> order = {};
};

// Refuses unknown keys and kinds, and values out of range, each with the line. Templates are
// checked when the target is opened, since only then the attributes are known.
Result<TargetConfig> parse_target(std::string_view text, std::string_view source);
// Paths in the file are taken from the folder that it lies in.
Result<TargetConfig> read_target(const std::string& path);

}  // namespace rankveil::attack
