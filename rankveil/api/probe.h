// Whether anything public depends on a hidden field of a service.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/probe/evidence/probe_result.h"
#include "rankveil/probe/http/target.h"
#include "rankveil/probe/own_rows.h"

namespace rankveil::api {

struct ProbeRequest {
  std::string target;              // an address, or a target file (.toml)
  probe::HttpTarget told = {};     // what flags say; goes before what the file says
  bool write = false;              // an own row is made, or `told.rows` are changed
  bool all = false;                // goes on after the first proof of a way
  bool demonstrate = false;        // recovers a few values of a number that leaks
  std::uint64_t values = 200'000;  // that a hidden number may have, for what a leak is worth
  std::uint64_t budget = 3000;
  std::uint32_t repetitions = 3;
  double patience = 30;
  std::optional<std::uint64_t> seed = {};
  std::string journal = {};  // empty: a name of its own, in this folder
  std::string baseline = {};
  std::string write_baseline = {};
  std::string output = {};  // JSON
  std::string junit = {};
  std::string sarif = {};
  std::string html = {};
  Progress progress = {};
  const std::atomic<bool>* stop = nullptr;
};

Result<probe::ProbeResult> run_probe(const ProbeRequest& request);

// Takes back what a journal says is left, of a probe that was not able to.
Result<probe::Cleaned> clean_up_probe(const ProbeRequest& request, const std::string& journal);

struct ProbeReplay {
  probe::EarlierReport report;
  probe::ProbeResult result;    // of the same fields under the same ways
  std::size_t still_leaks = 0;  // of those that leaked then
};
// Asks again what a report says leaks, in the same way.
Result<ProbeReplay> replay_probe(const ProbeRequest& request, const std::string& report);
Json to_json(const ProbeReplay& replay);
// Whether the file is a report of a probe, and not of an audit.
bool is_report_of_probe(const std::string& path);

}  // namespace rankveil::api
