// What is ready to be probed: who asks and writes, and what is hidden.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rankveil/probe/evidence/probe_result.h"
#include "rankveil/probe/http/service.h"
#include "rankveil/probe/http/target.h"
#include "rankveil/probe/sql/service.h"

namespace rankveil::api {

struct ProbeService {
  // One of both.
  std::unique_ptr<probe::HttpService> http = {};
  std::optional<probe::SqlService> sql = {};
  std::string name = {};  // what reports and journals call it: an address, or a role and its table
  std::string dialect = {};
  std::vector<std::string> run_with = {};
  std::uint64_t spent = 0;   // requests so far
  std::uint64_t budget = 0;  // that a probe may spend
  std::uint64_t rows = 0;    // of the listing; 0: it does not say
  std::uint64_t page = 0;    // rows in an answer
  std::string no_row = {};   // why no row of one's own can be made; empty: one can
  std::vector<probe::Field> hidden = {};
  std::vector<probe::ProbedField> sources = {};
  std::optional<probe::Field> control = {};
  std::vector<std::string> notes = {};

  probe::Asker& asker();
  probe::Writer* writer();  // null: nobody may write
};

// The file's words, with those of flags before them.
Result<probe::HttpTarget> probe_target(const std::string& target, const probe::HttpTarget& told);

// Reads listings, files and catalogues; writes nothing. Refuses a target of which no hidden field
// is known.
Result<ProbeService> open_probe_service(const probe::HttpTarget& target, std::uint64_t budget);

}  // namespace rankveil::api
