// A database that ranks by a SELECT as a service. Everything happens in one transaction, which is
// never committed.
#pragma once

#include <functional>
#include <memory>

#include "rankveil/attack/targets/config.h"
#include "rankveil/attack/targets/service.h"
#include "rankveil/connect/database.h"

namespace rankveil::attack {

// Rows are read as they were when the transaction began (repeatable read); without an insert it is
// read-only. Opens the first connection, too, so that a wrong one is told at once.
Result<std::unique_ptr<Service>> postgres_service(const PostgresConfig& config,
                                                  const TargetConfig& common, const Schema& schema,
                                                  std::uint32_t k, bool allow_remote);
// Without an insert the file is attached read-only.
Result<std::unique_ptr<Service>> duckdb_service(const DuckdbConfig& config,
                                                const TargetConfig& common, const Schema& schema,
                                                std::uint32_t k);

}  // namespace rankveil::attack
