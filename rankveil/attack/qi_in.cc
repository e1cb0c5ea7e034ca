#include "rankveil/attack/qi_in.h"

#include <algorithm>

#include "rankveil/attack/bases.h"
#include "rankveil/attack/profile_by_sets.h"
#include "rankveil/attack/qi_point.h"
#include "rankveil/attack/sentinels.h"

namespace rankveil::attack {

namespace {

using Values = std::vector<ValueId>;

// What to ask so that the sentinel with value `beta` halves the candidates. One that carries an
// asked value always gets its match: beta is in the half asked for, or excluded for the victim. One
// that must not match never does.
Values half_to_ask(Values candidates, ValueId beta, bool carries) {
  auto own = std::find(candidates.begin(), candidates.end(), beta);
  if (own != candidates.end()) std::rotate(candidates.begin(), own, own + 1);
  auto middle = candidates.begin() + static_cast<std::ptrdiff_t>((candidates.size() + 1) / 2);
  Values ask = carries || candidates.size() == 1 ? Values(candidates.begin(), middle)
                                                 : Values(middle, candidates.end());
  if (carries && std::find(ask.begin(), ask.end(), beta) == ask.end()) ask.push_back(beta);
  std::sort(ask.begin(), ask.end());
  return ask;
}

void bisect(Session& session, Sentinels& sentinels, PrivateId attribute, ValueId beta) {
  while (session.running() && !session.resolved(attribute)) {
    std::size_t before = session.candidates(attribute).size();
    Values ask = half_to_ask(session.candidates(attribute), beta, sentinels.carries_asked_value());
    if (!session.test(sentinels.base(), attribute, ask)) return;
    if (session.candidates(attribute).size() == before && !session.resolved(attribute)) return;
  }
}

void bisect_with_one_row(Session& session, PrivateId attribute) {
  Base* base = visible_base(session, attribute);
  if (base == nullptr || session.resolved(attribute)) return;
  Sentinels sentinels(session, *base, attribute);
  if (!sentinels.choose()) return;
  Values all(session.domain(attribute));
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = ValueId{static_cast<std::uint16_t>(v)};
  auto row = sentinels.find_row(all);
  if (!row) row = sentinels.row_with(all[0]);
  if (row) bisect(session, sentinels, attribute, sentinels.value_of(*row));
}

}  // namespace

void qi_in(Session& session, PrivateId attribute) {
  if (session.belief().kind != ProfileKind::OneValue) {
    profile_by_sets(session, attribute);
    return;
  }
  bisect_with_one_row(session, attribute);
  if (session.running() && !session.resolved(attribute)) qi_point(session, attribute);
}

}  // namespace rankveil::attack
