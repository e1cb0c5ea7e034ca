#include "rankveil/audit/checks.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/audit/adding.h"
#include "rankveil/audit/check.h"
#include "rankveil/audit/fits.h"
#include "rankveil/audit/repeats.h"
#include "rankveil/audit/tie_order.h"
#include "rankveil/audit/trained.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

namespace {

class Checks {
 public:
  Checks(const AuditTask& task, const std::optional<Finding>& insider)
      : task_(task), insider_(insider) {}

  Result<Checked> run() {
    for (auto step : {&Checks::fits, &Checks::repeats, &Checks::ties, &Checks::adding,
                      &Checks::trained, &Checks::planted}) {
      if (auto done = (this->*step)(); !done) return done.error();
    }
    return std::move(made_);
  }

 private:
  bool is_asked(std::string_view name) const {
    return task_.levels.empty() ||
           std::find(task_.levels.begin(), task_.levels.end(), name) != task_.levels.end();
  }

  // Whether there is something in the way of a check that is asked for; notes it.
  bool is_blocked(std::string_view name, std::string_view obstacle) {
    if (!is_asked(name)) return true;
    if (obstacle.empty()) return false;
    made_.notes.push_back(fmt::format("{} was left out: {}.", name, obstacle));
    return true;
  }

  void add(std::vector<Finding> findings) {
    for (Finding& finding : findings) made_.findings.push_back(std::move(finding));
  }

  Observed observed() const {
    return {.table = task_.truth,
            .profiles = *task_.profiles,
            .mechanism = task_.mechanism,
            .not_sensitive = task_.subject.not_sensitive};
  }
  std::string_view no_profiles() const {
    return task_.profiles == nullptr ? "the target shows no profiles" : "";
  }
  std::string_view no_mechanism() const {
    bool known = task_.mechanism && find_scheme(task_.mechanism->demand.scheme) != nullptr;
    return known ? "" : "the scheme is not known";
  }

  Status fits() {
    std::string_view obstacle = no_profiles().empty() ? no_mechanism() : no_profiles();
    if (!is_blocked("fits", obstacle)) add(check_fits(observed()));
    return {};
  }

  Status repeats() {
    if (is_blocked("repeats", "")) return {};
    auto answers = check_answers(task_.arena, task_.seed);
    if (!answers) return answers.error();
    // Answers, releases and shares are one check with one verdict: what is wrong first tells.
    Finding all = *std::move(answers);
    for (std::size_t i = 0; i < task_.other_releases.size(); ++i) {
      if (task_.profiles == nullptr) break;
      const Profiles& other = *task_.other_releases[i];
      const RowNames& names = task_.truth.names();
      std::vector<std::uint8_t> there;
      if (i < task_.other_rows.size()) there = task_.other_rows[i];
      join(check_builds(names, other, *task_.profiles, there), all);
      join(check_shares(names, other, *task_.profiles, task_.min_group, there), all);
    }
    made_.findings.push_back(std::move(all));
    return {};
  }

  static void join(Finding more, Finding& all) {
    all.attempts += more.attempts;
    if (all.evidence.empty()) all.evidence = std::move(more.evidence);
    fill_rate(all);
  }

  Status ties() {
    if (is_blocked("ties", "")) return {};
    auto found = check_ties(task_.arena, task_.truth, task_.seed);
    if (!found) return found.error();
    if (found->empty()) is_blocked("ties", "no two rows have the same public values");
    add(*std::move(found));
    return {};
  }

  Status adding() {
    if (is_blocked("adding", no_profiles())) return {};
    auto found = judge_adding(observed(), task_.known, task_.seed, task_.threads);
    if (found.empty()) is_blocked("adding", "no public column has values that few rows share");
    add(std::move(found));
    return {};
  }

  Status trained() {
    if (!is_blocked("trained", no_profiles())) {
      add(judge_trained(observed(), task_.seed, task_.threads, insider_));
    }
    return {};
  }

  Status planted() {
    std::string_view obstacle = no_profiles().empty() ? no_mechanism() : no_profiles();
    if (obstacle.empty() && !minds_planted_rows(*task_.mechanism)) {
      obstacle =
          "the policy does not say which rows are established, or the scheme takes no cover from "
          "others, so nothing is promised about rows that somebody plants";
    }
    if (is_blocked("planted", obstacle)) return {};
    Rebuild rebuild = task_.rebuild ? task_.rebuild
                                    : declared_rebuild(*task_.mechanism, task_.seed, task_.threads);
    auto found = judge_planted(task_.truth, *task_.mechanism, rebuild);
    if (!found) return found.error();
    add(*std::move(found));
    return {};
  }

  const AuditTask& task_;
  const std::optional<Finding>& insider_;
  Checked made_;
};

}  // namespace

Result<Checked> run_checks(const AuditTask& task, const std::optional<Finding>& insider) {
  return Checks(task, insider).run();
}

}  // namespace rankveil::audit
