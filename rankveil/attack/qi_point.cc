#include "rankveil/attack/qi_point.h"

#include "rankveil/attack/bases.h"
#include "rankveil/attack/sentinels.h"

namespace rankveil::attack {

namespace {

bool is_open(Session& session, PrivateId attribute, ValueId value) {
  return session.verdict(attribute, value) == Verdict::Open;
}

// Rows are inserted one by one where that disturbs nothing: most values need none in the end.
void test_one_by_one(Session& session, Sentinels& sentinels, PrivateId attribute) {
  for (ValueId value : session.open_values(attribute)) {
    if (!is_open(session, attribute, value)) continue;
    auto row = sentinels.row_with(value);
    if (!session.test(sentinels.base(), attribute, value)) return;
    if (row && is_open(session, attribute, value)) prove_alive(session, attribute, *row);
    if (!session.running()) return;
  }
}

// Rows whose places must be known first come all at once, and are placed by one query.
void test_all_at_once(Session& session, Sentinels& sentinels, PrivateId attribute) {
  for (ValueId value : session.open_values(attribute)) sentinels.row_with(value);
  if (!sentinels.calibrate()) return;
  test_one_by_one(session, sentinels, attribute);
}

// One row ahead of the victim decides all values but its own; another one decides that.
void test_below_early_ties(Session& session, Sentinels& sentinels, PrivateId attribute) {
  sweep(session, sentinels.base(), attribute);
  if (!session.running() || session.resolved(attribute)) return;
  for (std::uint32_t v = 0; v < session.domain(attribute); ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (is_open(session, attribute, value)) continue;
    if (sentinels.row_with(value) && sentinels.calibrate()) {
      sweep(session, sentinels.base(), attribute);
    }
    return;
  }
}

void use_sentinels(Session& session, Sentinels& sentinels, PrivateId attribute) {
  bool one_value = session.belief().kind == ProfileKind::OneValue;
  if (sentinels.kind() == SentinelKind::EarlyTie && one_value) {
    test_below_early_ties(session, sentinels, attribute);
  } else if (sentinels.kind() == SentinelKind::Low && session.belief().sticky) {
    test_one_by_one(session, sentinels, attribute);
  } else {
    test_all_at_once(session, sentinels, attribute);
  }
}

}  // namespace

void qi_point(Session& session, PrivateId attribute) {
  Base* base = visible_base(session, attribute);
  if (!session.running() || session.resolved(attribute)) return;
  if (base == nullptr) {
    Base* full = session.base(session.full_query());
    if (full != nullptr) sweep(session, *full, attribute);
    return;
  }
  Sentinels sentinels(session, *base, attribute);
  if (sentinels.choose()) use_sentinels(session, sentinels, attribute);
  if (session.running() && !session.resolved(attribute)) {
    if (Base* fresh = session.base(base->query, true)) sweep(session, *fresh, attribute);
  }
}

}  // namespace rankveil::attack
