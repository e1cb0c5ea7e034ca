#include "rankveil/attack/session.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace rankveil::attack {

namespace {

bool asks_private(const Query& query, std::uint32_t publics) {
  return std::any_of(query.wanted.begin() + publics, query.wanted.end(),
                     [](const auto& wanted) { return !wanted.empty(); });
}

bool never_rises(std::span<const ScoredRow> rows) {
  return std::is_sorted(rows.begin(), rows.end(),
                        [](const ScoredRow& a, const ScoredRow& b) { return a.score > b.score; });
}

}  // namespace

Session::Session(const Request& request)
    : request_(request),
      knowledge_(request.knowledge),
      target_(request.target, request.budget),
      publics_(knowledge_.schema.public_count()),
      privates_(knowledge_.schema.private_count()),
      first_own_(knowledge_.rows()),
      slot_of_row_(knowledge_.rows(), 0) {
  engines_.resize(privates_);
  for (std::uint32_t j = 0; j < request.known.size(); ++j) {
    if (request.known[j]) engine(PrivateId{j}).set_matched(slot(victim()), *request.known[j]);
  }
}

std::uint32_t Session::domain(PrivateId attribute) const {
  return knowledge_.schema.attributes[publics_ + +attribute].domain.size();
}

std::int64_t Session::weight(PrivateId attribute) const {
  return knowledge_.weights.units[publics_ + +attribute];
}

double Session::prior(PrivateId attribute, ValueId value) const {
  if (+attribute >= request_.priors.size()) return 1.0 / domain(attribute);
  return std::clamp(request_.priors[+attribute][+value], 1e-6, 1 - 1e-6);
}

// ---- rows ----

std::uint32_t Session::slot(std::uint32_t row) {
  if (row >= slot_of_row_.size()) slot_of_row_.resize(row + 1, 0);
  if (slot_of_row_[row] == 0) {
    row_of_slot_.push_back(row);
    slot_of_row_[row] = static_cast<std::uint32_t>(row_of_slot_.size());
    stamp_.push_back(0);
  }
  return slot_of_row_[row] - 1;
}

std::int64_t Session::public_score(const Query& query, std::uint32_t row) const {
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < publics_; ++i) {
    const auto& wanted = query.wanted[i];
    if (wanted.empty()) continue;
    ValueId value = public_value(row, i);
    if (std::find(wanted.begin(), wanted.end(), value) != wanted.end()) sum += public_weight(i);
  }
  return sum;
}

std::optional<std::int64_t> Session::score(const Query& query, std::uint32_t row) {
  std::int64_t sum = public_score(query, row);
  for (std::uint32_t j = 0; j < privates_; ++j) {
    const auto& wanted = query.wanted[publics_ + j];
    if (wanted.empty()) continue;
    if (belief().kind == ProfileKind::Graded) return std::nullopt;
    Verdict match = engine(PrivateId{j}).verdict(slot(row), wanted);
    if (match == Verdict::Open) return std::nullopt;
    if (match == Verdict::Matched) sum += weight(PrivateId{j});
  }
  return sum;
}

Engine& Session::engine(PrivateId attribute) {
  auto& made = engines_[+attribute];
  if (!made) {
    made = std::make_unique<Engine>(belief(), domain(attribute), weight(attribute));
    for (const OwnRow& row : own_) tell_own_row(*made, attribute, row);
  }
  return *made;
}

void Session::tell_own_row(Engine& engine, PrivateId attribute, const OwnRow& row) {
  ValueId value = row.values[publics_ + +attribute];
  bool certain = belief().kind == ProfileKind::OneValue || belief().own_rows_match;
  if (certain && value != missing_value) engine.set_matched(slot(row.row), value);
}

std::optional<std::uint32_t> Session::insert(std::vector<ValueId> values) {
  if (!takes_inserts()) return std::nullopt;
  auto row = target_.insert(values);
  if (!row) {
    failure_ = row.error();
    return std::nullopt;
  }
  if (*row != rows()) {
    failure_ = bad_input("the ranking numbers new rows in another way than one behind the other");
    return std::nullopt;
  }
  own_.push_back({*row, std::move(values)});
  if (!belief().sticky) forget_profiles();
  for (std::uint32_t j = 0; j < privates_; ++j) {
    if (engines_[j]) tell_own_row(*engines_[j], PrivateId{j}, own_.back());
  }
  return *row;
}

// Profiles may have changed; the order of ties has not.
void Session::forget_profiles() {
  for (auto& engine : engines_) engine.reset();
  tested_.clear();
}

const std::vector<MaskCount>& Session::agreement() {
  if (agreement_.empty()) agreement_ = count_agreement(knowledge_, victim());
  return agreement_;
}

const std::vector<MaskCount>& Session::near_agreement(Mask asked) {
  if (!near_ || near_->first != asked) {
    std::int64_t heaviest = 0;
    for (std::uint32_t j = 0; j < privates_; ++j) {
      heaviest = std::max(heaviest, weight(PrivateId{j}));
    }
    near_.emplace(asked, attack::near_agreement(knowledge_, agreement(), asked, heaviest));
  }
  return near_->second;
}

const std::vector<std::uint32_t>& Session::closest() {
  constexpr std::size_t enough = 48;
  if (closest_.empty()) closest_ = closest_rows(knowledge_, victim(), agreement(), enough);
  return closest_;
}

const std::vector<Query>& Session::boxes(const std::function<std::vector<Query>()>& find) {
  if (!boxes_) boxes_ = find();
  return *boxes_;
}

// ---- asking ----

bool Session::ask(const Query& query, std::vector<std::uint32_t>& returned) {
  if (!running()) return false;
  auto answer = target_.query(query);
  if (!answer) {
    spent_ = target_.over_budget();
    if (!spent_) failure_ = answer.error();
    return false;
  }
  returned = std::move(*answer);
  for (std::uint32_t row : returned) {
    if (row < rows()) continue;
    failure_ = bad_input("the ranking returned a row that nobody knows of");
    return false;
  }
  return true;
}

Query Session::full_query() const {
  Query query = empty_query(knowledge_.schema);
  for (std::uint32_t i = 0; i < publics_; ++i) {
    ValueId value = public_value(victim(), i);
    if (value != missing_value) query.wanted[i] = {value};
  }
  return query;
}

Base* Session::remembered(const Query& query, bool fresh) {
  for (auto& known : bases_) {
    if (known->query == query && (!fresh || known->rows_then == rows())) return known.get();
  }
  return nullptr;
}

Base* Session::base(const Query& query, bool fresh) {
  if (Base* known = remembered(query, fresh)) return known;
  std::vector<std::uint32_t> returned;
  if (!ask(query, returned)) return nullptr;
  return remember(query, std::move(returned));
}

Base* Session::remember(Query query, std::vector<std::uint32_t> returned) {
  bool shows = std::find(returned.begin(), returned.end(), victim()) != returned.end();
  seen_ = seen_ || shows;
  auto made =
      std::make_unique<Base>(Base{std::move(query), std::move(returned), rows(), 0, shows, false});
  made->has_private = asks_private(made->query, publics_);
  learn_base(*made);
  // The newest first: a fresh answer replaces an older one.
  bases_.insert(bases_.begin(), std::move(made));
  return bases_.front().get();
}

Base* Session::base_of_last_test() {
  Base* known = remembered(last_query_, true);
  return known != nullptr ? known : remember(last_query_, answer_);
}

bool Session::was_tested(const Base& base, PrivateId attribute, std::span<const ValueId> x) const {
  return tested_.contains(Tested{&base, attribute, rows(), {x.begin(), x.end()}});
}

bool Session::test(Base& base, PrivateId attribute, std::span<const ValueId> x) {
  auto& wanted = base.query.wanted[publics_ + +attribute];
  assert(wanted.empty() && "a base leaves the attribute under attack alone");
  shown_ = false;
  if (was_tested(base, attribute, x)) return running();
  wanted.assign(x.begin(), x.end());
  bool answered = ask(base.query, answer_);
  if (answered) last_query_ = base.query;
  wanted.clear();
  if (!answered) return false;
  tested_.insert({&base, attribute, rows(), {x.begin(), x.end()}});
  shown_ = std::find(answer_.begin(), answer_.end(), victim()) != answer_.end();
  seen_ = seen_ || shown_;
  learn(base, attribute, x);
  return running();
}

// ---- learning ----

// Rows worth following that are not among those returned: `stamp_` marks the returned ones.
void Session::collect_missing(const Base& base) {
  ++now_;
  for (std::uint32_t row : answer_) stamp_[slot(row)] = now_;
  missing_ids_.clear();
  auto add = [&](std::uint32_t row) {
    std::uint32_t at = slot(row);
    if (stamp_[at] == now_) return;
    stamp_[at] = now_;
    missing_ids_.push_back(row);
  };
  add(victim());
  for (std::uint32_t row : base.returned) add(row);
  for (const OwnRow& own : own_) add(own.row);
}

void Session::learn_base(Base& base) {
  returned_rows_.clear();
  for (std::uint32_t row : base.returned) {
    std::uint32_t at = slot(row);
    if (auto known = score(base.query, row)) returned_rows_.push_back({at, *known});
  }
  consistent_ = consistent_ && never_rises(returned_rows_);
  base.chain = ties_.add_chain(returned_rows_);
  std::swap(answer_, base.returned);
  collect_missing(Base{base.query, {}, base.rows_then, base.chain, false, false});
  std::swap(answer_, base.returned);
  for (std::uint32_t row : missing_ids_) {
    if (auto known = score(base.query, row)) ties_.add_missing(base.chain, {slot(row), *known});
  }
}

void Session::learn(Base& base, PrivateId attribute, std::span<const ValueId> x) {
  if (base.has_private && is_outdated(base)) return;
  learn_scores(base, attribute, x);
  if (base.has_private) learn_flips(base, attribute, x);
  consistent_ = consistent_ && engine(attribute).consistent();
}

// Rows of a base with private values may have got a known score only after its answer was read.
bool Session::was_left_out(const Base& base, std::uint32_t row) const {
  if (row >= base.rows_then) return false;
  if (!base.has_private) return true;  // a returned row has its place already
  return std::find(base.returned.begin(), base.returned.end(), row) == base.returned.end();
}

void Session::learn_scores(Base& base, PrivateId attribute, std::span<const ValueId> x) {
  returned_rows_.clear();
  missing_rows_.clear();
  collect_missing(base);
  for (std::uint32_t row : answer_) {
    auto known = score(base.query, row);
    if (!known) continue;
    returned_rows_.push_back({slot(row), *known});
    // A row that the base did not return though it was there went behind those that it ties with.
    if (was_left_out(base, row)) ties_.add_missing(base.chain, returned_rows_.back());
  }
  for (std::uint32_t row : missing_ids_) {
    if (auto known = score(base.query, row)) missing_rows_.push_back({slot(row), *known});
  }
  engine(attribute).learn(x, returned_rows_, missing_rows_, ties_);
}

void Session::learn_flips(const Base& base, PrivateId attribute, std::span<const ValueId> x) {
  without_.clear();
  with_.clear();
  for (std::uint32_t row : base.returned) without_.push_back(slot(row));
  for (std::uint32_t row : answer_) {
    if (row < base.rows_then) with_.push_back(slot(row));
  }
  engine(attribute).learn_flips(x, without_, with_);
}

// ---- the victim ----

Verdict Session::verdict(PrivateId attribute, ValueId value) {
  return engine(attribute).verdict(slot(victim()), value);
}

bool Session::resolved(PrivateId attribute) { return engine(attribute).resolved(slot(victim())); }

std::vector<ValueId> Session::candidates(PrivateId attribute) {
  return engine(attribute).candidates(slot(victim()));
}

std::vector<ValueId> Session::open_values(PrivateId attribute) {
  auto values = engine(attribute).open_values(slot(victim()));
  std::stable_sort(values.begin(), values.end(),
                   [&](ValueId a, ValueId b) { return prior(attribute, a) > prior(attribute, b); });
  return values;
}

std::optional<ValueId> Session::known(PrivateId attribute) {
  for (std::uint32_t v = 0; v < domain(attribute); ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (verdict(attribute, value) == Verdict::Matched) return value;
  }
  return std::nullopt;
}

}  // namespace rankveil::attack
