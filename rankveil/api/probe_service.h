// A service that is ready to be probed: dialect, identities, and what is hidden.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rankveil/probe/evidence/probe_result.h"
#include "rankveil/probe/http/service.h"
#include "rankveil/probe/http/target.h"

namespace rankveil::api {

struct ProbeService {
  std::unique_ptr<probe::HttpService> service;
  std::vector<probe::Field> hidden = {};
  std::vector<probe::ProbedField> sources = {};
  std::optional<probe::Field> control = {};
  std::vector<std::string> notes = {};
};

// The file's words, with those of flags before them.
Result<probe::HttpTarget> probe_target(const std::string& target, const probe::HttpTarget& told);

// Reads listings and files; writes nothing. Refuses a target of which no hidden field is known.
// `finds_fields`: false for a clean-up, which needs none.
Result<ProbeService> open_probe_service(const probe::HttpTarget& target, std::uint64_t budget,
                                        bool finds_fields = true);

}  // namespace rankveil::api
