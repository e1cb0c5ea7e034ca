#include "rankveil/table/telling/public_guess.h"

#include <cmath>
#include <optional>

#include "rankveil/base/parallel.h"
#include "rankveil/table/telling/cells.h"
#include "rankveil/table/telling/held_out.h"

namespace rankveil {

namespace {

constexpr std::uint32_t max_guessed_rows = 20'000;
constexpr std::size_t max_cuts = 6;

double guess_right(const SampledRows& rows, const std::vector<AttributeId>& publics,
                   AttributeId told) {
  HeldOutGuesses guesses(rows.codes(told), rows.width(told), 2);
  Cells cells(rows.rows());
  HeldOut whole = guesses.of(cells, cells);
  if (whole.rows == 0) return 0;
  // Among many columns, one seems to tell a little more by chance.
  double min_more = std::sqrt(static_cast<double>(whole.rows)) / 2;
  std::uint64_t right = whole.without;
  for (std::size_t cut = 0; cut < max_cuts; ++cut) {
    std::uint64_t best = right;
    std::optional<Cells> finer;
    for (AttributeId column : publics) {
      Cells candidate = cells.cut_by(rows.codes(column), rows.width(column));
      std::uint64_t found = guesses.of(cells, candidate).right;
      if (found <= best) continue;
      best = found;
      finer = std::move(candidate);
    }
    if (!finer || static_cast<double>(best - right) < min_more) break;
    right = best;
    cells = std::move(*finer);
  }
  return static_cast<double>(right) / static_cast<double>(whole.rows);
}

}  // namespace

std::vector<double> guessed_from_public(const Table& table, std::uint32_t threads,
                                        std::optional<AttributeId> person) {
  const Schema& schema = table.schema();
  SampledRows rows(table, max_guessed_rows);
  std::vector<AttributeId> publics;
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
    if (person != AttributeId{i}) publics.push_back(AttributeId{i});
  }
  std::vector<double> shares(schema.private_count(), 0);
  parallel_for(shares.size(), threads, [&](std::size_t j) {
    AttributeId told{schema.public_count() + static_cast<std::uint32_t>(j)};
    shares[j] = guess_right(rows, publics, told);
  });
  return shares;
}

}  // namespace rankveil
