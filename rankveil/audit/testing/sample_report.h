// For tests: a report with everything in it, of an audit that nobody ran.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/verdict.h"

namespace rankveil::audit {

inline Finding sample_finding(std::string attribute, std::string method, std::string level,
                              double rate, double prior, double gain) {
  Finding made;
  made.attribute = std::move(attribute);
  made.method = std::move(method);
  made.level = std::move(level);
  made.attempts = made.method == profiles_method ? 20000 : 1000;
  made.right = std::round(rate * static_cast<double>(made.attempts));
  made.prior = prior;
  made.gain = gain;
  made.certain = gain > 0.99 ? 0.12 : 0;
  made.candidates = 1 + 3 * (1 - rate);
  made.hidden = 3;
  if (made.method != profiles_method && made.method != "none") {
    made.queries = 24.5;
    made.inserts = made.method.starts_with("qi") ? 1 : 0;
    made.proven = gain > 0.99 ? 120 : 0;
  }
  if (!made.level.starts_with("prior")) made.promise = {PromiseKind::GainAtMost, 1.0 / 3};
  fill_rate(made);
  judge(made, {.comparisons = 60});
  return made;
}

// `leak` is how far the strongest level gets, 0 to 1: below 1/3 the promise is kept.
inline void add_sample_findings(AuditReport& report, const std::string& attribute, double prior,
                                double leak) {
  auto add = [&](const char* method, const char* level, double part) {
    const double gain = leak * part;
    report.findings.push_back(
        sample_finding(attribute, method, level, prior + (1 - prior) * gain * 0.8, prior, gain));
  };
  add("none", "prior-public", 0);
  for (const char* method : {"q-in", "qi-in"}) add(method, "ignorant", 0.35);
  add("qi-in", "knowledgeable", 0.45);
  double part = 0.3;
  for (const char* level : {"ignorant", "knowledgeable", "mechanism-table", "mechanism-public",
                            "joint", "joint-balanced", "bayesian-joint"}) {
    add(profiles_method, level, part);
    part = std::min(1.0, part + 0.12);
  }
}

inline Transcript sample_transcript() {
  Transcript transcript{.victim = "p-0417",
                        .attribute = "religion",
                        .value = "buddhism",
                        .method = "qi-in",
                        .recorded = 31,
                        .confirmed = true};
  transcript.steps = {
      {.query = Json().set("city", "Paris").set("age", "30-39"),
       .answer = {"p-0032", "p-0417", "p-0551", "p-0872"},
       .why = "bring the victim into view"},
      {.is_insert = true,
       .row = {"Paris", "30-39", "buddhism", std::nullopt},
       .why = "a row of our own just below the victim"},
      {.query = Json()
                    .set("city", "Paris")
                    .set("religion", Json::Array{Json("buddhism"), Json("hinduism")}),
       .answer = {"p-0417", "+1", "p-0032"},
       .why = "halve the values that are left"},
      {.query = Json().set("city", "Paris").set("religion", "buddhism"),
       .answer = {"p-0417", "+1"},
       .why = "only this value keeps the victim above"}};
  return transcript;
}

inline Curve sample_curve(std::string name, std::string method, double most) {
  Curve curve{std::move(name), std::move(method), 1000, {}};
  for (double queries = 1; queries <= 64; queries *= 2) {
    curve.points.push_back({queries, most * queries / (queries + 6)});
  }
  return curve;
}

inline AuditReport sample_report() {
  AuditReport report;
  report.subject = {.target = "people.rankveil",
                    .target_kind = "index",
                    .table = "people.csv",
                    .policy = "policy.toml",
                    .fingerprint = "9f3c2a7be01d4c58",
                    .rows = 20000,
                    .public_attributes = {"city", "age"},
                    .private_attributes = {"religion", "smokes", "diet"},
                    .scheme = "pvst",
                    .l = 3,
                    .promise = {PromiseKind::GainAtMost, 1.0 / 3},
                    .against = {AdversaryLevel::Ignorant, AdversaryLevel::BayesianJoint},
                    .holds_against = {AdversaryLevel::Ignorant}};
  report.settings = {.victims = 1000,
                     .methods = {"q-in", "qi-in"},
                     .k = 100,
                     .seed = 1,
                     .query_budget = 500,
                     .inserts = true,
                     .version = "0.1.0",
                     .compiler = "GCC 12.2.0"};
  add_sample_findings(report, "religion", 0.41, 1);
  add_sample_findings(report, "smokes", 0.72, 0.31);
  add_sample_findings(report, "diet", 0.35, 0.55);
  add_sample_findings(report, "all", 0.49, 1);
  report.comparisons = 60;
  report.control = {.planted = 50,
                    .attempts = 150,
                    .recovered = 41,
                    .note = "The target hides values, so that not all come back."};
  for (const Finding& finding : report.findings) {
    if (finding.method == profiles_method || finding.promise.kind == PromiseKind::None) continue;
    report.power.push_back({finding.attribute, finding.method, finding.level, finding.attempts,
                            allowed_rate(finding.promise, finding.prior),
                            critical_right(finding, report.comparisons),
                            smallest_leak(finding, report.comparisons)});
  }
  report.transcript = sample_transcript();
  for (const char* method : {"q-in", "qi-in"}) {
    report.curves.push_back(sample_curve("before", method, 1));
    report.curves.push_back(sample_curve("after", method, 0.14));
  }
  for (double belief : {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}) {
    report.informed.push_back({belief, 4 * belief / (4 * belief + 1 - belief),
                               1.6 * belief / (1.6 * belief + 1 - belief)});
  }
  report.notes = {"Level population was left out: there is no other table of the same people."};
  report.failures = {"religion is broken by joint (profiles)"};
  report.seconds = 12.4;
  return report;
}

}  // namespace rankveil::audit
