#include "rankveil/graphs/attack/promised.h"

#include <algorithm>
#include <set>

#include "rankveil/graphs/bounds/friend_lists.h"
#include "rankveil/graphs/bounds/identification.h"

namespace rankveil::attack {

namespace {

using bound::Mode;

const EvaluatedRelease* release_of(const Evaluation& evaluation, const EvaluationRow& row) {
  for (const EvaluatedRelease& release : evaluation.releases) {
    if (release.technique == row.technique && release.k == row.k) return &release;
  }
  return nullptr;
}

HeldAgainst hold(const EvaluationRow& row, const EvaluatedRelease& release,
                 const Promises& promises) {
  const LinkagePoint point{row.level, row.lambda1, row.lambda2};
  const Promiser promiser = promiser_of(release);
  HeldAgainst held;
  held.paper = promises.at(point, row.k, promiser, Mode::Paper);
  held.sound = promises.at(point, row.k, promiser, Mode::Sound);
  held.crosses_paper = held.paper && row.low > held.paper->rate;
  held.crosses_sound = held.sound && row.low > held.sound->rate;
  return held;
}

bool is_curved(LinkageLevel level) { return uses_lambda1(level) || uses_lambda2(level); }

// Where a curve is looked at: a grid, and what was measured.
std::set<double> places_of(const Evaluation& evaluation, LinkageLevel level) {
  std::set<double> places;
  for (int i = 0; i < 20; ++i) places.insert(i / 20.0);
  for (const EvaluationRow& row : evaluation.rows) {
    if (row.level == level) places.insert(uses_lambda2(level) ? row.lambda2 : row.lambda1);
  }
  return places;
}

// The first of the row's kind says which lambda1 stays.
double kept_lambda1(const Evaluation& evaluation, LinkageLevel level) {
  if (level != LinkageLevel::IV) return 0;
  for (const EvaluationRow& row : evaluation.rows) {
    if (row.level == level) return row.lambda1;
  }
  return 0;
}

PromisedCurve curve_of(const Evaluation& evaluation, const EvaluatedRelease& release,
                       LinkageLevel level, Mode mode, const Promises& promises) {
  PromisedCurve curve{release.technique,
                      release.k,
                      level,
                      mode,
                      !uses_lambda2(level),
                      kept_lambda1(evaluation, level),
                      {}};
  for (double x : places_of(evaluation, level)) {
    const LinkagePoint point =
        curve.over_lambda1 ? LinkagePoint{level, x, 0} : LinkagePoint{level, curve.lambda1, x};
    auto promised = promises.at(point, release.k, promiser_of(release), mode);
    if (promised) curve.points.push_back({x, promised->rate});
  }
  return curve;
}

std::vector<LinkageLevel> curved_levels(const Evaluation& evaluation) {
  std::vector<LinkageLevel> levels;
  for (const EvaluationRow& row : evaluation.rows) {
    bool known = std::ranges::find(levels, row.level) != levels.end();
    if (!known && is_curved(row.level)) levels.push_back(row.level);
  }
  return levels;
}

}  // namespace

std::uint32_t theorem_of(LinkageLevel level) {
  switch (level) {
    case LinkageLevel::I:
      return 2;
    case LinkageLevel::II:
      return 3;
    case LinkageLevel::III:
      return 4;
    case LinkageLevel::IV:
      return 5;
    case LinkageLevel::Self:
      break;
  }
  return 0;
}

double Promiser::sensitivity(Mode mode) const {
  if (mode == Mode::Sound) return 1;
  return std::max(1.0, static_cast<double>(largest_set) - static_cast<double>(smallest_set));
}

Promiser promiser_of(const EvaluatedRelease& release) {
  return {release.smallest_set, release.largest_set};
}

Promises::Promises(const graph::Graph& graph)
    : sums_(bound::crowd_of(graph)), neighbourhood_(bound::neighbourhood_of(graph)) {}

std::optional<Promised> Promises::at(const LinkagePoint& point, std::uint32_t k,
                                     const Promiser& release, Mode mode) const {
  const std::uint32_t theorem = theorem_of(point.level);
  if (theorem == 0) return std::nullopt;
  const double known = uses_lambda2(point.level) ? point.lambda2 : 0;
  bound::Terms terms;
  terms.s = release.sensitivity(mode);
  terms.k = k;
  const bound::Sums sums = mode == Mode::Sound ? sums_.worst(known) : sums_.expected(known);
  const bool depends = theorem == 3 || theorem == 5;
  auto guarantee =
      depends ? bound::dependent_bound(sums, {point.lambda1, neighbourhood_, {}}, terms, mode)
              : bound::independent_bound(sums, terms, mode);
  if (!guarantee) return std::nullopt;
  const double rate = bound::identification_bound(*guarantee, release.smallest_set);
  return Promised{guarantee->epsilon, guarantee->delta,
                  bound::identification_with_known(rate, known)};
}

std::vector<HeldAgainst> hold_against(const Evaluation& evaluation, const Promises& promises) {
  std::vector<HeldAgainst> held;
  held.reserve(evaluation.rows.size());
  for (const EvaluationRow& row : evaluation.rows) {
    const EvaluatedRelease* release = release_of(evaluation, row);
    held.push_back(release == nullptr ? HeldAgainst{} : hold(row, *release, promises));
  }
  return held;
}

std::vector<PromisedCurve> promised_curves(const Evaluation& evaluation, const Promises& promises) {
  std::vector<PromisedCurve> curves;
  for (const EvaluatedRelease& release : evaluation.releases) {
    for (LinkageLevel level : curved_levels(evaluation)) {
      for (Mode mode : {Mode::Paper, Mode::Sound}) {
        curves.push_back(curve_of(evaluation, release, level, mode, promises));
      }
    }
  }
  return curves;
}

}  // namespace rankveil::attack
