#include "rankveil/publish/made_up.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "rankveil/base/random.h"

namespace rankveil::publish {

namespace {

constexpr std::array<std::pair<Spread, std::string_view>, 3> names = {
    {{Spread::Uniform, "uniform"},
     {Spread::Correlated, "correlated"},
     {Spread::AntiCorrelated, "anti-correlated"}}};

using Numbers = std::array<double, most_dimensions>;

// The mean of some uniform numbers: a bell over [low, high].
double bell(Rng& rng, double low, double high, std::uint32_t numbers) {
  double sum = 0;
  for (std::uint32_t i = 0; i < numbers; ++i) sum += rng.uniform();
  return low + (high - low) * sum / numbers;
}

// Nearly a normal distribution.
double normal(Rng& rng, double middle, double reach) {
  return bell(rng, middle - reach, middle + reach, 12);
}

bool inside(const Numbers& row, std::uint32_t dimensions) {
  return std::all_of(row.begin(), row.begin() + dimensions,
                     [](double number) { return number >= 0 && number <= 1; });
}

// All numbers start at the same place; each pair of neighbours then moves apart, which keeps the
// sum. Rows that leave the unit cube are drawn anew.
template <typename Place, typename Shift>
void around_diagonal(Rng& rng, std::uint32_t dimensions, Numbers& row, const Place& place,
                     const Shift& shift) {
  do {
    double at = place(rng);
    double reach = at <= 0.5 ? at : 1 - at;
    std::fill_n(row.begin(), dimensions, at);
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      double by = shift(rng, reach);
      row[d] += by;
      row[(d + 1) % dimensions] -= by;
    }
  } while (!inside(row, dimensions));
}

void draw(Rng& rng, const MadeUp& options, Numbers& row) {
  std::uint32_t m = options.dimensions;
  switch (options.spread) {
    case Spread::Uniform:
      for (std::uint32_t d = 0; d < m; ++d) row[d] = rng.uniform();
      break;
    case Spread::Correlated:
      around_diagonal(
          rng, m, row, [&](Rng& from) { return bell(from, 0, 1, m); },
          [](Rng& from, double reach) { return normal(from, 0, reach); });
      break;
    case Spread::AntiCorrelated:
      around_diagonal(
          rng, m, row, [](Rng& from) { return normal(from, 0.5, 0.25); },
          [](Rng& from, double reach) { return (2 * from.uniform() - 1) * reach; });
      break;
  }
}

}  // namespace

std::string_view spread_name(Spread spread) {
  return std::ranges::find(names, spread, &std::pair<Spread, std::string_view>::first)->second;
}

std::optional<Spread> spread_from_name(std::string_view name) {
  for (const auto& [spread, known] : names) {
    if (known == name) return spread;
  }
  return std::nullopt;
}

Points make_up(const MadeUp& options) {
  assert(options.dimensions >= 1 && options.dimensions <= most_dimensions &&
         "a table has dimensions, and not too many");
  Points points;
  points.columns.assign(options.dimensions, std::vector<double>(options.rows));
  points.scores.assign(options.rows, 0);
  Numbers numbers{};
  for (Row row = 0; row < options.rows; ++row) {
    Rng rng(Rng(options.seed * 0x9e3779b97f4a7c15U + row)());
    draw(rng, options, numbers);
    for (std::uint32_t d = 0; d < options.dimensions; ++d) {
      points.columns[d][row] = numbers[d];
      points.scores[row] += numbers[d];
    }
  }
  return points;
}

}  // namespace rankveil::publish
