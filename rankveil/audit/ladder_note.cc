#include "rankveil/audit/ladder_note.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/audit/prior.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

bool stands_elsewhere(const Knowledge& known, RowId row) {
  const KnownGroup& group = known.groups().groups[known.groups().group_of[+row]];
  return group.rung > 0 || group.silent;
}

// Right guesses about such rows of one public group, for somebody who knows the group's shares.
double guessed(const Knowledge& known, const KnownGroup& alike, double& attempts) {
  Prior prior = prior_of(known.table(), alike.rows);
  double right = 0;
  for (std::size_t i = 0; i < alike.rows.size(); ++i) {
    if (!stands_elsewhere(known, alike.rows[i])) continue;
    for (std::uint32_t j = 0; j < prior.width; ++j) {
      const auto& shares = prior.shares[j];
      double largest = *std::max_element(shares.begin(), shares.end());
      double own = shares[prior.place(prior.vector_of[i], j)];
      auto ties = std::count_if(shares.begin(), shares.end(),
                                [&](double share) { return share > largest - 1e-12; });
      if (own > largest - 1e-12) right += 1.0 / static_cast<double>(ties);
      ++attempts;
    }
  }
  return right;
}

}  // namespace

std::string ladder_note(const Knowledge& known) {
  std::uint64_t rows = known.rows_up_the_ladder();
  if (rows == 0) return {};
  double right = 0, attempts = 0;
  for (const KnownGroup& alike : public_groups(*known.task()).groups) {
    right += guessed(known, alike, attempts);
  }
  return fmt::format(
      "{} of {} were protected, and are judged, among rows that are alike in fewer public columns, "
      "or show nothing; somebody who knows the table by all of them guesses {:.1f}% of their "
      "values "
      "without any ranking, and nothing is promised against that.",
      counted(rows, "row"), grouped(known.table().rows()), 100 * right / attempts);
}

}  // namespace rankveil::audit
