// What an operator says about a service over HTTP, by flags or in a TOML file.
//
//   url = "http://127.0.0.1:3000/api/people"
//   dialect = "payload"
//   fields = ["religion", "income:number"]
//   [row]
//   name = "${mark}"
//   city = "Oslo"
//   [headers.user]
//   Authorization = "JWT ${env:API_TOKEN}"
//
// docs/reference/probe.md is its manual.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/probe/field.h"
#include "rankveil/probe/http/settings.h"

namespace rankveil::probe {

struct HttpTarget {
  std::string url = {};          // or the connection of a PostgreSQL role
  std::string owner = {};        // the connection of the table's owner
  std::string dialect = "auto";  // a name, a path, or auto
  std::string collection = {};
  std::vector<std::string> fields = {};  // hidden: "income:number"
  std::string public_field = {};         // "city"; empty: one is chosen
  std::string mark_field = {};
  std::vector<std::string> schemas = {};  // files that name fields
  std::vector<std::string> rows = {};     // that may be changed; empty: one is made
  Json row = Json::Object{};
  std::optional<LinkedRows> linked = {};
  Headers headers = {};  // on all requests
  Headers user = {};
  Headers admin = {};
  std::optional<LogIn> user_log_in = {};
  std::optional<LogIn> admin_log_in = {};
  // Field and sentence: what the service says itself to rank by under a promise.
  std::vector<std::pair<std::string, std::string>> declared = {};
  bool asks_as_user = false;
  bool allow_remote = false;
  double timeout = 10;
};

// Refuses unknown keys, with the line.
Result<HttpTarget> parse_http_target(std::string_view text, std::string_view source);
// Paths in the file are taken from the folder that it lies in.
Result<HttpTarget> read_http_target(const std::string& path);

// "income:number", "plan:free|paid"; without a type nothing is said about it.
struct NamedField {
  Field field;
  bool has_type = false;
};
Result<NamedField> field_from_text(std::string_view text);
std::string spec_of(const Field& field);  // the other way round

// Who is who: everybody has `headers`; the owner is the user, or else the admin, or nobody.
struct Identities {
  Identity stranger;
  Identity owner;
  std::optional<Identity> admin = {};
  bool owner_is_told = false;
};
Result<Identities> identities_of(const HttpTarget& target);

}  // namespace rankveil::probe
