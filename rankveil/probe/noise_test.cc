// A clean service with noise is not accused, and seldom leaves the probe blind.
//
// RANKVEIL_PROBE_RUNS says how many; the figures are printed.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "rankveil/probe/testing/probed.h"

namespace rankveil::probe {
namespace {

// Whichever noises a seed draws, alone and together.
StandInOptions noisy(std::uint64_t seed) {
  Rng rng(seed);
  StandInOptions options;
  options.seed = seed;
  options.rows = 30 + rng.below(170);
  options.order = static_cast<DefaultOrder>(rng.below(5));
  options.ties_by_chance = rng.below(2) == 0;
  options.two_slots = rng.below(3) == 0;
  options.shows_updated = rng.below(2) == 0;
  options.cache_seconds = rng.below(3) == 0 ? static_cast<double>(1 + rng.below(10)) : 0;
  options.every_nth_throttled =
      rng.below(3) == 0 ? 5 + static_cast<std::uint32_t>(rng.below(20)) : 0;
  options.fails = rng.below(3) == 0 ? 0.02 : 0;
  options.others_write = rng.below(3) == 0;
  options.refuses = rng.below(4) == 0;
  return options;
}

std::uint64_t runs_asked_for() {
  const char* runs = std::getenv("RANKVEIL_PROBE_RUNS");
  return runs == nullptr ? 20 : std::strtoull(runs, nullptr, 10);
}

struct Tally {
  std::uint64_t findings = 0;
  std::uint64_t blind = 0;
  std::uint64_t blind_runs = 0;
  std::uint64_t absent = 0;
  std::uint64_t requests = 0;
};

void count(Tally& tally, const ProbeReport& report, std::uint64_t seed) {
  for (const Verdict verdict : {Verdict::Leak, Verdict::Shown, Verdict::Declared}) {
    EXPECT_TRUE(found(report, verdict).empty()) << "seed " << seed << "\n" << told(report);
  }
  const std::size_t blind = found(report, Verdict::Blind).size();
  if (blind > 0 && std::getenv("RANKVEIL_PROBE_TELL") != nullptr) {
    fmt::print("seed {}\n{}", seed, told(report));
  }
  tally.findings += report.findings.size();
  tally.blind += blind;
  tally.blind_runs += blind > 0 ? 1 : 0;
  tally.absent += found(report, Verdict::Absent).size();
  tally.requests += report.requests;
}

TEST(Noise, IsNoLeakAndSeldomBlinds) {
  const std::uint64_t runs = runs_asked_for();
  Tally tally;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    auto options = probe_options(seed);
    options.fields = {hidden_income(), hidden_note()};
    count(tally, probed(noisy(seed), options), seed);
  }
  fmt::print("{} runs, {} findings: {} blind ({:.2f}%), in {} runs; {} absent; {} requests a run\n",
             runs, tally.findings, tally.blind,
             100.0 * static_cast<double>(tally.blind) / static_cast<double>(tally.findings),
             tally.blind_runs, tally.absent, tally.requests / runs);
  EXPECT_LE(50 * tally.blind, tally.findings);
  EXPECT_LE(50 * tally.blind_runs, std::max<std::uint64_t>(runs, 50));
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The same noise, and one leak in it. A way that takes the own row out of sight, or says more of
// it, is not tested (ABSENT) where the own row is seen by chance only; it is never cleared.
TEST(Noise, DoesNotClearALeak) {
  const std::uint64_t runs = runs_asked_for();
  std::uint64_t seen = 0;
  std::uint64_t not_tested = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    auto leaking = noisy(seed);
    const std::string way = StandIn::names_of_ways[seed % 20];  // all but "column"
    leaking.leaks = {way};
    const auto report = probed(leaking, probe_options(seed));
    const auto leaks = found(report, Verdict::Leak);
    EXPECT_LE(leaks.size(), 1U) << "seed " << seed << "\n" << told(report);
    EXPECT_FALSE(has(found(report, Verdict::Inert), "income " + way)) << "seed " << seed;
    EXPECT_FALSE(has(found(report, Verdict::Refused), "income " + way)) << "seed " << seed;
    seen += has(leaks, "income " + way) ? 1 : 0;
    const bool needs_sight = way == "not_equal" || way == "nested" || way == "cursor";
    const bool absent = has(found(report, Verdict::Absent), "income " + way);
    EXPECT_TRUE(!absent || needs_sight) << "seed " << seed << "\n" << told(report);
    not_tested += absent ? 1 : 0;
  }
  fmt::print("{} runs with one leak: {} found, {} not tested, 0 cleared\n", runs, seen, not_tested);
  EXPECT_GE(10 * seen, 9 * runs);
  EXPECT_GE(100 * (seen + not_tested), 99 * runs);
}

}  // namespace
}  // namespace rankveil::probe
