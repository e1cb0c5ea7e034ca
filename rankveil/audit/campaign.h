// One attack on many victims, each from scratch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rankveil/attack/method.h"
#include "rankveil/audit/arena.h"
#include "rankveil/audit/audit_report.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/stop.h"

namespace rankveil::audit {

// What the answers say about one private attribute of one victim.
struct Recovered {
  // Values that the row may have; missing_value stands for none, where rows without one exist.
  std::vector<ValueId> candidates;
  std::vector<double> weights;  // of these, adding up to 1: how strongly it matches each
  std::vector<attack::Strength> strengths = {};  // by value: what the answers prove of each
  bool proven = false;                           // one value is left, and the answers prove it
  std::uint64_t queries = 0;                     // asked about this victim until then
};

struct Attacked {
  std::uint32_t victim = 0;
  bool seen = false;          // it was in some answer
  bool contradicted = false;  // answers do not fit what is believed about the defense
  std::uint64_t queries = 0;
  std::uint64_t inserts = 0;
  std::vector<Recovered> attributes = {};  // by private attribute
};

struct Campaign {
  std::string method;
  std::vector<Attacked> victims;
  std::size_t left = 0;  // victims that were not attacked, because the audit was to stop
};

class CampaignLog;

struct CampaignOptions {
  attack::Budget budget = {};                    // a victim
  std::vector<std::vector<double>> priors = {};  // what is asked first; see attack::Request
  Progress progress = {};
  Stop stop = {};              // asked before each victim
  CampaignLog* log = nullptr;  // what was done before is read from it, what is done now written
  std::string name = "after";  // of the campaign, in the log
};

// `count` different rows, drawn by the seed, in ascending order; all when there are fewer.
std::vector<std::uint32_t> draw_victims(std::uint32_t rows, std::uint64_t count,
                                        std::uint64_t seed);

// The methods that an arena allows, of these names ("all": every one, but of two that come
// to the same here one). Refuses a name that is no
// method, and one that does not work there.
Result<std::vector<const attack::Method*>> choose_methods(const Arena& arena,
                                                          std::span<const std::string> names);

// The result does not depend on the number of threads. An error: the target failed. Told to stop,
// it ends with the victims under way; which ones are left is then a matter of luck, not of their
// place in the table.
Result<Campaign> run_campaign(const Arena& arena, const attack::Method& method,
                              std::span<const std::uint32_t> victims,
                              const CampaignOptions& options);

// Reads an attack's report.
Attacked attacked(const Arena& arena, std::uint32_t victim, const attack::Report& report);

// Values proven against queries asked. What is proven and not true is not counted.
Curve curve_of(const Campaign& campaign, const Table& truth, const std::string& name);

}  // namespace rankveil::audit
