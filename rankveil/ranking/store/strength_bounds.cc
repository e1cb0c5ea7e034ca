// Which bounds let the fewest rows through? Rows with a high score are not like others: they have
// high strengths more often, about by exp(tilt x strength). So the number of rows whose bounds
// reach a high score goes about as the product over attributes of
//
//   cost = sum over rows of exp(tilt x bound)
//
// and each value is cut where its cost is least.
#include "rankveil/ranking/store/strength_bounds.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rankveil {

namespace {

constexpr std::uint32_t parts = StrengthBounds::parts;
constexpr std::uint32_t min_bits = 3;
// At most one row in 256 may exceed the bound of a value.
constexpr std::uint32_t rows_per_rare = 256;
// The tilt of a full match, as measured on top lists of 100 in 300,000 rows. With half of it, or
// twice as much, few more rows pass.
constexpr double tilt_of_match = 2;
// Give up if more than 24 times as many rows would pass the bounds as belong in an answer.
constexpr double max_let_through = 24;

constexpr std::uint32_t strengths_end = 256;
using Histogram = std::vector<std::uint32_t>;  // rows per strength

// Strengths from `from` on have the bound low + step, others low; in parts of a level.
struct CutChoice {
  double cost = 0;
  std::uint32_t low = 0;
  std::uint32_t step = 0;
  std::uint32_t from = 0;
};

// Looks for the best bounds of a value.
class CutChooser {
 public:
  // `tilt`: of a part of a level.
  CutChooser(const Histogram& rows, double tilt) : tilt_(tilt), below_(rows.size() + 1) {
    for (std::uint32_t s = 0; s < rows.size(); ++s) {
      below_[s + 1] = below_[s] + rows[s];
      right_ += rows[s] * std::exp(tilt * s * parts);
    }
    std::uint32_t all = below_.back();
    cap_ = static_cast<std::uint32_t>(rows.size()) - 1;
    while (cap_ > 0 && all - below_[cap_] <= all / rows_per_rare) --cap_;
  }

  // The cost of the strengths themselves.
  double right() const { return right_; }

  // Steps are powers of two times `unit`.
  CutChoice best(std::uint32_t unit) const {
    std::uint32_t top = cap_ * parts;
    CutChoice best{cost(top, 0, cap_ + 1), top, 0, cap_ + 1};
    for (std::uint32_t step = unit; step < 2 * top; step *= 2) {
      for (std::uint32_t from = 1; from <= cap_; ++from) {
        std::uint32_t low = std::max((from - 1) * parts, top - std::min(step, top));
        double here = cost(low, step, from);
        if (here < best.cost) best = {here, low, step, from};
      }
    }
    return best;
  }

 private:
  double cost(std::uint32_t low, std::uint32_t step, std::uint32_t from) const {
    double few = below_[from];
    double more = below_.back() - below_[from];
    return std::exp(tilt_ * low) * (few + more * std::exp(tilt_ * step));
  }

  double tilt_;
  std::vector<std::uint32_t> below_;  // rows with a lower strength
  std::uint32_t cap_ = 0;             // few strengths are above it
  double right_ = 0;
};

// Two steps bound what rows have in all beyond their bounds: one for rows with a little more, and
// another on top for those with much.
struct ExtraSteps {
  std::uint32_t little = 0;
  std::uint32_t much = 0;

  std::uint32_t of(std::uint32_t amount) const {
    return amount == 0 ? 0 : amount <= little ? little : little + much;
  }
};

}  // namespace

class StrengthBounds::Maker {
 public:
  Maker(StrengthCodes codes, std::uint32_t full)
      : codes_(std::move(codes)), full_(full), tilt_(tilt_of_match / (full * parts)) {}

  std::optional<StrengthBounds> make(std::size_t skew) {
    choose_cuts();
    if (!find_extras() || let_through_ > std::log(max_let_through)) return std::nullopt;
    made_.rows = codes_.rows();
    made_.codes = codes_.rows_of_codes();
    fill_attributes();
    fill_bitmaps(skew);
    return StrengthBounds(std::move(made_));
  }

 private:
  // Strengths from `from` on have the bound low + step.
  struct ValueCut {
    Cut bound;
    std::uint32_t from;
  };

  const StrengthCodes& codes() const { return codes_; }

  template <typename Visit>
  void for_each_value(const Visit& visit) const {
    for (std::uint32_t j = 0; j < codes().attributes(); ++j) {
      for (std::uint32_t value = 0; value < codes().domain_size(j); ++value) visit(j, value);
    }
  }

  // Up to the largest strength there is.
  Histogram histogram(std::uint32_t attribute, std::uint32_t value) const {
    Histogram rows(strengths_end);
    auto counts = codes().counts(attribute);
    for (std::size_t code = 0; code < counts.size(); ++code) {
      rows[codes().strength(attribute, value, code)] += counts[code];
    }
    while (rows.size() > 1 && rows.back() == 0) rows.pop_back();
    return rows;
  }

  void choose_cuts() {
    cuts_.resize(codes().attributes());
    for_each_value([&](std::uint32_t j, std::uint32_t value) {
      CutChooser chooser(histogram(j, value), tilt_);
      CutChoice best = chooser.best(full_);
      cuts_[j].push_back({{best.low, best.step}, best.from});
      let_through_ += std::log(best.cost / chooser.right()) / codes().domain_size(j);
    });
  }

  const ValueCut& cut(std::uint32_t attribute, std::uint32_t value) const {
    return cuts_[attribute][value];
  }

  std::int32_t excess(std::uint32_t attribute, std::uint32_t value, std::size_t code) const {
    const ValueCut& c = cut(attribute, value);
    std::uint32_t strength = codes().strength(attribute, value, code);
    std::uint32_t bound = c.bound.low + (strength >= c.from ? c.bound.step : 0);
    return static_cast<std::int32_t>(bound) - static_cast<std::int32_t>(strength * parts);
  }

  // The largest strength - bound of rows with this code, over all values; at least 0.
  std::uint32_t max_above(std::uint32_t attribute, std::size_t code) const {
    std::int32_t most = 0;
    for (std::uint32_t value = 0; value < codes().domain_size(attribute); ++value) {
      most = std::max(most, -excess(attribute, value, code));
    }
    return static_cast<std::uint32_t>(most);
  }

  // Per row: the sum of max_above over its attributes.
  std::vector<std::uint32_t> rows_above() const {
    std::vector<std::vector<std::uint32_t>> by_code(codes().attributes());
    for (std::uint32_t j = 0; j < by_code.size(); ++j) {
      for (std::size_t code = 0; code < codes().counts(j).size(); ++code) {
        by_code[j].push_back(max_above(j, code));
      }
    }
    std::vector<std::uint32_t> above(codes().rows());
    for (std::uint32_t i = 0; i < above.size(); ++i) {
      for (std::size_t j = 0; j < by_code.size(); ++j) above[i] += by_code[j][codes().row(i)[j]];
    }
    return above;
  }

  // Whether they fit where codes have room for them.
  bool find_extras() {
    std::vector<std::uint32_t> above = rows_above();
    std::map<std::uint32_t, std::uint32_t> rows;  // per amount
    for (std::uint32_t amount : above) ++rows[amount];
    std::uint32_t most = rows.rbegin()->first;
    if (most == 0) return true;
    double min_cost = HUGE_VAL;
    for (std::uint32_t little = full_; little < 2 * most + full_; little *= 2) {
      ExtraSteps steps{little, 0};
      while (steps.of(most) < most) steps.much = std::max(full_, 2 * steps.much);
      double cost = 0;
      for (const auto& [amount, count] : rows) cost += count * std::exp(tilt_ * steps.of(amount));
      if (cost >= min_cost) continue;
      min_cost = cost;
      extra_ = steps;
    }
    if (extra_.of(most) > UINT16_MAX) return false;
    let_through_ += std::log(min_cost / static_cast<double>(above.size()));
    for (std::uint32_t i = 0; i < above.size(); ++i) {
      codes_.note(i) = static_cast<std::uint16_t>(extra_.of(above[i]));
    }
    return true;
  }

  void fill_attributes() {
    for (std::uint32_t j = 0; j < codes().attributes(); ++j) {
      std::vector<Cut> cuts;
      std::vector<std::int16_t> excesses;
      for (std::uint32_t value = 0; value < codes().domain_size(j); ++value) {
        cuts.push_back(cut(j, value).bound);
        for (std::size_t code = 0; code < codes().counts(j).size(); ++code) {
          excesses.push_back(static_cast<std::int16_t>(excess(j, value, code)));
        }
      }
      Attribute& attribute = made_.attributes.emplace_back();
      attribute.bitmaps.assign(cuts.size(), nullptr);
      attribute.cuts = Block<Cut>(std::move(cuts));
      attribute.excess = Block<std::int16_t>(std::move(excesses));
    }
  }

  void fill_bitmaps(std::size_t skew) {
    std::size_t values = 0;
    for (const auto& cuts : cuts_) values += cuts.size();
    auto bitmaps = std::make_shared<DensePlanes>(values + 2, codes().rows(), skew);
    std::vector<std::vector<std::uint8_t>> reaching = codes_reaching();
    for (std::uint32_t first = 0; first < codes().rows(); first += 64) {
      std::uint32_t count = std::min(64U, codes().rows() - first);
      std::size_t place = 0;
      for_each_value([&](std::uint32_t j, std::uint32_t) {
        const std::vector<std::uint8_t>& reaches = reaching[place];
        std::uint64_t& word = bitmaps->plane(place++)[first / 64];
        for (std::uint32_t i = 0; i < count; ++i) {
          word |= std::uint64_t{reaches[codes().row(first + i)[j]]} << i;
        }
      });
    }
    for (std::uint32_t i = 0; i < codes().rows(); ++i) {
      std::uint32_t extra = codes().row(i)[codes().attributes()];
      if (extra > 0) bitmaps->set(values, i);
      if (extra > extra_.little) bitmaps->set(values + 1, i);
    }
    if (extra_.little > 0) made_.extras.push_back({bitmaps->plane(values), extra_.little});
    if (extra_.much > 0) made_.extras.push_back({bitmaps->plane(values + 1), extra_.much});
    std::size_t place = 0;
    for_each_value([&](std::uint32_t j, std::uint32_t value) {
      const std::uint64_t* bitmap = bitmaps->plane(place++);
      if (cut(j, value).bound.step > 0) made_.attributes[j].bitmaps[value] = bitmap;
    });
    made_.owners.push_back(std::move(bitmaps));
  }

  // Per value and code, 1 where rows are in the value's bitmap.
  std::vector<std::vector<std::uint8_t>> codes_reaching() const {
    std::vector<std::vector<std::uint8_t>> reaching;
    for_each_value([&](std::uint32_t j, std::uint32_t value) {
      std::vector<std::uint8_t>& reaches = reaching.emplace_back();
      for (std::size_t code = 0; code < codes().counts(j).size(); ++code) {
        reaches.push_back(codes().strength(j, value, code) >= cut(j, value).from ? 1 : 0);
      }
    });
    return reaching;
  }

  StrengthCodes codes_;
  Parts made_;
  std::vector<std::vector<ValueCut>> cuts_;  // per attribute and value
  std::uint32_t full_;
  double tilt_;
  double let_through_ = 0;  // the logarithm of how many times the rows that belong there
  ExtraSteps extra_;
};

std::optional<StrengthBounds> StrengthBounds::of(std::span<const AttributePlanes> attributes,
                                                 std::uint32_t rows, std::uint32_t full,
                                                 std::size_t skew) {
  bool graded =
      std::all_of(attributes.begin(), attributes.end(),
                  [](const AttributePlanes& attribute) { return attribute.bits >= min_bits; });
  if (attributes.empty() || rows == 0 || !graded) return std::nullopt;
  std::optional<StrengthCodes> codes = StrengthCodes::of(attributes, rows);
  if (!codes) return std::nullopt;
  return Maker(std::move(*codes), full).make(skew);
}

StrengthBounds::Bound StrengthBounds::bound(std::uint32_t attribute, std::uint32_t value) const {
  const Attribute& of = all_.attributes[attribute];
  Cut cut = of.cuts[value];
  return {of.bitmaps[value], cut.low, cut.step, of.excess.items().data() + value * of.codes()};
}

std::size_t StrengthBounds::bytes() const {
  std::size_t bitmaps = all_.extras.size();
  std::size_t total = all_.codes.bytes();
  for (const Attribute& attribute : all_.attributes) {
    total += attribute.cuts.bytes() + attribute.excess.bytes();
    bitmaps += attribute.bitmaps.size();
  }
  return total + bitmaps * plane_stride(all_.rows) * sizeof(std::uint64_t);
}

}  // namespace rankveil
