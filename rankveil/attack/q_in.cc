#include "rankveil/attack/q_in.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "rankveil/attack/bases.h"
#include "rankveil/attack/q_point.h"

namespace rankveil::attack {

namespace {

constexpr std::size_t most_boxes = 12;

using Values = std::vector<ValueId>;

Values merged(Values a, const Values& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

bool share_a_value(const Values& a, const Values& b) {
  return std::any_of(a.begin(), a.end(), [&](ValueId value) {
    return std::find(b.begin(), b.end(), value) != b.end();
  });
}

// Values whose code has, or has not, the bit.
Values with_bit(std::uint32_t domain, int bit, bool set) {
  Values values;
  for (std::uint32_t v = 0; v < domain; ++v) {
    if ((((v >> bit) & 1) != 0) == set) values.push_back(ValueId{static_cast<std::uint16_t>(v)});
  }
  return values;
}

// A row whose score lies between the victim's two possible ones.
struct Yardstick {
  std::uint32_t slot;
  bool high;  // above the victim until it matches; else below it until the row itself is asked for
};

std::optional<Yardstick> as_yardstick(Session& session, const Base& base, PrivateId attribute,
                                      std::uint32_t row) {
  auto own = session.score(base.query, session.victim());
  auto theirs = session.score(base.query, row);
  if (!own || !theirs) return std::nullopt;
  std::int64_t gap = *theirs - *own;
  std::int64_t weight = session.weight(attribute);
  if (std::abs(gap) > weight) return std::nullopt;
  std::uint32_t slot = session.slot(row);
  std::uint32_t victim = session.slot(session.victim());
  bool row_first = session.ties().before(slot, victim);
  bool victim_first = session.ties().before(victim, slot);
  if ((gap > 0 && gap < weight) || (gap == 0 && row_first) || (gap == weight && victim_first)) {
    return Yardstick{slot, true};
  }
  if ((gap < 0 && -gap < weight) || (gap == 0 && victim_first) || (-gap == weight && row_first)) {
    return Yardstick{slot, false};
  }
  return std::nullopt;
}

// One that matches none of the victim's candidates; a low one must be known to match something, so
// that asking for its candidates lifts it.
std::optional<Yardstick> find_yardstick(Session& session, const Base& base, PrivateId attribute,
                                        const std::vector<std::uint32_t>& useless) {
  Engine& engine = session.engine(attribute);
  std::uint32_t victim = session.slot(session.victim());
  for (std::uint32_t row : base.returned) {
    std::uint32_t slot = session.slot(row);
    if (slot == victim || !engine.disjoint(victim, slot)) continue;
    if (std::find(useless.begin(), useless.end(), slot) != useless.end()) continue;
    auto yardstick = as_yardstick(session, base, attribute, row);
    if (yardstick && (yardstick->high || engine.has_value(slot))) return yardstick;
  }
  return std::nullopt;
}

void halve(Session& session, Base& base, PrivateId attribute, Yardstick yardstick,
           std::vector<std::uint32_t>& useless) {
  while (!session.resolved(attribute)) {
    Values left = session.candidates(attribute);
    Values ask(left.begin(), left.begin() + static_cast<std::ptrdiff_t>((left.size() + 1) / 2));
    if (!yardstick.high) {
      ask = merged(ask, session.engine(attribute).candidates(yardstick.slot));
    }
    if (!session.test(base, attribute, ask)) return;
    if (session.candidates(attribute).size() == left.size() && !session.resolved(attribute)) {
      useless.push_back(yardstick.slot);
      return;
    }
  }
}

void split_by_bits(Session& session, Base& base, PrivateId attribute) {
  std::vector<std::uint32_t> useless;
  std::uint32_t domain = session.domain(attribute);
  for (int bit = 0; bit < static_cast<int>(std::bit_width(domain - 1)); ++bit) {
    for (bool set : {true, false}) {
      while (auto yardstick = find_yardstick(session, base, attribute, useless)) {
        halve(session, base, attribute, *yardstick, useless);
        if (session.resolved(attribute) || !session.running()) return;
      }
      Values half = with_bit(domain, bit, set);
      if (!share_a_value(half, session.candidates(attribute))) continue;
      if (!session.test(base, attribute, half) || session.resolved(attribute)) return;
    }
  }
}

// A block that is excluded saves asking for each of its values.
void ask_blocks(Session& session, Base& base, PrivateId attribute) {
  constexpr std::uint32_t set_size =
      2;  // a guess at what the defense makes; only speed hangs on it
  std::size_t size = session.domain(attribute) / (2 * set_size);
  if (size >= 2) {
    Values open = session.open_values(attribute);
    std::sort(open.begin(), open.end());
    for (std::size_t begin = 0; begin < open.size(); begin += size) {
      Values block(open.begin() + static_cast<std::ptrdiff_t>(begin),
                   open.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, open.size())));
      if (!session.test(base, attribute, block)) return;
    }
  }
  sweep(session, base, attribute);
}

void use_base(Session& session, Base& base, PrivateId attribute) {
  if (session.belief().kind == ProfileKind::OneValue) {
    split_by_bits(session, base, attribute);
  } else {
    ask_blocks(session, base, attribute);
  }
}

// Of `rows`, those with one of these values.
void keep_inside(const Column& column, const Values& wanted, std::vector<std::uint32_t>& rows) {
  std::vector<std::uint8_t> table(column.domain_size() + 1, 0);
  for (ValueId value : wanted) table[+value] = 1;
  auto keep = [&](const auto& codes) {
    std::size_t kept = 0;
    for (std::uint32_t row : rows) {
      rows[kept] = row;
      kept += table[codes[row]];
    }
    rows.resize(kept);
  };
  column.is_narrow() ? keep(column.narrow()) : keep(column.wide());
}

// Attributes that a box names, those that leave fewest rows first: what comes after has little to
// do.
std::vector<std::uint32_t> named_attributes(const Session& session, const Query& box) {
  std::vector<std::uint32_t> named;
  for (std::uint32_t i = 0; i < session.publics(); ++i) {
    if (!box.wanted[i].empty()) named.push_back(i);
  }
  auto room = [&](std::uint32_t i) {
    return static_cast<double>(box.wanted[i].size()) /
           session.knowledge().public_columns[i].domain_size();
  };
  std::stable_sort(named.begin(), named.end(), [&](auto a, auto b) { return room(a) < room(b); });
  return named;
}

// `rows` is room that is used again.
std::size_t rows_in_box(const Session& session, const Query& box,
                        std::vector<std::uint32_t>& rows) {
  rows.resize(session.knowledge().rows());
  std::iota(rows.begin(), rows.end(), 0U);
  for (std::uint32_t i : named_attributes(session, box)) {
    keep_inside(session.knowledge().public_columns[i], box.wanted[i], rows);
  }
  return rows.size();
}

}  // namespace

std::vector<Query> box_patterns(Session& session, std::size_t most) {
  std::vector<std::pair<std::size_t, Query>> boxes;
  std::vector<std::uint32_t> room;
  Query full = session.full_query();
  for (std::uint32_t other : session.closest()) {
    Query box = full;
    for (std::uint32_t i = 0; i < session.publics(); ++i) {
      ValueId theirs = session.public_value(other, i);
      if (!box.wanted[i].empty() && theirs != missing_value) {
        box.wanted[i] = merged(box.wanted[i], {theirs});
      }
    }
    bool known = box == full || std::any_of(boxes.begin(), boxes.end(), [&](const auto& other_box) {
                   return other_box.second == box;
                 });
    if (!known && boxes.size() < most) boxes.emplace_back(rows_in_box(session, box, room), box);
  }
  std::stable_sort(boxes.begin(), boxes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Query> queries;
  queries.reserve(boxes.size());
  for (auto& [rows, box] : boxes) queries.push_back(std::move(box));
  return queries;
}

void q_in(Session& session, PrivateId attribute) {
  Base* base = visible_base(session, attribute);
  if (base != nullptr) use_base(session, *base, attribute);
  if (!session.running() || session.resolved(attribute)) return;
  if (base != nullptr && !base->has_private) {
    Patience patience(session, attribute);
    const auto& boxes = session.boxes([&] { return box_patterns(session, most_boxes); });
    for (const Query& box : boxes) {
      Base* boxed = session.base(box);
      if (boxed != nullptr && boxed->shows_victim) use_base(session, *boxed, attribute);
      if (!session.running() || session.resolved(attribute)) return;
      if (!patience.lasts()) break;
    }
  }
  q_point(session, attribute);
}

}  // namespace rankveil::attack
