#include "rankveil/attack/targets/open_target.h"

#include <fmt/core.h>

#include "rankveil/attack/targets/http_service.h"
#include "rankveil/attack/targets/index_service.h"
#include "rankveil/attack/targets/program_service.h"
#include "rankveil/attack/targets/sql_service.h"

namespace rankveil::attack {
namespace {

using Opened = Result<std::unique_ptr<Service>>;

struct Opening {
  const TargetConfig& config;
  const Schema& schema;
  const TargetOptions& options;

  Opened operator()(const IndexConfig& index) const {
    return index_service(index.path, schema, options.k, options.make_profile);
  }
  Opened operator()(const PostgresConfig& postgres) const {
    return postgres_service(postgres, config, schema, options.k, options.allow_remote);
  }
  Opened operator()(const DuckdbConfig& duckdb) const {
    return duckdb_service(duckdb, config, schema, options.k);
  }
  Opened operator()(const HttpConfig& http) const {
    return http_service(http, config, schema, options.k, options.allow_remote);
  }
  Opened operator()(const ProgramConfig& program) const {
    return program_service(program, config, schema, options.k);
  }
};

}  // namespace

Result<std::unique_ptr<LiveTarget>> open_target(const TargetConfig& config, const Schema& schema,
                                                const RowNames& names,
                                                const TargetOptions& options) {
  if (options.k == 0) return wrong_use("k is 0; an attack needs answers of at least one row");
  auto service = std::visit(Opening{config, schema, options}, config.kind);
  if (!service) return service.error();
  Clock& clock = options.clock != nullptr ? *options.clock : real_clock();
  auto conversation = std::make_unique<PatientConversation>(std::move(*service), schema,
                                                            config.manners, config.new_ids, clock);
  LiveTarget::Options how{.k = options.k, .skip_unknown_ids = config.skip_unknown_ids};
  return std::make_unique<LiveTarget>(std::move(conversation), schema, names, how);
}

}  // namespace rankveil::attack
