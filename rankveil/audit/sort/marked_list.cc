#include "rankveil/audit/sort/marked_list.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace rankveil::audit {

MarkedList::MarkedList(std::span<const std::uint32_t> rows, const Marks& marks, std::uint32_t codes,
                       bool in_order)
    : codes_(codes), unmarked_(codes, true) {
  std::vector<bool> ended(codes, false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    place_.emplace(rows[i], i);
    before_.push_back(mark_rows_.size());
    auto mark = marks.find(rows[i]);
    if (mark == marks.end()) {
      ++(mark_rows_.empty() ? before_first_ : behind_last_);
      continue;
    }
    behind_last_ = 0;
    if (!mark_codes_.empty() && mark_codes_.back() != mark->second)
      ended[mark_codes_.back()] = true;
    contradicts_ = contradicts_ || ended[mark->second];
    mark_rows_.push_back(rows[i]);
    mark_codes_.push_back(mark->second);
    unmarked_[mark->second] = false;
  }
  before_.push_back(mark_rows_.size());
  if (in_order) find_direction();
}

void MarkedList::find_direction() {
  std::vector<std::uint32_t> valued;
  for (std::uint32_t code : mark_codes_) {
    if (!is_none(code)) valued.push_back(code);
  }
  const bool up = std::ranges::is_sorted(valued);
  const bool down = std::ranges::is_sorted(valued, std::ranges::greater());
  goes_by_codes_ = up || down;
  if (up != down) direction_ = up ? Direction::Up : Direction::Down;
}

std::size_t MarkedList::marks_before(std::uint32_t row) const {
  auto found = place_.find(row);
  return found == place_.end() ? before_.back() : before_[found->second];
}

std::vector<bool> MarkedList::possible(std::uint32_t row) const {
  const std::size_t at = marks_before(row);
  const bool has_before = at > 0, has_behind = at < mark_codes_.size();
  std::vector<bool> codes = unmarked_;
  if (has_before && has_behind && mark_codes_[at - 1] == mark_codes_[at]) {
    codes.assign(codes_, false);
  }
  if (has_before) codes[mark_codes_[at - 1]] = true;
  if (has_behind) codes[mark_codes_[at]] = true;
  keep_between(at, codes);
  return codes;
}

std::optional<std::uint32_t> MarkedList::code_before(std::size_t at) const {
  while (at > 0 && is_none(mark_codes_[at - 1])) --at;
  return at > 0 ? std::optional(mark_codes_[at - 1]) : std::nullopt;
}

std::optional<std::uint32_t> MarkedList::code_behind(std::size_t at) const {
  while (at < mark_codes_.size() && is_none(mark_codes_[at])) ++at;
  return at < mark_codes_.size() ? std::optional(mark_codes_[at]) : std::nullopt;
}

void MarkedList::keep_between(std::size_t at, std::vector<bool>& codes) const {
  if (direction_ == Direction::None) return;
  const bool is_up = direction_ == Direction::Up;
  const std::uint32_t low = (is_up ? code_before(at) : code_behind(at)).value_or(0);
  const std::uint32_t high = (is_up ? code_behind(at) : code_before(at)).value_or(codes_);
  for (std::uint32_t code = 0; !is_none(code); ++code) {
    if (code < low || code > high) codes[code] = false;
  }
}

void MarkedList::weigh(std::uint32_t row, std::vector<double>& weights) const {
  const std::size_t at = marks_before(row);
  if (at == 0 || at == mark_codes_.size() || mark_codes_[at - 1] == mark_codes_[at]) return;
  const double all = before_first_ + behind_last_ + 1;
  const double before = (behind_last_ + 0.5) / all, behind = (before_first_ + 0.5) / all;
  for (std::uint32_t code = 0; code < codes_; ++code) {
    weights[code] *= code == mark_codes_[at - 1] ? before
                     : code == mark_codes_[at]   ? behind
                                                 : std::min(before, behind);
  }
}

void MarkedList::vote(std::uint32_t row, std::size_t nearest, std::vector<double>& votes) const {
  const std::size_t at = marks_before(row);
  const std::size_t from = at > nearest ? at - nearest : 0;
  for (std::size_t i = from; i < std::min(at + nearest, mark_codes_.size()); ++i) {
    votes[mark_codes_[i]] += 1;
  }
}

std::optional<std::uint32_t> MarkedList::mark_before(std::uint32_t row) const {
  std::size_t at = marks_before(row);
  return at > 0 ? std::optional(mark_rows_[at - 1]) : std::nullopt;
}

std::optional<std::uint32_t> MarkedList::mark_behind(std::uint32_t row) const {
  std::size_t at = marks_before(row);
  return at < mark_rows_.size() ? std::optional(mark_rows_[at]) : std::nullopt;
}

std::vector<std::uint32_t> fitting(std::span<const MarkedList> lists, std::uint32_t row,
                                   const std::vector<bool>& open) {
  std::vector<bool> left = open;
  for (const MarkedList& list : lists) {
    if (list.contradicts()) return {};
    std::vector<bool> possible = list.possible(row);
    for (std::size_t code = 0; code < left.size(); ++code) {
      left[code] = left[code] && possible[code];
    }
  }
  std::vector<std::uint32_t> codes;
  for (std::uint32_t code = 0; code < left.size(); ++code) {
    if (left[code]) codes.push_back(code);
  }
  return codes;
}

}  // namespace rankveil::audit
