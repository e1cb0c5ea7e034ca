#include "rankveil/table/telling/held_out.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rankveil {

void Gains::add(const Gains& more) {
  guesses += more.guesses;
  right += more.right;
  chance += more.chance;
}

double Gains::realised() const {
  double room = static_cast<double>(guesses) - chance;
  return room <= 0 ? 0 : (static_cast<double>(right) - chance) / room;
}

double Gains::deviations() const {
  if (guesses == 0) return 0;
  double spread = chance * (1 - chance / static_cast<double>(guesses));
  return (static_cast<double>(right) - chance) / std::sqrt(std::max(spread, 1.0));
}

void HeldOutGuesses::Counts::clear() {
  for (std::uint16_t value : values) of[value] = 0;
  values.clear();
  rows = 0;
}

void HeldOutGuesses::BestTwo::see(double score, std::uint16_t seen) {
  if (score > first) {
    second = first;
    second_value = value;
    first = score;
    value = seen;
  } else if (score > second) {
    second = score;
    second_value = seen;
  }
}

HeldOutGuesses::HeldOutGuesses(std::span<const std::uint16_t> codes, std::uint32_t width,
                               std::uint32_t l)
    : codes_(codes), missing_(static_cast<std::uint16_t>(width - 1)), l_(l), shares_(width - 1, 0) {
  base_.of.assign(width - 1, 0);
  cell_.of.assign(width - 1, 0);
  double rows = 0;
  for (std::uint16_t code : codes) {
    if (code == missing_) continue;
    ++shares_[code];
    ++rows;
  }
  for (double& share : shares_) share /= std::max(rows, 1.0);
}

void HeldOutGuesses::count(std::span<const std::uint32_t> rows, Counts& counts) const {
  counts.clear();
  for (std::uint32_t row : rows) {
    std::uint16_t code = codes_[row];
    if (code == missing_) continue;
    if (counts.of[code]++ == 0) counts.values.push_back(code);
    ++counts.rows;
  }
}

// One row of the table's stands for the row that is guessed.
double HeldOutGuesses::belief(std::uint16_t value, bool own) const {
  return (base_.of[value] - (own ? 1.0 : 0.0) + shares_[value]) / base_.rows;
}

void HeldOutGuesses::guess_by_base(HeldOut& held_out) {
  BestTwo best;
  for (std::uint16_t value : base_.values) best.see(base_.of[value] + shares_[value], value);
  if (base_.values.size() == 1) {
    for (std::uint16_t value = 0; value < missing_; ++value) {
      if (value != base_.values.front()) best.see(shares_[value], value);
    }
  }
  guessed_ = best.value;
  right_alone_ = best.first - 1 > best.second;
  held_out.rows += base_.rows;
  held_out.without += right_alone_ ? base_.of[guessed_] : 0;
}

HeldOut HeldOutGuesses::of(const Cells& base, const Cells& cells) {
  HeldOut held_out;
  std::size_t next = 0;
  for (std::size_t outer = 0; outer + 1 < base.starts().size(); ++outer) {
    std::uint32_t begin = base.starts()[outer];
    std::uint32_t end = base.starts()[outer + 1];
    count(base.order().subspan(begin, end - begin), base_);
    if (base_.rows > 0) guess_by_base(held_out);
    for (; next + 1 < cells.starts().size() && cells.starts()[next] < end; ++next) {
      std::uint32_t from = cells.starts()[next];
      count(cells.order().subspan(from, cells.starts()[next + 1] - from), cell_);
      if (cell_.rows > 0) judge(held_out);
    }
  }
  return held_out;
}

void HeldOutGuesses::judge(HeldOut& held_out) {
  if (cell_.rows == 1) {
    held_out.right += right_alone_ && cell_.values.front() == guessed_ ? 1 : 0;
    return;
  }
  BestTwo best;
  for (std::uint16_t value : cell_.values) {
    best.see(cell_.of[value] + belief(value, false), value);
  }
  double own = cell_.of[best.value] - 1 + belief(best.value, true);
  std::uint32_t right = own > best.second ? cell_.of[best.value] : 0;
  held_out.right += right;
  held_out.company += cell_.rows;
  held_out.company_right += right;
  judge_gain(held_out);
}

void HeldOutGuesses::judge_gain(HeldOut& held_out) {
  auto gain = [&](std::uint16_t value, bool own) {
    double before = belief(value, own);
    if (before >= likely_anyway) return -1.0;
    double after = (cell_.of[value] - (own ? 1.0 : 0.0) + before) / cell_.rows;
    return (after - before) / (1 - before);
  };
  BestTwo best;
  for (std::uint16_t value : cell_.values) best.see(gain(value, false), value);
  double enough = 1.0 / l_;
  Gains& gains = held_out.gains[static_cast<std::size_t>(std::bit_width(cell_.rows))];
  for (std::uint16_t value : cell_.values) {  // what rows have that are guessed
    bool leads = value == best.value;
    double other = leads ? best.second : best.first, own = gain(value, true);
    if (std::max(own, other) <= enough) continue;
    bool right = own >= other;
    std::uint16_t guess = right ? value : leads ? best.second_value : best.value;
    std::uint32_t rows = cell_.of[value];
    gains.guesses += rows;
    gains.right += right ? rows : 0;
    gains.chance += rows * belief(guess, right);
  }
}

}  // namespace rankveil
