#include "rankveil/probe/http/target.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>

#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/probe/dialect/toml_section.h"

namespace rankveil::probe {
namespace {

constexpr std::array<std::string_view, 4> type_names = {"text", "number", "date", "flag"};

Json json_of_toml(const Toml& node) {
  if (node.as_bool() != nullptr) return *node.as_bool();
  if (node.as_integer() != nullptr) return *node.as_integer();
  if (auto number = node.as_number()) return *number;
  if (node.as_text() != nullptr) return *node.as_text();
  if (const auto* list = node.as_array()) {
    Json::Array items;
    for (const Toml& item : *list) items.push_back(json_of_toml(item));
    return items;
  }
  if (node.as_table() == nullptr) return {};
  Json object = Json::Object{};
  for (const TomlMember& member : *node.as_table()) {
    object.set(member.key, json_of_toml(member.value));
  }
  return object;
}

// The sections of a target file, one function each.
class TargetReader {
 public:
  TargetReader(const Toml& root, std::string_view source)
      : root_(root, source, ""), source_(source) {}

  Result<HttpTarget> read() {
    root_.only({"url", "owner", "dialect", "collection", "fields", "public", "mark", "schemas",
                "rows", "row", "linked", "headers", "login", "declared", "ask_as_user"});
    root_.needed_text("url", target_.url);
    root_.text("owner", target_.owner);
    root_.text("dialect", target_.dialect);
    root_.text("collection", target_.collection);
    root_.texts("fields", target_.fields);
    root_.text("public", target_.public_field);
    root_.text("mark", target_.mark_field);
    root_.texts("schemas", target_.schemas);
    root_.texts("rows", target_.rows);
    root_.truth("ask_as_user", target_.asks_as_user);
    root_.pairs("declared", target_.declared);
    if (const Toml* row = root_.table("row")) target_.row = json_of_toml(*row);
    read_linked();
    read_headers();
    read_log_ins();
    if (!root_.status().ok()) return root_.status().error();
    return std::move(target_);
  }

 private:
  void read_linked() {
    const Toml* table = root_.table("linked");
    if (table == nullptr) return;
    TomlSection section(*table, source_, "in [linked]");
    section.only({"path", "by", "row"});
    LinkedRows& linked = target_.linked.emplace();
    section.needed_text("path", linked.path);
    section.needed_text("by", linked.by);
    if (const Toml* row = section.table("row")) linked.row = json_of_toml(*row);
    root_.note(section.status());
  }

  void read_headers() {
    const Toml* table = root_.table("headers");
    if (table == nullptr) return;
    TomlSection section(*table, source_, "in [headers]");
    section.only({"all", "user", "admin"});
    section.pairs("all", target_.headers);
    section.pairs("user", target_.user);
    section.pairs("admin", target_.admin);
    root_.note(section.status());
  }

  void read_log_ins() {
    const Toml* table = root_.table("login");
    if (table == nullptr) return;
    TomlSection section(*table, source_, "in [login]");
    section.only({"user", "admin"});
    if (const Toml* user = section.table("user")) read_log_in(*user, "user", target_.user_log_in);
    if (const Toml* admin = section.table("admin")) {
      read_log_in(*admin, "admin", target_.admin_log_in);
    }
    root_.note(section.status());
  }

  void read_log_in(const Toml& table, std::string_view who, std::optional<LogIn>& target) {
    TomlSection section(table, source_, fmt::format("in [login.{}]", who));
    section.only({"method", "path", "body", "token"});
    LogIn& log_in = target.emplace();
    std::string token;
    section.text("method", log_in.method);
    section.needed_text("path", log_in.path);
    section.text("body", log_in.body);
    section.needed_text("token", token);
    auto pointer = Pointer::parse(token);
    if (pointer) {
      log_in.token = std::move(*pointer);
    } else {
      section.fail("token", "is " + pointer.error().message);
    }
    root_.note(section.status());
  }

  TomlSection root_;
  std::string_view source_;
  HttpTarget target_;
};

void add_headers(Headers& headers, const Headers& more) {
  for (const auto& [name, value] : more) {
    std::erase_if(headers, [&, n = &name](const auto& header) { return header.first == *n; });
    headers.emplace_back(name, value);
  }
}

Result<Identity> identity_of(const std::string& name, const HttpTarget& target, const Headers& own,
                             const std::optional<LogIn>& log_in) {
  Headers headers = target.headers;
  add_headers(headers, own);
  return Identity::make(name, headers, log_in);
}

}  // namespace

Result<HttpTarget> parse_http_target(std::string_view text, std::string_view source) {
  auto tree = parse_toml(text, source, "a target of a probe");
  if (!tree) return tree.error();
  return TargetReader(*tree, source).read();
}

Result<HttpTarget> read_http_target(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  auto target = parse_http_target(*text, path);
  if (!target) return target;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (std::string& schema : target->schemas) schema = (folder / schema).string();
  if (target->dialect.find_first_of("./") != std::string::npos) {
    target->dialect = (folder / target->dialect).string();
    // A name without a slash would be taken for one of ours.
    if (folder.empty()) target->dialect = "./" + target->dialect;
  }
  return target;
}

Result<NamedField> field_from_text(std::string_view text) {
  NamedField named;
  const std::size_t colon = text.find(':');
  named.field.name = text.substr(0, colon);
  if (named.field.name.empty()) return wrong_use("a field has no name; write it as income:number");
  if (colon == std::string_view::npos) return named;
  named.has_type = true;
  std::string_view type = text.substr(colon + 1);
  for (std::size_t i = 0; i < type_names.size(); ++i) {
    if (type != type_names[i]) continue;
    named.field.type = static_cast<FieldType>(i);
    return named;
  }
  if (type.find('|') == std::string_view::npos) {
    return wrong_use(fmt::format(
        "the field {} has the type \"{}\"; there are text, number, date, flag, or its values: "
        "{}:free|paid",
        named.field.name, type, named.field.name));
  }
  while (!type.empty()) {
    const std::size_t bar = std::min(type.find('|'), type.size());
    named.field.choices.emplace_back(type.substr(0, bar));
    type.remove_prefix(std::min(bar + 1, type.size()));
  }
  return named;
}

std::string spec_of(const Field& field) {
  std::string type(type_names[static_cast<std::size_t>(field.type)]);
  if (field.choices.size() > 1) type.clear();
  for (std::size_t i = 0; field.choices.size() > 1 && i < field.choices.size(); ++i) {
    type += (i > 0 ? "|" : "") + field.choices[i];
  }
  return field.name + ":" + type;
}

Result<Identities> identities_of(const HttpTarget& target) {
  const bool has_user = !target.user.empty() || target.user_log_in;
  const bool has_admin = !target.admin.empty() || target.admin_log_in;
  Identities made;
  auto stranger = identity_of("a stranger", target, {}, {});
  if (!stranger) return stranger.error();
  made.stranger = made.owner = std::move(*stranger);
  if (has_admin) {
    auto admin = identity_of("the admin", target, target.admin, target.admin_log_in);
    if (!admin) return admin.error();
    made.owner = *admin;
    made.admin = std::move(*admin);
  }
  if (has_user) {
    auto user = identity_of("the user", target, target.user, target.user_log_in);
    if (!user) return user.error();
    made.owner = *user;
    if (target.asks_as_user) made.stranger = *user;
  } else if (target.asks_as_user) {
    return wrong_use("to ask as a user, say who that is: --as-user");
  }
  made.owner_is_told = has_user || has_admin;
  return made;
}

}  // namespace rankveil::probe
