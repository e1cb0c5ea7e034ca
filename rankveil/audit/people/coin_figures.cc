#include "rankveil/audit/people/coin_figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rankveil/audit/people/figures_reader.h"
#include "rankveil/base/format.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::audit {

namespace {

// Which part of some pairs was kept, from how many show their own values and how many would have
// shown them anyway.
class KeptCount {
 public:
  void add(const CoinBelief& one) {
    ++pairs_;
    own_ += one.own ? 1 : 0;
    anyway_ += one.own_if_moved;
  }
  std::uint64_t pairs() const { return pairs_; }
  double kept() const {
    double room = static_cast<double>(pairs_) - anyway_;
    return room <= 0 ? 0 : std::clamp((own_ - anyway_) / room, 0.0, 1.0);
  }
  double kept_low() const {
    double room = static_cast<double>(pairs_) - anyway_;
    if (room <= 0) return 0;
    double least = utility::wilson_95(own_, static_cast<double>(pairs_)).low;
    return std::clamp((least * static_cast<double>(pairs_) - anyway_) / room, 0.0, 1.0);
  }
  CoinsAbove above() const { return {pairs_, kept(), kept_low()}; }

 private:
  std::uint64_t pairs_ = 0;
  double own_ = 0, anyway_ = 0;
};

std::size_t tenth_of(double belief) {
  return std::min<std::size_t>(9, static_cast<std::size_t>(belief * 10));
}

void fill_tenths(std::span<const CoinBelief> beliefs, CoinFigures& figures) {
  std::array<KeptCount, 10> counts;
  std::array<double, 10> believed{};
  for (const CoinBelief& one : beliefs) {
    counts[tenth_of(one.belief)].add(one);
    believed[tenth_of(one.belief)] += one.belief;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto pairs = static_cast<double>(counts[i].pairs());
    figures.tenths[i] = {counts[i].pairs(), pairs > 0 ? believed[i] / pairs : 0, counts[i].kept()};
  }
}

CoinsAbove count_above(std::span<const CoinBelief> beliefs, double limit) {
  KeptCount count;
  for (const CoinBelief& one : beliefs) {
    if (one.belief > limit) count.add(one);
  }
  return count.above();
}

// How much better than 1/l the belief foretold whether the pair shows its own values, in bits.
double score_of(const CoinBelief& one, double keep) {
  auto chance = [&](double kept) {
    double own = kept + (1 - kept) * one.own_if_moved;
    return std::max(1e-9, one.own ? own : 1 - own);
  };
  return std::log2(chance(one.belief) / chance(keep));
}

// A mean over pairs, whose spread is that of rows: pairs of one row hang together.
class RowMean {
 public:
  void add_row(double sum) {
    sum_ += sum;
    squares_ += sum * sum;
    rows_ += 1;
  }
  double mean(double pairs) const { return sum_ / pairs; }
  double margin(double pairs) const {
    double mean = sum_ / rows_;
    return 1.96 * std::sqrt(std::max(0.0, squares_ / rows_ - mean * mean) * rows_) / pairs;
  }

 private:
  double sum_ = 0, squares_ = 0, rows_ = 0;
};

void fill_bits(std::span<const CoinBelief> beliefs, CoinFigures& figures) {
  double strong = strong_belief(figures.keep);
  RowMean bits, scores;
  for (std::size_t at = 0, end = 0; at < beliefs.size(); at = end) {
    double own_bits = 0, own_score = 0;
    bool any_strong = false;
    for (; end < beliefs.size() && beliefs[end].row == beliefs[at].row; ++end) {
      own_bits += bits_of(beliefs[end].belief, figures.keep);
      own_score += score_of(beliefs[end], figures.keep);
      any_strong |= beliefs[end].belief > strong;
    }
    bits.add_row(own_bits);
    scores.add_row(own_score);
    ++figures.rows;
    figures.rows_with_strong += any_strong ? 1 : 0;
  }
  auto pairs = static_cast<double>(figures.pairs);
  figures.bits = bits.mean(pairs);
  figures.bits_high = figures.bits + bits.margin(pairs);
  double proved = scores.mean(pairs) - scores.margin(pairs);
  figures.bits_low = std::clamp(proved, 0.0, figures.bits);
}

}  // namespace

double strong_belief(double keep) {
  constexpr double ratio = 14.0 / 3;
  return ratio * keep / (1 - keep + ratio * keep);
}

double bits_of(double belief, double keep) {
  auto part = [](double now, double before) {
    return now <= 0 ? 0 : now * std::log2(now / before);
  };
  return part(belief, keep) + part(1 - belief, 1 - keep);
}

CoinFigures coin_figures(std::span<const CoinBelief> beliefs, double keep) {
  CoinFigures figures;
  figures.pairs = beliefs.size();
  figures.keep = keep;
  if (beliefs.empty()) return figures;
  fill_bits(beliefs, figures);
  fill_tenths(beliefs, figures);
  for (std::size_t i = 0; i < belief_limits.size(); ++i) {
    figures.above[i] = count_above(beliefs, belief_limits[i]);
  }
  figures.strong = count_above(beliefs, strong_belief(keep));
  for (const CoinBelief& one : beliefs) figures.largest = std::max(figures.largest, one.belief);
  return figures;
}

CoinVerdict judge_coins(const CoinFigures& figures) {
  auto strong = utility::wilson_95(static_cast<double>(figures.strong.pairs),
                                   static_cast<double>(figures.pairs));
  bool strong_and_right = strong.low > most_strong_share && figures.strong.kept_low > 0.5;
  if (figures.bits_low > most_bits || strong_and_right) return CoinVerdict::Shown;
  bool hidden = figures.bits_high <= most_bits && figures.strong_share() <= most_strong_share;
  return hidden ? CoinVerdict::Hidden : CoinVerdict::Unclear;
}

std::string coins_text(const CoinFigures& figures) {
  auto share = [&](std::uint64_t pairs) { return percent(pairs, figures.pairs); };
  std::string text = fmt::format("{:.3f} bits a coin ({:.3f} to {:.3f}; {} is allowed)",
                                 figures.bits, figures.bits_low, figures.bits_high, most_bits);
  for (std::size_t i = 0; i < belief_limits.size(); ++i) {
    const CoinsAbove& above = figures.above[i];
    text += fmt::format(", {} believed own above {}", share(above.pairs), belief_limits[i]);
    if (above.pairs > 0) text += fmt::format(" ({:.2f} are)", above.kept);
  }
  return text + fmt::format(", the largest {:.2f}", figures.largest);
}

namespace {

Json above_json(const CoinsAbove& above) {
  return Json().set("pairs", above.pairs).set("kept", above.kept).set("kept_low", above.kept_low);
}

}  // namespace

Json to_json(const CoinFigures& figures) {
  Json::Array above, tenths;
  for (const CoinsAbove& one : figures.above) above.push_back(above_json(one));
  for (const CoinTenth& one : figures.tenths) {
    tenths.push_back(
        Json().set("pairs", one.pairs).set("believed", one.believed).set("kept", one.kept));
  }
  return Json()
      .set("pairs", figures.pairs)
      .set("keep", figures.keep)
      .set("bits", figures.bits)
      .set("bits_low", figures.bits_low)
      .set("bits_high", figures.bits_high)
      .set("largest", figures.largest)
      .set("above", std::move(above))
      .set("strong", above_json(figures.strong))
      .set("rows", figures.rows)
      .set("rows_with_strong", figures.rows_with_strong)
      .set("tenths", std::move(tenths));
}

namespace {

CoinsAbove read_above(const Json& json, FiguresReader& reader) {
  return {reader.count(json, "pairs"), reader.number(json, "kept"),
          reader.number(json, "kept_low")};
}

}  // namespace

std::optional<CoinFigures> coin_figures_from_json(const Json& json) {
  FiguresReader reader;
  CoinFigures figures;
  figures.pairs = reader.count(json, "pairs");
  figures.keep = reader.number(json, "keep");
  figures.bits = reader.number(json, "bits");
  figures.bits_low = reader.number(json, "bits_low");
  figures.bits_high = reader.number(json, "bits_high");
  figures.largest = reader.number(json, "largest");
  figures.rows = reader.count(json, "rows");
  figures.rows_with_strong = reader.count(json, "rows_with_strong");
  reader.each(json, "above", figures.above,
              [&](const Json& one) { return read_above(one, reader); });
  reader.each(json, "tenths", figures.tenths, [&](const Json& one) {
    return CoinTenth{reader.count(one, "pairs"), reader.number(one, "believed"),
                     reader.number(one, "kept")};
  });
  const Json* strong = json.find("strong");
  if (strong == nullptr) return std::nullopt;
  figures.strong = read_above(*strong, reader);
  return reader.sound() ? std::optional(figures) : std::nullopt;
}

}  // namespace rankveil::audit
