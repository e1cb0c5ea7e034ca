// A probe of a stand-in, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rankveil/base/testing/temporary_folder.h"
#include "rankveil/probe/probe.h"
#include "rankveil/probe/testing/stand_in.h"

namespace rankveil::probe {

inline Field hidden_income() { return {"income", FieldType::Number}; }
inline Field hidden_note() { return {"note", FieldType::Text}; }
inline Field public_name() { return {"name", FieldType::Text}; }

inline ProbeOptions probe_options(std::uint64_t seed) {
  ProbeOptions options;
  options.fields = {hidden_income()};
  options.control = public_name();
  options.budget = 5000;
  options.seed = seed * 0x9e3779b97f4a7c15U;
  return options;
}

// Runs it with a journal of its own.
inline ProbeReport probed(StandIn& service, FakeClock& clock, const ProbeOptions& options) {
  TemporaryFolder folder("rankveil-probe");
  auto journal = Journal::create(folder.path("journal"), "stand-in");
  EXPECT_TRUE(journal) << journal.error().message;
  auto report = probe(service, service, *journal, options, clock);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : ProbeReport{};
}

inline ProbeReport probed(StandInOptions options, const ProbeOptions& asked) {
  FakeClock clock;
  StandIn service(std::move(options), clock);
  return probed(service, clock, asked);
}

// "income sort" of all findings with this verdict.
inline std::vector<std::string> found(const ProbeReport& report, Verdict verdict) {
  std::vector<std::string> names;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == verdict) names.push_back(finding.field + " " + finding.way.name);
  }
  return names;
}

// A line for each finding.
inline std::string told(const ProbeReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += finding.field + " " + finding.way.name + ": " + std::string(to_text(finding.verdict)) +
            ": " + finding.reason + "\n";
  }
  return text;
}

}  // namespace rankveil::probe
