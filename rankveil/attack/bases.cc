#include "rankveil/attack/bases.h"

#include <algorithm>

namespace rankveil::attack {

namespace {

// Attributes whose values could bring the victim into view, the heaviest first.
std::vector<PrivateId> unproven_others(Session& session, PrivateId attribute) {
  std::vector<PrivateId> others;
  for (std::uint32_t l = 0; l < session.privates(); ++l) {
    PrivateId other{l};
    if (other != attribute && !session.known(other)) others.push_back(other);
  }
  std::stable_sort(others.begin(), others.end(),
                   [&](PrivateId a, PrivateId b) { return session.weight(a) > session.weight(b); });
  return others;
}

Query with_known(Session& session, PrivateId attribute) {
  Query query = session.full_query();
  for (std::uint32_t l = 0; l < session.privates(); ++l) {
    if (PrivateId{l} == attribute) continue;
    if (auto value = session.known(PrivateId{l})) query.wanted[session.publics() + l] = {*value};
  }
  return query;
}

// A guess that did not help alone, and its answer.
struct Guess {
  PrivateId attribute;
  ValueId value;
  Base* base;
};

Base* guess_one(Session& session, Base& hidden, PrivateId attribute, std::vector<Guess>& failed) {
  for (PrivateId other : unproven_others(session, attribute)) {
    for (ValueId value : session.open_values(other)) {
      if (session.verdict(other, value) != Verdict::Open) continue;
      if (!session.test(hidden, other, value)) return nullptr;
      if (session.test_showed_victim()) return session.base_of_last_test();
      Query query = hidden.query;
      query.wanted[session.publics() + +other] = {value};
      if (session.last_query() == query) session.base_of_last_test();
      failed.push_back({other, value, session.base(query)});
    }
  }
  return nullptr;
}

// Neither of two values brought the victim into view alone; if both do together, both match.
Base* guess_two(Session& session, const std::vector<Guess>& failed) {
  for (const Guess& first : failed) {
    for (const Guess& second : failed) {
      if (first.base == nullptr || +second.attribute <= +first.attribute) continue;
      if (session.verdict(first.attribute, first.value) != Verdict::Open) break;
      if (session.verdict(second.attribute, second.value) != Verdict::Open) continue;
      if (!session.test(*first.base, second.attribute, second.value)) return nullptr;
      if (!session.test_showed_victim()) continue;
      Base* shown = session.base_of_last_test();
      if (second.base != nullptr) session.test(*second.base, first.attribute, first.value);
      return shown;
    }
  }
  return nullptr;
}

}  // namespace

Base* visible_base(Session& session, PrivateId attribute) {
  Base* base = session.base(session.full_query());
  if (base == nullptr || base->shows_victim) return base;
  base = session.base(with_known(session, attribute));
  if (base == nullptr || base->shows_victim) return base;
  std::vector<Guess> failed;
  if (Base* shown = guess_one(session, *base, attribute, failed)) return shown;
  return session.running() ? guess_two(session, failed) : nullptr;
}

std::vector<Query> known_patterns(Session& session, PrivateId attribute) {
  Query query = with_known(session, attribute);
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < query.wanted.size(); ++i) {
    if (!query.wanted[i].empty()) asked.push_back(i);
  }
  const auto& weights = session.knowledge().weights.units;
  std::stable_sort(asked.begin(), asked.end(),
                   [&](auto a, auto b) { return weights[a] < weights[b]; });
  std::vector<Query> patterns = {query};
  for (std::uint32_t i : asked) {
    patterns.push_back(query);
    patterns.back().wanted[i].clear();
  }
  return patterns;
}

Base* edge_base(Session& session, std::span<const Query> chain) {
  Base* best = nullptr;
  std::size_t low = 0;
  for (std::size_t high = chain.size(); low < high;) {
    std::size_t middle = low + (high - low) / 2;
    Base* base = session.base(chain[middle]);
    if (base == nullptr) return nullptr;
    if (base->shows_victim) {
      best = base;
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return best;
}

Patience::Patience(Session& session, PrivateId attribute)
    : session_(session), attribute_(attribute), open_(session.open_values(attribute).size()) {}

bool Patience::lasts() {
  constexpr int most_vain = 6;
  std::size_t open = session_.open_values(attribute_).size();
  vain_ = open < open_ ? 0 : vain_ + 1;
  open_ = open;
  return vain_ < most_vain;
}

void sweep(Session& session, Base& base, PrivateId attribute) {
  for (ValueId value : session.open_values(attribute)) {
    if (session.verdict(attribute, value) != Verdict::Open) continue;
    if (!session.test(base, attribute, value)) return;
  }
}

}  // namespace rankveil::attack
