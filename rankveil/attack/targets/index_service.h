// An index of this process as a service: what a file of kind "index" opens.
#pragma once

#include <memory>

#include "rankveil/attack/index_target.h"
#include "rankveil/attack/targets/service.h"

namespace rankveil::attack {

// Refuses an index whose attributes and domains are not those of `schema`.
Result<std::unique_ptr<Service>> index_service(const std::string& path, const Schema& schema,
                                               std::uint32_t k, MakeProfile make_profile);

}  // namespace rankveil::attack
