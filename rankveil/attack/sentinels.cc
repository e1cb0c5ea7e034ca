#include "rankveil/attack/sentinels.h"

#include <algorithm>

namespace rankveil::attack {

namespace {

// Strengths come in steps; a sentinel must be nearer than the smallest. 0: no nearness is enough.
std::int64_t steps_of(const Belief& belief) {
  if (belief.kind != ProfileKind::Graded) return 1;
  return belief.levels;
}

// Attributes whose weights add up to exactly `sum`, few if possible; empty: there are none.
bool pick_sum(const Session& session, std::span<const std::uint32_t> from, std::int64_t sum,
              std::size_t most, std::vector<std::uint32_t>& picked) {
  if (sum == 0) return true;
  if (most == 0) return false;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::int64_t weight = session.public_weight(from[i]);
    if (weight > sum) continue;
    picked.push_back(from[i]);
    if (pick_sum(session, from.subspan(i + 1), sum - weight, most - 1, picked)) return true;
    picked.pop_back();
  }
  return false;
}

std::vector<std::uint32_t> asked_attributes(const Session& session, const Query& query) {
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < session.publics(); ++i) {
    if (!query.wanted[i].empty()) asked.push_back(i);
  }
  return asked;
}

}  // namespace

Sentinels::Sentinels(Session& session, Base& base, PrivateId attribute)
    : session_(session), base_(&base), attribute_(attribute) {}

ValueId Sentinels::value_of(std::uint32_t row) const {
  for (const auto& own : session_.own_rows()) {
    if (own.row == row) return own.values[session_.publics() + +attribute_];
  }
  return missing_value;
}

bool Sentinels::victim_before(std::uint32_t row) const {
  return session_.ties().before(session_.slot(session_.victim()), session_.slot(row));
}

bool Sentinels::row_before(std::uint32_t row) const {
  return session_.ties().before(session_.slot(row), session_.slot(session_.victim()));
}

// ---- rows ----

std::vector<ValueId> Sentinels::values_for(ValueId value) const {
  const Schema& schema = session_.knowledge().schema;
  std::vector<ValueId> values(schema.size(), missing_value);
  for (std::uint32_t i = 0; i < session_.publics(); ++i) {
    values[i] = session_.public_value(session_.victim(), i);
  }
  for (std::uint32_t i : changed_) {
    std::uint32_t domain = schema.attributes[i].domain.size();
    values[i] =
        domain < 2 ? missing_value : ValueId{static_cast<std::uint16_t>((+values[i] + 1) % domain)};
  }
  // Values of other attributes are all different in turn, so that the rows serve there too.
  auto turn = static_cast<std::uint32_t>(session_.own_rows().size());
  for (std::uint32_t l = 0; l < session_.privates(); ++l) {
    const auto& wanted = base_->query.wanted[session_.publics() + l];
    values[session_.publics() + l] =
        PrivateId{l} == attribute_ ? value
        : !wanted.empty()
            ? wanted[0]
            : ValueId{static_cast<std::uint16_t>(turn % session_.domain(PrivateId{l}))};
  }
  return values;
}

bool Sentinels::usable(const Session::OwnRow& row) const {
  for (std::uint32_t i = 0; i < session_.publics(); ++i) {
    const auto& wanted = base_->query.wanted[i];
    if (wanted.empty()) continue;
    bool differs = std::find(changed_.begin(), changed_.end(), i) != changed_.end();
    if ((row.values[i] == wanted[0]) == differs) return false;
  }
  for (std::uint32_t l = 0; l < session_.privates(); ++l) {
    const auto& wanted = base_->query.wanted[session_.publics() + l];
    if (!wanted.empty() && row.values[session_.publics() + l] != wanted[0]) return false;
  }
  if (kind_ == SentinelKind::LateTie) return !row_before(row.row);
  if (kind_ == SentinelKind::EarlyTie) return !victim_before(row.row);
  return kind_ == SentinelKind::Low || !victim_before(row.row);
}

std::optional<std::uint32_t> Sentinels::find_row(std::span<const ValueId> values) const {
  for (const auto& own : session_.own_rows()) {
    ValueId value = own.values[session_.publics() + +attribute_];
    bool fits = std::find(values.begin(), values.end(), value) != values.end();
    if (fits && usable(own)) return own.row;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Sentinels::insert(ValueId value) {
  return session_.insert(values_for(value));
}

std::optional<std::uint32_t> Sentinels::row_with(ValueId value) {
  if (auto row = find_row(std::span(&value, 1))) return row;
  return insert(value);
}

bool Sentinels::calibrate() {
  Query query = base_->query;
  if (kind_ == SentinelKind::MatchLow) {
    for (std::uint32_t i : changed_) query.wanted[i].clear();
  }
  if (kind_ == SentinelKind::Low) return session_.running();
  Base* fresh = session_.base(query, true);
  if (fresh == nullptr) return false;
  if (kind_ != SentinelKind::MatchLow) base_ = fresh;
  return true;
}

// ---- kinds ----

ValueId Sentinels::first_value() const {
  auto open = session_.open_values(attribute_);
  return open.empty() ? ValueId{0} : open[0];
}

bool Sentinels::choose() {
  if (!session_.takes_inserts()) return false;
  if (choose_low()) return true;
  // A tie that goes first would push a victim in the last place out of sight.
  bool last = base_->returned.size() >= session_.knowledge().k &&
              base_->returned.back() == session_.victim();
  if (last) return choose_match_low() || choose_tie();
  return choose_tie() || choose_match_low();
}

bool Sentinels::choose_low() {
  std::int64_t steps = steps_of(session_.belief());
  if (steps == 0) return false;
  auto asked = asked_attributes(session_, base_->query);
  auto lightest = std::min_element(asked.begin(), asked.end(), [&](auto a, auto b) {
    return session_.public_weight(a) < session_.public_weight(b);
  });
  if (lightest == asked.end()) return false;
  if (session_.public_weight(*lightest) * steps >= session_.weight(attribute_)) return false;
  kind_ = SentinelKind::Low;
  changed_ = {*lightest};
  return true;
}

bool Sentinels::choose_tie() {
  changed_.clear();
  kind_ = SentinelKind::LateTie;
  std::optional<std::uint32_t> row;
  for (const auto& own : session_.own_rows()) {
    if (!row && usable(own)) row = own.row;
  }
  if (!row) row = insert(first_value());
  if (!row || !calibrate()) return false;
  if (victim_before(*row)) return true;
  kind_ = SentinelKind::EarlyTie;
  return base_->shows_victim && row_before(*row);
}

bool Sentinels::choose_match_low() {
  if (session_.belief().kind == ProfileKind::Graded) return false;
  auto asked = asked_attributes(session_, base_->query);
  std::vector<std::uint32_t> picked;
  constexpr std::size_t most = 4;
  if (!pick_sum(session_, asked, session_.weight(attribute_), most, picked)) return false;
  changed_ = picked;
  kind_ = SentinelKind::MatchLow;
  auto row = row_with(first_value());
  if (!row || !calibrate()) return false;
  if (row_before(*row)) return true;
  // Behind the victim: then it is a late tie where what it lacks is not asked for.
  Query query = base_->query;
  for (std::uint32_t i : changed_) query.wanted[i].clear();
  Base* reduced = session_.base(query, true);
  if (reduced == nullptr || !reduced->shows_victim || !victim_before(*row)) return false;
  base_ = reduced;
  kind_ = SentinelKind::LateTie;
  return true;
}

void prove_alive(Session& session, PrivateId attribute, std::uint32_t row) {
  Query query = empty_query(session.knowledge().schema);
  ValueId value = missing_value;
  for (const auto& own : session.own_rows()) {
    if (own.row != row) continue;
    value = own.values[session.publics() + +attribute];
    for (std::uint32_t i = 0; i < session.publics(); ++i) {
      if (own.values[i] != missing_value) query.wanted[i] = {own.values[i]};
    }
  }
  if (value == missing_value) return;
  if (session.engine(attribute).verdict(session.slot(row), value) != Verdict::Open) return;
  if (Base* base = session.base(query, true)) session.test(*base, attribute, value);
}

}  // namespace rankveil::attack
