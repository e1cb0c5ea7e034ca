// The rule by which compare chooses, and what it says about it.
#include <fmt/core.h>

#include "rankveil/api/compare.h"
#include "rankveil/audit/verdict.h"

namespace rankveil::api {

namespace {

// What swap's promise is off by in small groups, and rounding.
constexpr double tolerance = 1e-5;

std::string why_not(const Compared& compared, std::uint32_t l) {
  double bound = 1.0 / l;
  if (!compared.left_out.empty()) return compared.left_out;
  if (compared.promise.kind == PromiseKind::None) return "it promises nothing";
  if (compared.broken_by) {
    return fmt::format("its promise, {}, is broken by {}", compared.promise.text(),
                       *compared.broken_by);
  }
  if (compared.undecided_at) {
    return fmt::format("whether its promise holds against {} cannot be told on this table",
                       *compared.undecided_at);
  }
  if (compared.gain > bound + tolerance) {
    return fmt::format("{} gains {:.3f} about some row, more than 1/{} = {:.3f}",
                       compared.gain_level, compared.gain, l, bound);
  }
  return "";
}

// No worse in both, and better in one.
bool beats(const Compared& a, const Compared& b) {
  double fair_a = a.utility.fair.mean, fair_b = b.utility.fair.mean;
  bool no_worse = a.gain <= b.gain && fair_a >= fair_b;
  return no_worse && (a.gain < b.gain || fair_a > fair_b);
}

void mark_frontier(CompareResult& result) {
  for (Compared& one : result.compared) {
    one.on_frontier = one.left_out.empty();
    for (const Compared& other : result.compared) {
      if (other.left_out.empty() && beats(other, one)) one.on_frontier = false;
    }
  }
}

bool is_better(const Compared& a, const Compared& b) {
  double difference = a.utility.fair.mean - b.utility.fair.mean;
  return difference != 0 ? difference > 0 : a.gain < b.gain;
}

std::string chosen_text(const CompareResult& result, const Compared& chosen, std::size_t eligible) {
  std::string text = fmt::format(
      "{} is chosen. Of {} that keep their promise on this table and let nobody gain more than "
      "1/{} = {:.3f} about any row, its answers are the best: {:.1f}% of the first {} are as good "
      "as "
      "without protection. The most that anybody gains is {:.3f} ({}); {:.1f}% of all guesses are "
      "right, against {:.1f}% from public values alone.",
      chosen.name(), eligible == 1 ? "the one" : fmt::format("the {}", eligible), result.l,
      1.0 / result.l, 100 * chosen.utility.fair.mean, result.k, chosen.gain,
      chosen.gain_level.empty() ? "nobody" : chosen.gain_level, 100 * chosen.rate,
      100 * chosen.prior);
  return text;
}

}  // namespace

std::string short_why_not(const CompareResult& result, const Compared& one) {
  bool promises = one.promise.kind != PromiseKind::None;
  return promises ? fmt::format("gain above 1/{}", result.l) : "no promise";
}

void choose(CompareResult& result) {
  std::size_t eligible = 0;
  result.chosen.reset();
  for (std::size_t i = 0; i < result.compared.size(); ++i) {
    Compared& one = result.compared[i];
    one.why_not = why_not(one, result.l);
    if (!one.why_not.empty()) continue;
    ++eligible;
    if (!result.chosen || is_better(one, result.compared[*result.chosen])) result.chosen = i;
  }
  mark_frontier(result);
  result.reason =
      result.chosen
          ? chosen_text(result, result.compared[*result.chosen], eligible)
          : fmt::format(
                "None of the schemes compared keeps its promise on this table with a gain of "
                "at most 1/{}; add swap, cluster or drop, or ask for a smaller l.",
                result.l);
}

}  // namespace rankveil::api
