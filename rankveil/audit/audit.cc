#include "rankveil/audit/audit.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/check.h"
#include "rankveil/audit/checks.h"
#include "rankveil/audit/control.h"
#include "rankveil/audit/effect/effect_check.h"
#include "rankveil/audit/guesses.h"
#include "rankveil/audit/judged.h"
#include "rankveil/audit/recovered_levels.h"
#include "rankveil/audit/sort/sort_audit.h"
#include "rankveil/audit/transcript.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/utility/measure.h"

namespace rankveil::audit {

namespace {

constexpr std::array beliefs = {0.01, 0.05, 0.1, 0.2, 0.3,  0.4, 0.5,
                                0.6,  0.7,  0.8, 0.9, 0.95, 0.99};

// An audit under way.
class Audit {
 public:
  explicit Audit(const AuditTask& task)
      : task_(task),
        priors_(task.truth, task.ladder, task.min_group,
                SparedValues(task.truth.schema(), task.subject.not_sensitive)) {
    report_.subject = task.subject;
    options_.budget = task.budget;
    options_.priors = priors_.overall();
    options_.progress = task.progress;
    options_.stop = task.stop;
    options_.log = task.log;
  }

  Result<AuditReport> run() {
    Stopwatch watch;
    auto methods = choose_methods(task_.arena, task_.methods);
    if (!methods) return methods.error();
    methods_ = *std::move(methods);
    report_.effects = task_.refused;
    if (task_.truth.schema().private_count() == 0) return nothing_to_ask();
    victims_ = draw_victims(task_.truth.rows(), task_.victims, task_.seed);
    fill_settings();
    for (auto step : {&Audit::see_effects, &Audit::read_profiles, &Audit::check_profiles,
                      &Audit::attack, &Audit::judge_what_attacks_recovered, &Audit::check_answers,
                      &Audit::control, &Audit::compare, &Audit::find_transcript,
                      &Audit::see_answers, &Audit::guess_from_public}) {
      if (auto done = (this->*step)(); !done) return done.error();
    }
    note_what_is_spared();
    judge_findings(report_);
    report_.seconds = watch.seconds();
    return std::move(report_);
  }

 private:
  // Every private attribute is refused.
  AuditReport nothing_to_ask() {
    methods_.clear();
    fill_settings();
    report_.control.note = "Nothing private can be asked for, so there is no control.";
    return std::move(report_);
  }

  void fill_settings() {
    Settings& settings = report_.settings;
    settings.victims = victims_.size();
    for (const attack::Method* method : methods_) settings.methods.emplace_back(method->name);
    settings.k = task_.arena.knowledge.k;
    settings.seed = task_.seed;
    settings.query_budget = task_.budget.queries == UINT64_MAX ? 0 : task_.budget.queries;
    settings.insert_budget = task_.budget.inserts == UINT64_MAX ? 0 : task_.budget.inserts;
    settings.inserts = task_.arena.takes_inserts;
  }

  void note(std::string sentence) { report_.notes.push_back(std::move(sentence)); }

  void note_what_is_spared() {
    if (task_.subject.not_sensitive.empty()) return;
    note(
        fmt::format("Declared not sensitive: {}. No guess names these values, and no gain is about "
                    "them; the promise is about all others.",
                    to_text(task_.subject.not_sensitive)));
  }

  void add(std::vector<Finding> findings) {
    for (Finding& finding : findings) report_.findings.push_back(std::move(finding));
  }

  // A ranking in this process does what it says.
  Status see_effects() {
    if (!task_.subject.live) return {};
    report(task_.progress, "looking whether wishes act", 0);
    auto seen = check_effects(task_.arena, task_.truth, task_.seed);
    if (!seen) return seen.error();
    seen_ = *std::move(seen);
    return {};
  }

  Status see_answers() {
    if (!task_.subject.live) return {};
    auto done = check_still_answered(task_.arena, seen_);
    report_.effects.insert(report_.effects.end(), seen_.effects.begin(), seen_.effects.end());
    return done;
  }

  Status attack() {
    if (task_.profiles == nullptr) add(baselines(victims_, task_.truth, priors_));
    for (const attack::Method* method : methods_) {
      auto campaign = run_campaign(task_.arena, *method, victims_, options_);
      if (!campaign) return campaign.error();
      note_what_is_left(*campaign);
      if (campaign->victims.empty() && campaign->left > 0) continue;
      add(findings_of(*campaign, task_.arena, task_.truth, priors_));
      report_.curves.push_back(curve_of(*campaign, task_.truth, "after"));
      warn_about(*campaign);
      campaigns_.push_back(*std::move(campaign));
    }
    return is_a_ranking();
  }

  // Of the first attack that was stopped.
  void note_what_is_left(const Campaign& campaign) {
    if (campaign.left == 0 || !report_.incomplete.empty()) return;
    report_.incomplete = fmt::format("{} was stopped after {} of {}", campaign.method,
                                     grouped(campaign.victims.size()),
                                     counted(campaign.victims.size() + campaign.left, "victim"));
  }

  bool is_stopped() {
    if (report_.incomplete.empty() && told_to(task_.stop)) {
      report_.incomplete = "what comes after the attacks was left out";
    }
    return !report_.incomplete.empty();
  }

  // Attacks that understand no answer would find nothing in the worst of rankings.
  Status is_a_ranking() const {
    if (task_.profiles != nullptr || campaigns_.empty() || victims_.empty()) return {};
    for (const Campaign& campaign : campaigns_) {
      for (const Attacked& attacked : campaign.victims) {
        if (!attacked.contradicted) return {};
      }
    }
    std::string seen = not_tested_because(seen_.effects, "all");
    return bad_input(fmt::format(
        "the answers about every victim contradict each other, so this audit would find nothing; "
        "does the target rank by the policy's attributes, weights and categories (bins), best "
        "first?{}{}",
        seen.empty() ? "" : " Of its answers: ", seen));
  }

  void warn_about(const Campaign& campaign) {
    auto contradicted = static_cast<std::uint64_t>(
        std::count_if(campaign.victims.begin(), campaign.victims.end(),
                      [](const Attacked& attacked) { return attacked.contradicted; }));
    if (contradicted > 0) {
      note(
          fmt::format("{}: for {} the answers contradict what is believed about the defense, and "
                      "prove nothing.",
                      campaign.method, counted(contradicted, "victim")));
    }
    for (std::uint32_t j = 0; j < task_.truth.schema().private_count(); ++j) {
      warn_about_proofs(campaign, PrivateId{j});
    }
  }

  void warn_about_proofs(const Campaign& campaign, PrivateId attribute) {
    const Proofs proofs = proofs_of(campaign, attribute, task_.truth, priors_);
    if (proofs.wrong == 0) return;
    note(fmt::format(
        "{}: of {} of {} that it takes for proven, {} wrong, so what is believed about the defense "
        "does not hold. They count as guesses, and {}.",
        campaign.method, counted(proofs.right + proofs.wrong, "value"),
        private_name(task_.truth, +attribute),
        proofs.wrong == 1 ? "1 is" : grouped(proofs.wrong) + " are",
        proofs.gain > 0
            ? fmt::format("so many are right that a gain of {:.3f} is no luck", proofs.gain)
            : "no more are right than luck explains"));
  }

  // Of levels that start from profiles; nothing: no such level was asked for.
  std::optional<std::vector<std::string>> profile_levels() const {
    std::vector<std::string> levels = task_.levels;
    std::erase_if(levels, is_check_name);
    if (levels.empty() && !task_.levels.empty()) return std::nullopt;
    return levels;
  }

  Status read_profiles() {
    auto levels = profile_levels();
    if (!levels || task_.profiles == nullptr) return {};
    Observed observed{.table = task_.truth,
                      .profiles = *task_.profiles,
                      .mechanism = task_.mechanism,
                      .population = task_.population,
                      .others = task_.other_releases,
                      .other_rows = task_.other_rows,
                      .not_sensitive = task_.subject.not_sensitive,
                      .sensitive_sets = task_.sensitive_sets};
    auto judgement = judge_profiles(observed, {.levels = *std::move(levels),
                                               .threads = task_.threads,
                                               .progress = task_.progress,
                                               .seed = task_.seed});
    if (!judgement) return judgement.error();
    add(std::move(judgement->findings));
    notes_of_profiles_ = std::move(judgement->notes);
    insider_ = std::move(judgement->insider);
    if (!task_.mechanism) return {};
    auto curve = informed_curve(observed, beliefs);
    if (!curve) return curve.error();
    report_.informed = *std::move(curve);
    return {};
  }

  Status judge_what_attacks_recovered() {
    for (std::string& sentence : notes_of_profiles_) note(std::move(sentence));
    auto levels = profile_levels();
    if (!levels || task_.profiles != nullptr || is_stopped()) return {};
    auto judgement = judge_recovered(task_, campaigns_, *levels, beliefs);
    if (!judgement) return judgement.error();
    add(std::move(judgement->findings));
    for (std::string& sentence : judgement->notes) note(std::move(sentence));
    report_.informed = std::move(judgement->informed);
    return {};
  }

  Status guess_from_public() {
    report(task_.progress, "guessing from public values", 0);
    report_.public_priors = public_priors_of(task_.truth, task_.threads, task_.person);
    return {};
  }

  // What profiles decide comes before attacks, which may be stopped; in the report it comes behind.
  Status check_profiles() { return task_.profiles == nullptr ? Status{} : run_all_checks(); }

  Status check_answers() {
    if (task_.profiles == nullptr && !is_stopped()) {
      if (auto done = run_all_checks(); !done) return done;
    }
    add(std::move(checked_.findings));
    for (std::string& sentence : checked_.notes) note(std::move(sentence));
    return {};
  }

  Status run_all_checks() {
    report(task_.progress, "checking", 0);
    auto checked = run_checks(task_, insider_);
    if (!checked) return checked.error();
    checked_ = *std::move(checked);
    return {};
  }

  Status control() {
    if (is_stopped()) {
      report_.control.note = "The audit was stopped before rows were planted as a control.";
      return {};
    }
    auto control = run_control(task_.arena, methods_, task_.canaries, task_.seed, options_);
    if (!control) return control.error();
    report_.control = *std::move(control);
    return {};
  }

  // The same table, unprotected, under the same attacks.
  Status compare() {
    if (task_.arena.is_unprotected() || task_.victims_before == 0 || is_stopped()) return {};
    Index index = utility::true_ranking(task_.truth);
    Profiles profiles = unprotected_profiles(task_.truth);
    Arena before = index_arena(index, profiles, task_.truth, {}, task_.arena.knowledge.k);
    before.threads = task_.threads;
    auto victims =
        draw_victims(task_.truth.rows(),
                     std::min<std::uint64_t>(task_.victims_before, task_.victims), task_.seed);
    CampaignOptions options = options_;
    options.name = "before";
    for (const attack::Method* method : methods_) {
      auto campaign = run_campaign(before, *method, victims, options);
      if (!campaign) return campaign.error();
      report_.curves.push_back(curve_of(*campaign, task_.truth, "before"));
    }
    return {};
  }

  // Steps that lead to a wrong value as readily as to a true one give nothing away.
  bool shows_a_leak(const Campaign& campaign, PrivateId attribute) const {
    const Proofs proofs = proofs_of(campaign, attribute, task_.truth, priors_);
    return proofs.wrong == 0 || proofs.gain > allowed_gain(task_.subject.promise);
  }

  // Of all values laid open, those that took the fewest queries.
  struct Open {
    std::uint64_t queries;
    Claim claim;
    std::size_t campaign;
  };
  std::vector<Open> laid_open() const {
    std::vector<Open> open;
    for (std::size_t c = 0; c < campaigns_.size(); ++c) {
      for (std::uint32_t j = 0; j < task_.truth.schema().private_count(); ++j) {
        PrivateId attribute{j};
        if (!shows_a_leak(campaigns_[c], attribute)) continue;
        for (const Attacked& attacked : campaigns_[c].victims) {
          const Recovered& recovered = attacked.attributes[j];
          if (!is_laid_open(recovered, attacked.victim, attribute, task_.truth, priors_)) continue;
          open.push_back(
              {recovered.queries, {attacked.victim, attribute, recovered.candidates[0]}, c});
        }
      }
    }
    std::stable_sort(open.begin(), open.end(),
                     [](const Open& a, const Open& b) { return a.queries < b.queries; });
    return open;
  }

  Status find_transcript() {
    if (is_stopped()) return {};
    constexpr std::size_t tries = 8;
    std::vector<Open> open = laid_open();
    open.resize(std::min(open.size(), tries));
    for (const Open& value : open) {
      auto made =
          make_transcript(task_.arena, task_.truth, value.claim,
                          *attack::find_method(campaigns_[value.campaign].method), options_);
      if (!made) return made.error();
      bool shorter = *made && (!report_.transcript ||
                               (*made)->steps.size() < report_.transcript->steps.size());
      if (shorter) report_.transcript = **std::move(made);
    }
    if (!report_.transcript) {
      note(
          "No attack proved a value that public values had not given away, so there is no "
          "transcript.");
    }
    return {};
  }

  const AuditTask& task_;
  Priors priors_;
  CampaignOptions options_;
  std::vector<const attack::Method*> methods_;
  std::vector<std::uint32_t> victims_;
  std::vector<Campaign> campaigns_;
  SeenEffects seen_;
  std::vector<std::string> notes_of_profiles_;
  std::optional<Finding> insider_;
  Checked checked_;
  AuditReport report_;
};

}  // namespace

Result<AuditReport> run_audit(const AuditTask& task) {
  return task.sort != nullptr ? run_sort_audit(task, *task.sort) : Audit(task).run();
}

}  // namespace rankveil::audit
