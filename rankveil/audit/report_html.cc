#include "rankveil/audit/report_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "rankveil/audit/report_alerts.h"
#include "rankveil/audit/report_charts.h"
#include "rankveil/audit/report_words.h"
#include "rankveil/audit/undecided.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/format.h"
#include "rankveil/report/page.h"

namespace rankveil::audit {
namespace {

using reports::Block;
using reports::Cell;
using reports::number_text;
using reports::Section;
using reports::Tone;
using reports::Unit;

constexpr std::size_t attributes_in_view = 8;  // more are folded away

std::string share(double value) { return number_text(value, Unit::Share); }

std::string rate_text(const Finding& finding) {
  return fmt::format("{} ({} to {})", share(finding.rate), share(finding.low), share(finding.high));
}

// The finding that tells most about an attribute (empty: about all).
const Finding* strongest(const AuditReport& report, const std::string& attribute) {
  const Finding* best = nullptr;
  for (const Finding& finding : report.findings) {
    bool aside = is_baseline(finding) || is_about_what_is_known(finding);
    if (aside || (!attribute.empty() && finding.attribute != attribute)) continue;
    if (best == nullptr || learned_more(finding, *best)) best = &finding;
  }
  return best;
}

// ---- Opening ----

std::string subtitle(const Subject& subject) {
  std::string text = fmt::format("{} with {}", counted(subject.rows, "row"),
                                 counted(subject.private_attributes.size(), "private attribute"));
  if (subject.scheme == "unprotected") return text + ", ranked without protection.";
  if (!subject.scheme.empty()) {
    text +=
        (subject.live ? ", declared to be protected with " : ", protected with ") + subject.scheme;
  }
  if (subject.l > 0) text += fmt::format(" (l = {})", subject.l);
  return text + ".";
}

reports::Banner broken_banner(const AuditReport& report) {
  const Finding& first = *report.first_broken();
  const std::string who = level_phrase(first.level);
  return {
      Tone::Bad, "Promise broken",
      fmt::format("The values of {} leak beyond the promise to somebody who {}.",
                  first.attribute == "all" ? std::string("private attributes") : first.attribute,
                  who.empty() ? "guesses as " + first.level : who),
      fmt::format("Weakest adversary that breaks it: {} ({}){}. In figures: {}.", first.level,
                  first.method, beyond_claim(report.subject, first), first.reason)};
}

reports::Banner undecided_banner(const AuditReport& report) {
  const UndecidedWords words = undecided_words(report);
  return {Tone::Unsure, "Not decided",
          report.control.blind
              ? "The audit is blind: it did not even find the values it had planted itself."
              : "Nothing broke the promise, but there were too few attempts to be sure.",
          fmt::format("{}", fmt::join(words.details, " "))};
}

std::string refused_sentences(const AuditReport& report) {
  std::string text;
  for (const std::string& words : refused_words(report))
    text += fmt::format(" Refused: {}.", words);
  return text;
}

reports::Banner not_tested_banner(const AuditReport& report) {
  return {Tone::Unsure, "Not tested",
          "Nothing broke the promise, but what was asked was not seen to act, so nothing is known.",
          fmt::format("{}.", fmt::join(not_tested_words(report), ". "))};
}

reports::Banner verdict_banner(const AuditReport& report) {
  switch (report.overall()) {
    case Verdict::Broken:
      return broken_banner(report);
    case Verdict::Kept:
      return {Tone::Good, "Promise kept",
              fmt::format("No adversary of those that were tested learned more than {}.",
                          report.subject.promise.text()),
              fmt::format("Claim: {}.{}{}{}{}", claim_words(report.subject),
                          promise_meaning(report.subject.promise).empty() ? "" : " ",
                          fmt::join(promise_meaning(report.subject.promise), " "),
                          untested_text(report), refused_sentences(report))};
    case Verdict::Undecidable:
      return undecided_banner(report);
    case Verdict::NotTested:
      return not_tested_banner(report);
    case Verdict::NotPromised:
      break;
  }
  return {Tone::Plain, "Nothing was promised",
          "No promise covers this target; the figures say what it gives away."};
}

// What was left out is said first, unless something was found broken all the same.
reports::Banner banner(const AuditReport& report) {
  reports::Banner made = verdict_banner(report);
  const Verdict verdict = report.overall();
  if (!report.incomplete.empty() && verdict != Verdict::Broken) {
    made.tone = Tone::Unsure;
    made.verdict = "Incomplete: so far " + std::string(verdict_phrase(verdict));
    made.detail = fmt::format("It was stopped: {}. {}", report.incomplete, made.detail);
  }
  if (verdict == Verdict::Kept) made.detail += " " + settled_words(report);
  return made;
}

// The leak that would have been found in every attribute by the attack best at finding it.
std::optional<double> detectable_leak(const AuditReport& report) {
  std::optional<double> worst;
  for (const std::string& attribute : attributes_of(report)) {
    std::optional<double> best;
    for (const Power& power : report.power) {
      if (power.attribute != attribute || !power.leak) continue;
      best = std::min(best.value_or(1), *power.leak);
    }
    if (best) worst = std::max(worst.value_or(0), *best);
  }
  return worst;
}

// Of the black-box attacks, the one that proved the largest share.
const Finding* most_proven(const AuditReport& report) {
  const Finding* most = nullptr;
  auto proven = [](const Finding& f) {
    return f.attempts == 0 ? 0 : static_cast<double>(f.proven) / static_cast<double>(f.attempts);
  };
  for (const Finding& finding : report.findings) {
    if (is_baseline(finding) || !is_black_box(finding)) continue;
    if (most == nullptr || proven(finding) > proven(*most)) most = &finding;
  }
  return most;
}

// Of findings about all coins that a promise is about, the one that sees most of them.
const Finding* most_coins(const AuditReport& report) {
  const Finding* most = nullptr;
  for (const Finding& finding : report.findings) {
    bool counts = finding.coins && finding.promise.kind != PromiseKind::None;
    if (!counts || finding.attribute != "all") continue;
    if (most == nullptr || finding.coins->bits_high > most->coins->bits_high) most = &finding;
  }
  return most;
}

std::string values_of(const std::string& attribute) {
  return attribute == "all" ? "all private values" : "values of " + attribute;
}

double bits_in_coin(double keep) { return keep * bits_of(1, keep) + (1 - keep) * bits_of(0, keep); }

// What the verdict goes by stands beside its limit; a gain that no limit is on, apart from it.
void add_limit_figures(const AuditReport& report, const Finding& most,
                       std::vector<reports::KeyFigure>& figures) {
  const Tone tone = most.verdict == Verdict::Broken ? Tone::Bad : Tone::Plain;
  const std::string gain = fmt::format("{:.3f}", most.gain);
  const std::string over = fmt::format("largest gain about one row over {}", gain_is_over(most));
  if (const Finding* coins = most_coins(report)) {
    const double allowed = allowed_gain(coins->promise);
    const Tone seen = coins->verdict == Verdict::Broken ? Tone::Bad : Tone::Plain;
    figures.push_back(
        {fmt::format("{:.2g} bits", coins->coins->bits_high),
         "can be seen of the coin that hides whether a value is the row's own",
         fmt::format("Allowed: {:.2g} of {:.3f} that there are{}. Level: {}.", most_bits,
                     bits_in_coin(coins->coins->keep),
                     judge_coins(*coins->coins) == CoinVerdict::Hidden
                         ? fmt::format("; so the gain over R, what one would believe if told that "
                                       "the row moved, stays at {:.3f}",
                                       allowed)
                         : "",
                     coins->level),
         seen});
    figures.push_back({gain, over,
                       "One value of all, the one believed most. It is not over R, so the limit is "
                       "not on it: it holds what columns tell of each other, and chance."});
    return;
  }
  figures.push_back({gain, over,
                     most.promise.kind == PromiseKind::None
                         ? "0 is nothing new, 1 is certainty."
                         : fmt::format("Allowed: {:.3f}.", allowed_gain(most.promise)),
                     tone});
}

std::vector<reports::KeyFigure> key_figures(const AuditReport& report) {
  std::vector<reports::KeyFigure> figures;
  if (const Finding* most = strongest(report, "")) {
    const Tone tone = most->verdict == Verdict::Broken ? Tone::Bad : Tone::Plain;
    figures.push_back(
        {share(most->rate),
         fmt::format("of {} guessed right by the strongest adversary", values_of(most->attribute)),
         fmt::format("Before the release: {}. Level: {}.", share(most->prior), most->level), tone});
    add_limit_figures(report, *most, figures);
  }
  if (const Finding* most = most_proven(report)) {
    figures.push_back(
        {percent(most->proven, most->attempts),
         fmt::format("of {} proven beyond doubt by {}", values_of(most->attribute), most->method),
         fmt::format("{:.1f} queries and {:.1f} inserts a victim.", most->queries, most->inserts)});
  }
  if (const auto leak = detectable_leak(report)) {
    figures.push_back({share(*leak), "smallest leak that attacks would have found",
                       "With 95% probability, in every attribute."});
  }
  return figures;
}

// ---- Sections ----

std::string certain_text(const Finding& finding) {
  return fmt::format("{} ({})", share(finding.certain), share(finding.certain_before));
}

std::vector<Cell> overview_row(const AuditReport& report, const std::string& attribute) {
  const Verdict verdict = report.overall(attribute);
  const Finding* broken = report.first_broken(attribute);
  std::vector<Cell> row = {attribute_title(attribute),
                           {std::string(verdict_phrase(verdict)), verdict_tone(verdict)},
                           broken == nullptr ? std::string("–") : broken->level};
  if (const Finding* most = strongest(report, attribute)) {
    for (std::string text :
         {most->level, against_limit(*most), share(most->rate), share(most->prior),
          certain_text(*most), fmt::format("{:.3f}", most->gain)}) {
      row.emplace_back(std::move(text));
    }
  }
  return row;
}

Section overview(const AuditReport& report) {
  reports::Table table{
      "Each private attribute with the adversary that learned most about a row. The verdict goes "
      "by "
      "what was found beside the limit; gains are over what that adversary believed before",
      {"attribute",
       "verdict",
       "broken by",
       "strongest",
       {"found, of the limit", true},
       {"guessed right", true},
       {"before the release", true},
       {"certain (before)", true},
       {"largest gain over that", true}},
      {}};
  for (const std::string& attribute : attributes_of(report)) {
    table.rows.push_back(overview_row(report, attribute));
  }
  Section section{"At a glance", {std::move(table)}};
  section.blocks.emplace_back("In two sentences: " + plain_words(report));
  if (!report.failures.empty()) {
    section.blocks.emplace_back("The gate objects to this audit:");
    section.blocks.emplace_back(reports::Bullets{report.failures});
  }
  if (!report.known.empty()) {
    section.blocks.emplace_back(fmt::format(
        "{} known from the baseline and did not get worse, so the gate lets {} pass.",
        report.known.size() == 1 ? "1 finding is" : grouped(report.known.size()) + " findings are",
        report.known.size() == 1 ? "it" : "them"));
  }
  if (!report.repaired.empty()) {
    section.blocks.emplace_back("Repaired since the baseline was written:");
    section.blocks.emplace_back(reports::Bullets{report.repaired});
  }
  return section;
}

Section attribute_section(const AuditReport& report) {
  Section section{
      "Attribute by attribute",
      {"Each bar is an adversary. The dashed mark is what it guessed before the release, the solid "
       "mark what the promise allows. A promise can break on a single row: then the gain tells, "
       "even "
       "where the bar of right guesses is short."}};
  std::vector<std::string> names = attributes_of(report);
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) {
    return report.overall(name) == Verdict::Broken;
  });
  std::vector<Block> rest;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<Block>& blocks = i < attributes_in_view ? section.blocks : rest;
    blocks.emplace_back(reports::Heading{attribute_title(names[i])});
    blocks.emplace_back(reports::Charts{attribute_charts(report, names[i])});
  }
  if (!rest.empty()) {
    section.blocks.emplace_back(reports::Details{
        counted(names.size() - attributes_in_view, "more attribute"), std::move(rest)});
  }
  return section;
}

std::optional<Section> recovery(const AuditReport& report) {
  auto charts = recovery_charts(report);
  if (charts.empty()) return std::nullopt;
  return Section{
      "Recovered values by number of queries",
      {"How many of the private values attacked were proven with so many queries about a "
       "victim: on the same table without protection, and on this target.",
       reports::Charts{std::move(charts)}}};
}

std::optional<Section> informed(const AuditReport& report) {
  auto charts = informed_charts(report);
  if (charts.empty()) return std::nullopt;
  return Section{"Somebody who already knows something",
                 {"Promises about gain start from what public values say. Somebody with side "
                  "information about one person starts higher. This is what the release adds to "
                  "such a belief.",
                  reports::Charts{std::move(charts)}}};
}

std::string row_text(const Step& step) {
  std::vector<std::string> values;
  for (const auto& value : step.row) values.push_back(value.value_or("(none)"));
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string wish_text(const Json& wish) {
  if (wish.as_text() != nullptr) return *wish.as_text();
  const Json::Array* several = wish.as_array();
  if (several == nullptr) return wish.dump(-1);
  std::vector<std::string> texts;
  for (const Json& one : *several) texts.push_back(wish_text(one));
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string query_text(const Json& query) {
  const Json::Object* wishes = query.as_object();
  if (wishes == nullptr || wishes->empty()) return "(no wish)";
  std::vector<std::string> texts;
  for (const auto& [attribute, wish] : *wishes) {
    texts.push_back(fmt::format("{} = {}", attribute, wish_text(wish)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

reports::Table step_table(const Transcript& transcript) {
  reports::Table table{"The steps; +1 is the first row that was inserted",
                       {{"step", true}, "done", "with", "answer, best first", "why"},
                       {}};
  for (std::size_t i = 0; i < transcript.steps.size(); ++i) {
    const Step& step = transcript.steps[i];
    table.rows.push_back({std::to_string(i + 1), step.is_insert ? "insert" : "query",
                          step.is_insert ? row_text(step) : query_text(step.query),
                          step.is_insert ? std::string("–") : listed(step.answer, 8), step.why});
  }
  return table;
}

std::optional<Section> transcript(const AuditReport& report) {
  if (!report.transcript) return std::nullopt;
  const Transcript& shown = *report.transcript;
  return Section{
      "The shortest transcript",
      {fmt::format("{} prove that row {} has {} = {}. They are what is left of {} recorded by {}, "
                   "after everything that is not needed was dropped.",
                   counted(shown.steps.size(), "step"), shown.victim, shown.attribute, shown.value,
                   counted(shown.recorded, "step"), shown.method),
       shown.confirmed
           ? "Run again from scratch, these steps proved the value again. rankveil replay repeats "
             "them."
           : "These steps were not run again; rankveil replay does so.",
       step_table(shown),
       reports::Paragraph{"This section names a private value of a real row. Keep the page as you "
                          "keep the table.",
                          true}}};
}

reports::Table power_table(const AuditReport& report) {
  reports::Table table{"The smallest leak that would have been found with 95% probability",
                       {"attribute",
                        "attack",
                        "level",
                        {"attempts", true},
                        {"allowed rate", true},
                        {"broken from", true},
                        {"smallest leak", true}},
                       {}};
  for (const Power& power : report.power) {
    table.rows.push_back(
        {attribute_title(power.attribute), power.method, power.level, grouped(power.attempts),
         share(power.allowed),
         power.critical > power.attempts ? std::string("–") : grouped(power.critical) + " right",
         power.leak ? share(*power.leak) : "none"});
  }
  return table;
}

std::string control_text(const Control& control) {
  if (control.planted == 0) {
    return "There was no control: " +
           (control.note.empty() ? "nothing was planted." : control.note);
  }
  std::string text = fmt::format(
      "As a control, {} with known values were planted and attacked like any other; {} of {} came "
      "back right and {} wrong.",
      counted(control.planted, "row"), grouped(control.recovered),
      counted(control.attempts, "value"), grouped(control.wrong));
  if (control.blind) text += " The audit is blind, and what it did not find means nothing.";
  return control.note.empty() ? text : text + " " + control.note;
}

Section certainty(const AuditReport& report) {
  Section section{"How sure this audit is", {control_text(report.control)}};
  if (!report.power.empty()) {
    section.blocks.emplace_back(
        "A leak of 10% gives the true values of 10% of the rows away and leaves the others as the "
        "promise has them. Smaller leaks than those below may have gone unseen.");
    section.blocks.emplace_back(
        reports::Details{"Smallest leak of every finding", {power_table(report)}});
  }
  return section;
}

reports::Table findings_table(const AuditReport& report) {
  reports::Table table{"All findings",
                       {"attribute",
                        "method",
                        "level",
                        "verdict",
                        {"attempts", true},
                        {"hidden", true},
                        {"proven", true},
                        {"found, of the limit", true},
                        {"guessed right (95% interval)", true},
                        {"before the release", true},
                        {"certain (before)", true},
                        {"largest gain over that", true},
                        {"values left", true},
                        {"queries", true},
                        {"inserts", true},
                        "reason"},
                       {}};
  for (const Finding& f : report.findings) {
    table.rows.push_back({attribute_title(f.attribute),
                          f.method,
                          f.level,
                          {std::string(verdict_phrase(f.verdict)), verdict_tone(f.verdict)},
                          grouped(f.attempts),
                          grouped(f.hidden),
                          grouped(f.proven),
                          against_limit(f),
                          rate_text(f),
                          share(f.prior),
                          certain_text(f),
                          fmt::format("{:.3f}", f.gain),
                          fmt::format("{:.2f}", f.candidates),
                          fmt::format("{:.1f}", f.queries),
                          fmt::format("{:.1f}", f.inserts),
                          f.reason});
  }
  return table;
}

// Names of levels or methods that findings use, with what they mean.
reports::Facts glossary(const AuditReport& report, std::string Finding::*member,
                        std::string (*phrase)(std::string_view)) {
  reports::Facts facts;
  for (const Finding& finding : report.findings) {
    const std::string& name = finding.*member;
    const bool known =
        std::ranges::any_of(facts.items, [&](const auto& item) { return item.first == name; });
    if (!known && !phrase(name).empty()) facts.items.emplace_back(name, phrase(name));
  }
  return facts;
}

Section method(const AuditReport& report) {
  Section section{"Method and limits, in plain words",
                  {reports::Heading{"What was done"}, reports::Bullets{method_words(report)},
                   reports::Heading{"What it cannot say"}, reports::Bullets{limit_words(report)}}};
  if (!report.notes.empty()) {
    section.blocks.emplace_back(reports::Heading{"Notes of this run"});
    section.blocks.emplace_back(reports::Bullets{report.notes});
  }
  section.blocks.emplace_back(reports::Details{
      "Levels and attacks by name",
      {reports::Heading{"Levels"}, glossary(report, &Finding::level, level_phrase),
       reports::Heading{"Attacks"}, glossary(report, &Finding::method, method_phrase)}});
  section.blocks.emplace_back(reports::Details{"Every finding", {findings_table(report)}});
  return section;
}

// "all public values guess 61.2% right (religion 71.0%, ...)"
std::string public_prior_text(const AuditReport& report) {
  std::string text;
  for (const PublicPrior& prior : report.public_priors) {
    if (prior.attribute == "all") continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", prior.attribute, share(prior.rate));
  }
  return text.empty() ? "" : "by all public values: " + text;
}

std::string budget_text(const Settings& settings) {
  auto one = [](std::uint64_t budget, const char* noun) {
    return budget == 0 ? fmt::format("no limit of {}", noun)
                       : fmt::format("{} {}", grouped(budget), noun);
  };
  return one(settings.query_budget, "queries") + ", " + one(settings.insert_budget, "inserts") +
         " a victim";
}

std::vector<std::pair<std::string, std::string>> origin(const AuditReport& report) {
  const Subject& subject = report.subject;
  const Settings& settings = report.settings;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"Target", fmt::format("{} ({})", subject.target, subject.target_kind)},
      {"Table", subject.table},
      {"Policy", subject.policy.empty() ? "none" : subject.policy},
      {"Data fingerprint", subject.fingerprint},
      {"Claim", claim_words(subject)},
      {"Known without any ranking", public_prior_text(report)},
      {"Promise", subject.promise.text()},
      {"Promised against", claimed_text(subject)},
      {"Tested against", tested_text(report)},
      {"Victims", fmt::format("{} for each attack", grouped(settings.victims))},
      {"Attacks", listed(settings.methods)},
      {"Rows of an answer", grouped(settings.k)},
      {"Budget", budget_text(settings)},
      {"Seed", std::to_string(settings.seed)},
      {"Version", fmt::format("rankveil {}, {}", settings.version, settings.compiler)},
      {"Format", audit_report_format},
      {"Time taken", format_seconds(report.seconds)}};
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

}  // namespace

std::string to_html(const AuditReport& report) {
  reports::Page page{.kind = "Privacy audit",
                     .title = "Audit of " + report.subject.target,
                     .subtitle = subtitle(report.subject),
                     .banner = banner(report),
                     .figures = key_figures(report),
                     .origin = origin(report)};
  page.sections.push_back(overview(report));
  page.sections.push_back(attribute_section(report));
  for (auto part : {recovery(report), informed(report), transcript(report)}) {
    if (part) page.sections.push_back(*std::move(part));
  }
  page.sections.push_back(certainty(report));
  page.sections.push_back(method(report));
  return reports::to_html(page);
}

}  // namespace rankveil::audit
