#include "rankveil/audit/answer_counts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "rankveil/audit/ldp_answers.h"
#include "rankveil/base/parallel.h"
#include "rankveil/promise/binomial.h"
#include "rankveil/protect/chance/ldp.h"

namespace rankveil::audit {

namespace {

// Rows of one group by what they have and what they said, [own][said]; answers that nobody can tell
// apart share their rows.
using Counts = std::vector<std::vector<double>>;

Counts read_counts(const Knowledge& known, std::uint32_t j, const LdpAnswers& answers,
                   std::uint32_t group, std::uint32_t domain) {
  Counts counts(domain, std::vector<double>(domain, 0));
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> said_by;
  for (std::uint32_t kind : answers.kinds(group)) said_by[kind] = answers.answers(group, kind);
  const Column& column = known.task()->private_column(PrivateId{j});
  for (RowId row : known.groups().groups[group].rows) {
    ValueId own = column.value(row);
    if (own == missing_value) continue;
    const auto& said = said_by[known.release(0).kinds[j][+row]];
    for (std::uint32_t s : said) counts[+own][s] += 1.0 / static_cast<double>(said.size());
  }
  return counts;
}

// How far log(said / rows) may lie above the log of the probability behind it, for all but one in a
// million, in fifths: of few rows all may say a thing by chance, and the usual variance is then 0.
double exact_error(double said, double rows) {
  constexpr double by_chance = 2.9e-7;  // what lies beyond five standard errors
  auto count = static_cast<std::uint64_t>(said);
  auto trials = static_cast<std::uint64_t>(std::ceil(rows));
  double low = 0, high = said / rows;
  for (int step = 0; step < 60; ++step) {
    double middle = (low + high) / 2;
    (binomial_tail(trials, middle, count) < by_chance ? low : high) = middle;
  }
  return std::log(said / rows / high) / 5;
}

// The ratio of Pr(said | own = said) to Pr(said | another value), from rows, group by group and
// then together (Mantel and Haenszel): groups in which an answer is read off profiles more often
// may also be those in which more rows have the value, and that is no likelihood ratio. The
// variance is that of Greenland and Robins (1985).
class Ratio {
 public:
  void add(const Counts& counts, std::size_t value) {
    double own = 0, others = 0, own_said = counts[value][value], others_said = 0;
    for (std::size_t x = 0; x < counts.size(); ++x) {
      for (double rows : counts[x]) (x == value ? own : others) += rows;
      if (x != value) others_said += counts[x][value];
    }
    double all = own + others;
    if (own <= 0 || others <= 0) return;
    own_said_ += own_said;
    own_rows_ += own;
    own_ += own_said * others / all;
    others_ += others_said * own / all;
    weight_ += own * others / all;
    others_rows_ += others;
    variance_ +=
        (own * others * (own_said + others_said) - own_said * others_said * all) / (all * all);
    variance_of_more_ += (own * others - own_said * all) * others / (all * all);
  }

  // Half a row more, shared among groups by their rows: where nobody else said it, the ratio is
  // large, and not endless. The variance is that of the same counts.
  RatioCount count() const {
    if (own_said_ < 1 || others_rows_ < 1) return {};
    double more = 0.5 / others_rows_;  // for each row with another value
    double others = others_ + more * weight_;
    // Where all said it, half a row is one too many.
    double variance = std::max(0.0, variance_ + more * variance_of_more_);
    return {std::log(own_ / others),
            std::max(exact_error(own_said_, own_rows_), std::sqrt(variance / (own_ * others)))};
  }

 private:
  double own_said_ = 0, own_rows_ = 0, own_ = 0, others_ = 0, weight_ = 0, others_rows_ = 0;
  double variance_ = 0, variance_of_more_ = 0;
};

std::vector<Ratio> ratios_of(const Knowledge& known, std::uint32_t j) {
  const Task& task = *known.task();
  LdpBudgets budgets(task.table.schema(), task.demand);
  LdpChannel channel(budgets.of(PrivateId{j}), known.domain(j));
  LdpAnswers answers(task, known.groups(), known.dictionary(j), known.release(0).kinds[j], j,
                     channel);
  std::vector<Ratio> ratios(channel.domain());
  for (std::uint32_t g = 0; g < known.groups().groups.size(); ++g) {
    if (known.groups().groups[g].silent) continue;
    Counts counts = read_counts(known, j, answers, g, channel.domain());
    for (std::size_t value = 0; value < ratios.size(); ++value) ratios[value].add(counts, value);
  }
  return ratios;
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
    RatioCount& largest = ratios[j];
    for (const Ratio& ratio : ratios_of(known, static_cast<std::uint32_t>(j))) {
      RatioCount one = ratio.count();
      if (one.surely() > largest.surely()) largest = one;
    }
  });
  return ratios;
}

}  // namespace rankveil::audit
