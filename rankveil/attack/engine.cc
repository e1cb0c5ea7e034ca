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
      full_(weight * scale_of(belief)),
      alone_(64 * words_, not_asked) {}

// ---- sets and rows ----

Engine::Bits Engine::bits_of(std::span<const ValueId> x) const {
  Bits bits(words_, 0);
  for (ValueId value : x) set_bit(bits, value);
  return bits;
}

const Engine::Asked* Engine::find(std::span<const ValueId> x) const {
  if (x.size() == 1) {
    std::uint32_t number = alone_[+x[0]];
    return number == not_asked ? nullptr : &asked_[number];
  }
  for (std::uint32_t number : several_) {
    if (std::ranges::equal(asked_[number].values, x)) return &asked_[number];
  }
  return nullptr;
}

void Engine::add_part(Asked& set, std::uint32_t part, ValueId value) {
  auto place = std::ranges::lower_bound(set.values, value) - set.values.begin();
  set.parts[static_cast<std::size_t>(place)] = part;
  --set.parts_missing;
}

std::uint32_t Engine::add_asked(std::span<const ValueId> x) {
  auto number = static_cast<std::uint32_t>(asked_.size());
  Asked& set = asked_.emplace_back();
  set.values.assign(x.begin(), x.end());
  set.bits = bits_of(x);
  set.greatest = one_strength_ && x.size() == 1 ? 2 * step_ : 2 * full_;
  set.low.assign(slots_, 0);
  set.high.assign(slots_, set.greatest);
  if (x.size() == 1) {
    alone_[+x[0]] = number;
    for (std::uint32_t other : several_) {
      if (has_bit(asked_[other].bits, x[0])) add_part(asked_[other], number, x[0]);
    }
    return number;
  }
  several_.push_back(number);
  set.parts.assign(x.size(), not_asked);
  set.parts_missing = x.size();
  for (ValueId value : x) {
    if (alone_[+value] != not_asked) add_part(set, alone_[+value], value);
  }
  return number;
}

Engine::Asked& Engine::asked(std::span<const ValueId> x) {
  assert(!x.empty() && "a test asks for at least one value");
  if (const Asked* known = find(x)) return asked_[number_of(*known)];
  std::uint32_t number = add_asked(x);
  write_new_set(number);
  return asked_[number];
}

void Engine::make_room(std::uint32_t slot) {
  if (slot < slots_) return;
  slots_ = slot + 1;
  excluded_.resize(slots_ * words_, 0);
  matched_.resize(slots_ * words_, 0);
  told_.resize(slots_ * words_, 0);
  has_value_.resize(slots_, none_missing_ ? 1 : 0);
  stale_.resize(slots_, 0);
  news_.resize(slots_);
  matched_sets_.resize(slots_);
  for (Asked& set : asked_) {
    set.low.resize(slots_, 0);
    set.high.resize(slots_, set.greatest);
  }
}

// All at once: every set has bounds for every row.
void Engine::make_room(std::span<const ScoredRow> rows) {
  std::uint32_t most = 0;
  for (const ScoredRow& row : rows) most = std::max(most, row.slot);
  if (!rows.empty()) make_room(most);
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

void Engine::mark_stale(Asked& set) {
  if (!set.stale) stale_sets_.push_back(number_of(set));
  set.stale = true;
}

void Engine::mark_stale(std::uint32_t slot) {
  if (stale_[slot] == 0) stale_slots_.push_back(slot);
  stale_[slot] = 1;
}

void Engine::raise(Asked& set, std::uint32_t slot, Bound low) {
  if (low <= set.low[slot]) return;
  if (set.low[slot] <= 0 && low > 0) news_[slot].push_back(number_of(set));
  set.low[slot] = low;
  if (low > set.high[slot]) consistent_ = false;
  mark_stale(set);
  mark_stale(slot);
}

void Engine::lower(Asked& set, std::uint32_t slot, Bound high) {
  if (high >= set.high[slot]) return;
  if (set.high[slot] > 0 && high <= 0) news_[slot].push_back(number_of(set));
  set.high[slot] = high;
  if (high < set.low[slot] || high < 0) consistent_ = false;
  mark_stale(set);
  mark_stale(slot);
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
  make_room(order.rows);
  Asked& set = asked(x);
  order.links = links_of(order.rows, order.returned, ties);
  set.orders.push_back(std::move(order));
  mark_stale(set);
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
  mark_stale(slot);
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

// False: there was none to settle.
bool Engine::settle_sets() {
  std::vector<std::uint32_t> sets;
  sets.swap(stale_sets_);
  bool stale = false;
  for (std::uint32_t number : sets) {
    stale = stale || asked_[number].stale;
    settle_orders(asked_[number]);
  }
  return stale;
}

// Sums of sets that overlap may tighten bounds in ever smaller steps. Bounds are true at any time,
// so it is enough to stop.
void Engine::settle() {
  constexpr int most_rounds = 200;
  for (int round = 0; round < most_rounds && consistent_; ++round) {
    bool stale = settle_sets();
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

// Only bounds that crossed zero tell something new about values.
void Engine::read_news(std::uint32_t slot) {
  auto out = excluded(slot);
  for (std::uint32_t number : news_[slot]) {
    if (asked_[number].high[slot] <= 0) add_bits(out, asked_[number].bits);
  }
  for (std::uint32_t number : news_[slot]) {
    const Asked& set = asked_[number];
    if (set.low[slot] <= 0) continue;
    has_value_[slot] = 1;
    // One value stays the only one that is left; of several, more may be excluded later.
    if (set.values.size() > 1) {
      matched_sets_[slot].push_back(number);
    } else {
      narrow_to(slot, set.bits);
    }
  }
  news_[slot].clear();
}

void Engine::read_sets(std::uint32_t slot) {
  auto out = excluded(slot);
  auto in = matched(slot);
  read_news(slot);
  for (std::uint32_t number : matched_sets_[slot]) narrow_to(slot, asked_[number].bits);
  bool any_matched = std::ranges::any_of(in, [](std::uint64_t word) { return word != 0; });
  if (one_value_ && any_matched) {
    narrow_to(slot, Bits(in.begin(), in.end()));
  }
  if (has_value_[slot] != 0) {
    // In several rounds excluded values may leave one of a set that was read before.
    for (std::uint32_t number : matched_sets_[slot]) narrow_to(slot, asked_[number].bits);
    narrow_to(slot, all_values());
  }
  if (intersects(in, out)) consistent_ = false;
}

void Engine::write_set(Asked& set, std::uint32_t slot) {
  if (set.high[slot] > 0 && is_within(set.bits, excluded(slot))) lower(set, slot, 0);
  if (set.low[slot] <= 0 && intersects(set.bits, matched(slot))) {
    raise(set, slot, least_positive());
  }
}

// Sets of one value hear of what is new about it, once.
void Engine::write_values(std::uint32_t slot) {
  for (std::size_t i = 0; i < words_; ++i) {
    std::size_t at = slot * words_ + i;
    std::uint64_t fresh = (excluded_[at] | matched_[at]) & ~told_[at];
    told_[at] |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      std::uint32_t number = alone_[64 * i + static_cast<std::size_t>(std::countr_zero(fresh))];
      if (number != not_asked) write_set(asked_[number], slot);
    }
  }
}

void Engine::write_sets(std::uint32_t slot) {
  write_values(slot);
  for (std::uint32_t number : several_) write_set(asked_[number], slot);
  if (!several_.empty() || one_value_) write_unions(slot);
  for (std::uint32_t number : several_) {
    if (graded_ && asked_[number].is_sum()) write_sum(asked_[number], slot);
  }
}

// What is known of all rows, to a set that was not asked before; and what it says of others as a
// part of them.
void Engine::write_new_set(std::uint32_t number) {
  std::vector<std::uint32_t> sums;
  for (std::uint32_t other : several_) {
    bool alone = asked_[number].values.size() == 1;
    bool takes_part =
        other == number || (alone && has_bit(asked_[other].bits, asked_[number].values[0]));
    if (graded_ && takes_part && asked_[other].is_sum()) sums.push_back(other);
  }
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    write_set(asked_[number], slot);
    if (!several_.empty() || one_value_) write_unions(slot, number);
    for (std::uint32_t sum : sums) write_sum(asked_[sum], slot);
  }
}

// Sums of bounds: even parts add up, and one strict bound makes the sum strict. A bound may be
// taken out again.
class Engine::Sum {
 public:
  void add_low(Bound low) {
    even_ += low & ~Bound{1};
    strict_ += low % 2 != 0 ? 1 : 0;
  }
  void add_high(Bound high) {
    even_ += (high + 1) & ~Bound{1};
    strict_ += high % 2 != 0 ? 1 : 0;
  }
  void take_low(Bound low) {
    even_ -= low & ~Bound{1};
    strict_ -= low % 2 != 0 ? 1 : 0;
  }
  void take_high(Bound high) {
    even_ -= (high + 1) & ~Bound{1};
    strict_ -= high % 2 != 0 ? 1 : 0;
  }
  Bound as_low() const { return even_ + (strict_ != 0 ? 1 : 0); }
  Bound as_high() const { return even_ - (strict_ != 0 ? 1 : 0); }
  // What a bound leaves to others: a whole that is at least `low`, less all that they have at most;
  // and one that is at most `high`, less all that they have at least.
  Bound left_of_low(Bound low) const {
    return (low & ~Bound{1}) - even_ + (low % 2 != 0 || strict_ != 0 ? 1 : 0);
  }
  Bound left_of_high(Bound high) const {
    return ((high + 1) & ~Bound{1}) - even_ - (high % 2 != 0 || strict_ != 0 ? 1 : 0);
  }

 private:
  Bound even_ = 0;
  int strict_ = 0;
};

// The strength of a set is the sum of those of its values. Only for sets whose values were all
// asked for by themselves. Sums of all parts but one are those of all, less that one.
void Engine::write_sum(Asked& set, std::uint32_t slot) {
  Sum low, high;
  for (std::uint32_t part : set.parts) {
    low.add_low(asked_[part].low[slot]);
    high.add_high(asked_[part].high[slot]);
  }
  raise(set, slot, rounded_up(low.as_low()));
  lower(set, slot, rounded_down(high.as_high()));
  for (std::uint32_t number : set.parts) {
    Asked& part = asked_[number];
    low.take_low(part.low[slot]);
    high.take_high(part.high[slot]);
    raise(part, slot, rounded_up(high.left_of_low(set.low[slot])));
    lower(part, slot, rounded_down(low.left_of_high(set.high[slot])));
    low.add_low(part.low[slot]);
    high.add_high(part.high[slot]);
  }
}

// A row that matches something, and of that only `left`, matches every set that holds all of it.
void Engine::raise_those_with(std::uint32_t slot, const Bits& left, std::uint32_t only) {
  auto look_at = [&](std::uint32_t number) {
    Asked& set = asked_[number];
    if (set.low[slot] <= 0 && is_within(left, set.bits)) raise(set, slot, least_positive());
  };
  if (only != not_asked) return look_at(only);
  for (std::uint32_t number : several_) look_at(number);
  std::size_t count = 0, value = 0;
  for (std::size_t i = 0; i < words_ && count < 2; ++i) {
    if (left[i] != 0) value = 64 * i + static_cast<std::size_t>(std::countr_zero(left[i]));
    count += static_cast<std::size_t>(std::popcount(left[i]));
  }
  if (count == 1 && alone_[value] != not_asked) look_at(alone_[value]);
}

// A row that matches something in y, and of y only values that are in x too, matches x.
void Engine::write_unions(std::uint32_t slot, std::uint32_t only) {
  if (has_value_[slot] == 0) return;
  auto out = excluded(slot);
  Bits left = all_values();
  for (std::size_t i = 0; i < words_; ++i) left[i] &= ~out[i];
  raise_those_with(slot, left, only);
  if (one_value_) return;
  for (std::uint32_t y : several_) {
    if (asked_[y].low[slot] <= 0) continue;
    for (std::size_t i = 0; i < words_; ++i) left[i] = asked_[y].bits[i] & ~out[i];
    raise_those_with(slot, left, only);
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
  return std::ranges::any_of(matched_sets_[slot], [&](std::uint32_t number) {
    return only_x_is_left(asked_[number].bits);
  });
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
  if (slot >= slots_) return domain_ == 0;
  Bits all = all_values();
  for (std::size_t i = 0; i < words_; ++i) all[i] &= ~(excluded(slot)[i] | matched(slot)[i]);
  return std::ranges::all_of(all, [](std::uint64_t word) { return word == 0; });
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
