// Why adjacent rows are enough. "a before b before c" says y_a - y_b >= g1 and y_b - y_c >= g2, and
// the gaps add up to that of a and c; so the pairs of neighbours imply all others, rounding to
// levels included. A strict pair (equal strengths would have put b first) is not implied by its
// neighbours; but of all strict pairs of a in a chain, the one with the nearest b implies those
// further down. That is a "next smaller element", found with a stack.
//
// All links point down the answer. So one pass upward settles all lower bounds and one pass
// downward all upper bounds; only several answers about the same set, or sets that share values,
// need rounds.
#include "rankveil/attack/engine.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>

namespace rankveil::attack {

namespace {

bool intersects(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

bool is_within(std::span<const std::uint64_t> part, std::span<const std::uint64_t> whole) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if ((part[i] & ~whole[i]) != 0) return false;
  }
  return true;
}

bool add_bits(std::span<std::uint64_t> to, std::span<const std::uint64_t> from) {
  std::uint64_t fresh = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    fresh |= from[i] & ~to[i];
    to[i] |= from[i];
  }
  return fresh != 0;
}

bool has_bit(std::span<const std::uint64_t> bits, ValueId value) {
  return ((bits[+value / 64] >> (+value % 64)) & 1) != 0;
}

void set_bit(std::span<std::uint64_t> bits, ValueId value) {
  bits[+value / 64] |= std::uint64_t{1} << (+value % 64);
}

std::int64_t floor_to(std::int64_t number, std::int64_t step) {
  std::int64_t rest = number % step;
  return number - (rest < 0 ? rest + step : rest);
}

std::int64_t scale_of(const Belief& belief) {
  return belief.kind == ProfileKind::Graded && belief.levels > 0 ? belief.levels : 1;
}

bool any_strength(const Belief& belief) {
  return belief.kind == ProfileKind::Graded && belief.levels == 0;
}

}  // namespace

Engine::Engine(const Belief& belief, std::uint32_t domain, std::int64_t weight)
    : one_value_(belief.kind == ProfileKind::OneValue),
      graded_(belief.kind == ProfileKind::Graded),
      none_missing_(belief.none_missing && belief.kind != ProfileKind::Graded),
      one_strength_(belief.kind == ProfileKind::Graded && belief.levels > 0 && belief.one_strength),
      domain_(domain),
      words_((domain + 63) / 64),
      scale_(scale_of(belief)),
      step_(any_strength(belief) ? 0 : weight),
      full_(weight * scale_of(belief)) {}

// ---- sets and rows ----

Engine::Bits Engine::bits_of(std::span<const ValueId> x) const {
  Bits bits(words_, 0);
  for (ValueId value : x) set_bit(bits, value);
  return bits;
}

const Engine::Asked* Engine::find(std::span<const ValueId> x) const {
  for (const Asked& set : asked_) {
    if (std::ranges::equal(set.values, x)) return &set;
  }
  return nullptr;
}

Engine::Asked& Engine::asked(std::span<const ValueId> x) {
  assert(!x.empty() && "a test asks for at least one value");
  if (const Asked* known = find(x)) return asked_[static_cast<std::size_t>(known - asked_.data())];
  Asked set{{x.begin(), x.end()}, bits_of(x), 2 * full_, {}, {}, {}};
  if (one_strength_ && x.size() == 1) set.greatest = 2 * step_;
  set.low.assign(slots_, 0);
  set.high.assign(slots_, set.greatest);
  has_sets_ = has_sets_ || x.size() > 1;
  asked_.push_back(std::move(set));
  for (std::uint32_t slot = 0; slot < slots_; ++slot) write_sets(slot, asked_.size() - 1);
  return asked_.back();
}

void Engine::make_room(std::uint32_t slot) {
  if (slot < slots_) return;
  slots_ = slot + 1;
  excluded_.resize(slots_ * words_, 0);
  matched_.resize(slots_ * words_, 0);
  has_value_.resize(slots_, none_missing_ ? 1 : 0);
  stale_.resize(slots_, 0);
  for (Asked& set : asked_) {
    set.low.resize(slots_, 0);
    set.high.resize(slots_, set.greatest);
  }
}

std::span<std::uint64_t> Engine::excluded(std::uint32_t slot) {
  return std::span(excluded_).subspan(slot * words_, words_);
}
std::span<std::uint64_t> Engine::matched(std::uint32_t slot) {
  return std::span(matched_).subspan(slot * words_, words_);
}
std::span<const std::uint64_t> Engine::excluded(std::uint32_t slot) const {
  return std::span(excluded_).subspan(slot * words_, words_);
}
std::span<const std::uint64_t> Engine::matched(std::uint32_t slot) const {
  return std::span(matched_).subspan(slot * words_, words_);
}

// ---- bounds ----

Engine::Bound Engine::rounded_up(Bound bound) const {
  return step_ == 0 ? bound : -floor_to(-bound, 2 * step_);
}

Engine::Bound Engine::rounded_down(Bound bound) const {
  return step_ == 0 ? bound : floor_to(bound, 2 * step_);
}

void Engine::raise(Asked& set, std::uint32_t slot, Bound low) {
  if (low <= set.low[slot]) return;
  set.low[slot] = low;
  set.stale = true;
  if (low > set.high[slot]) consistent_ = false;
  if (stale_[slot] == 0) stale_slots_.push_back(slot);
  stale_[slot] = 1;
}

void Engine::lower(Asked& set, std::uint32_t slot, Bound high) {
  if (high >= set.high[slot]) return;
  set.high[slot] = high;
  set.stale = true;
  if (high < set.low[slot] || high < 0) consistent_ = false;
  if (stale_[slot] == 0) stale_slots_.push_back(slot);
  stale_[slot] = 1;
}

void Engine::run_links(Asked& set, const Order& order) {
  for (const Link& link : order.links) {
    Bound low = (set.low[link.below] | (link.strict ? 1 : 0)) + 2 * link.gap;
    raise(set, link.above, rounded_up(low));
  }
  for (auto link = order.links.rbegin(); link != order.links.rend(); ++link) {
    Bound high = set.high[link->above];
    if (link->strict && high % 2 == 0) --high;
    lower(set, link->below, rounded_down(high - 2 * link->gap));
  }
}

// ---- learning ----

void Engine::add_strict_pairs(std::span<const ScoredRow> rows, std::size_t returned,
                              const Ties& ties, std::uint32_t chain) {
  std::size_t groups = ties.groups(chain);
  if (stacks_.size() < groups) {
    stacks_.resize(groups);
    missing_.resize(groups);
  }
  for (std::size_t g = 0; g < groups; ++g) {
    stacks_[g].clear();
    missing_[g].clear();
  }
  for (auto i = static_cast<std::uint32_t>(returned); i < rows.size(); ++i) {
    Ties::Place place = ties.place(chain, rows[i].slot);
    if (place.position != 0) missing_[place.group].push_back({place.position, i});
  }
  for (std::size_t g = 0; g < groups; ++g) {
    std::ranges::sort(missing_[g], std::greater<>(), &Waiting::position);
  }
  for (auto i = static_cast<std::uint32_t>(returned); i-- > 0;) {
    Ties::Place place = ties.place(chain, rows[i].slot);
    if (place.position == 0) continue;
    auto& waiting = missing_[place.group];
    for (; !waiting.empty() && waiting.back().position < place.position; waiting.pop_back()) {
      strict_.push_back({i, waiting.back().row});
    }
    auto& stack = stacks_[place.group];
    while (!stack.empty() && stack.back().position >= place.position) stack.pop_back();
    if (!stack.empty()) strict_.push_back({i, stack.back().row});
    stack.push_back({place.position, i});
  }
}

std::vector<Engine::Link> Engine::links_of(std::span<const ScoredRow> rows, std::size_t returned,
                                           const Ties& ties) {
  strict_.clear();
  for (std::uint32_t chain = 0; chain < ties.chains(); ++chain) {
    add_strict_pairs(rows, returned, ties, chain);
  }
  std::ranges::sort(strict_, std::greater<>(), &StrictPair::above);
  std::vector<Link> links;
  links.reserve(rows.size() + strict_.size());
  auto add = [&](std::size_t above, std::size_t below, bool strict) {
    std::int64_t gap = scale_ * (rows[below].score - rows[above].score);
    links.push_back({rows[above].slot, rows[below].slot, gap, strict});
  };
  auto pair = strict_.begin();
  for (std::size_t i = returned; i-- > 0;) {
    if (i + 1 == returned) {
      for (std::size_t below = returned; below < rows.size(); ++below) add(i, below, false);
    } else {
      add(i, i + 1, false);
    }
    for (; pair != strict_.end() && pair->above == i; ++pair) add(i, pair->below, true);
  }
  return links;
}

void Engine::learn(std::span<const ValueId> x, std::span<const ScoredRow> returned,
                   std::span<const ScoredRow> missing, const Ties& ties) {
  Order order{{}, {returned.begin(), returned.end()}, returned.size()};
  order.rows.insert(order.rows.end(), missing.begin(), missing.end());
  for (const ScoredRow& row : order.rows) make_room(row.slot);
  Asked& set = asked(x);
  order.links = links_of(order.rows, order.returned, ties);
  set.orders.push_back(std::move(order));
  set.stale = true;
  settle();
}

// A row that passes another matches more strongly than it. Rows not returned stand behind all that
// are, and nothing is known of the order among them.
void Engine::learn_flips(std::span<const ValueId> x, std::span<const std::uint32_t> without,
                         std::span<const std::uint32_t> with) {
  constexpr std::uint32_t behind = UINT32_MAX;
  std::uint32_t most = 0;
  for (std::uint32_t slot : without) most = std::max(most, slot);
  for (std::uint32_t slot : with) most = std::max(most, slot);
  make_room(most);
  places_.assign(slots_, behind);
  for (std::uint32_t i = 0; i < without.size(); ++i) places_[without[i]] = i;
  Asked& set = asked(x);

  std::vector<std::uint8_t> is_with(slots_, 0);
  for (std::uint32_t slot : with) is_with[slot] = 1;
  std::uint32_t last_above = 0;  // the furthest back that any row returned now stood before
  for (std::uint32_t slot : with) last_above = std::max(last_above, places_[slot]);
  std::uint32_t first_below = behind;  // the furthest ahead that any row below stood before
  for (std::uint32_t slot : without) {
    if (is_with[slot] != 0) continue;
    first_below = std::min(first_below, places_[slot]);
    if (!with.empty() && last_above > places_[slot]) {
      lower(set, slot, rounded_down(set.greatest - 1));
    }
  }
  for (std::size_t i = with.size(); i-- > 0;) {
    if (first_below < places_[with[i]]) raise(set, with[i], least_positive());
    first_below = std::min(first_below, places_[with[i]]);
  }
  std::uint32_t furthest = 0;
  for (std::uint32_t slot : with) {
    if (furthest > places_[slot]) lower(set, slot, rounded_down(set.greatest - 1));
    furthest = std::max(furthest, places_[slot]);
  }
  settle();
}

void Engine::set_matched(std::uint32_t slot, ValueId value) {
  make_room(slot);
  set_bit(matched(slot), value);
  has_value_[slot] = 1;
  if (stale_[slot] == 0) stale_slots_.push_back(slot);
  stale_[slot] = 1;
  settle();
}

// ---- what follows ----

// Bounds that still move after as many rounds as there are rows move in a circle: no strengths fit.
void Engine::settle_orders(Asked& set) {
  for (std::uint32_t round = 0; set.stale && consistent_; ++round) {
    if (round > slots_ + 1) consistent_ = false;
    set.stale = false;
    for (const Order& order : set.orders) run_links(set, order);
  }
}

// Sums of sets that overlap may tighten bounds in ever smaller steps. Bounds are true at any time,
// so it is enough to stop.
void Engine::settle() {
  constexpr int most_rounds = 200;
  for (int round = 0; round < most_rounds && consistent_; ++round) {
    bool stale = false;
    for (Asked& set : asked_) {
      stale = stale || set.stale;
      settle_orders(set);
    }
    if (!stale && stale_slots_.empty()) return;
    std::vector<std::uint32_t> slots;
    slots.swap(stale_slots_);
    for (std::uint32_t slot : slots) {
      stale_[slot] = 0;
      read_sets(slot);
      write_sets(slot);
    }
  }
}

// The row matches something in x: when all but one of its values are excluded, it is that one.
void Engine::narrow_to(std::uint32_t slot, const Bits& x) {
  auto out = excluded(slot);
  if (one_value_) {
    for (std::size_t i = 0; i < words_; ++i) out[i] |= ~x[i];
  }
  int left = 0;
  std::size_t word = 0;
  for (std::size_t i = 0; i < words_ && left < 2; ++i) {
    int here = std::popcount(x[i] & ~out[i]);
    if (here != 0) word = i;
    left += here;
  }
  if (left == 0) consistent_ = false;
  if (left == 1) matched(slot)[word] |= x[word] & ~out[word];
}

void Engine::read_sets(std::uint32_t slot) {
  auto out = excluded(slot);
  auto in = matched(slot);
  for (const Asked& set : asked_) {
    if (set.high[slot] <= 0) add_bits(out, set.bits);
  }
  for (const Asked& set : asked_) {
    if (set.low[slot] <= 0) continue;
    has_value_[slot] = 1;
    narrow_to(slot, set.bits);
  }
  bool any_matched = std::ranges::any_of(in, [](std::uint64_t word) { return word != 0; });
  if (one_value_ && any_matched) {
    narrow_to(slot, Bits(in.begin(), in.end()));
  }
  if (has_value_[slot] != 0) {
    // In several rounds excluded values may leave one of a set that was read before.
    for (const Asked& set : asked_) {
      if (set.low[slot] > 0) narrow_to(slot, set.bits);
    }
    narrow_to(slot, all_values());
  }
  if (intersects(in, out)) consistent_ = false;
}

void Engine::write_sets(std::uint32_t slot, std::size_t first) {
  auto out = excluded(slot);
  auto in = matched(slot);
  for (Asked& set : std::span(asked_).subspan(first)) {
    if (set.high[slot] > 0 && is_within(set.bits, out)) lower(set, slot, 0);
    if (set.low[slot] <= 0 && intersects(set.bits, in)) raise(set, slot, least_positive());
  }
  if (has_sets_ || one_value_) write_unions(slot, first);
  if (has_sets_ && graded_) write_sums(slot);
}

// Sums of bounds: the even part adds up, and one strict bound makes the sum strict.
struct Engine::Sum {
  Bound even = 0;
  bool strict = false;

  void add_low(Bound low, int sign = 1) {
    even += sign * (low & ~Bound{1});
    strict = strict || low % 2 != 0;
  }
  void add_high(Bound high, int sign = 1) {
    even += sign * ((high + 1) & ~Bound{1});
    strict = strict || high % 2 != 0;
  }
  Bound as_low() const { return even + (strict ? 1 : 0); }
  Bound as_high() const { return even - (strict ? 1 : 0); }
};

// The strength of a set is the sum of those of its values. Only for sets whose values were all
// asked for by themselves.
void Engine::write_sums(std::uint32_t slot) {
  for (Asked& set : asked_) {
    if (set.values.size() < 2) continue;
    std::vector<Asked*> parts;
    for (ValueId value : set.values) {
      const Asked* part = find(std::span(&value, 1));
      if (part != nullptr) parts.push_back(&asked_[static_cast<std::size_t>(part - asked_.data())]);
    }
    if (parts.size() == set.values.size()) write_sum(set, parts, slot);
  }
}

void Engine::write_sum(Asked& set, const std::vector<Asked*>& parts, std::uint32_t slot) {
  Sum low, high;
  for (const Asked* part : parts) {
    low.add_low(part->low[slot]);
    high.add_high(part->high[slot]);
  }
  raise(set, slot, rounded_up(low.as_low()));
  lower(set, slot, rounded_down(high.as_high()));
  for (Asked* part : parts) {
    Sum least, most;
    least.add_low(set.low[slot]);
    most.add_high(set.high[slot]);
    for (const Asked* other : parts) {
      if (other == part) continue;
      least.add_high(other->high[slot], -1);
      most.add_low(other->low[slot], -1);
    }
    raise(*part, slot, rounded_up(least.as_low()));
    lower(*part, slot, rounded_down(most.as_high()));
  }
}

// A row that matches something in y, and of y only values that are in x too, matches x.
void Engine::write_unions(std::uint32_t slot, std::size_t first) {
  if (has_value_[slot] == 0) return;
  auto out = excluded(slot);
  Bits left(words_);
  auto spread = [&] {
    for (Asked& set : std::span(asked_).subspan(first)) {
      if (set.low[slot] <= 0 && is_within(left, set.bits)) raise(set, slot, least_positive());
    }
  };
  left = all_values();
  for (std::size_t i = 0; i < words_; ++i) left[i] &= ~out[i];
  spread();
  if (one_value_) return;
  for (std::size_t y = 0; y < asked_.size(); ++y) {
    if (asked_[y].low[slot] <= 0 || asked_[y].values.size() == 1) continue;
    for (std::size_t i = 0; i < words_; ++i) left[i] = asked_[y].bits[i] & ~out[i];
    spread();
  }
}

// ---- reading ----

Verdict Engine::verdict(std::uint32_t slot, ValueId value) const {
  if (slot >= slots_) return Verdict::Open;
  if (has_bit(matched(slot), value)) return Verdict::Matched;
  return has_bit(excluded(slot), value) ? Verdict::Excluded : Verdict::Open;
}

Verdict Engine::verdict(std::uint32_t slot, std::span<const ValueId> x) const {
  if (slot >= slots_) return Verdict::Open;
  if (const Asked* set = find(x)) {
    if (set->low[slot] > 0) return Verdict::Matched;
    if (set->high[slot] <= 0) return Verdict::Excluded;
  }
  Bits bits = bits_of(x);
  if (intersects(bits, matched(slot))) return Verdict::Matched;
  if (is_within(bits, excluded(slot))) return Verdict::Excluded;
  return must_match(slot, bits) ? Verdict::Matched : Verdict::Open;
}

// The row matches something, or something in a set asked, and only values in x are left of it.
bool Engine::must_match(std::uint32_t slot, const Bits& x) const {
  auto out = excluded(slot);
  auto only_x_is_left = [&](const Bits& set) {
    for (std::size_t i = 0; i < words_; ++i) {
      if ((set[i] & ~out[i] & ~x[i]) != 0) return false;
    }
    return true;
  };
  if (has_value_[slot] == 0) return false;
  if (only_x_is_left(all_values())) return true;
  return std::ranges::any_of(
      asked_, [&](const Asked& set) { return set.low[slot] > 0 && only_x_is_left(set.bits); });
}

Engine::Bits Engine::all_values() const {
  Bits all(words_, ~std::uint64_t{0});
  if (domain_ % 64 != 0) all.back() = (std::uint64_t{1} << (domain_ % 64)) - 1;
  return all;
}

Strength Engine::strength(std::uint32_t slot, ValueId value) const {
  Verdict proven = verdict(slot, value);
  if (proven == Verdict::Excluded) return {0, 0};
  double low = 0;
  double high = one_strength_ ? 1.0 / static_cast<double>(scale_) : 1;
  if (proven == Verdict::Matched) {
    low = step_ == 0 ? 0 : static_cast<double>(step_) / static_cast<double>(full_);
  }
  const Asked* set = find(std::span(&value, 1));
  if (set == nullptr || slot >= slots_) return {low, high};
  double unit = 2.0 * static_cast<double>(full_);
  return {std::max(low, static_cast<double>(set->low[slot] & ~Bound{1}) / unit),
          std::min(high, static_cast<double>((set->high[slot] + 1) & ~Bound{1}) / unit)};
}

std::vector<ValueId> Engine::candidates(std::uint32_t slot) const {
  std::vector<ValueId> values;
  for (std::uint32_t v = 0; v < domain_; ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (verdict(slot, value) != Verdict::Excluded) values.push_back(value);
  }
  return values;
}

std::vector<ValueId> Engine::open_values(std::uint32_t slot) const {
  std::vector<ValueId> values;
  for (std::uint32_t v = 0; v < domain_; ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (verdict(slot, value) == Verdict::Open) values.push_back(value);
  }
  return values;
}

bool Engine::resolved(std::uint32_t slot) const {
  for (std::uint32_t v = 0; v < domain_; ++v) {
    if (verdict(slot, ValueId{static_cast<std::uint16_t>(v)}) == Verdict::Open) return false;
  }
  return true;
}

bool Engine::has_value(std::uint32_t slot) const {
  return slot < slots_ ? has_value_[slot] != 0 : none_missing_;
}

bool Engine::disjoint(std::uint32_t slot, std::uint32_t other) const {
  if (slot >= slots_ || other >= slots_) return false;
  auto a = excluded(slot);
  auto b = excluded(other);
  for (std::uint32_t v = 0; v < domain_; ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (!has_bit(a, value) && !has_bit(b, value)) return false;
  }
  return true;
}

double Engine::soft_evidence(std::uint32_t slot, ValueId value, double share) const {
  const Asked* set = find(std::span(&value, 1));
  if (set == nullptr || slot >= slots_) return 0;
  double evidence = 0;
  std::vector<bool> counted(slots_, false);
  for (const Order& order : set->orders) {
    auto own = std::ranges::find(order.rows, slot, &ScoredRow::slot);
    if (own == order.rows.end()) continue;
    auto place = static_cast<std::size_t>(own - order.rows.begin());
    for (std::size_t i = 0; i < order.rows.size(); ++i) {
      const ScoredRow& row = order.rows[i];
      if (i == place || counted[row.slot] || verdict(row.slot, value) != Verdict::Open) continue;
      std::int64_t ahead = row.score - own->score;
      bool not_passed = i < place && i < order.returned && ahead > 0 && ahead * scale_ < full_;
      bool stayed = place < i && place < order.returned && ahead < 0 && -ahead * scale_ < full_;
      if (not_passed) evidence += std::log(share);
      if (stayed) evidence -= std::log1p(-share);
      counted[row.slot] = counted[row.slot] || not_passed || stayed;
    }
  }
  return evidence;
}

}  // namespace rankveil::attack
