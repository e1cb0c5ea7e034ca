#include "rankveil/audit/sort/sort_audit.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/audit/check.h"
#include "rankveil/audit/guesses.h"
#include "rankveil/audit/judged.h"
#include "rankveil/audit/sort/sort_attack.h"
#include "rankveil/audit/sort/sort_transcript.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"

namespace rankveil::audit {

namespace {

constexpr std::uint64_t max_known = 100;
constexpr std::size_t max_tries = 4;  // at a transcript
constexpr double min_share_marked = 0.5;

// Of an order there are levels without profiles only.
Status check_levels(const AuditTask& task) {
  const std::vector<std::string> all = {"prior", "prior-public", "ignorant", "knowledgeable"};
  for (const std::string& name : task.levels) {
    if (std::ranges::find(all, name) != all.end()) continue;
    return wrong_use(fmt::format(
        "the level \"{}\" is about wishes, and this target orders by a column; there are {}", name,
        listed(all)));
  }
  return {};
}

Result<std::vector<std::string>> chosen_methods(const AuditTask& task, const SortArena& arena) {
  const std::vector<std::string> all = {"all", marks_method, known_method};
  std::vector<std::string> chosen;
  for (const std::string& name : task.methods) {
    if (std::ranges::find(all, name) == all.end()) {
      return wrong_use(
          fmt::format("there is no attack \"{}\" on an order; there are {}", name, listed(all)));
    }
    if (name != "all") chosen.push_back(name);
  }
  bool takes_marks = arena.target->takes_inserts();
  if (!takes_marks && std::ranges::find(chosen, marks_method) != chosen.end()) {
    return wrong_use("marks inserts rows, which this target does not take; use known");
  }
  bool is_all = chosen.size() < task.methods.size() || chosen.empty();
  if (!is_all) return chosen;
  if (takes_marks) return std::vector<std::string>{marks_method, known_method};
  return std::vector<std::string>{known_method};
}

// An audit of an order under way.
class SortAudit {
 public:
  SortAudit(const AuditTask& task, const SortArena& arena)
      : task_(task),
        arena_(arena),
        priors_(task.truth, task.ladder, task.min_group,
                SparedValues(task.truth.schema(), task.subject.not_sensitive)) {
    report_.subject = task.subject;
    report_.effects = task.refused;
  }

  Result<AuditReport> run() {
    Stopwatch watch;
    if (auto fits = check_levels(task_); !fits) return fits.error();
    auto methods = chosen_methods(task_, arena_);
    if (!methods) return methods.error();
    report_.control.note = "Nothing private can be asked for, so there is no control.";
    const bool is_open = task_.truth.schema().private_count() > 0;
    if (is_open) methods_ = *std::move(methods);
    victims_ = is_open ? draw_victims(task_.truth.rows(), task_.victims, task_.seed)
                       : std::vector<std::uint32_t>();
    fill_settings();
    if (!is_open) return std::move(report_);
    for (auto step :
         {&SortAudit::list, &SortAudit::attack, &SortAudit::control, &SortAudit::find_transcript}) {
      if (auto done = (this->*step)(); !done) return done.error();
    }
    report_.public_priors = public_priors_of(task_.truth, task_.threads, task_.person);
    add_notes();
    judge_findings(report_);
    doubt_what_was_not_marked();
    report_.seconds = watch.seconds();
    return std::move(report_);
  }

 private:
  void fill_settings() {
    Settings& settings = report_.settings;
    settings.victims = victims_.size();
    settings.methods = methods_;
    settings.k = arena_.k;
    settings.seed = task_.seed;
    settings.insert_budget = task_.budget.inserts == UINT64_MAX ? 0 : task_.budget.inserts;
    settings.inserts = arena_.target->takes_inserts();
  }

  // What stands there before anything is inserted.
  Status list() {
    if (auto done = arena_.target->restart(); !done) return done;
    const Schema& schema = task_.truth.schema();
    for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
      report(task_.progress, "asking for orders", 0);
      auto lists = ask_lists(arena_, task_.truth, schema.attributes[i].name);
      if (!lists) return lists.error();
      lists_.push_back(*std::move(lists));
      report_.effects.push_back(
          effect_of_order(task_.truth, AttributeId{i}, lists_.back(), task_.seed));
    }
    return {};
  }

  Status attack() {
    for (Finding& finding : baselines(victims_, task_.truth, priors_)) {
      report_.findings.push_back(std::move(finding));
    }
    for (const std::string& method : methods_) {
      if (told_to(task_.stop)) {
        report_.incomplete = fmt::format("{} was left out", method);
        return {};
      }
      auto campaign = method == marks_method
                          ? attack_by_marks(arena_, task_.truth, task_.budget.inserts, task_.seed)
                          : by_known();
      if (!campaign) return campaign.error();
      judge_campaign(*std::move(campaign));
    }
    return {};
  }

  Result<SortCampaign> by_known() const {
    const std::uint64_t count = std::min<std::uint64_t>(max_known, task_.truth.rows() / 4);
    return attack_by_known(task_.truth, lists_,
                           draw_victims(task_.truth.rows(), count, task_.seed ^ 0x4e0));
  }

  void judge_campaign(SortCampaign campaign) {
    Campaign recovered = recovered_from(campaign, task_.truth, victims_);
    Arena arena = task_.arena;
    // Between marks of two values one of them is likelier: that shows in the rate of right guesses.
    arena.knowledge.belief.kind = attack::ProfileKind::Graded;
    for (Finding& finding : findings_of(recovered, arena, task_.truth, priors_)) {
      report_.findings.push_back(std::move(finding));
    }
    report_.curves.push_back(curve_of(recovered, task_.truth, "after"));
    for (const MarkedLists& marked : campaign.attributes) {
      if (marked.holds_true || !marked.lists.doubt.empty()) continue;
      report_.notes.push_back(
          fmt::format("{}: rows do not stand where their own values of {} would put them, so that "
                      "nothing of it "
                      "is proven, and what the list tells counts as guesses.",
                      campaign.method, task_.truth.schema().attributes[marked.attribute].name));
    }
    campaigns_.push_back(std::move(campaign));
    recovered_.push_back(std::move(recovered));
  }

  // Own rows, attacked like any other: each is left out of the marks in its turn.
  Status control() {
    Control& control = report_.control;
    bool has_marks = !campaigns_.empty() && campaigns_.front().method == marks_method;
    if (!has_marks || task_.canaries == 0) {
      control.note = task_.canaries == 0 ? "No control was asked for."
                                         : "No row was inserted, so there is no control.";
      return {};
    }
    const SortCampaign& campaign = campaigns_.front();
    std::vector<std::uint32_t> planted;
    for (std::uint32_t m = 0; m < campaign.inserted.size() && m < task_.canaries; ++m) {
      planted.push_back(task_.truth.rows() + m);
    }
    for (const Attacked& attacked : recovered_from(campaign, task_.truth, planted).victims) {
      ++control.planted;
      for (std::size_t j = 0; j < attacked.attributes.size(); ++j) {
        count_control(campaign.attributes[j], attacked.victim, attacked.attributes[j], control);
      }
    }
    describe_control(control);
    return {};
  }

  void count_control(const MarkedLists& marked, std::uint32_t row, const Recovered& recovered,
                     Control& control) const {
    ++control.attempts;
    if (recovered.candidates.size() != 1) return;
    const Column& column = task_.truth.column(AttributeId{marked.attribute});
    bool right = sort_code(column, recovered.candidates.front()) == marked.marks.at(row);
    ++(right ? control.recovered : control.wrong);
  }

  static void describe_control(Control& control) {
    control.blind = control.attempts > 0 && control.recovered == 0;
    control.note = fmt::format("{} of {} values of {} were recovered", control.recovered,
                               control.attempts, counted(control.planted, "planted row"));
    control.note += control.blind ? ": this audit is blind, and what it does not find may still be "
                                    "there."
                                  : ".";
  }

  // Marks of few values have no power: nothing is kept because they found nothing.
  void doubt_what_was_not_marked() {
    bool any = false;
    const std::size_t before = report_.effects.size() - lists_.size();
    for (std::uint32_t j = 0; j < lists_.size() && !campaigns_.empty(); ++j) {
      Effect& effect = report_.effects[before + j];
      const MarkedLists& best = best_marked(j);
      bool doubtful = effect.acts == Acts::Rises && !is_broken(effect.attribute) &&
                      power_of_marks(best) < min_share_marked;
      if (!doubtful) continue;
      effect.acts = Acts::Unasked;
      effect.note = share_marked(best, task_.truth) < min_share_marked
                        ? unmarked_note(best, effect.attribute)
                        : apart_note(best, effect.attribute);
      any = true;
    }
    if (any) judge_findings(report_);
  }

  // Marks tell of rows whose values they have, and that stand among them.
  double power_of_marks(const MarkedLists& marked) const {
    return std::min(share_marked(marked, task_.truth), share_among(marked, task_.truth));
  }

  const MarkedLists& best_marked(std::uint32_t attribute) const {
    auto share = [&](const SortCampaign& campaign) {
      return power_of_marks(campaign.attributes[attribute]);
    };
    return std::ranges::max_element(campaigns_, {}, share)->attributes[attribute];
  }

  bool is_broken(const std::string& attribute) const {
    return std::ranges::any_of(report_.findings, [&](const Finding& finding) {
      return finding.attribute == attribute && finding.verdict == Verdict::Broken;
    });
  }

  std::string unmarked_note(const MarkedLists& marked, const std::string& attribute) const {
    const Column& column = task_.truth.column(AttributeId{marked.attribute});
    std::string way_out = !arena_.target->takes_inserts()
                              ? "an [insert] in the target's file lets every value be marked"
                          : std::ranges::find(methods_, marks_method) == methods_.end()
                              ? "--methods marks marks every value by rows of your own"
                              : "a larger --insert-budget marks more";
    if (arena_.k < task_.truth.rows()) way_out += ", and so does a larger --k";
    return fmt::format(
        "marks in the lists have {} of {} of {}, those of {:.1f}% of rows, so that it means "
        "nothing that nothing was found; {}",
        grouped(values_marked(marked, task_.truth)), counted(column.domain_size(), "value"),
        attribute, 100 * share_marked(marked, task_.truth), way_out);
  }

  std::string apart_note(const MarkedLists& marked, const std::string& attribute) const {
    return fmt::format(
        "{:.1f}% of rows stand between marks in the lists by {}, so that it means nothing that "
        "nothing was found: the target puts marks elsewhere than rows with the same values",
        100 * share_among(marked, task_.truth), attribute);
  }

  // Values laid open by marks first; the first few.
  Status find_transcript() {
    std::size_t tries = 0;
    for (std::size_t c = 0; c < campaigns_.size(); ++c) {
      for (const Claim& claim : open_claims(recovered_[c])) {
        if (++tries > max_tries || told_to(task_.stop)) return no_transcript();
        auto made = order_transcript(arena_, task_.truth, campaigns_[c], claim);
        if (!made) return made.error();
        report_.transcript = *std::move(made);
        if (report_.transcript) return {};
      }
    }
    return no_transcript();
  }

  Status no_transcript() {
    report_.notes.emplace_back(
        "No list proved a value that public values had not given away, so there is no transcript.");
    return {};
  }

  std::vector<Claim> open_claims(const Campaign& campaign) const {
    std::vector<Claim> claims;
    for (const Attacked& attacked : campaign.victims) {
      for (std::uint32_t j = 0; j < attacked.attributes.size(); ++j) {
        const Recovered& recovered = attacked.attributes[j];
        if (!is_laid_open(recovered, attacked.victim, PrivateId{j}, task_.truth, priors_)) continue;
        claims.push_back({attacked.victim, PrivateId{j}, recovered.candidates.front()});
        if (claims.size() >= max_tries) return claims;
      }
    }
    return claims;
  }

  void add_notes() {
    if (arena_.k < task_.truth.rows()) {
      report_.notes.push_back(fmt::format(
          "Lists were read up to row {} of {} from either end; who reads on may learn more.",
          grouped(arena_.k), grouped(task_.truth.rows())));
    }
    if (!campaigns_.empty() && campaigns_.back().method == known_method &&
        !campaigns_.back().attributes.empty()) {
      report_.notes.push_back(
          fmt::format("known: the values of {} are taken for known, drawn by the seed.",
                      counted(campaigns_.back().attributes.front().marks.size(), "row")));
    }
    report_.notes.emplace_back(
        "The target orders by a column: levels that start from profiles, and checks of them, are "
        "about wishes, and were left out.");
  }

  const AuditTask& task_;
  const SortArena& arena_;
  Priors priors_;
  AuditReport report_;
  std::vector<std::string> methods_;
  std::vector<std::uint32_t> victims_;
  std::vector<SortLists> lists_;  // by private attribute, without own rows
  std::vector<SortCampaign> campaigns_;
  std::vector<Campaign> recovered_;
};

}  // namespace

Result<AuditReport> run_sort_audit(const AuditTask& task, const SortArena& arena) {
  return SortAudit(task, arena).run();
}

}  // namespace rankveil::audit
