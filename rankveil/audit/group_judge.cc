#include "rankveil/audit/group_judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rankveil/audit/whole_vectors.h"

namespace rankveil::audit {

namespace {

void normalise(std::vector<double>& values) {
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value = sum > 0 ? value / sum : 0;
}

bool is_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value <= 0; });
}

}  // namespace

void Board::add(const Board& other) {
  for (std::size_t i = 0; i < tallies_.size(); ++i) tallies_[i].add(other.tallies_[i]);
  unexplained += other.unexplained;
  unmatched += other.unmatched;
  one_by_one += other.one_by_one;
  sets.resize(std::max(sets.size(), other.sets.size()));
  for (std::size_t i = 0; i < other.sets.size(); ++i) {
    if (other.sets[i].cases() > 0) sets[i].add(other.sets[i]);
  }
}

GroupJudge::GroupJudge(const Knowledge& knowledge, std::uint32_t group, std::uint32_t threads)
    : known_(knowledge),
      number_(group),
      group_(knowledge.groups().groups[group]),
      threads_(threads),
      width_(knowledge.width()),
      prior_(prior_of(knowledge.table(), group_.rows)) {
  // The promise starts from the shares that the group was released with.
  for (std::uint32_t j = 0; j < width_ && !group_.whole(); ++j) {
    for (std::size_t x = 0; x < prior_.shares[j].size(); ++x) {
      prior_.shares[j][x] = group_.released_shares[j][prior_.codes[j][x]];
    }
  }
  for (std::uint32_t j = 0; j < width_; ++j) {
    kinds_.push_back(column_of(group_, known_.release(0).kinds[j], j));
  }
}

void GroupJudge::run(const LevelSet& levels, Board& board) {
  auto wants = [&](LevelId level) { return levels[static_cast<std::size_t>(level)]; };
  bool anybody = std::any_of(group_.rows.begin(), group_.rows.end(),
                             [&](RowId row) { return known_.counts(row); });
  if (!anybody) return;
  if (group_.silent) return judge_silent(levels, board);
  judge_baselines(levels, board);
  for (std::uint32_t j = 0; j < width_; ++j) {
    if (wants(LevelId::Ignorant)) judge_ignorant(j, board);
    if (wants(LevelId::MechanismTable)) judge_mechanism_table(j, board);
  }
  judge_fitting(levels, board);
  judge_laws(levels, board);
  if (wants(LevelId::Population)) judge_population(board);
  if (wants(LevelId::Intersecting)) judge_intersecting(board);
  if (wants(LevelId::Sets)) judge_sets(board);
}

// Of a profile that tells nothing, none.
const Strengths& GroupJudge::strengths_of(std::uint32_t j, std::uint32_t kind) const {
  static const Strengths none;
  return kind == untold ? none : known_.strengths(j, kind);
}

double GroupJudge::law_weight(std::size_t release, std::uint32_t j, std::uint32_t kind,
                              std::uint32_t code, std::uint32_t pattern) const {
  return kind == untold ? 1 : known_.law(release)->weight(number_, j, kind, code, pattern);
}

std::uint32_t GroupJudge::own_code(std::size_t i, std::uint32_t j) const {
  return prior_.codes[j][prior_.place(prior_.vector_of[i], j)];
}

// How many rows of each kind have which value, by place.
std::vector<std::vector<Truth>> GroupJudge::truths_by_kind(std::uint32_t j,
                                                           const LawColumn& column) const {
  std::size_t places = prior_.codes[j].size();
  std::vector<std::uint32_t> counts(column.kinds.size() * places, 0);
  for (std::size_t i = 0; i < column.kind_of.size(); ++i) {
    if (!known_.counts(group_.rows[i])) continue;
    ++counts[column.kind_of[i] * places + prior_.place(prior_.vector_of[i], j)];
  }
  std::vector<std::vector<Truth>> truths(column.kinds.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    truths[i / places].push_back(
        {static_cast<std::uint32_t>(i % places), static_cast<double>(counts[i])});
  }
  return truths;
}

// Rows that show nothing: whoever looks at them sees shares of others, and learns nothing more.
void GroupJudge::judge_silent(const LevelSet& levels, Board& board) {
  for (std::uint32_t j = 0; j < width_; ++j) {
    const std::vector<double>& overall = known_.table_shares(j);
    auto truths = truths_by_kind(j, kinds_[j]);
    for (std::size_t kind = 0; kind < truths.size(); ++kind) {
      for (Truth& truth : truths[kind]) truth.place = prior_.codes[j][truth.place];
      const Strengths& strengths = strengths_of(j, kinds_[j].kinds[kind]);
      std::vector<double> shares(overall.size(), 0);
      for (const auto& [value, strength] : strengths) shares[value] = strength;
      shares.back() = rest_of(strengths);
      normalise(shares);
      if (strengths.empty()) shares = overall;
      std::vector<double> even(overall.size(), 0);
      for (std::size_t x = 0; x < even.size(); ++x) even[x] = shares[x] > 0 ? 1 : 0;
      normalise(even);
      for (std::size_t level = 0; level < level_count; ++level) {
        if (!levels[level]) continue;
        auto id = static_cast<LevelId>(level);
        bool guesses_evenly = id == LevelId::Ignorant || id == LevelId::Knowledgeable;
        const auto& posterior = id == LevelId::Prior ? overall : guesses_evenly ? even : shares;
        board.at(id, j).add(posterior, posterior, truths[kind], known_.spared(j));
      }
    }
  }
}

std::vector<std::uint8_t> GroupJudge::spared_places(const Prior& prior, std::uint32_t j) const {
  const std::vector<std::uint8_t>& by_code = known_.spared(j);
  std::vector<std::uint8_t> by_place;
  if (by_code.empty()) return by_place;
  for (std::uint32_t code : prior.codes[j]) by_place.push_back(by_code[code]);
  return by_place;
}

void GroupJudge::judge_baselines(const LevelSet& levels, Board& board) {
  for (std::uint32_t j = 0; j < width_; ++j) {
    std::vector<Truth> truths, by_code;
    std::vector<double> rows(prior_.codes[j].size(), 0);
    for (std::size_t i = 0; i < group_.rows.size(); ++i) {
      if (known_.counts(group_.rows[i])) ++rows[prior_.place(prior_.vector_of[i], j)];
    }
    for (std::uint32_t place = 0; place < rows.size(); ++place) {
      truths.push_back({place, rows[place]});
      by_code.push_back({prior_.codes[j][place], rows[place]});
    }
    const auto& overall = known_.table_shares(j);
    if (levels[static_cast<std::size_t>(LevelId::Prior)]) {
      board.at(LevelId::Prior, j).add(overall, overall, by_code, known_.spared(j));
    }
    if (levels[static_cast<std::size_t>(LevelId::PriorPublic)]) {
      const auto& shares = prior_.shares[j];
      board.at(LevelId::PriorPublic, j).add(shares, shares, truths, spared_places(prior_, j));
    }
  }
}

// Whether somebody with this value may have this profile, as far as the profile itself tells.
bool GroupJudge::fits(std::uint32_t j, std::uint32_t kind, std::uint32_t code) const {
  if (kind == untold) return true;
  if (may_hide_own_value(known_.scheme())) {
    return known_.law(0)->weight(number_, j, kind, code, 0) > 0;
  }
  const Strengths& strengths = known_.strengths(j, kind);
  if (strengths.empty()) return true;
  if (code < known_.domain(j)) return strength_of(strengths, code) > 0;
  return is_set(strengths) || rest_of(strengths) > 0;
}

// Alike are all values that match; all values where nothing does.
void GroupJudge::judge_ignorant(std::uint32_t j, Board& board) {
  auto truths = truths_by_kind(j, kinds_[j]);
  std::vector<double> shares(known_.domain(j) + std::size_t{1}, 0);
  for (std::size_t x = 0; x < prior_.codes[j].size(); ++x) {
    shares[prior_.codes[j][x]] = prior_.shares[j][x];
  }
  for (std::size_t kind = 0; kind < truths.size(); ++kind) {
    const Strengths& strengths = known_.strengths(j, kinds_[j].kinds[kind]);
    for (Truth& truth : truths[kind]) truth.place = prior_.codes[j][truth.place];
    std::vector<double> matched(shares.size(), strengths.empty() ? 1 : 0);
    for (const auto& [value, strength] : strengths) matched[value] = 1;
    matched.back() = 0;
    normalise(matched);
    board.at(LevelId::Ignorant, j)
        .add(matched, shares, truths[kind], known_.spared(j),
             /*knows_prior=*/false);
  }
}

void GroupJudge::judge_mechanism_table(std::uint32_t j, Board& board) {
  const auto& overall = known_.table_shares(j);
  auto truths = truths_by_kind(j, kinds_[j]);
  for (std::size_t kind = 0; kind < truths.size(); ++kind) {
    for (Truth& truth : truths[kind]) truth.place = prior_.codes[j][truth.place];
    std::vector<double> posterior = overall;
    for (std::uint32_t code = 0; code < posterior.size(); ++code) {
      if (posterior[code] == 0) continue;
      posterior[code] *= law_weight(0, j, kinds_[j].kinds[kind], code, 0);
    }
    normalise(posterior);
    if (is_zero(posterior)) posterior = overall;
    board.at(LevelId::MechanismTable, j).add(posterior, overall, truths[kind], known_.spared(j));
  }
}

// What one attribute's profile says, kind by kind.
GroupJudge::Posteriors GroupJudge::posteriors_of_kinds(std::uint32_t j) const {
  const std::vector<double>& shares = prior_.shares[j];
  Posteriors posteriors;
  if (known_.form() == Form::Product) {
    LawColumn column = kinds_[j];
    fill_weights(
        prior_,
        [&](std::uint32_t v) {
          return known_.law(0)->pattern(Source::Table, prior_.example[v], j);
        },
        [&](std::uint32_t kind, std::uint32_t code, std::uint32_t pattern) {
          return law_weight(0, j, kind, code, pattern);
        },
        column);
    for (std::size_t kind = 0; kind < column.kinds.size(); ++kind) {
      posteriors.push_back(posterior_of(column, kind, shares.size()));
      if (is_zero(posteriors.back())) posteriors.back() = shares;
    }
    return posteriors;
  }
  for (std::uint32_t kind : kinds_[j].kinds) {
    std::vector<double>& posterior = posteriors.emplace_back(shares.size(), 0);
    const Strengths& strengths = strengths_of(j, kind);
    for (std::size_t x = 0; x < posterior.size(); ++x) {
      std::uint32_t code = prior_.codes[j][x];
      posterior[x] = code < known_.domain(j) ? strength_of(strengths, code) : rest_of(strengths);
    }
    // What a cluster shows beyond those who are in the group are values of rows that left it.
    if (group_.whole()) normalise(posterior);
    if (is_zero(posterior) || kind == untold) posterior = shares;
  }
  return posteriors;
}

namespace {

// Where the value stands that a signal of swap shows; `places`: nowhere.
std::uint32_t shown_place(const Knowledge& known, const Prior& prior, std::uint32_t j,
                          std::uint32_t signal) {
  const Strengths& shown = known.signal(j, signal);
  return prior.find(j, shown.empty() ? known.domain(j) : shown.front().first);
}

}  // namespace

// What one attribute's profile says of rows with some kind of it, kind by kind.
GroupJudge::Posteriors GroupJudge::posteriors_alone(std::uint32_t j,
                                                    const LawColumn& column) const {
  if (known_.form() != Form::Swap) return posteriors_of_kinds(j);
  SwapOdds odds = swap_odds(1.0 / known_.task()->demand.l, prior_.rows);
  Posteriors posteriors;
  for (std::uint32_t kind : column.kinds) {
    auto& posterior = posteriors.emplace_back(prior_.shares[j].size());
    swap_posterior(odds, prior_.shares[j], prior_.rows, shown_place(known_, prior_, j, kind),
                   posterior);
  }
  return posteriors;
}

const LawColumn& GroupJudge::column_alone(std::uint32_t j, LawColumn& room) const {
  if (known_.form() != Form::Swap) return kinds_[j];
  room = column_of(group_, known_.signals(0).kinds[j], j);
  return room;
}

// For levels at which an attribute's own profile says all there is to know.
void GroupJudge::tally_by_attribute(LevelId level, Board& board) const {
  for (std::uint32_t j = 0; j < width_; ++j) {
    LawColumn room;
    const LawColumn& column = column_alone(j, room);
    auto truths = truths_by_kind(j, column);
    Posteriors posteriors = posteriors_alone(j, column);
    std::vector<std::uint8_t> spared = spared_places(prior_, j);
    for (std::size_t kind = 0; kind < truths.size(); ++kind) {
      board.at(level, j).add(posteriors[kind], prior_.shares[j], truths[kind], spared);
    }
  }
}

// Whether a row has any of the values of a set, as far as its attribute's own profile tells.
void GroupJudge::judge_sets(Board& board) {
  const auto& sets = known_.observed().sensitive_sets;
  board.sets.resize(sets.size(), GainCounts(1.0 / known_.task()->demand.l));
  for (std::size_t s = 0; s < sets.size(); ++s) {
    std::uint32_t j = +sets[s].attribute;
    LawColumn room;
    const LawColumn& column = column_alone(j, room);
    auto truths = truths_by_kind(j, column);
    Posteriors posteriors = posteriors_alone(j, column);
    double before = mass_of(sets[s], prior_.shares[j]);
    for (std::size_t kind = 0; kind < truths.size(); ++kind) {
      double after = mass_of(sets[s], posteriors[kind]);
      double gain = before < 1 ? std::max(0.0, (after - before) / (1 - before)) : 0;
      for (const Truth& truth : truths[kind]) {
        for (double row = 0; row < truth.rows; ++row) board.sets[s].add(gain);
      }
    }
  }
}

double GroupJudge::mass_of(const ValueSet& set, std::span<const double> chances) const {
  double mass = 0;
  for (std::size_t x = 0; x < chances.size(); ++x) {
    ValueId value{static_cast<std::uint16_t>(prior_.codes[+set.attribute][x])};
    if (std::ranges::find(set.values, value) != set.values.end()) mass += chances[x];
  }
  return mass;
}

}  // namespace rankveil::audit
