#include "rankveil/audit/report_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "rankveil/attack/method.h"
#include "rankveil/audit/adding.h"
#include "rankveil/audit/check.h"
#include "rankveil/audit/publication_audit.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/format.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {
namespace {

using reports::number_text;
using reports::Tone;
using reports::Unit;

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

bool has_findings_by(const AuditReport& report, std::string_view method) {
  return std::ranges::any_of(report.findings,
                             [&](const Finding& finding) { return finding.method == method; });
}

// The level of a name that findings have; none of a publication's.
std::optional<AdversaryLevel> known_level(std::string_view name) {
  const auto names = level_names();
  const bool is_known = std::ranges::find(names, name) != names.end() || is_check_name(name);
  return is_known ? std::optional(level_of(name)) : std::nullopt;
}

bool has_findings_as(const AuditReport& report, AdversaryLevel level) {
  return std::ranges::any_of(report.findings, [&](const Finding& finding) {
    return !is_baseline(finding) && known_level(finding.level) == level;
  });
}

bool has(const std::vector<AdversaryLevel>& levels, AdversaryLevel level) {
  return std::ranges::find(levels, level) != levels.end();
}

std::string named(const std::vector<AdversaryLevel>& levels) {
  std::vector<std::string> names;
  names.reserve(levels.size());
  for (AdversaryLevel level : levels) names.emplace_back(level_name(level));
  return names.empty() ? "nobody" : listed(names);
}

}  // namespace

std::string claimed_text(const Subject& subject) {
  return fmt::format("{}", fmt::join(claimed_levels(subject.promise, subject.holds_against), "; "));
}

std::string tested_text(const AuditReport& report) {
  const auto& claimed = report.subject.holds_against;
  std::vector<AdversaryLevel> tested, left_out, more;
  for (AdversaryLevel level : report.subject.against) {
    (has_findings_as(report, level) ? tested : left_out).push_back(level);
    if (!has(claimed, level)) more.push_back(level);
  }
  if (!left_out.empty()) return fmt::format("{}; not {}", named(tested), named(left_out));
  auto is_tested = [&](AdversaryLevel level) { return has(tested, level); };
  if (claimed.empty() || !std::ranges::all_of(claimed, is_tested)) return named(tested);
  return more.empty() ? "all of these" : "all of these, and " + named(more);
}

std::string untested_text(const AuditReport& report) {
  std::vector<AdversaryLevel> left_out;
  for (AdversaryLevel level : report.subject.against) {
    if (!has_findings_as(report, level)) left_out.push_back(level);
  }
  return left_out.empty() ? "" : fmt::format(" Not tested: {}.", named(left_out));
}

std::vector<std::string> not_tested_words(const AuditReport& report) {
  std::vector<std::string> words;
  for (const Effect& effect : report.effects) {
    if (effect.is_tested() || std::ranges::find(words, effect.note) != words.end()) continue;
    words.push_back(effect.note);
  }
  return words;
}

std::vector<std::string> refused_words(const AuditReport& report) {
  std::vector<std::string> words;
  for (const Effect& effect : report.effects) {
    if (effect.acts == Acts::Refused) words.push_back(effect.note);
  }
  return words;
}

std::string acts_text(const AuditReport& report) {
  std::string text;
  for (const Effect& effect : report.effects) {
    text += text.empty() ? "" : ", ";
    if (effect.acts != Acts::Rises) {
      text += fmt::format("{} {}", effect.attribute,
                          effect.acts == Acts::Refused ? "refused" : "not seen");
    } else {
      text += fmt::format("{} {:.0f}% (elsewhere {:.0f}%)", effect.attribute, 100 * effect.share,
                          100 * effect.elsewhere);
    }
  }
  return text;
}

std::string beyond_claim(const Subject& subject, const Finding& finding) {
  const bool made = !subject.scheme.empty() && subject.scheme != "unprotected";
  const auto level = known_level(finding.level);
  if (!made || is_baseline(finding) || !level || has(subject.holds_against, *level)) return "";
  const Scheme* scheme = find_scheme(subject.scheme);
  const bool once = scheme != nullptr && has(scheme->holds_against, *level);
  return fmt::format(", a level that {}{} makes no promise about", once ? "this release of " : "",
                     subject.scheme);
}

std::string_view verdict_phrase(Verdict verdict) {
  switch (verdict) {
    case Verdict::Kept:
      return "kept";
    case Verdict::Broken:
      return "broken";
    case Verdict::Undecidable:
      return "not decidable";
    case Verdict::NotTested:
      return "not tested";
    case Verdict::NotPromised:
      break;
  }
  return "not promised";
}

Tone verdict_tone(Verdict verdict) {
  switch (verdict) {
    case Verdict::Kept:
      return Tone::Good;
    case Verdict::Broken:
      return Tone::Bad;
    case Verdict::Undecidable:
    case Verdict::NotTested:
      return Tone::Unsure;
    case Verdict::NotPromised:
      break;
  }
  return Tone::Quiet;
}

std::string level_phrase(std::string_view level) {
  if (level == "prior-public") return "sees no ranking, guesses by the public values of a row";
  if (level == "mechanism-table") {
    return "knows the scheme and its parameters, and how frequent values are in the table";
  }
  if (level == "mechanism-public") {
    return "knows the scheme and its parameters, and how frequent values are among like rows";
  }
  if (level == "joint-balanced") {
    return "knows the private vectors of every public group, and weighs who may have which";
  }
  if (level == "quasi") return "knows the exact quasi-identifiers of somebody";
  if (level == "membership") return "knows those, and that the person is published";
  if (level == "scores") return "knows the exact ranking values of somebody";
  if (level == "acquaintance") return "knows one other private attribute of the person";
  if (level == "acquaintance-3") return "knows three other private attributes of the person";
  if (level == "share") return "knows what other people are like, and looks at shares of groups";
  if (level == "sets") return "asks whether the person has any of some values";
  if (is_check_name(level)) return std::string(check_meaning(level));
  const auto names = level_names();
  if (std::ranges::find(names, level) == names.end()) return "";
  return std::string(level_meaning(level_of(level)));
}

std::string method_phrase(std::string_view method) {
  if (method == profiles_method) return "reads what the index holds: no attack can learn more";
  if (method == recovered_method) return "puts together what all attacks proved of a row's profile";
  if (method == "none") return "asks nothing";
  if (method == check_method) return "looks for what a sound defense never does";
  if (method == publication_method) return "reads what is published";
  if (method == recount_method) return "counts groups again in the table";
  if (method == insider_method) return "reads profiles, and the true values of half of the rows";
  if (method == planting_method) return "plants rows and reads profiles";
  if (method.starts_with(adding_method(""))) return "adds up what their profiles show";
  const attack::Method* found = attack::find_method(method);
  return found == nullptr ? "" : std::string(found->summary);
}

std::string finding_title(const Finding& finding) {
  return fmt::format("{}: {}, {}", finding.attribute, finding.method, finding.level);
}

std::vector<std::string> promise_meaning(const Promise& promise) {
  if (promise.kind != PromiseKind::GainAtMost || !promise.over_moved) return {};
  return {
      "A row that moved shows somebody else's value that fits it as well as its own; R is what "
      "one would then believe of its own, by its public values and what all others show.",
      fmt::format("What the row itself shows takes nobody further from R than {:.3g} of the way "
                  "to certainty.",
                  promise.bound)};
}

std::string against_limit(const Finding& finding) {
  bool promised = finding.promise.kind != PromiseKind::None && !is_baseline(finding);
  if (!promised || finding.method == check_method || finding.method == recount_method) return "";
  if (finding.coins) {
    const CoinFigures& coins = *finding.coins;
    double bits = coins.bits_high / most_bits, strong = coins.strong_share() / most_strong_share;
    if (strong > bits) {
      return fmt::format("{:.2g}% of {:.2g}% seen through", 100 * coins.strong_share(),
                         100 * most_strong_share);
    }
    return fmt::format("{:.2g} of {:.2g} bits a coin", coins.bits_high, most_bits);
  }
  double allowed = allowed_gain(finding.promise);
  if (finding.method == profiles_method || finding.gain > allowed) {
    return fmt::format("a gain of {:.3g} of {:.3g}", finding.gain, allowed);
  }
  return fmt::format("{} of {} surely right", number_text(finding.low, Unit::Share),
                     number_text(allowed_rate(finding.promise, finding.prior), Unit::Share));
}

std::string_view gain_is_over(const Finding& finding) {
  if (finding.coins) return "what public values and the other columns shown tell";
  if (finding.gains) return "what public values, and what is known of the row, tell";
  return finding.method == insider_method ? "what public values tell"
                                          : "the shares of the row's group";
}

std::string figures_sentence(const Finding& finding) {
  if (finding.method == recount_method) return finding.reason + ".";
  if (finding.method == check_method) {
    return fmt::format("{} looked at: {}. Promised is {}.", counted(finding.attempts, "case"),
                       finding.reason, finding.promise.text());
  }
  std::string text = fmt::format(
      "{} ({} to {}) of {} were guessed right, {} before the release; the largest gain about a row "
      "is {:.3f} over {}; {} are certain ({} before), {} proven",
      number_text(finding.rate, Unit::Share), number_text(finding.low, Unit::Share),
      number_text(finding.high, Unit::Share), counted(finding.attempts, "attempt"),
      number_text(finding.prior, Unit::Share), finding.gain, gain_is_over(finding),
      number_text(finding.certain, Unit::Share), number_text(finding.certain_before, Unit::Share),
      grouped(finding.proven));
  if (finding.coins) text += ". Whether rows show their own values: " + coins_text(*finding.coins);
  if (finding.gains) text += "; " + finding.gains->text();
  return text + fmt::format(". Promised is {}.", finding.promise.text());
}

double advance(const Finding& finding) {
  return finding.prior >= 1 ? 0 : (finding.rate - finding.prior) / (1 - finding.prior);
}

bool learned_more(const Finding& a, const Finding& b) {
  auto weight = [](const Finding& finding) {
    return std::tuple(finding.method != check_method, finding.gain, advance(finding));
  };
  return weight(a) > weight(b);
}

bool is_about_what_is_known(const Finding& finding) {
  return known_level(finding.level) == AdversaryLevel::Informed;
}

bool is_baseline(const Finding& finding) { return finding.level.starts_with("prior"); }

bool is_black_box(const Finding& finding) { return attack::find_method(finding.method) != nullptr; }

std::vector<std::string> attributes_of(const AuditReport& report) {
  std::vector<std::string> names;
  auto has_findings = [&](const std::string& name) {
    return std::ranges::find(report.findings, name, &Finding::attribute) != report.findings.end();
  };
  for (const std::string& name : report.subject.private_attributes) {
    if (has_findings(name)) names.push_back(name);
  }
  for (const Finding& finding : report.findings) {
    if (finding.attribute != "all") add_once(names, finding.attribute);
  }
  if (has_findings("all")) add_once(names, "all");
  return names;
}

std::string attribute_title(const std::string& attribute) {
  return attribute == "all" ? "All attributes together" : attribute;
}

std::vector<std::string> method_words(const AuditReport& report) {
  std::vector<std::string> words;
  auto say = [&](std::string sentence) { words.push_back(std::move(sentence)); };
  say("We play the adversary. We pick rows by lot, pretend not to know their private values, and "
      "try "
      "to find them out.");
  say(
      fmt::format("Attacks ask the ranking for its best {} rows again and again, with other wishes "
                  "each time, and "
                  "draw conclusions from who passes whom. They are given nothing else.",
                  report.settings.k));
  if (report.settings.inserts) {
    say("Where the ranking takes new rows, attacks also place rows of their own beside the "
        "victim.");
  }
  say("Where the index itself can be read, we also read what it holds about each row. That is the "
      "most any attack could ever learn.");
  if (has_findings_by(report, recovered_method)) {
    say("This one could only be asked. So we put together what all attacks proved about a victim, "
        "and where that is its whole profile, people with more knowledge start from it. Where it "
        "is "
        "not, they are left with the victim's public values.");
  }
  say("On top of that we guess as people with more and more knowledge would, from somebody who "
      "takes "
      "all remaining values for equally likely to somebody who knows the scheme, its parameters "
      "and "
      "everybody else's values. Nobody is given the secret key.");
  say("Some of us trust nothing that is said about the defense: an insider who knows half of the "
      "true values and learns from them what profiles mean; and checks for what a sound defense "
      "never does, such as answering one question in two ways.");
  say("Only then do we look at the true values and count. A row that no answer ever showed still "
      "counts as an attempt.");
  say("Every rate stands beside what public values alone would give. A guess is not a leak if "
      "anybody "
      "could make it without the ranking.");
  say("The gain of a row says how far the ranking moved a belief from there towards certainty: 0 "
      "is no step, 1 is all the way. Verdicts rest on the figure beside the limit: the row with "
      "the largest gain, or the number of right guesses.");
  bool has_coins = std::ranges::any_of(
      report.findings, [](const Finding& finding) { return finding.coins.has_value(); });
  if (has_coins) {
    say("Where each row tosses a coin whether to show its own value, the promise is about that "
        "coin. We count how much of it anybody can see: none is 0 bits, all of it is 0.918 bits "
        "where l = 3; and in how many cases somebody sees through it, being more sure than 14 to "
        "3 odds make one. The largest of many such beliefs is off by chance, and it holds what "
        "columns tell of each other: no limit is on it alone.");
  }
  say(fmt::format(
      "Intervals hold the true rate in 95 of 100 audits (Wilson). With {} at once, each is held to "
      "a "
      "stricter standard, so that a defense that keeps its promise is blamed in at most 5 of 100 "
      "audits.",
      counted(std::max<std::uint64_t>(report.comparisons, 1), "test")));
  return words;
}

std::vector<std::string> limit_words(const AuditReport& report) {
  std::vector<std::string> words = {
      "An audit can find a leak; it cannot prove that there is none. Kept means that nothing we "
      "tried "
      "broke the promise.",
      "It looks at this target, this table and this moment. New rows, another policy or another "
      "release call for another audit.",
      "It looks at answers only: not at logs, time taken, backups or people with access.",
      "What somebody already knows about one person from elsewhere is not covered by promises "
      "about "
      "gain. The curve for the informed adversary shows what that means."};
  if (!has_findings_by(report, profiles_method)) {
    words.emplace_back(
        "The target could only be asked, not read. Stronger attacks than ours may exist.");
  }
  return words;
}

}  // namespace rankveil::audit
