// From a target's description to a target that can be attacked.
//
//   auto config = read_target("ranking.toml");
//   auto target = open_target(*config, schema, table.names(), {.k = 100, .log =
//   "campaign.ndjson"}); for each victim: run("q-in", {.target = **target, ...});
//   (*target)->restart();
//
// With a log, everything asked and answered is appended to a file. The same campaign, started again
// with the same log, gets those answers from the file and goes on from there: the result is that of
// a campaign that was never interrupted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rankveil/attack/index_target.h"
#include "rankveil/attack/targets/config.h"
#include "rankveil/attack/targets/live_target.h"
#include "rankveil/base/clock.h"

namespace rankveil::attack {

struct TargetOptions {
  std::uint32_t k = 10;
  // Targets on other machines, too. Without it only loopback addresses and sockets are talked to.
  bool allow_remote = false;
  std::string log = {};           // path of the campaign log; empty: none
  MakeProfile make_profile = {};  // for an index; without one it takes no inserts
  Clock* clock = nullptr;         // for waits; null: the machine's
};

// `names` are the ids of the adversary's public table, row by row. Templates are checked here:
// every attribute of the schema must have its place in them.
Result<std::unique_ptr<LiveTarget>> open_target(const TargetConfig& config, const Schema& schema,
                                                const RowNames& names,
                                                const TargetOptions& options);

}  // namespace rankveil::attack
