// A program as a service: JSON, one line for each question and one for its answer.
//
//   {"query": {"city": ["Paris"]}, "k": 10}           {"ids": ["4", "17"]}
//   {"insert": {"city": "Paris"}, "id": "rankveil-1"}  {"id": "rankveil-1"}
//   anything                                           {"error": "why", "retry": true}
//
// Rows that were inserted live as long as the program: it is started again to be rid of them.
#pragma once

#include <memory>

#include "rankveil/attack/targets/config.h"
#include "rankveil/attack/targets/service.h"

namespace rankveil::attack {

// Starts it, so that a wrong name is told at once.
Result<std::unique_ptr<Service>> program_service(const ProgramConfig& config,
                                                 const TargetConfig& common, const Schema& schema,
                                                 std::uint32_t k);

}  // namespace rankveil::attack
