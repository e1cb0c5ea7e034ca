// How pvst finds the rows that cover a row.
//
// Row r has one set per private attribute, which begins with its own value. A set is open while it
// has fewer than l values and the group has more. For a candidate c of r's public group let
//   misses(c) = the number of open sets that hold c's value already
//   loss(c)   = sum of cost(v) over the values v of c that are not r's own
// where cost(v) is the value's weight times the queries that ask for it. The search chooses the
// candidate with the least (misses, loss, row), puts its values into all sets, and begins again
// until no set is open.
//
// Example. Two attributes a and b with costs (4, 1, 2) and (3, 1, 0) of values 0, 1, 2; l = 3.
//   row      1    2    3    4    5    6    7    8
//   (a, b)  0,0  0,1  1,0  1,1  2,1  2,2  0,0  1,2
//   cost     7    5    4    2    3    2    7    1
// For row 8 the sets are {1} and {2}. Rows 1, 2, 5 and 7 miss nothing; row 5 is the cheapest of
// them (3). Now the sets are {1, 2} and {2, 1}. Rows 1 and 7 alone miss nothing: row 1 is chosen.
// Were rows 1 and 7 not there, rows 2 and 3 would miss one set each. Row 2 costs 5. Row 3 costs
// 4 - 1 = 3, because its a is row 8's own value: row 3 would be chosen.
//
// Candidates stand in the order of (cost of the whole vector, row), so a search reads them from the
// front. What row r can save on a candidate by equal values is at most `max_saved_`. The search
// ends at position p as soon as
//   cost(p) - max_saved_ > loss of the best so far,
// or when the best so far saves all of max_saved_: candidates behind it cost as much at least, and
// save no more. A candidate that saves nothing and stands behind the best cannot win either, so
// only candidates in a plane of an own value (`wanted`) are looked at.
//
// Invariant: before a line of 512 candidates is read, best_ is the least (loss, row) among all
// candidates of the lines before it with as few misses.
#include "rankveil/protect/pvst/cover/search.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace rankveil::cover {

namespace {

// Lines searched before looking whether the rest can be left out.
constexpr std::uint32_t block_lines = 16;

constexpr std::uint32_t lane_patterns = 256;

// Tables of savings are not worth their making for fewer candidates.
constexpr std::uint32_t min_for_tables = 512;

// Bit i says whether byte i of both words is the same.
std::uint32_t equal_bytes(std::uint64_t left, std::uint64_t right) {
  constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7F;
  std::uint64_t different = left ^ right;
  std::uint64_t high_bits = ~(((different & low) + low) | different | low);
  return static_cast<std::uint32_t>(((high_bits >> 7) * 0x0102040810204080U) >> 56);
}

bool contains(const std::vector<std::uint32_t>& set, std::uint32_t code) {
  return std::find(set.begin(), set.end(), code) != set.end();
}

}  // namespace

Search::Search(const Vectors& vectors, std::uint32_t l)
    : vectors_(vectors),
      kernel_(kernel_in_use()),
      l_(l),
      sets_(vectors.attributes()),
      rare_planes_(vectors.attributes()),
      rare_codes_(vectors.attributes()),
      own_codes_(vectors.attributes()),
      savings_(vectors.attributes()),
      own_lanes_(Group::lane_words(vectors)),
      saved_by_lanes_(own_lanes_.size() * lane_patterns),
      found_(std::size_t{block_lines} * words_per_line) {
  for (std::uint32_t j = 0; j < vectors.attributes(); ++j) {
    if (vectors.domain(j) > Group::largest_lane) wide_.push_back(j);
  }
}

void Search::use(const Group& group, Shortlists* shortlists) {
  group_ = &group;
  shortlists_ = shortlists;
  for (AlignedWords& plane : rare_planes_) {
    if (plane.size() < std::size_t{group.lines()} * words_per_line) plane = {};
  }
}

void Search::run(std::uint32_t position, std::vector<RowId>& chosen) {
  start(position);
  for (gather_open(); !open_.empty(); gather_open()) {
    std::uint32_t best = choose();
    if (first_ == nobody) first_ = best;
    chosen.push_back(RowId{group_->row(best)});
    add_values(best);
  }
  clear_rare();
}

void Search::start(std::uint32_t position) {
  own_ = position;
  first_ = nobody;
  has_savings_ = false;
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    own_codes_[j] = group_->code(position, j);
    savings_[j] = vectors_.cost[j][own_codes_[j]];
    sets_[j].clear();
  }
  add_values(position);
}

void Search::add_values(std::uint32_t position) {
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    std::uint32_t code = group_->code(position, j);
    if (code == vectors_.domain(j) || contains(sets_[j], code)) continue;
    sets_[j].push_back(code);
    if (group_->plane(j, code) == nullptr) add_rare(j, code);
  }
}

void Search::add_rare(std::uint32_t j, std::uint32_t code) {
  if (rare_planes_[j].size() == 0) {
    rare_planes_[j] = AlignedWords(std::size_t{group_->lines()} * words_per_line);
  }
  rare_codes_[j].push_back(code);
  for (std::uint32_t p : group_->positions(j, code)) {
    rare_planes_[j].data()[p / 64] |= std::uint64_t{1} << (p % 64);
  }
}

void Search::clear_rare() {
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    for (std::uint32_t code : rare_codes_[j]) {
      for (std::uint32_t p : group_->positions(j, code)) rare_planes_[j].data()[p / 64] = 0;
    }
    rare_codes_[j].clear();
  }
}

bool Search::is_open(std::uint32_t j) const {
  return sets_[j].size() < std::min(l_, group_->values(j));
}

void Search::gather_open() {
  open_.clear();
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    if (is_open(j)) open_.push_back(j);
  }
}

// The planes of candidates that bring nothing new to each of the open sets.
void Search::gather_planes() {
  planes_.clear();
  ends_.clear();
  for (std::uint32_t j : open_) {
    if (list_ != nullptr) {
      gather_planes_of(j, *list_);
    } else {
      gather_planes_of(j, *group_);
    }
    ends_.push_back(static_cast<std::uint32_t>(planes_.size()));
  }
}

void Search::gather_planes_of(std::uint32_t j, const Group& group) {
  std::size_t before = planes_.size();
  for (std::uint32_t code : sets_[j]) {
    if (const std::uint64_t* plane = group.plane(j, code)) planes_.push_back(plane);
  }
  if (!rare_codes_[j].empty()) planes_.push_back(rare_planes_[j].data());
  if (group.has_missing(j)) planes_.push_back(group.plane(j, vectors_.domain(j)));
  if (planes_.size() == before) planes_.push_back(group.empty_plane());
}

// Nobody in a list misses a value of an open attribute.
void Search::gather_planes_of(std::uint32_t j, const Shortlist& list) {
  for (std::uint32_t code : sets_[j]) {
    if (const std::uint64_t* plane = list.plane(j, code)) planes_.push_back(plane);
  }
}

Blocked Search::blocked() const {
  return {planes_.data(), ends_.data(), static_cast<std::uint32_t>(open_.size())};
}

std::uint32_t Search::choose() {
  best_ = {0, 0, nobody};
  if (!search_full()) search_fewest();
  return best_.position;
}

// ---- Savings: the loss of a candidate is that of its vector, less what equal values save. ----

// In a group, a rare own value is in the plane of all rare values of its set.
const std::uint64_t* Search::own_plane(std::uint32_t j) const {
  if (list_ != nullptr) {
    const std::uint64_t* plane = list_->plane(j, own_codes_[j]);
    return plane != nullptr ? plane : list_->empty_plane();
  }
  const std::uint64_t* plane = group_->plane(j, own_codes_[j]);
  return plane != nullptr ? plane : rare_planes_[j].data();
}

// A candidate may have the own value in every set that is full, and in the open ones it misses.
void Search::gather_savers(std::uint32_t misses) {
  savers_.clear();
  saver_planes_.clear();
  open_savings_.clear();
  max_saved_ = 0;
  auto end = [&] { return static_cast<std::uint32_t>(saver_planes_.size()); };
  if (misses > 0) {
    for (std::uint32_t j : open_) {
      if (savings_[j] == 0) continue;
      open_savings_.push_back(savings_[j]);
      saver_planes_.push_back(own_plane(j));
    }
    std::sort(open_savings_.begin(), open_savings_.end(), std::greater<>());
    if (open_savings_.size() > misses) open_savings_.resize(misses);
    max_saved_ = std::accumulate(open_savings_.begin(), open_savings_.end(), Loss{0});
    if (max_saved_ > 0) savers_.push_back({max_saved_, 0, end()});
  }
  std::size_t next_open = 0;
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    if (next_open < open_.size() && open_[next_open] == j) {
      ++next_open;
    } else if (savings_[j] > 0) {
      saver_planes_.push_back(own_plane(j));
      savers_.push_back({savings_[j], end() - 1, end()});
      max_saved_ += savings_[j];
    }
  }
  std::sort(savers_.begin(), savers_.end(),
            [](const Saver& a, const Saver& b) { return a.saving > b.saving; });
  bool tables_pay = group_->size() >= min_for_tables;
  if (!savers_.empty() && !has_savings_ && tables_pay) make_savings();
}

// A table for every eight attributes: the savings of each subset of them.
void Search::make_savings() {
  has_savings_ = true;
  std::copy_n(group_->lanes(own_), own_lanes_.size(), own_lanes_.begin());
  for (std::uint32_t w = 0; w < own_lanes_.size(); ++w) {
    Loss* table = saved_by_lanes_.data() + std::size_t{w} * lane_patterns;
    table[0] = 0;
    for (std::uint32_t i = 0; i < Group::lanes_per_word; ++i) {
      std::uint32_t j = w * Group::lanes_per_word + i;
      bool counts = j < vectors_.attributes() && vectors_.domain(j) <= Group::largest_lane;
      Loss saving = counts ? savings_[j] : 0;
      for (std::uint32_t pattern = 0; pattern < (1U << i); ++pattern) {
        table[(1U << i) + pattern] = table[pattern] + saving;
      }
    }
  }
}

Loss Search::saved(std::uint32_t position) const {
  if (savers_.empty()) return 0;
  if (!has_savings_) return saved_one_by_one(position);
  const std::uint64_t* lanes = group_->lanes(position);
  Loss sum = 0;
  for (std::uint32_t w = 0; w < own_lanes_.size(); ++w) {
    sum += saved_by_lanes_[w * lane_patterns + equal_bytes(lanes[w], own_lanes_[w])];
  }
  for (std::uint32_t j : wide_) {
    if (group_->code(position, j) == own_codes_[j]) sum += savings_[j];
  }
  return sum;
}

Loss Search::saved_one_by_one(std::uint32_t position) const {
  Loss sum = 0;
  for (std::uint32_t j = 0; j < vectors_.attributes(); ++j) {
    bool same = savings_[j] > 0 && group_->code(position, j) == own_codes_[j];
    sum += same ? savings_[j] : 0;
  }
  return sum;
}

// ---- Looking at candidates in ascending order of their vectors' losses. ----

// Nobody from here on can be better: not with all that can be saved. When the best so far saves
// that much, equals come later in row order.
bool Search::is_decided(std::uint32_t position) const {
  return best_.position != nobody &&
         (best_.saved == max_saved_ || group_->loss(position) - max_saved_ > best_.loss);
}

// Who saves nothing comes too late once somebody was looked at: the loss is no less and, where it
// is the same, the row is higher. Further on in the order more must be saved. Savers that together
// save more than may be lost make a part: without any of them, the others save too little.
Wanted Search::wanted(std::uint32_t line) {
  wanted_planes_.clear();
  wanted_ends_.clear();
  if (best_.position != nobody) {
    Loss may_be_lost = max_saved_ - (group_->loss(first_of(line)) - best_.loss);
    Loss part = 0;
    for (const Saver& saver : savers_) {
      wanted_planes_.insert(wanted_planes_.end(), saver_planes_.begin() + saver.begin,
                            saver_planes_.begin() + saver.end);
      part += saver.saving;
      if (part <= may_be_lost) continue;
      wanted_ends_.push_back(static_cast<std::uint32_t>(wanted_planes_.size()));
      part = 0;
    }
    bool one_part = wanted_ends_.empty() && !savers_.empty();
    if (one_part) wanted_ends_.push_back(static_cast<std::uint32_t>(wanted_planes_.size()));
  }
  return {wanted_planes_.data(), wanted_ends_.data(),
          static_cast<std::uint32_t>(wanted_ends_.size())};
}

void Search::consider(std::uint32_t position) {
  Loss by_equal_values = saved(position);
  Loss loss = group_->loss(position) - by_equal_values;
  bool better = best_.position == nobody || loss < best_.loss ||
                (loss == best_.loss && group_->row(position) < group_->row(best_.position));
  if (better) best_ = {loss, by_equal_values, position};
}

// False when no candidate after these needs a look.
bool Search::consider(std::uint32_t line, const std::uint64_t* found) {
  return each_position(line, found, [&](std::uint32_t i) {
    std::uint32_t position = list_ != nullptr ? list_->position(i) : i;
    if (is_decided(position)) return false;
    consider(position);
    return true;
  });
}

std::uint32_t Search::first_of(std::uint32_t line) const {
  std::uint32_t i = line * positions_per_line;
  return list_ != nullptr ? list_->position(i) : i;
}

// Candidates that bring something new to every open set; false if there are none.
bool Search::search_full() {
  std::uint32_t next = 0;
  list_ = shortlists_ != nullptr ? shortlists_->find(first_, open_) : nullptr;
  if (list_ != nullptr) {
    if (search_lines(0, list_->lines(), list_->last_line())) return true;
    next = list_->next_line();
    list_ = nullptr;
  }
  return search_lines(next, group_->lines(), group_->last_line()) || best_.position != nobody;
}

// Whether the search is decided before the end, of which `last` has the bits that count.
bool Search::search_lines(std::uint32_t line, std::uint32_t end, const std::uint64_t* last) {
  gather_planes();
  gather_savers(0);
  for (; line < end; ++line) {
    if (is_decided(first_of(line))) return true;
    std::uint64_t free[words_per_line];
    line = kernel_.first_free(blocked(), wanted(line), line, end, free);
    if (line == end) break;
    for (std::uint32_t i = 0; line + 1 == end && i < words_per_line; ++i) free[i] &= last[i];
    if (!consider(line, free)) return true;
  }
  return false;
}

// Nobody brings something new to all: those who do to most.
void Search::search_fewest() {
  static constexpr std::uint64_t all[words_per_line] = {~0ULL, ~0ULL, ~0ULL, ~0ULL,
                                                        ~0ULL, ~0ULL, ~0ULL, ~0ULL};
  Fewest fewest{static_cast<std::uint32_t>(open_.size()), 0};
  bool decided = false;  // among those with as few misses
  for (std::uint32_t begin = 0; begin < group_->lines(); begin += block_lines) {
    if (decided && fewest.misses == 1) return;
    std::uint32_t end = std::min(begin + block_lines, group_->lines());
    std::uint32_t misses = fewest.misses;
    fewest.line = begin;
    kernel_.fewest(blocked(), begin, end, end == group_->lines() ? group_->last_line() : all,
                   fewest, found_.data());
    if (fewest.misses < misses || begin == 0) {
      best_.position = nobody;
      decided = false;
      gather_savers(fewest.misses);
    }
    for (std::uint32_t line = fewest.line; line < end && !decided; ++line) {
      std::uint64_t* found = found_.data() + std::size_t{line - begin} * words_per_line;
      kernel_.keep_wanted(wanted(line), line, found);
      decided = !consider(line, found);
    }
  }
}

}  // namespace rankveil::cover
