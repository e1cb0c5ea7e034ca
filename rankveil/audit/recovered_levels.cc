#include "rankveil/audit/recovered_levels.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/audit/recovered_profiles.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

std::string as_unprotected(const AuditTask& task) {
  std::string text = "The target shows no profiles, and answers as if it were not protected";
  if (task.mechanism) {
    text += fmt::format(": {} with l = {} is declared, and moved nothing",
                        task.mechanism->demand.scheme, task.mechanism->demand.l);
  }
  return text +
         ". What attacks recover is the value itself, so levels that start from profiles are left "
         "out.";
}

std::string what_was_recovered(const RecoveredProfiles& recovered, std::size_t victims) {
  std::string text =
      fmt::format("The target shows no profiles; attacks recovered those of {} of {} wholly",
                  grouped(recovered.wholly), counted(victims, "victim"));
  if (recovered.partly > 0) text += fmt::format(", of {} in part", grouped(recovered.partly));
  text += fmt::format("; of all victims {} never seen. ",
                      recovered.hidden == 1 ? "1 was" : grouped(recovered.hidden) + " were");
  return text + "What was not recovered is guessed by public values, and counts.";
}

// Whether a row of the declared scheme can show this: what laws, which ask how likely a profile
// makes a value, take for granted.
bool has_shape(const Demand& demand, const Strengths& shown, std::uint32_t domain) {
  if (demand.scheme == "drop") return shown.empty();
  if (demand.scheme == "rr") return shown.size() <= 1;
  if (demand.scheme == "random") return shown.size() == std::min(demand.l, domain);
  return true;
}

// Victims that show what no row of the declared scheme shows.
std::uint64_t misshapen(const AuditTask& task, const RecoveredProfiles& recovered) {
  const Schema& schema = task.truth.schema();
  std::uint64_t count = 0;
  for (std::uint32_t row = 0; row < task.truth.rows(); ++row) {
    bool is = false;
    for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
      if (recovered.sight.known[j][row] == 0) continue;
      std::uint32_t domain = schema.attributes[schema.public_count() + j].domain.size();
      Strengths shown;
      for (std::uint32_t v = 0; v < domain; ++v) {
        double strength = recovered.profiles.match(RowId{row}, PrivateId{j},
                                                   ValueId{static_cast<std::uint16_t>(v)});
        if (strength > 0) shown.emplace_back(v, strength);
      }
      is |= !has_shape(task.mechanism->demand, shown, domain);
    }
    count += is ? 1 : 0;
  }
  return count;
}

// Why levels cannot start from what was recovered; empty: they can.
std::string objection(const AuditTask& task, const RecoveredProfiles& recovered) {
  if (recovered.contradicted > 0) {
    return fmt::format(
        "the answers about {} fit no ranking of the kind that the others seem to be of",
        counted(recovered.contradicted, "victim"));
  }
  if (!task.mechanism) return {};
  std::uint64_t against = std::max(recovered.impossible, misshapen(task, recovered));
  if (against == 0) return {};
  return fmt::format(
      "what was proven of {} is nothing that {} with l = {} shows; declare scheme, l and workload "
      "as the ranking has them",
      counted(against, "victim"), task.mechanism->demand.scheme, task.mechanism->demand.l);
}

// Of one victim, in all campaigns.
struct Costs {
  double queries = 0;
  double inserts = 0;
};

Costs costs_of(std::span<const Campaign> campaigns) {
  Costs costs;
  for (const Campaign& campaign : campaigns) {
    auto victims = static_cast<double>(std::max<std::size_t>(campaign.victims.size(), 1));
    for (const Attacked& attacked : campaign.victims) {
      costs.queries += static_cast<double>(attacked.queries) / victims;
      costs.inserts += static_cast<double>(attacked.inserts) / victims;
    }
  }
  return costs;
}

bool knew_the_mechanism(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    AdversaryLevel level = level_of(finding.level);
    return level == AdversaryLevel::MechanismAware || level == AdversaryLevel::BayesianJoint;
  });
}

}  // namespace

Result<RecoveredJudgement> judge_recovered(const AuditTask& task,
                                           std::span<const Campaign> campaigns,
                                           const std::vector<std::string>& levels,
                                           std::span<const double> beliefs) {
  RecoveredJudgement made;
  if (task.arena.is_unprotected()) {
    made.notes.push_back(as_unprotected(task));
    return made;
  }
  PossibleProfiles possible;
  if (task.mechanism) {
    auto simulated = PossibleProfiles::of_scheme(task.truth, *task.mechanism, task.threads);
    if (!simulated) return simulated.error();
    possible = *std::move(simulated);
  }
  RecoveredProfiles recovered = recovered_profiles(campaigns, task.arena, possible);
  if (std::string reason = objection(task, recovered); !reason.empty()) {
    made.notes.push_back("Levels that start from profiles were left out: " + reason + ".");
    return made;
  }
  made.notes.push_back(what_was_recovered(recovered, campaigns.front().victims.size()));
  Observed observed{.table = task.truth,
                    .profiles = recovered.profiles,
                    .mechanism = task.mechanism,
                    .population = task.population,
                    .others = task.other_releases,
                    .other_rows = task.other_rows,
                    .sight = &recovered.sight,
                    .not_sensitive = task.subject.not_sensitive};
  auto judgement = judge_profiles(
      observed, {.levels = levels, .threads = task.threads, .progress = task.progress});
  if (!judgement) return judgement.error();
  Costs costs = costs_of(campaigns);
  for (Finding& finding : judgement->findings) {
    bool all = finding.attribute == "all";
    finding.hidden = recovered.hidden * (all ? task.truth.schema().private_count() : 1);
    finding.queries = costs.queries;
    finding.inserts = costs.inserts;
  }
  made.findings = std::move(judgement->findings);
  made.notes.insert(made.notes.end(), judgement->notes.begin(), judgement->notes.end());
  if (!knew_the_mechanism(made.findings)) return made;
  auto curve = informed_curve(observed, beliefs);
  if (!curve) return curve.error();
  made.informed = *std::move(curve);
  return made;
}

}  // namespace rankveil::audit
