#include "rankveil/attack/profile_by_sets.h"

#include <algorithm>

#include "rankveil/attack/bases.h"
#include "rankveil/attack/qi_point.h"
#include "rankveil/attack/sentinels.h"

namespace rankveil::attack {

namespace {

using Values = std::vector<ValueId>;

Values excluded_values(Session& session, PrivateId attribute) {
  Values values;
  for (std::uint32_t v = 0; v < session.domain(attribute); ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (session.verdict(attribute, value) == Verdict::Excluded) values.push_back(value);
  }
  return values;
}

Verdict verdict_of(Session& session, PrivateId attribute, const Values& x) {
  return session.engine(attribute).verdict(session.slot(session.victim()), x);
}

// Asks for x, together with a value that the victim is known not to match if only such a sentinel
// is there already.
bool ask(Session& session, Sentinels& sentinels, PrivateId attribute, Values x) {
  auto row = sentinels.find_row(x);
  if (!row) {
    row = sentinels.find_row(excluded_values(session, attribute));
    if (row)
      x.insert(std::upper_bound(x.begin(), x.end(), sentinels.value_of(*row)),
               sentinels.value_of(*row));
  }
  if (!row) {
    row = sentinels.row_with(x[0]);
    if (!row || !sentinels.calibrate()) return false;
  }
  if (!session.test(sentinels.base(), attribute, x)) return false;
  if (verdict_of(session, attribute, x) == Verdict::Open) prove_alive(session, attribute, *row);
  return session.running();
}

void split(Session& session, Sentinels& sentinels, PrivateId attribute) {
  Values all(session.domain(attribute));
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = ValueId{static_cast<std::uint16_t>(v)};
  std::vector<Values> work;
  auto push_halves = [&](const Values& x) {
    auto middle = x.begin() + static_cast<std::ptrdiff_t>((x.size() + 1) / 2);
    work.emplace_back(middle, x.end());
    work.emplace_back(x.begin(), middle);
  };
  if (all.size() < 2) return;
  push_halves(all);
  while (!work.empty()) {
    Values x = std::move(work.back());
    work.pop_back();
    if (verdict_of(session, attribute, x) == Verdict::Open &&
        !ask(session, sentinels, attribute, x)) {
      return;
    }
    if (verdict_of(session, attribute, x) != Verdict::Excluded && x.size() > 1) push_halves(x);
  }
}

}  // namespace

void profile_by_sets(Session& session, PrivateId attribute) {
  Base* base = visible_base(session, attribute);
  if (base != nullptr && session.running()) {
    Sentinels sentinels(session, *base, attribute);
    if (sentinels.choose() && sentinels.carries_asked_value()) {
      split(session, sentinels, attribute);
    }
  }
  if (session.running() && !session.resolved(attribute)) qi_point(session, attribute);
}

}  // namespace rankveil::attack
