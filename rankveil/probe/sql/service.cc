#include "rankveil/probe/sql/service.h"

#include <fmt/core.h>

#include "rankveil/base/format.h"

namespace rankveil::probe {
namespace {

Result<std::unique_ptr<connect::Database>> open_as(const std::string& who,
                                                   const std::string& connection,
                                                   const SqlSettings& settings) {
  auto database = connect::open_postgres(
      connection, {.timeout = settings.timeout, .allow_remote = settings.allow_remote});
  if (database) return std::move(*database);
  const Error& error = database.trouble().error;
  return Error{error.code, fmt::format("the connection of {}: {}", who, error.message)};
}

Result<std::string> table_of(connect::Database& role, const std::string& told) {
  if (!told.empty()) return told;
  auto tables = tables_with_hidden_columns(role);
  if (!tables) return tables.error();
  if (tables->size() == 1) return tables->front();
  if (tables->empty()) {
    return bad_input("no table hides a column from this role; ask as a role that may not read all");
  }
  return wrong_use(
      fmt::format("several tables hide columns from this role: {}; name one, "
                  "--collection",
                  listed(*tables)));
}

}  // namespace

bool is_postgres_address(const std::string& text) {
  return text.starts_with("postgres://") || text.starts_with("postgresql://");
}

Result<SqlService> SqlService::open(const SqlSettings& settings) {
  for (const std::string* connection : {&settings.role, &settings.owner}) {
    if (auto fine = connect::refuse_password(*connection); !fine) return fine.error();
  }
  SqlService service;
  auto role = open_as("who asks", settings.role, settings);
  if (!role) return role.error();
  service.role_ = std::move(*role);
  auto table = table_of(*service.role_, settings.table);
  if (!table) return table.error();
  auto catalogue = read_catalogue(*service.role_, *table);
  if (!catalogue) return catalogue.error();
  service.catalogue_ = std::make_unique<SqlCatalogue>(std::move(*catalogue));
  auto asker = SqlAsker::make(*service.role_, *service.catalogue_, {.page = settings.page});
  if (!asker) return asker.error();
  service.asker_ = std::make_unique<SqlAsker>(std::move(*asker));
  if (settings.owner.empty()) return service;
  auto owner = open_as("the owner", settings.owner, settings);
  if (!owner) return owner.error();
  service.owner_ = std::move(*owner);
  service.writer_ =
      std::make_unique<SqlWriter>(*service.owner_, *service.catalogue_, settings.mark_field);
  return service;
}

}  // namespace rankveil::probe
