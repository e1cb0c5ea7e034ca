#include "rankveil/attack/targets/config.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/table/toml/toml.h"
#include "rankveil/table/toml/toml_text.h"

namespace rankveil::attack {
namespace {

using Keys = std::vector<std::string_view>;

constexpr std::array<std::string_view, 9> common_keys = {"kind",      "timeout",  "retries",
                                                         "backoff",   "rate",     "unknown_ids",
                                                         "id_prefix", "first_id", "id_format"};

// One table of the file. The first thing that is wrong stays; readers after it do nothing.
class Fields {
 public:
  // `where` follows keys in messages: "in [query]", or nothing.
  Fields(const Toml& table, std::string_view source, std::string where)
      : table_(table), source_(source), where_(std::move(where)) {}

  void only(const Keys& known) {
    note(check_keys(table_, known, where_.empty() ? "here" : where_, source_));
  }
  bool has(std::string_view key) const { return table_.find(key) != nullptr; }

  // Sets `target` if the key is there.
  void text(std::string_view key, std::string& target);
  void needed_text(std::string_view key, std::string& target);
  void texts(std::string_view key, std::vector<std::string>& target);
  void truth(std::string_view key, bool& target);
  void number(std::string_view key, double least, double most, double& target);
  std::optional<std::int64_t> whole(std::string_view key, std::int64_t least, std::int64_t most);
  // Null when the key is not there, or is no table.
  const Toml* table(std::string_view key);
  const Toml* find(std::string_view key) const { return table_.find(key); }
  void statuses(std::string_view key, std::vector<int>& target);

  void fail(std::string_view key, std::string_view message);
  void note(const Status& status) {
    if (status_.ok()) status_ = status;
  }
  const Status& status() const { return status_; }

 private:
  const Toml& table_;
  std::string_view source_;
  std::string where_;
  Status status_;
};

void Fields::fail(std::string_view key, std::string_view message) {
  const Toml* node = table_.find(key);
  note(toml_error(source_, node != nullptr ? node->line : table_.line,
                  fmt::format("{}{}{} {}", key, where_.empty() ? "" : " ", where_, message)));
}

void Fields::text(std::string_view key, std::string& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  if (node->as_text() == nullptr || node->as_text()->empty()) {
    fail(key, "must be text in quotes");
  } else {
    target = *node->as_text();
  }
}

void Fields::needed_text(std::string_view key, std::string& target) {
  if (!has(key)) fail(key, "is missing");
  text(key, target);
}

void Fields::texts(std::string_view key, std::vector<std::string>& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  const auto* list = node->as_array();
  if (list == nullptr) return fail(key, "must be a list of texts in quotes");
  for (const Toml& item : *list) {
    if (item.as_text() == nullptr) return fail(key, "must be a list of texts in quotes");
    target.push_back(*item.as_text());
  }
}

void Fields::truth(std::string_view key, bool& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  if (node->as_bool() == nullptr) return fail(key, "must be true or false");
  target = *node->as_bool();
}

void Fields::number(std::string_view key, double least, double most, double& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  auto number = node->as_number();
  if (!number || !(*number >= least && *number <= most)) {
    return fail(key, fmt::format("must be a number from {} to {}", least, most));
  }
  target = *number;
}

void Fields::statuses(std::string_view key, std::vector<int>& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  constexpr const char* wrong =
      "must be a list of statuses from 200 to 499, such as [400, 403]; 408, 425 and 429 are no "
      "refusals";
  if (node->as_array() == nullptr) return fail(key, wrong);
  for (const Toml& item : *node->as_array()) {
    const auto* status = item.as_integer();
    bool fits = status != nullptr && *status >= 200 && *status <= 499 && *status != 408 &&
                *status != 425 && *status != 429;
    if (!fits) return fail(key, wrong);
    target.push_back(static_cast<int>(*status));
  }
}

std::optional<std::int64_t> Fields::whole(std::string_view key, std::int64_t least,
                                          std::int64_t most) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return std::nullopt;
  const auto* number = node->as_integer();
  if (number != nullptr && *number >= least && *number <= most) return *number;
  fail(key, fmt::format("must be a whole number from {} to {}", least, most));
  return std::nullopt;
}

const Toml* Fields::table(std::string_view key) {
  const Toml* node = table_.find(key);
  if (node == nullptr || node->as_table() != nullptr) return node;
  fail(key, fmt::format("must be a section, [{}]", key));
  return nullptr;
}

// ---- kinds ----

// Reads the keys of one kind into its struct.
class KindReader {
 public:
  KindReader(Fields& root, std::string_view source) : root_(root), source_(source) {}

  void operator()(IndexConfig& index) {
    only({"path"});
    root_.needed_text("path", index.path);
  }

  void operator()(PostgresConfig& postgres) {
    only({"connection", "query", "insert"});
    root_.needed_text("connection", postgres.connection);
    root_.needed_text("query", postgres.query);
    root_.text("insert", postgres.insert);
  }

  void operator()(DuckdbConfig& duckdb) {
    only({"path", "setup", "query", "insert"});
    root_.text("path", duckdb.path);
    root_.texts("setup", duckdb.setup);
    root_.needed_text("query", duckdb.query);
    root_.text("insert", duckdb.insert);
  }

  void operator()(ProgramConfig& program) {
    only({"command", "inserts", "sets"});
    root_.texts("command", program.command);
    if (program.command.empty() || program.command.front().empty()) {
      root_.fail("command", "must be a list, first the program and then its arguments");
    }
    root_.truth("inserts", program.inserts);
    root_.truth("sets", program.sets);
  }

  void operator()(HttpConfig& http) {
    only({"query", "insert", "update", "remove", "headers", "share_headers", "refused", "login"});
    if (!root_.has("query")) root_.fail("query", "is missing; write a section [query]");
    if (const Toml* section = root_.table("query")) query(*section, http);
    if (const Toml* section = root_.table("insert")) {
      request(*section, "insert", {"id"}, http.insert.emplace());
    }
    if (const Toml* section = root_.table("update")) update(*section, http);
    if (const Toml* section = root_.table("remove")) {
      request(*section, "remove", {}, http.remove.emplace());
      // Who may write may remove.
      bool own = !http.remove->headers.empty() || !http.insert;
      if (!own) http.remove->headers = http.insert->headers;
    }
    if (const Toml* section = root_.table("refused")) refusal(*section, http.refused);
    http.log_in = log_in();
    shared_headers(http);
    if (http.insert && http.update) {
      root_.fail("update", "stands beside [insert]; new rows or own ones, leave one out");
    }
  }

 private:
  void only(Keys keys) {
    keys.insert(keys.begin(), common_keys.begin(), common_keys.end());
    root_.only(keys);
  }

  // `more`: keys beside those of every request, with what `answer` is told by first.
  Fields request(const Toml& section, std::string_view name, const Keys& more,
                 HttpRequestConfig& request) {
    Fields fields(section, source_, fmt::format("in [{}]", name));
    Keys known = {"method", "url", "body", "headers"};
    known.insert(known.end(), more.begin(), more.end());
    fields.only(known);
    fields.needed_text("url", request.url);
    fields.text("body", request.body);
    if (!request.body.empty()) request.method = "POST";
    if (name == "remove") request.method = "DELETE";
    if (name == "update") request.method = "PATCH";
    fields.text("method", request.method);
    check_method(fields, request.method);
    if (name == "query") fields.needed_text("ids", request.answer);
    if (name == "insert") fields.text("id", request.answer);
    if (const Toml* own = fields.table("headers")) headers(*own, request.headers);
    root_.note(fields.status());
    return fields;
  }

  void query(const Toml& section, HttpConfig& http) {
    Fields fields = request(section, "query", {"ids", "next"}, http.query);
    fields.text("next", http.next);
    root_.note(fields.status());
  }

  void update(const Toml& section, HttpConfig& http) {
    Fields fields = request(section, "update", {"rows"}, http.update.emplace());
    fields.texts("rows", http.own_rows);
    if (http.own_rows.empty()) {
      fields.fail("rows", "is missing; list the ids of rows that are yours to change");
    }
    root_.note(fields.status());
  }

  void refusal(const Toml& section, Refusal& refused) {
    Fields fields(section, source_, "in [refused]");
    fields.only({"status", "body"});
    fields.statuses("status", refused.status);
    std::string body;
    fields.text("body", body);
    if (fields.has("body")) refused.body = body;
    bool always = std::ranges::any_of(refused.status, [](int status) { return status / 100 == 2; });
    if (always && !refused.body) {
      fields.fail("status", "has a status of answers; say by body what a refusal has in it, too");
    }
    if (refused.status.empty()) {
      fields.fail("status", "is missing; list the statuses of a refusal, such as [400, 403]");
    }
    root_.note(fields.status());
  }

  // [[login]] one after the other, or a single [login].
  std::vector<connect::LogInStep> log_in() {
    std::vector<connect::LogInStep> steps;
    const Toml* node = root_.find("login");
    if (node == nullptr) return steps;
    if (const auto* list = node->as_array()) {
      for (const Toml& item : *list) steps.push_back(log_in_step(item));
    } else {
      steps.push_back(log_in_step(*node));
    }
    return steps;
  }

  connect::LogInStep log_in_step(const Toml& section) {
    connect::LogInStep step;
    if (section.as_table() == nullptr) {
      root_.fail("login", "must be sections, [[login]]");
      return step;
    }
    Fields fields(section, source_, "in [[login]]");
    fields.only({"name", "method", "url", "body", "headers", "keep"});
    fields.text("name", step.name);
    fields.text("method", step.method);
    check_method(fields, step.method);
    fields.needed_text("url", step.url);
    fields.text("body", step.body);
    fields.needed_text("keep", step.answer);
    if (const Toml* own = fields.table("headers")) headers(*own, step.headers);
    root_.note(fields.status());
    return step;
  }

  // A question that carries the owner's token is not the question of a stranger.
  void shared_headers(HttpConfig& http) {
    bool share = false;
    root_.truth("share_headers", share);
    const Toml* section = root_.table("headers");
    if (section == nullptr) return;
    headers(*section, http.headers);
    if ((http.insert || http.update) && !share) {
      root_.fail("headers",
                 "would go with questions and with writing alike; write [query.headers] and "
                 "[insert.headers], or say share_headers = true");
    }
  }

  static void check_method(Fields& fields, const std::string& method) {
    constexpr std::array<std::string_view, 5> methods = {"GET", "POST", "PUT", "PATCH", "DELETE"};
    if (std::ranges::find(methods, method) != methods.end()) return;
    fields.fail("method", "must be \"GET\", \"POST\", \"PUT\", \"PATCH\" or \"DELETE\"");
  }

  void headers(const Toml& section, std::vector<std::pair<std::string, std::string>>& headers) {
    for (const TomlMember& member : *section.as_table()) {
      if (member.value.as_text() == nullptr) {
        root_.note(toml_error(
            source_, member.line,
            fmt::format("the header {} must be text in quotes", toml_quoted(member.key))));
        return;
      }
      headers.emplace_back(member.key, *member.value.as_text());
    }
  }

  Fields& root_;
  std::string_view source_;
};

using Kind = decltype(TargetConfig::kind);

std::optional<Kind> kind_from_name(std::string_view name) {
  if (name == "index") return IndexConfig{};
  if (name == "http") return HttpConfig{};
  if (name == "postgres") return PostgresConfig{};
  if (name == "duckdb") return DuckdbConfig{};
  if (name == "program") return ProgramConfig{};
  return std::nullopt;
}

void read_kind(Fields& root, TargetConfig& config) {
  const std::vector<std::string> kinds = {"index", "http", "postgres", "duckdb", "program"};
  std::string name;
  root.needed_text("kind", name);
  if (!root.status().ok()) return;
  auto kind = kind_from_name(name);
  if (kind) {
    config.kind = std::move(*kind);
    return;
  }
  root.fail("kind", fmt::format("is {}; {}", toml_quoted(name), near_and_all(name, kinds)));
}

void read_common(Fields& root, TargetConfig& config) {
  constexpr double day = 86400;
  root.number("timeout", 0.001, day, config.timeout);
  root.number("backoff", 0, day, config.manners.backoff);
  root.number("rate", 0.0001, 1e6, config.manners.rate);
  if (auto retries = root.whole("retries", 0, 1000)) {
    config.manners.retries = static_cast<std::uint32_t>(*retries);
  }
  root.text("id_prefix", config.new_ids.prefix);
  config.new_ids.first = root.whole("first_id", 0, std::int64_t{1} << 60);
  root.text("id_format", config.id_format);
  if (std::ranges::count(config.id_format, '*') != 1) {
    root.fail("id_format", "must have one * for the table's id, such as \"u_*\"");
  }
  std::string unknown = "refuse";
  root.text("unknown_ids", unknown);
  config.skip_unknown_ids = unknown == "skip";
  if (unknown != "skip" && unknown != "refuse") {
    root.fail("unknown_ids", "must be \"refuse\" or \"skip\"");
  }
}

void set_folder(const std::filesystem::path& folder, std::string& path) {
  if (!path.empty()) path = (folder / path).string();
}

}  // namespace

Result<TargetConfig> parse_target(std::string_view text, std::string_view source) {
  auto tree = parse_toml(text, source, "a target");
  if (!tree) return tree.error();
  TargetConfig config;
  config.source = source;
  Fields root(*tree, source, "");
  read_kind(root, config);
  if (root.status().ok()) std::visit(KindReader(root, source), config.kind);
  read_common(root, config);
  if (!root.status().ok()) return root.status().error();
  return config;
}

Result<TargetConfig> read_target(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  auto config = parse_target(*text, path);
  if (!config) return config;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (auto* index = std::get_if<IndexConfig>(&config->kind)) set_folder(folder, index->path);
  if (auto* duckdb = std::get_if<DuckdbConfig>(&config->kind)) set_folder(folder, duckdb->path);
  if (auto* program = std::get_if<ProgramConfig>(&config->kind)) {
    // A plain name is looked for where the shell would look.
    std::string& file = program->command.front();
    if (file.find('/') != std::string::npos) set_folder(folder, file);
  }
  return config;
}

}  // namespace rankveil::attack
