// Sound defenses, audited with many seeds: alarms stay within the rate that is stated.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "audited.h"
#include "rankveil/audit/testing/small_ranking.h"
#include "rankveil/table/people/people.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;

constexpr std::uint64_t seeds_each = 20;
constexpr double stated = 0.05;  // of audits

Table people(std::uint64_t seed) {
  return *generate_people({.rows = 1000, .attributes = 6, .seed = seed});
}

void say(const AuditReport& report, const char* scheme, std::uint64_t seed) {
  for (const Finding& finding : report.findings) {
    if (finding.verdict != Verdict::Broken) continue;
    fmt::print("{}, seed {}: {}, {} as {}: {}\n", scheme, seed, finding.attribute, finding.method,
               finding.level, finding.reason);
  }
}

template <typename MakeTable>
void expect_few_alarms(const std::vector<const char*>& schemes, MakeTable make_table) {
  std::uint64_t audits = 0, alarms = 0;
  for (const char* scheme : schemes) {
    for (std::uint64_t seed = 1; seed <= seeds_each; ++seed) {
      Table table = make_table(seed);
      Mechanism mechanism = declared(scheme, 2 + static_cast<std::uint32_t>(seed % 3));
      Profiles profiles = protected_profiles(table, mechanism, seed);
      AuditReport report = audit_of({table, mechanism, std::move(profiles)}, seed);
      ++audits;
      if (report.overall() != Verdict::Broken) continue;
      ++alarms;
      say(report, scheme, seed);
    }
  }
  fmt::print("false alarms: {} of {} audits; up to {:.0f}% are stated\n", alarms, audits,
             100 * stated);
  EXPECT_LE(static_cast<double>(alarms), stated * static_cast<double>(audits));
}

TEST(FalseAlarms, AreRareWhereValuesAreIndependent) {
  expect_few_alarms({"swap", "swap-exact", "cluster", "capped", "ldp", "drop"},
                    [](std::uint64_t seed) { return small_table(800, seed + 500); });
}

// Circles of people with different public values are not sound here (mutants_test).
TEST(FalseAlarms, AreRareWhereValuesAreSkewedAndHangTogether) {
  expect_few_alarms({"cluster", "capped", "ldp", "drop"}, people);
}

}  // namespace
}  // namespace rankveil::audit
