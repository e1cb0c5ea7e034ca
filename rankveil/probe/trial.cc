#include "rankveil/probe/trial.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

namespace rankveil::probe {
namespace {

// What is known so far of one way.
struct Case {
  const Way* way;
  bool restless = false;
  bool needs_sight = false;
  bool closed = false;                       // nothing more needs to be asked
  std::vector<Repetition> repetitions = {};  // at the end under test
  std::vector<std::string> following = {};   // in all of them
  std::vector<Proof> proofs = {};
  bool in_sight = false;       // in all answers of some repetition
  bool on_two_sides = false;   // amid noise, the own row's place goes with the value
  std::uint32_t followed = 0;  // repetitions at the end under test, whether in a row or not
  bool was_lost = false;       // two or more of them, and others between
  std::uint64_t answered = 0;
  std::uint64_t refused = 0;
  std::uint64_t sighted = 0;
  std::uint64_t shown = 0;
  std::uint64_t requests = 0;
  bool throttled = false;
  std::string refusal = {};
  std::string trouble = {};

  // At one end, and so at the other: the two differ in a value. Not so where they differ in the
  // direction, too.
  bool is_refused() const {
    const bool has_direction =
        way->kind == Kind::Sort || way->kind == Kind::Relation || way->kind == Kind::Cursor;
    return !has_direction && refused > 0 && answered == 0 && trouble.empty();
  }
  bool is_shown() const { return sighted > 0 && shown == sighted; }
};

void note_outcome(Case& way, const Answer& answer) {
  switch (answer.outcome) {
    case Outcome::Answered:
      ++way.answered;
      return;
    case Outcome::Refused:
      ++way.refused;
      way.refusal = answer.reason;
      return;
    case Outcome::Throttled:
      way.throttled = true;
      [[fallthrough]];
    case Outcome::Failed:
      way.trouble = answer.reason;
      return;
  }
}

std::vector<std::string> common(const std::vector<std::string>& left,
                                const std::vector<std::string>& right) {
  std::vector<std::string> both;
  std::ranges::copy_if(left, std::back_inserter(both), [&](const std::string& name) {
    return std::ranges::find(right, name) != right.end();
  });
  return both;
}

void absorb(Case& way, Contender&& contender) {
  for (const Answer& answer : contender.answers) note_outcome(way, answer);
  way.sighted += contender.sighted;
  way.shown += contender.shown;
  way.requests += contender.requests;
  way.restless = way.restless || contender.repetition.restless();
  const auto following = contender.repetition.following();
  if (!following.empty()) ++way.followed;
  way.following = way.repetitions.empty() ? following : common(way.following, following);
  way.in_sight = way.in_sight || contender.repetition.in_sight();
  way.repetitions.push_back(std::move(contender.repetition));
}

bool always_on_one_side(const std::vector<Repetition>& repetitions) {
  const int side = repetitions.front().sides();
  return side != 0 && std::ranges::all_of(repetitions, [&](const Repetition& repetition) {
           return repetition.sides() == side;
         });
}

class Trial {
 public:
  Trial(Bench& bench, const Field& field, const TrialOptions& options)
      : bench_(bench), field_(field), options_(options) {}

  // An error: the values do not arrive, or the meter says no.
  Status run(std::vector<Case>& cases) {
    for (const End end : {End::Top, End::Bottom}) {
      std::vector<Case*> open;
      for (Case& way : cases) {
        if (!way.closed && !(end == End::Bottom && way.is_refused())) open.push_back(&way);
      }
      if (auto done = run_end(std::move(open), end); !done) return done;
    }
    return look_closer(cases);
  }

 private:
  // Ways that lost sight of the own row among the others are asked by themselves, right after it
  // was written.
  Status look_closer(std::vector<Case>& cases) {
    for (int again = 0; again < 2; ++again) {
      std::vector<Case*> lost;
      for (Case& way : cases) {
        if (way.needs_sight && !way.in_sight && way.proofs.empty()) lost.push_back(&way);
      }
      if (lost.empty()) return {};
      seeks_sight_ = bench_.control.has_value();
      if (auto done = run_end(std::move(lost), bench_.sight_end); !done) return done;
    }
    return {};
  }

  // The first repetition is of all ways, the others of those that it leaves in doubt. Amid noise
  // more of them are needed.
  Status run_end(std::vector<Case*> open, End end) {
    for (Case* way : open) {
      way->repetitions.clear();
      way->followed = 0;
    }
    for (std::uint32_t i = 0; i < 2 * options_.repetitions && !open.empty(); ++i) {
      if (auto done = repeat(open, end, i); !done) return done;
      std::erase_if(open, [&](Case* way) { return settled(*way); });
    }
    for (Case* way : open) {
      if (way->followed > 1) way->was_lost = true;
      if (way->followed == 0) way->on_two_sides = true;
    }
    return {};
  }

  std::vector<Case*> those(const std::vector<Case*>& open, bool quiet) const {
    std::vector<Case*> ways;
    std::ranges::copy_if(open, std::back_inserter(ways),
                         [&](Case* way) { return bench_.quiet(*way->way) == quiet; });
    return ways;
  }

  // Somebody else may write in the middle of what follows: that is begun anew.
  bool settled(Case& way) const {
    if (way.is_shown()) return true;
    if (way.following.empty()) {
      if (way.followed == 0) return !(way.restless && always_on_one_side(way.repetitions));
      way.repetitions.clear();
      return false;
    }
    const bool enough = way.repetitions.size() >= options_.repetitions;
    if (enough) prove(way);
    return enough;
  }

  // Each with fresh values. Where answers vary by themselves, with more answers and another number
  // of writes than the one before.
  Status repeat(const std::vector<Case*>& open, End end, std::uint32_t nth) {
    const RoundPlan first{.field = field_, .end = end, .seeks_sight = seeks_sight_};
    if (nth == 0) return run_round(open, first);
    RoundPlan hasty = first;
    hasty.hastes = true;
    hasty.control_writes = 0;
    RoundPlan careful = first;
    careful.asks = careful.switches = 2;
    careful.control_writes = nth + 1;
    const std::vector<Case*> quiet = those(open, true);
    const std::vector<Case*> restless = those(open, false);
    auto done = run_round(quiet, hasty);
    return done ? run_round(restless, careful) : done;
  }

  Status run_round(const std::vector<Case*>& open, const RoundPlan& plan) {
    if (open.empty()) return {};
    std::vector<Contender> contenders = contenders_of(open);
    auto done = Round(bench_, plan).run(contenders);
    if (done && plan.hastes) done = take_time(open, contenders, plan);
    for (std::size_t i = 0; i < open.size() && done; ++i) {
      absorb(*open[i], std::move(contenders[i]));
      if (open[i]->restless) bench_.quiet_of(*open[i]->way) = false;
    }
    return done;
  }

  static std::vector<Contender> contenders_of(const std::vector<Case*>& ways) {
    std::vector<Contender> contenders;
    for (const Case* way : ways) contenders.push_back({way->way, way->restless});
    return contenders;
  }

  // A cache may have answered those that followed before and, in haste, did not.
  Status take_time(const std::vector<Case*>& open, std::vector<Contender>& contenders,
                   RoundPlan plan) {
    std::vector<std::size_t> late;
    std::vector<Case*> ways;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (!common(open[i]->following, contenders[i].repetition.following()).empty()) continue;
      late.push_back(i);
      ways.push_back(open[i]);
    }
    if (late.empty()) return {};
    plan.hastes = false;
    std::vector<Contender> again = contenders_of(ways);
    auto done = Round(bench_, plan).run(again);
    for (std::size_t i = 0; i < late.size(); ++i) contenders[late[i]] = std::move(again[i]);
    return done;
  }

  void prove(Case& way) const {
    for (const Repetition& repetition : way.repetitions) {
      way.proofs.push_back(repetition.proof(way.following.front()));
    }
    way.closed = !options_.all;
  }

  Bench& bench_;
  const Field& field_;
  TrialOptions options_;
  bool seeks_sight_ = false;
};

// ---- verdicts ----

struct Judged {
  Verdict verdict;
  std::string reason = {};
};

Judged judge_dependence(const Case& way, const Field& field) {
  const std::string reason =
      fmt::format("{} follows the value of {}, {} times of {}", way.proofs.front().feature,
                  field.name, way.proofs.size(), way.proofs.size());
  if (field.declared.empty()) return {Verdict::Leak, reason};
  if (way.way->kind == Kind::Sort) return {Verdict::Declared, field.declared};
  return {Verdict::Leak, reason + "; a promise covers ranking by it, and this is no ranking"};
}

// It answered, and nothing followed.
Judged judge_silence(const Case& way, const WayControl& control, bool any_acts) {
  if (way.on_two_sides) {
    return {Verdict::Blind,
            "answers vary by themselves, and the own row's place seems to go with the value; ask "
            "for more rows, or make the target answer alike to like questions"};
  }
  if (way.needs_sight && !way.in_sight) {
    return {
        Verdict::Blind,
        "the own row was out of sight; let the request ask for more rows, or list newest first"};
  }
  // By chance an answer follows once, and hardly twice.
  if (way.was_lost) {
    return {Verdict::Blind,
            "answers followed the value from write to write, and then no more; others may have "
            "written meanwhile, so probe again"};
  }
  if (control.acts) return {Verdict::Inert, "nothing depends on it, and a public field acts"};
  if (!any_acts) {
    return {Verdict::Blind,
            "no answer follows a public field either: the request is misspelt, the service "
            "throttles, or it knows no such question"};
  }
  if (way.way->required) {
    return {Verdict::Blind, "it does nothing for a public field either; check the request"};
  }
  if (!control.sighted) {
    return {Verdict::Absent,
            "not tested: no answer follows a public field either, and the own row is out of sight"};
  }
  return {Verdict::Absent,
          "it does nothing for a public field either: the service does not know this way"};
}

Judged judge_refusal(const Case& way, const WayControl& control, bool any_acts) {
  if (!any_acts || (control.refused && way.way->required)) {
    return {Verdict::Blind,
            fmt::format("refused for a public field, too: {}; check the request", way.refusal)};
  }
  if (control.refused) {
    return {Verdict::Absent, fmt::format("refused for a public field, too: {}", way.refusal)};
  }
  return {Verdict::Refused, way.refusal};
}

// A way that the service cannot carry out tells nothing of any field.
bool fails_always(const Case& way, const WayControl* control) {
  const bool fails =
      !way.trouble.empty() && !way.throttled && way.answered == 0 && way.refused == 0;
  return fails && control != nullptr && !control->answered && !way.way->required;
}

Judged judge(const Case& way, const Field& field, const WayControl* control, bool any_acts) {
  if (way.is_shown()) {
    return {Verdict::Shown, fmt::format("answers show {} itself: it is not hidden", field.name)};
  }
  if (!way.proofs.empty()) return judge_dependence(way, field);
  if (fails_always(way, control)) {
    return {Verdict::Absent,
            fmt::format("it fails for public fields, too, whatever is asked: {}", way.trouble)};
  }
  if (!way.trouble.empty()) {
    return {Verdict::Blind,
            (way.throttled ? "the service throttles: " : "the service fails: ") + way.trouble};
  }
  if (control == nullptr) {
    return {Verdict::Blind, "no public field is known that would show whether this way acts"};
  }
  if (way.answered == 0) return judge_refusal(way, *control, any_acts);
  return judge_silence(way, *control, any_acts);
}

bool any_acts(const Controls& controls) {
  return std::ranges::any_of(controls, [](const auto& control) { return control.second.acts; });
}

Finding finding_of(Case&& way, const Field& field, Judged judged) {
  Finding finding{field.name, *way.way, judged.verdict, std::move(judged.reason), {}, way.requests};
  if (judged.verdict == Verdict::Leak || judged.verdict == Verdict::Declared) {
    finding.proofs = std::move(way.proofs);
  }
  return finding;
}

Judged judge_after(const Case& way, const Field& field, const Controls& controls,
                   const Status& done) {
  const auto control = controls.find(way.way->name);
  const bool settled = done.ok() || way.is_shown() || !way.proofs.empty();
  if (!settled) return {Verdict::Blind, done.error().message};
  return judge(way, field, control == controls.end() ? nullptr : &control->second,
               any_acts(controls));
}

}  // namespace

std::vector<Finding> try_field(Bench& bench, const Field& field, std::span<const Way> ways,
                               const Controls& controls, const TrialOptions& options) {
  std::vector<Case> cases;
  for (const Way& way : ways) {
    const auto control = controls.find(way.name);
    const WayControl known = control == controls.end() ? WayControl{} : control->second;
    cases.push_back({&way, known.restless, known.acts && known.needs_sight});
  }
  const Status done = Trial(bench, field, options).run(cases);
  std::vector<Finding> findings;
  for (Case& way : cases) {
    Judged judged = judge_after(way, field, controls, done);
    findings.push_back(finding_of(std::move(way), field, std::move(judged)));
  }
  return findings;
}

bool rests_on_control(const Finding& finding) {
  return finding.verdict == Verdict::Inert || finding.verdict == Verdict::Refused ||
         finding.verdict == Verdict::Absent;
}

void settle_findings(std::vector<Finding>& findings, const Controls& controls,
                     const Result<std::vector<std::string>>& still_acting) {
  const auto acting = still_acting ? *still_acting : std::vector<std::string>{};
  for (Finding& finding : findings) {
    if (!rests_on_control(finding)) continue;
    const auto control = controls.find(finding.way.name);
    const bool acted = control != controls.end() && control->second.acts;
    const bool acts =
        acted ? std::ranges::find(acting, finding.way.name) != acting.end() : !acting.empty();
    if (acts) continue;
    finding.verdict = Verdict::Blind;
    finding.reason =
        still_acting
            ? "a public field acted before and does no more: the service throttles, or failed"
            : "whether public fields still act is not known: " + still_acting.error().message;
  }
}

}  // namespace rankveil::probe
