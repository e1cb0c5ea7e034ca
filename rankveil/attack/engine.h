// The inference engine: what ranked answers prove about one private attribute.
//
// Somebody asks a base query, whose scores are known, and then the same query with a set X of
// values on the attribute. That a row is returned before another bounds how much more strongly it
// matches X. The engine keeps, for every set asked and every row met, the least and the greatest
// strength that fit all answers, and what follows from them for single values.
//
// Promises    what it calls matched or excluded follows from the answers and the Belief: it is
//             never wrong while these are true. Integers only, so no rounding breaks a tie.
//             With full matches only, one answer is used up: nothing more follows from it.
// Not         all that several answers say together (Graded): sums of strengths are read only where
//             each value of a set was asked for by itself too.
// Cost        linear in the rows of an answer, times the chains of ties known; what follows costs
// as
//             much as there is that follows, and a sum of strengths as many steps as it has values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/attack/target.h"
#include "rankveil/attack/ties.h"

namespace rankveil::attack {

enum class Verdict : std::uint8_t {
  Open,
  Matched,   // the row matches the value to some extent: proven
  Excluded,  // the row does not match the value at all: proven
};

// The least and the greatest strength that are possible, in [0, 1].
struct Strength {
  double low;
  double high;
};

class Engine {
 public:
  // `weight`: of the attribute, in units as scores have.
  Engine(const Belief& belief, std::uint32_t domain, std::int64_t weight);

  // An answer to a base query with `x` on the attribute: rows returned, best first, with their
  // scores in the base query; then rows that were not returned though they could have been. Rows
  // whose base score is not known are left out of both. REQUIRES: x ascending, not empty.
  void learn(std::span<const ValueId> x, std::span<const ScoredRow> returned,
             std::span<const ScoredRow> missing, const Ties& ties);
  // Answers to the same base query without and with `x`, where scores need not be known: rows that
  // changed places. Rows that were inserted in between are left out of both.
  void learn_flips(std::span<const ValueId> x, std::span<const std::uint32_t> without,
                   std::span<const std::uint32_t> with);
  // The row is known to match the value to some extent (with OneValue: no other).
  void set_matched(std::uint32_t slot, ValueId value);

  // False: the answers contradict the belief, the weights or each other. Verdicts are then void.
  bool consistent() const { return consistent_; }

  Verdict verdict(std::uint32_t slot, ValueId value) const;
  // About a set as a whole: whether the row matches at least one, or none of its values.
  Verdict verdict(std::uint32_t slot, std::span<const ValueId> x) const;
  Strength strength(std::uint32_t slot, ValueId value) const;
  // Values that are matched or open, ascending.
  std::vector<ValueId> candidates(std::uint32_t slot) const;
  std::vector<ValueId> open_values(std::uint32_t slot) const;
  // Nothing is open.
  bool resolved(std::uint32_t slot) const;
  // The row is known to match some value.
  bool has_value(std::uint32_t slot) const;
  // Whether two rows are known to match no value in common, as far as candidates say.
  bool disjoint(std::uint32_t slot, std::uint32_t other) const;

  // Evidence short of proof that the row matches an open value: the log of how much likelier the
  // answers are if it does, when other rows match it with probability `share`.
  double soft_evidence(std::uint32_t slot, ValueId value, double share) const;

  std::uint32_t domain() const { return domain_; }

 private:
  // Bounds are kept doubled; an odd one means "more than", or "less than", the half below or above.
  using Bound = std::int64_t;
  using Bits = std::vector<std::uint64_t>;

  // strength(above) - strength(below) >= gap, or > gap; in scaled units.
  struct Link {
    std::uint32_t above;
    std::uint32_t below;
    std::int64_t gap;
    bool strict;
  };
  struct Order {
    std::vector<Link> links;  // from the last row returned to the first
    std::vector<ScoredRow> rows;
    std::size_t returned;
  };
  struct Asked {
    std::vector<ValueId> values;
    Bits bits;
    Bound greatest;
    std::vector<Bound> low, high;  // by slot
    std::vector<Order> orders;
    bool stale = false;
    // Of several values: where each was asked for by itself, and how many of them were not.
    std::vector<std::uint32_t> parts;
    std::size_t parts_missing = 0;

    bool is_sum() const { return !parts.empty() && parts_missing == 0; }
  };
  static constexpr std::uint32_t not_asked = UINT32_MAX;

  Asked& asked(std::span<const ValueId> x);
  std::uint32_t add_asked(std::span<const ValueId> x);
  void add_part(Asked& set, std::uint32_t part, ValueId value);
  const Asked* find(std::span<const ValueId> x) const;
  std::uint32_t number_of(const Asked& set) const {
    return static_cast<std::uint32_t>(&set - asked_.data());
  }
  void make_room(std::uint32_t slot);
  void make_room(std::span<const ScoredRow> rows);
  Bits all_values() const;
  bool must_match(std::uint32_t slot, const Bits& x) const;
  Bits bits_of(std::span<const ValueId> x) const;
  std::span<std::uint64_t> excluded(std::uint32_t slot);
  std::span<std::uint64_t> matched(std::uint32_t slot);
  std::span<const std::uint64_t> excluded(std::uint32_t slot) const;
  std::span<const std::uint64_t> matched(std::uint32_t slot) const;

  std::vector<Link> links_of(std::span<const ScoredRow> rows, std::size_t returned,
                             const Ties& ties);
  void add_strict_pairs(std::span<const ScoredRow> rows, std::size_t returned, const Ties& ties,
                        std::uint32_t chain);
  Bound rounded_up(Bound bound) const;
  Bound rounded_down(Bound bound) const;
  Bound least_positive() const { return step_ == 0 ? 1 : 2 * step_; }
  void raise(Asked& set, std::uint32_t slot, Bound low);
  void lower(Asked& set, std::uint32_t slot, Bound high);
  void mark_stale(Asked& set);
  void mark_stale(std::uint32_t slot);
  void run_links(Asked& set, const Order& order);

  class Sum;
  void write_sum(Asked& set, std::uint32_t slot);
  void settle_orders(Asked& set);
  bool settle_sets();
  void settle();
  void read_news(std::uint32_t slot);
  void read_sets(std::uint32_t slot);
  void narrow_to(std::uint32_t slot, const Bits& x);
  void write_set(Asked& set, std::uint32_t slot);
  void write_values(std::uint32_t slot);
  void write_sets(std::uint32_t slot);
  void write_unions(std::uint32_t slot, std::uint32_t only = not_asked);
  void raise_those_with(std::uint32_t slot, const Bits& left, std::uint32_t only);
  void write_new_set(std::uint32_t number);

  bool one_value_;
  bool graded_;
  bool none_missing_;
  bool one_strength_;
  std::uint32_t domain_;
  std::size_t words_;
  std::int64_t scale_;  // units of strength per unit of weight
  std::int64_t step_;   // strengths are multiples of it; 0: any
  std::int64_t full_;   // a full match
  bool consistent_ = true;

  std::uint32_t slots_ = 0;
  std::vector<Asked> asked_;
  std::vector<std::uint32_t> alone_;    // by value, or bit: its set in asked_, or not_asked
  std::vector<std::uint32_t> several_;  // sets of more than one value
  std::vector<std::uint32_t> stale_sets_;
  std::vector<std::uint64_t> excluded_, matched_;  // words_ per slot
  std::vector<std::uint64_t> told_;                // of either, what sets of one value were told
  // By slot: sets of which it was newly seen that the row matches them or does not, and sets of
  // several values that it matches.
  std::vector<std::vector<std::uint32_t>> news_, matched_sets_;
  std::vector<std::uint8_t> has_value_;  // by slot
  std::vector<std::uint8_t> stale_;      // by slot
  std::vector<std::uint32_t> stale_slots_;

  // Kept between answers so that learning takes no new memory.
  struct StrictPair {
    std::uint32_t above;  // positions in the answer
    std::uint32_t below;
  };
  struct Waiting {
    std::uint32_t position;  // in the chain
    std::uint32_t row;       // in the answer
  };
  std::vector<StrictPair> strict_;
  std::vector<std::vector<Waiting>> stacks_, missing_;
  std::vector<std::uint32_t> places_;
};

}  // namespace rankveil::attack
