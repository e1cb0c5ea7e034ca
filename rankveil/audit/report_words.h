// Words that pages and machine-readable reports use for verdicts, levels and methods.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/audit/audit_report.h"
#include "rankveil/report/chart.h"

namespace rankveil::audit {

std::string_view verdict_phrase(Verdict verdict);  // "kept", "broken", "not decidable", ...
reports::Tone verdict_tone(Verdict verdict);

// What an adversary of this level knows, or how a method works: a phrase, empty when the name is
// not one of ours.
std::string level_phrase(std::string_view level);
std::string method_phrase(std::string_view method);

// What R is, in two sentences for a reader with no paper at hand; none where the promise has no R.
std::vector<std::string> promise_meaning(const Promise& promise);

// Whom a promise is made for and whom it was tested against are two things: "ignorant, joint", and
// "all of these, and intersecting", with the conditions there are (promise/claim.h). Levels that
// were not run are named: "ignorant; not joint".
std::string claimed_text(const Subject& subject);
std::string tested_text(const AuditReport& report);
// " Not tested: joint.": levels in `against` that no finding is about. Nothing where there are
// none.
std::string untested_text(const AuditReport& report);
// Why attributes were not tested, a phrase each ("religion: nothing moves when ..."). Reasons that
// are alike are one.
std::vector<std::string> not_tested_words(const AuditReport& report);
// What the service refuses to be asked for, a sentence each without its stop.
std::vector<std::string> refused_words(const AuditReport& report);
// "religion 62% (elsewhere 20%), ...": how far wishes act; empty where nothing was asked.
std::string acts_text(const AuditReport& report);
// ", a level that pvsv makes no promise about", or nothing where it does.
std::string beyond_claim(const Subject& subject, const Finding& finding);

// "people.csv, attribute income, q-in, joint": where a finding comes from.
std::string finding_title(const Finding& finding);
// "71.5% (68.0% to 74.8%) of 1,000 were guessed right; public values alone give 40.0%; ..."
std::string figures_sentence(const Finding& finding);

// What the verdict holds against the limit, and the limit: "0.004 of 0.03 bits a coin", "a gain of
// 0.21 of 0.333", "38.0% of 50.2% surely right" (the lower end of its interval). Empty where
// nothing is promised, and of checks.
std::string against_limit(const Finding& finding);
// What the gain of a finding is over: "the shares of the row's group".
std::string_view gain_is_over(const Finding& finding);

// How far guesses got from what public values give towards always right; 0 is nowhere, 1 all the
// way.
double advance(const Finding& finding);
// By gain, then by how far guesses got. Checks make no guesses, and come last.
bool learned_more(const Finding& a, const Finding& b);

// By somebody who knows a part of what is asked, or looks at shares alone: nothing is promised.
bool is_about_what_is_known(const Finding& finding);
bool is_baseline(const Finding& finding);   // no ranking was looked at
bool is_black_box(const Finding& finding);  // it was asked, not read

// Attributes in the order of the subject, others after them, "all" last.
std::vector<std::string> attributes_of(const AuditReport& report);
std::string attribute_title(const std::string& attribute);  // "All attributes together" for "all"

// How an audit is done, and what it cannot say, in plain words.
std::vector<std::string> method_words(const AuditReport& report);
std::vector<std::string> limit_words(const AuditReport& report);

}  // namespace rankveil::audit
