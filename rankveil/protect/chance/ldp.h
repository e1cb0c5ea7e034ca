// Local differential privacy: every row answers with chance for itself.
//
// With d values in an attribute's domain and its budget epsilon, a row says its own value with
// probability e^epsilon / (e^epsilon + d - 1), and each other value with 1 / (e^epsilon + d - 1).
// What it says stays while it has the value (keyed by its name and the value). A row is scored by
// the posterior: how likely each value is, given what the row says and how common values seem to be
// in its public group.
//
// Promises    any two private vectors of a row are at most e^(total epsilon) apart in likelihood,
//             total = the sum of all budgets, whatever anybody knows, believes or planted (all
//             levels up to `informed`). Shares are estimated from what rows say, never
//             counted from what they have, so the promise is about the whole file.
// Assumes     domains that were declared: one read from the rows shows a value that one row has.
// Not         a small gain: a total of 8 lets the odds of two vectors move by the factor 2981. Not
//             across a change: that a row is withdrawn shows that it changed, and one that is
//             released again speaks twice: both totals add up.
// Refuses     totals above 8 (they promise nothing) unless demand.any_epsilon says so.
// Missing     a row without a value says any value, each alike. That keeps the promise too, and
//             whether anybody has no value changes nothing for the others.
// Groups      need demand.min_group rows, and go up the ladder, only to have enough answers to
//             estimate shares from. Rows that take no part say nothing: they have those shares.
//             So have rows that come later, or change, until they are released (release.h): the
//             ledger keeps how often groups said what (ldp_answers), and estimates are a function
//             of that.
// Rounding    strengths are rounded to 1/demand.levels, which knows nothing but answers.
// Source      docs/concepts/ldp.md.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/chance/ldp_budgets.h"
#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_ldp(const Task& task);

// What rows say about one attribute.
class LdpChannel {
 public:
  // REQUIRES: epsilon >= 0.
  LdpChannel(double epsilon, std::uint32_t domain);

  std::uint32_t domain() const { return domain_; }
  double epsilon() const { return epsilon_; }
  // Pr(said | own) = extra [said = own] + even; for a missing value 1 / domain.
  double even() const { return even_; }
  double extra() const { return extra_; }
  double probability(ValueId said, ValueId own) const;
  // REQUIRES: a domain with values.
  ValueId say(const KeyedStream& stream, std::string_view name, ValueId own) const;

 private:
  std::uint32_t domain_;
  double epsilon_;
  double even_;
  double extra_;
};

// What the answers to one attribute are drawn from. Other channels have other draws: where the same
// ones were used under two budgets, an answer that differs would be the true one for certain.
KeyedStream ldp_stream(const SecretKey& key, std::string_view attribute, const LdpChannel& channel);

// How many rows of the table's shares every group's estimate starts from: as many as it takes to
// tame a group of the least size.
inline constexpr double ldp_pseudo_rows = 20;

// Pr(value | said) for all values; the shares themselves when nothing was said.
void ldp_posterior(const LdpChannel& channel, const std::vector<double>& shares, ValueId said,
                   std::vector<double>& out);

// How common values are likely to be among rows of which `said[x]` said x: the mode of a Dirichlet
// posterior with `pseudo_rows` rows of the shares `before` on top. With few answers, or answers
// that mean little, it stays near `before`.
std::vector<double> estimated_shares(const LdpChannel& channel, const std::vector<double>& said,
                                     const std::vector<double>& before, double pseudo_rows);

// What every row says: [attribute][row]; missing_value: it takes no part.
std::vector<std::vector<ValueId>> ldp_answers(const Task& task);

// Turns counts of answers into shares estimated from them, in parts of a million. `everybody`: the
// answers of all, in one group.
void estimate_ldp_shares(const Task& task, const GroupShares& everybody, GroupShares& answers);

}  // namespace rankveil
