// Queries for an index that leaves some attributes out: wishes for those cannot count.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/ranking/workload.h"

namespace rankveil::api {

struct PartialWorkload {
  Workload workload;
  std::vector<std::string> warnings;  // which wishes were dropped
};

// Reads `path` as queries of `schema` and the attributes left out of it, then drops wishes for the
// latter, and queries that ask for nothing else.
Result<PartialWorkload> read_partial_workload(const std::string& path, const Schema& schema,
                                              const std::vector<Attribute>& left_out,
                                              const std::vector<std::string>& ignored = {});

// Private attributes of `all` that `some` lacks.
std::vector<Attribute> private_attributes_missing(const Schema& all, const Schema& some);

}  // namespace rankveil::api
