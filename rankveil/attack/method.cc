#include "rankveil/attack/method.h"

#include <fmt/core.h>

#include <array>
#include <string>

#include "rankveil/attack/profile_by_sets.h"
#include "rankveil/attack/q_in.h"
#include "rankveil/attack/q_point.h"
#include "rankveil/attack/qi_in.h"
#include "rankveil/attack/qi_point.h"
#include "rankveil/base/text/closest.h"

namespace rankveil::attack {

namespace {

constexpr std::array<Method, 5> all_methods = {{
    {.name = "q-point",
     .summary = "ask for one value per attribute and watch who passes whom",
     .needs_inserts = false,
     .needs_sets = false,
     .attack = q_point},
    {.name = "q-in",
     .summary = "level the victim with other rows and halve the values left",
     .needs_inserts = false,
     .needs_sets = true,
     .attack = q_in},
    {.name = "qi-point",
     .summary = "insert a row just below the victim for each value",
     .needs_inserts = true,
     .needs_sets = false,
     .attack = qi_point},
    {.name = "qi-in",
     .summary = "insert one row just below the victim and halve the values left",
     .needs_inserts = true,
     .needs_sets = true,
     .attack = qi_in},
    {.name = "profile-by-sets",
     .summary = "insert a few rows and split the sets that the victim matches",
     .needs_inserts = true,
     .needs_sets = true,
     .attack = profile_by_sets},
}};

Error unknown_method(std::string_view name) {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.emplace_back(method.name);
  return wrong_use(fmt::format("there is no attack \"{}\"; {}", name, near_and_all(name, names)));
}

Status check_shape(const Knowledge& knowledge) {
  const Schema& schema = knowledge.schema;
  if (knowledge.public_columns.size() != schema.public_count() || schema.public_count() == 0) {
    return bad_input(fmt::format(
        "the public table has {} columns for {} public attributes; at least one is needed",
        knowledge.public_columns.size(), schema.public_count()));
  }
  if (knowledge.weights.units.size() != schema.size()) {
    return bad_input(fmt::format("there are {} weights for {} attributes",
                                 knowledge.weights.units.size(), schema.size()));
  }
  if (knowledge.k == 0) return wrong_use("k is 0; an attack needs answers of at least one row");
  if (knowledge.belief.levels > max_steps) {
    return wrong_use(fmt::format("strengths come in at most {} levels", max_steps));
  }
  return {};
}

Status check_request(const Method& method, const Request& request) {
  const Knowledge& knowledge = request.knowledge;
  if (auto fits = check_shape(knowledge); !fits) return fits;
  if (request.victim >= knowledge.rows()) {
    return bad_input(fmt::format("there is no row {} to attack; rows go from 0 to {}",
                                 request.victim, knowledge.rows() - 1));
  }
  for (PrivateId attribute : request.attributes) {
    if (+attribute < knowledge.schema.private_count()) continue;
    return bad_input(fmt::format("there is no private attribute {}; there are {}", +attribute,
                                 knowledge.schema.private_count()));
  }
  if (method.needs_inserts && !request.target.takes_inserts()) {
    return wrong_use(fmt::format(
        "{} inserts rows, and this ranking takes none; use q-point or q-in", method.name));
  }
  if (method.needs_sets && !request.target.takes_sets()) {
    return wrong_use(
        fmt::format("{} asks for several values of an attribute at once, and this ranking takes "
                    "one; use q-point or qi-point",
                    method.name));
  }
  return {};
}

std::vector<PrivateId> attributes_of(const Request& request) {
  if (!request.attributes.empty()) return request.attributes;
  std::vector<PrivateId> all;
  for (std::uint32_t j = 0; j < request.knowledge.schema.private_count(); ++j) {
    all.push_back(PrivateId{j});
  }
  return all;
}

std::size_t count_known(Session& session) {
  std::size_t count = 0;
  for (std::uint32_t j = 0; j < session.privates(); ++j) {
    if (session.known(PrivateId{j})) ++count;
  }
  return count;
}

void attack_one(const Method& method, Session& session, Finding& finding) {
  if (session.resolved(finding.attribute)) return;
  std::uint64_t queries = session.queries();
  std::uint64_t inserts = session.inserts();
  method.attack(session, finding.attribute);
  finding.queries += session.queries() - queries;
  finding.inserts += session.inserts() - inserts;
}

Outcome outcome_of(Session& session, PrivateId attribute) {
  if (!session.consistent()) return Outcome::Inconsistent;
  if (session.resolved(attribute)) return Outcome::Resolved;
  if (session.over_budget()) return Outcome::OutOfBudget;
  return session.seen() ? Outcome::Open : Outcome::Hidden;
}

void fill(Session& session, Finding& finding) {
  PrivateId attribute = finding.attribute;
  finding.outcome = outcome_of(session, attribute);
  bool proven = finding.outcome != Outcome::Inconsistent;
  Engine& engine = session.engine(attribute);
  std::uint32_t slot = session.slot(session.victim());
  for (std::uint32_t v = 0; v < session.domain(attribute); ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    finding.verdicts.push_back(proven ? engine.verdict(slot, value) : Verdict::Open);
    finding.strengths.push_back(proven ? engine.strength(slot, value) : Strength{0, 1});
    bool guess = proven && finding.verdicts.back() == Verdict::Open;
    finding.soft.push_back(
        guess ? engine.soft_evidence(slot, value, session.prior(attribute, value)) : 0);
  }
}

}  // namespace

std::span<const Method> methods() { return all_methods; }

const Method* find_method(std::string_view name) {
  for (const Method& method : methods()) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

Result<Report> run(const Method& method, const Request& request) {
  if (auto fits = check_request(method, request); !fits) return fits.error();
  Session session(request);
  Report report;
  for (PrivateId attribute : attributes_of(request)) {
    report.findings.emplace_back().attribute = attribute;
  }
  for (std::size_t known = 0;;) {
    for (Finding& finding : report.findings) {
      if (session.running()) attack_one(method, session, finding);
    }
    std::size_t now = count_known(session);
    // Only a hidden victim gains from what was proven of its other attributes.
    const Base* full = session.remembered(session.full_query());
    bool hidden = full != nullptr && !full->shows_victim;
    if (!session.running() || !hidden || now <= known) break;
    known = now;
  }
  if (session.failure()) return *session.failure();
  for (Finding& finding : report.findings) fill(session, finding);
  report.seen = session.seen();
  report.queries = session.queries();
  report.inserts = session.inserts();
  return report;
}

Result<Report> run(std::string_view method, const Request& request) {
  const Method* found = find_method(method);
  if (found == nullptr) return unknown_method(method);
  return run(*found, request);
}

std::vector<ValueId> Finding::matched() const {
  std::vector<ValueId> values;
  for (std::uint32_t v = 0; v < verdicts.size(); ++v) {
    if (verdicts[v] == Verdict::Matched) values.push_back(ValueId{static_cast<std::uint16_t>(v)});
  }
  return values;
}

std::vector<ValueId> Finding::candidates() const {
  std::vector<ValueId> left;
  std::vector<ValueId> all;
  for (std::uint32_t v = 0; v < verdicts.size(); ++v) {
    all.push_back(ValueId{static_cast<std::uint16_t>(v)});
    if (verdicts[v] != Verdict::Excluded) left.push_back(all.back());
  }
  return left.empty() ? all : left;
}

}  // namespace rankveil::attack
