// The attack on one victim under way: what was asked, what was answered, what follows from it.
//
// Methods decide what to ask; everything they learn goes through here into the engines, one per
// private attribute, so that no method can be less careful than another.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "rankveil/attack/agreement.h"
#include "rankveil/attack/engine.h"
#include "rankveil/attack/request.h"
#include "rankveil/attack/ties.h"

namespace rankveil::attack {

// A query and its answer, to compare others with that ask for more.
struct Base {
  Query query;
  std::vector<std::uint32_t> returned;
  std::uint32_t rows_then;  // rows from this number on were not there yet
  std::uint32_t chain;      // in Session::ties
  bool shows_victim;
  bool has_private;  // it asks for private values, so that not all scores are known
};

class Session {
 public:
  // The request must outlive this.
  explicit Session(const Request& request);

  const Knowledge& knowledge() const { return knowledge_; }
  const Belief& belief() const { return knowledge_.belief; }
  std::uint32_t victim() const { return request_.victim; }
  std::uint32_t publics() const { return publics_; }
  std::uint32_t privates() const { return privates_; }
  std::uint32_t domain(PrivateId attribute) const;
  std::int64_t weight(PrivateId attribute) const;
  std::int64_t public_weight(std::uint32_t attribute) const {
    return knowledge_.weights.units[attribute];
  }
  // How common a value is thought to be, above 0.
  double prior(PrivateId attribute, ValueId value) const;

  // Nothing stopped the attack: no budget spent, no failure, no contradiction.
  bool running() const { return !failure_ && !over_budget() && consistent_; }
  bool over_budget() const { return target_.over_budget() && spent_; }
  bool consistent() const { return consistent_; }
  const std::optional<Error>& failure() const { return failure_; }
  bool seen() const { return seen_; }
  std::uint64_t queries() const { return target_.queries(); }
  std::uint64_t inserts() const { return target_.inserts(); }

  // The public values of the victim, nothing private.
  Query full_query() const;
  // The answer to a query, asked once and remembered. `fresh`: asked again if rows were inserted
  // since. Null when the attack is stopped. REQUIRES: full or no values on private attributes.
  Base* base(const Query& query, bool fresh = false);
  // The same if it was asked before, else null.
  Base* remembered(const Query& query, bool fresh = false);
  // Asks base with `x` on the attribute, and learns. What was asked before with the same rows is
  // not asked again. False when the attack is stopped.
  bool test(Base& base, PrivateId attribute, std::span<const ValueId> x);
  bool test(Base& base, PrivateId attribute, ValueId value) {
    return test(base, attribute, std::span(&value, 1));
  }
  // Whether the last test returned the victim, and its answer as a base of its own.
  bool test_showed_victim() const { return shown_; }
  const Query& last_query() const { return last_query_; }
  Base* base_of_last_test();

  bool takes_inserts() const { return running() && target_.takes_inserts(); }
  // Nothing when the attack is stopped, or takes no more rows.
  std::optional<std::uint32_t> insert(std::vector<ValueId> values);
  struct OwnRow {
    std::uint32_t row;
    std::vector<ValueId> values;
  };
  const std::vector<OwnRow>& own_rows() const { return own_; }

  // Public score of any row, in units of weight.
  std::int64_t public_score(const Query& query, std::uint32_t row) const;
  ValueId public_value(std::uint32_t row, std::uint32_t attribute) const {
    if (row >= first_own_) return own_[row - first_own_].values[attribute];
    return knowledge_.public_columns[attribute].value(RowId{row});
  }
  // The score of a row, if all it hangs on is proven.
  std::optional<std::int64_t> score(const Query& query, std::uint32_t row);

  // On which public attributes rows agree with the victim; counted once.
  const std::vector<MaskCount>& agreement();
  // Of these, what can matter to queries for all attributes of `asked` but two, whatever private
  // value is asked for; kept as long as the same is asked.
  const std::vector<MaskCount>& near_agreement(Mask asked);
  // Other rows with public values most like the victim's, nearest first; found once.
  const std::vector<std::uint32_t>& closest();
  // Queries that hang on public values alone (q_in.h), found once for all private attributes.
  const std::vector<Query>& boxes(const std::function<std::vector<Query>()>& find);

  Engine& engine(PrivateId attribute);
  std::uint32_t slot(std::uint32_t row);
  std::uint32_t row_at(std::uint32_t slot) const { return row_of_slot_[slot]; }
  const Ties& ties() const { return ties_; }

  // About the victim.
  Verdict verdict(PrivateId attribute, ValueId value);
  bool resolved(PrivateId attribute);
  std::vector<ValueId> candidates(PrivateId attribute);
  // Open values, the most common first.
  std::vector<ValueId> open_values(PrivateId attribute);
  // A value proven to match.
  std::optional<ValueId> known(PrivateId attribute);

 private:
  struct Tested {
    const Base* base;
    PrivateId attribute;
    std::uint32_t rows;
    std::vector<ValueId> x;

    bool operator<(const Tested& other) const {
      return std::tie(base, attribute, rows, x) <
             std::tie(other.base, other.attribute, other.rows, other.x);
    }
  };

  bool ask(const Query& query, std::vector<std::uint32_t>& returned);
  Base* remember(Query query, std::vector<std::uint32_t> returned);
  void learn_base(Base& base);
  void learn(Base& base, PrivateId attribute, std::span<const ValueId> x);
  void learn_scores(Base& base, PrivateId attribute, std::span<const ValueId> x);
  void learn_flips(const Base& base, PrivateId attribute, std::span<const ValueId> x);
  bool was_tested(const Base& base, PrivateId attribute, std::span<const ValueId> x) const;
  void collect_missing(const Base& base);
  std::uint32_t rows() const { return first_own_ + static_cast<std::uint32_t>(own_.size()); }
  bool was_left_out(const Base& base, std::uint32_t row) const;
  bool is_outdated(const Base& base) const { return !belief().sticky && base.rows_then != rows(); }
  void forget_profiles();
  void tell_own_row(Engine& engine, PrivateId attribute, const OwnRow& row);

  const Request& request_;
  const Knowledge& knowledge_;
  CountedTarget target_;
  std::uint32_t publics_;
  std::uint32_t privates_;
  std::uint32_t first_own_;
  bool spent_ = false;
  bool consistent_ = true;
  bool seen_ = false;
  bool shown_ = false;
  std::optional<Error> failure_;

  std::vector<std::unique_ptr<Base>> bases_;
  std::vector<std::unique_ptr<Engine>> engines_;
  std::set<Tested, std::less<>> tested_;
  std::vector<OwnRow> own_;
  Ties ties_;
  std::vector<MaskCount> agreement_;
  std::optional<std::pair<Mask, std::vector<MaskCount>>> near_;
  std::vector<std::uint32_t> closest_;
  std::optional<std::vector<Query>> boxes_;
  std::vector<std::uint32_t> slot_of_row_;  // 0: none yet, else one more than the slot
  std::vector<std::uint32_t> row_of_slot_;

  // The last test, and memory kept between tests.
  Query last_query_;
  std::vector<std::uint32_t> answer_;
  std::vector<ScoredRow> returned_rows_, missing_rows_;
  std::vector<std::uint32_t> without_, with_, stamp_, missing_ids_;
  std::uint32_t now_ = 0;
};

}  // namespace rankveil::attack
