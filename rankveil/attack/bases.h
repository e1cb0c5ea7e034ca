// Queries that show the victim: where every attack begins.
#pragma once

#include <span>

#include "rankveil/attack/session.h"

namespace rankveil::attack {

// A query that leaves `attribute` alone and has the victim in its answer. First its public values,
// then what is proven of its other private attributes too, then guesses at those, which are proven
// when they bring it into view: one at a time, then two. Null: it stays hidden, or the attack was
// stopped.
Base* visible_base(Session& session, PrivateId attribute);

// The victim's public values and what is proven of its other private attributes, in full first and
// then with one thing after the other left out, the lightest first.
std::vector<Query> known_patterns(Session& session, PrivateId attribute);

// The last query of `chain` that still has the victim in its answer, by bisection; null: not even
// the first, or stopped. REQUIRES: a chain in which the victim's rank never improves, such as its
// public values with one after the other left out.
Base* edge_base(Session& session, std::span<const Query> chain);

// Counts bases that decided nothing: after a few in a row others will not do better.
class Patience {
 public:
  Patience(Session& session, PrivateId attribute);
  // To be called after each base. False: give up.
  bool lasts();

 private:
  Session& session_;
  PrivateId attribute_;
  std::size_t open_;
  int vain_ = 0;
};

// Tests every open value of the attribute on top of the base, the most common first.
void sweep(Session& session, Base& base, PrivateId attribute);

}  // namespace rankveil::attack
