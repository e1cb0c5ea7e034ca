// Everything an audit found out, in one struct: what the terminal, JSON, HTML, JUnit and SARIF
// show, and what `verify` and `replay` read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/audit/effect/effect.h"
#include "rankveil/audit/finding.h"
#include "rankveil/audit/levels.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/promise/claim.h"
#include "rankveil/promise/promise.h"

namespace rankveil::audit {

class JsonFields;

// What was attacked, and what it was held against.
struct Subject {
  std::string target = {};       // as the caller named it
  std::string target_kind = {};  // "index", "table", "sql", "http", "program"
  bool live = false;             // it was asked, not read: its scheme is what the policy declares
  std::string table = {};        // where the truth came from
  std::string policy = {};       // a path; may be empty
  // Lines of it, where columns are described; what is not there is on line 1.
  std::vector<std::pair<std::string, std::uint32_t>> policy_lines = {};
  std::string fingerprint = {};  // of the table: 16 hexadecimal digits
  std::uint64_t rows = 0;
  std::vector<std::string> public_attributes = {};
  std::vector<std::string> private_attributes = {};
  std::string scheme = {};  // what protects the target: "unprotected", "swap", ...; empty: unknown
  std::uint32_t l = 0;      // of the promise; 0: none
  // Values that the promise is not about, nor any finding.
  std::vector<NotSensitive> not_sensitive = {};
  Promise promise = {};  // what findings are held against, at every level in `against`
  std::vector<AdversaryLevel> against = {};        // levels at which the promise is tested
  std::vector<AdversaryLevel> holds_against = {};  // levels that the promise is made for
  // For how many rows the target claims it. Nothing: it does not say, so nothing is claimed.
  std::optional<Coverage> coverage = {};

  std::uint32_t line_of(const std::string& attribute) const;
};

// How the audit was done: the same settings on the same data give the same report.
struct Settings {
  std::uint64_t victims = 0;  // attacked per method
  std::vector<std::string> methods = {};
  std::uint32_t k = 0;  // rows of an answer
  std::uint64_t seed = 0;
  std::uint64_t query_budget = 0;   // a victim and method; 0: none
  std::uint64_t insert_budget = 0;  // likewise
  bool inserts = false;             // whether the target took rows
  std::string version = {};         // of this program
  std::string compiler = {};
};

// Rows with known values that the audit planted itself and then attacked like any other.
struct Control {
  std::uint64_t planted = 0;    // 0: there was no control, and `note` says why
  std::uint64_t attempts = 0;   // planted rows times private attributes
  std::uint64_t recovered = 0;  // of these, values that were proven and right
  std::uint64_t wrong = 0;      // proven, and not what was planted
  bool blind = false;           // an unprotected ranking, and yet not one value was recovered
  std::string note = {};        // a sentence
};

// What this audit would have called broken with probability 0.95, had it been there. Two kinds of
// leak count:
//   leak       guesses are right too often. A leak of s: a share s of victims is guessed right for
//              certain, all others as often as the promise allows.
//   laid_open  values are proven. One is enough, so this is the smallest share of rows laid open of
//              which the attempts hit at least one.
struct Power {
  std::string attribute = {};
  std::string method = {};
  std::string level = {};
  std::uint64_t attempts = 0;
  double allowed = 0;               // the rate of right guesses that the promise allows
  std::uint64_t critical = 0;       // from so many right guesses on the verdict is broken
  std::optional<double> leak = {};  // s; none: not even s = 1 would be found
  std::optional<double> laid_open = {};
};

// One thing done to the target.
struct Step {
  bool is_insert = false;
  Json query = {};  // {"city": "Paris", "religion": ["none", "other"]}: what was asked
  std::vector<std::optional<std::string>> row = {};  // inserted: a value per attribute
  std::vector<std::string> answer = {};  // ids, best first; "+1" is the first inserted row
  std::string why = {};                  // a phrase: what the step is for
};

// The shortest list of steps that proves one private value of one row.
struct Transcript {
  std::string victim = {};  // its id
  std::string attribute = {};
  std::string value = {};  // what the steps prove
  std::string method = {};
  std::vector<Step> steps = {};
  std::uint64_t recorded = 0;  // steps of the attack before what is not needed was dropped
  bool confirmed = false;      // the steps, run again from scratch, proved the value again
};

struct CurvePoint {
  double queries = 0;  // a victim
  double share = 0;    // of all values attacked, proven with at most so many queries
};
// Recovered values against number of queries; ascending in both.
struct Curve {
  std::string name = {};  // "before": the same table without protection; "after": the target
  std::string method = {};
  std::uint64_t victims = 0;
  std::vector<CurvePoint> points = {};
};

// How often all public values together tell a private one without any ranking: each row is guessed
// from the others, by the columns that tell most (table/telling/public_guess.h).
struct PublicPrior {
  std::string attribute = {};  // "all": the mean
  double rate = 0;
};

inline constexpr const char* audit_report_format = "rankveil-audit-1";

struct AuditReport {
  Subject subject = {};
  Settings settings = {};
  std::vector<Finding> findings = {};
  std::vector<PublicPrior> public_priors = {};  // of private attributes, then of all
  Control control = {};
  std::vector<Effect> effects = {};  // of a live target: whether wishes act, by private attribute
  std::vector<Power> power = {};     // of findings with a promise
  std::optional<Transcript> transcript = {};
  std::vector<Curve> curves = {};
  std::vector<InformedPoint> informed = {};
  // Verdicts are tests; so many are made at once, and each is the stricter for it (verdict.h).
  std::uint64_t comparisons = 0;
  // What was not done because the audit was to stop, a phrase; empty: everything was.
  std::string incomplete = {};
  std::vector<std::string> notes = {};     // full sentences: levels left out and why
  std::vector<std::string> failures = {};  // what the gate objects to; empty: passed, or no gate
  std::vector<std::string> known = {};     // findings (name_of) that are as the baseline has them
  std::vector<std::string> repaired = {};  // findings of the baseline that no rule objects to now
  double seconds = 0;

  // The worst verdict there is, about one attribute or (empty) about all: broken before not-tested
  // before undecidable before kept before not-promised. What is refused is kept, and what is
  // settled does not count.
  Verdict overall(std::string_view attribute = {}) const;
  // Not decided by an attack that had too few attempts, where the profiles of all rows were read
  // and found to keep the promise against the same level: no attack learns more than that.
  bool is_settled(const Finding& finding) const;
  // The weakest level with a broken promise, of one attribute or (empty) of all.
  const Finding* first_broken(std::string_view attribute = {}) const;
  bool is_known(const Finding& finding) const;
  // Nothing: it was not looked for.
  std::optional<double> public_prior(std::string_view attribute) const;
};

// What the target claims, and for how many rows: a phrase.
std::string claim_words(const Subject& subject);
Json to_json(const Subject& subject);
Subject read_subject(JsonFields fields);
Json to_json(const AuditReport& report);
Result<AuditReport> audit_report_from_json(const Json& json);

}  // namespace rankveil::audit
