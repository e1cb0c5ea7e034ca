// An HTTP endpoint that answers in JSON as a service. Rows that are added stay until removed.
#pragma once

#include <memory>

#include "rankveil/attack/targets/config.h"
#include "rankveil/attack/targets/service.h"

namespace rankveil::attack {

// Nothing is sent before the first query. Refuses other hosts than this machine unless they are
// allowed, and headers whose environment variable is not set.
Result<std::unique_ptr<Service>> http_service(const HttpConfig& config, const TargetConfig& common,
                                              const Schema& schema, std::uint32_t k,
                                              bool allow_remote);

}  // namespace rankveil::attack
