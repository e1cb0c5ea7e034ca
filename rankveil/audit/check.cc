#include "rankveil/audit/check.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "rankveil/audit/verdict.h"
#include "rankveil/promise/binomial.h"

namespace rankveil::audit {

namespace {

struct NamedCheck {
  std::string_view name;
  AdversaryLevel level;
  std::string_view meaning;
};

// The insider learns what the mechanism does, and the planter knows some vectors of a group.
constexpr std::array checks = {
    NamedCheck{"fits", AdversaryLevel::Ignorant,
               "sees a profile that the declared scheme cannot have made"},
    NamedCheck{"repeats", AdversaryLevel::Ignorant, "asks the same twice, or of two releases"},
    NamedCheck{"ties", AdversaryLevel::Ignorant,
               "reads private values off the order of rows with equal public values"},
    NamedCheck{"adding", AdversaryLevel::Ignorant,
               "adds up what rows show that are alike in a public column"},
    NamedCheck{
        "trained", AdversaryLevel::MechanismAware,
        "knows the true values of half of the rows, and learns from them what profiles mean"},
    NamedCheck{"planted", AdversaryLevel::Joint,
               "plants rows of their own among those that hide others, and takes them away again"},
};

constexpr auto names_of_checks = [] {
  std::array<std::string_view, checks.size()> list{};
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = checks[i].name;
  return list;
}();

const NamedCheck& find_check(std::string_view name) {
  auto found = std::find_if(checks.begin(), checks.end(),
                            [&](const NamedCheck& check) { return check.name == name; });
  assert(found != checks.end() && "only names of check_names() stand for a check");
  return *found;
}

}  // namespace

std::span<const std::string_view> check_names() { return names_of_checks; }

bool is_check_name(std::string_view name) {
  return std::find(names_of_checks.begin(), names_of_checks.end(), name) != names_of_checks.end();
}

AdversaryLevel check_level(std::string_view name) { return find_check(name).level; }
std::string_view check_meaning(std::string_view name) { return find_check(name).meaning; }

Finding check_finding(std::string_view check, std::string attribute, std::uint64_t looked_at,
                      std::string evidence) {
  Finding finding;
  finding.attribute = std::move(attribute);
  finding.method = check_method;
  finding.level = check;
  finding.attempts = looked_at;
  finding.evidence = std::move(evidence);
  fill_rate(finding);
  return finding;
}

namespace {

// The bets that are worth it, in no order.
std::vector<Bet> promising(std::vector<Bet> bets) {
  constexpr std::size_t part = 20;
  std::erase_if(bets, [](const Bet& bet) { return bet.gain <= 0; });
  if (bets.empty()) return bets;
  auto best = bets.begin() + static_cast<std::ptrdiff_t>(bets.size() / part);
  std::nth_element(bets.begin(), best, bets.end(),
                   [](const Bet& a, const Bet& b) { return a.gain > b.gain; });
  double least = best->gain / 2;
  std::erase_if(bets, [least](const Bet& bet) { return bet.gain < least; });
  return bets;
}

}  // namespace

double sure_gain(std::uint64_t bets, std::uint64_t right, double prior) {
  constexpr double luck = 1e-6;
  if (right == 0 || prior >= 1) return 0;
  double least = rate_that_reaches(bets, right, luck).value_or(0);
  return std::clamp((least - prior) / (1 - prior), 0.0, 1.0);
}

Finding bets_finding(std::string_view check, const char* method, std::string attribute,
                     std::vector<Bet> bets) {
  Finding finding;
  finding.attribute = std::move(attribute);
  finding.method = method;
  finding.level = check;
  bets = promising(std::move(bets));
  finding.attempts = bets.size();
  for (const Bet& bet : bets) {
    finding.right += bet.won ? 1 : 0;
    finding.prior += bet.prior / static_cast<double>(bets.size());
  }
  fill_rate(finding);
  finding.gain =
      sure_gain(finding.attempts, static_cast<std::uint64_t>(finding.right), finding.prior);
  return finding;
}

std::string private_name(const Table& table, std::uint32_t attribute) {
  const Schema& schema = table.schema();
  return schema.attributes[schema.public_count() + attribute].name;
}

}  // namespace rankveil::audit
