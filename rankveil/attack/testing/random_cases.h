// Random small rankings to attack, for tests: all kinds of profiles, ties and weights.
#pragma once

#include <algorithm>
#include <memory>

#include "rankveil/attack/testing/plain_target.h"
#include "rankveil/base/random.h"
#include "rankveil/ranking/profiles.h"

namespace rankveil::attack::testing_support {

enum class TieOrder { Ascending, Descending, Random };

struct CaseShape {
  ProfileKind kind;
  std::uint32_t levels = 1;  // of profiles; sets and one value: 1
  TieOrder ties = TieOrder::Ascending;
  std::int64_t heaviest = 1;  // weights are 1 to this
  bool missing = false;       // some rows have no value, or are suppressed
  std::uint32_t most_rows = 60;
  bool crowded = false;  // few public values and short answers: most victims are hidden
};

struct RandomCase {
  std::vector<PlainRow> rows;
  Knowledge knowledge;
  std::unique_ptr<PlainTarget> target;
  std::uint32_t victim = 0;

  bool matches(PrivateId attribute, ValueId value) const {
    return rows[victim].strengths[+attribute][+value] > 0;
  }
  double strength(PrivateId attribute, ValueId value) const {
    return static_cast<double>(rows[victim].strengths[+attribute][+value]) / target->levels();
  }
};

inline std::uint32_t below(Rng& rng, std::uint32_t bound) {
  return static_cast<std::uint32_t>(rng.below(bound));
}

// The own value, and others: a set of one to three, or `levels` draws that share the strength.
inline std::vector<std::uint32_t> random_strengths(Rng& rng, const CaseShape& shape,
                                                   std::uint32_t domain, ValueId own,
                                                   bool may_be_missing) {
  std::vector<std::uint32_t> strengths(domain, 0);
  if (own == missing_value) return strengths;
  if (may_be_missing && shape.kind != ProfileKind::OneValue && rng.below(8) == 0) return strengths;
  strengths[+own] = 1;
  if (shape.kind == ProfileKind::Sets) {
    for (std::uint32_t more = below(rng, 3); more-- > 0;) strengths[below(rng, domain)] = 1;
  }
  if (shape.kind == ProfileKind::Graded) {
    for (std::uint32_t more = shape.levels - 1; more-- > 0;) ++strengths[below(rng, domain)];
  }
  return strengths;
}

inline std::int64_t random_tie(Rng& rng, TieOrder order, std::int64_t number) {
  if (order == TieOrder::Ascending) return number;
  if (order == TieOrder::Descending) return -number;
  return static_cast<std::int64_t>(rng.below(1U << 30)) * 1000 + number;  // no two alike
}

inline std::unique_ptr<RandomCase> random_case(std::uint64_t seed, const CaseShape& shape) {
  Rng rng(seed * 7919 + 13);
  auto made = std::make_unique<RandomCase>();
  std::uint32_t publics = 1 + below(rng, shape.crowded ? 2 : 4);
  std::uint32_t privates = (shape.crowded ? 2 : 1) + below(rng, 2);
  std::vector<std::uint32_t> public_domains, private_domains;
  std::vector<std::int64_t> weights;
  for (std::uint32_t i = 0; i < publics; ++i)
    public_domains.push_back(1 + below(rng, shape.crowded ? 2 : 4));
  for (std::uint32_t j = 0; j < privates; ++j)
    private_domains.push_back(2 + below(rng, shape.crowded ? 3 : 8));
  for (std::uint32_t i = 0; i < publics + privates; ++i) {
    weights.push_back(1 + static_cast<std::int64_t>(rng.below(shape.heaviest)));
  }
  auto finish = [=](PlainRow& row, Rng& random, bool may_be_missing, std::int64_t number) {
    for (std::uint32_t j = 0; j < privates; ++j) {
      row.strengths.push_back(random_strengths(random, shape, private_domains[j],
                                               row.values[publics + j], may_be_missing));
    }
    row.tie = random_tie(random, shape.ties, number);
  };
  std::uint32_t count = 4 + below(rng, shape.most_rows - 3);
  for (std::uint32_t r = 0; r < count; ++r) {
    PlainRow row;
    for (std::uint32_t domain : public_domains) {
      row.values.push_back(shape.missing && rng.below(20) == 0 ? missing_value
                                                               : id(below(rng, domain)));
    }
    for (std::uint32_t domain : private_domains) {
      bool none = shape.missing && shape.kind == ProfileKind::OneValue && rng.below(10) == 0;
      row.values.push_back(none ? missing_value : id(below(rng, domain)));
    }
    finish(row, rng, shape.missing, r);
    made->rows.push_back(std::move(row));
  }
  Belief belief{.kind = shape.kind, .none_missing = !shape.missing};
  belief.own_rows_match = shape.kind != ProfileKind::OneValue && rng.below(2) == 0;
  if (shape.kind == ProfileKind::Graded) belief.levels = rng.below(2) == 0 ? shape.levels : 0;
  made->knowledge = knowledge_of(made->rows, public_domains, private_domains, weights,
                                 1 + below(rng, shape.crowded ? 5 : 15), belief);
  // Rows that may be suppressed are so only where the adversary does not count on them.
  bool suppress = !belief.own_rows_match && shape.missing;
  made->target = std::make_unique<PlainTarget>(
      made->knowledge, made->rows, shape.kind == ProfileKind::Graded ? shape.levels : 1,
      [=, random = Rng(seed),
       number = std::int64_t{count}](std::span<const ValueId> values) mutable {
        PlainRow row{{values.begin(), values.end()}, {}, 0};
        finish(row, random, suppress, number++);
        return row;
      });
  made->victim = below(rng, count);
  return made;
}

}  // namespace rankveil::attack::testing_support
