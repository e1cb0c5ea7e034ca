#include "rankveil/audit/answer_counts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "rankveil/audit/ldp_answers.h"
#include "rankveil/base/parallel.h"
#include "rankveil/protect/ldp.h"

namespace rankveil::audit {

namespace {

// Rows by what they have and what they said, [own][said]; answers that nobody can tell apart share
// their rows.
using Counts = std::vector<std::vector<double>>;

Counts read_counts(const Knowledge& known, std::uint32_t j) {
  const Task& task = *known.task();
  LdpChannel channel(ldp_epsilon(task.demand, known.width()), known.domain(j));
  LdpAnswers answers(task, known.groups(), known.dictionary(j), known.release(0).kinds[j], j,
                     channel);
  Counts counts(channel.domain(), std::vector<double>(channel.domain(), 0));
  const Column& column = task.private_column(PrivateId{j});
  for (std::uint32_t g = 0; g < known.groups().groups.size(); ++g) {
    if (known.groups().groups[g].silent) continue;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> said_by;
    for (std::uint32_t kind : answers.kinds(g)) said_by[kind] = answers.answers(g, kind);
    for (RowId row : known.groups().groups[g].rows) {
      ValueId own = column.value(row);
      if (own == missing_value) continue;
      const auto& said = said_by[known.release(0).kinds[j][+row]];
      for (std::uint32_t s : said) counts[+own][s] += 1.0 / static_cast<double>(said.size());
    }
  }
  return counts;
}

// The ratio of Pr(said | own = said) to Pr(said | another value), from rows.
RatioCount ratio_of(const Counts& counts, std::size_t said) {
  double own_rows = 0, own_said = counts[said][said], other_rows = 0, other_said = 0;
  for (std::size_t own = 0; own < counts.size(); ++own) {
    for (double rows : counts[own]) (own == said ? own_rows : other_rows) += rows;
    if (own != said) other_said += counts[own][said];
  }
  if (own_said < 1 || other_rows < 1) return {};
  // Half a row more: where nobody else said it, the ratio is large, and not endless.
  double ratio = (own_said / own_rows) / ((other_said + 0.5) / (other_rows + 0.5));
  return {std::log(ratio), std::sqrt(1 / own_said + 1 / (other_said + 0.5))};
}

}  // namespace

void RatioCount::add(const RatioCount& other) {
  log_ratio += other.log_ratio;
  error = std::sqrt(error * error + other.error * other.error);
}

double RatioCount::surely() const { return std::max(0.0, log_ratio - 5 * error); }

std::vector<RatioCount> count_answers(const Knowledge& known) {
  std::vector<RatioCount> ratios(known.width());
  parallel_for(known.width(), known.threads(), [&](std::size_t j) {
    Counts counts = read_counts(known, static_cast<std::uint32_t>(j));
    RatioCount& largest = ratios[j];
    for (std::size_t said = 0; said < counts.size(); ++said) {
      RatioCount one = ratio_of(counts, said);
      if (one.surely() > largest.surely()) largest = one;
    }
  });
  return ratios;
}

}  // namespace rankveil::audit
