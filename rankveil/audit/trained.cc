#include "rankveil/audit/trained.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/check.h"
#include "rankveil/audit/like_rows.h"
#include "rankveil/audit/people/coded_rows.h"
#include "rankveil/audit/people/coin_level.h"
#include "rankveil/audit/people/learners.h"
#include "rankveil/audit/people/people_law.h"
#include "rankveil/audit/profile_kinds.h"
#include "rankveil/base/parallel.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

// Half of the rows, drawn by the seed.
std::vector<std::uint8_t> draw_known(std::uint32_t rows, std::uint64_t seed) {
  Rng rng(seed ^ 0x7a11eed);
  std::vector<std::uint8_t> known(rows);
  for (auto& one : known) one = rng.below(2) == 0 ? 1 : 0;
  return known;
}

// `may_bet`: whether a bet on the code counts.
template <typename MayBet>
Bet best_bet(std::span<const double> belief, std::span<const double> prior, std::uint32_t truth,
             MayBet may_bet) {
  Bet best;
  for (std::uint32_t code = 0; code < belief.size(); ++code) {
    if (prior[code] >= 1 || !may_bet(code)) continue;
    double gain = (belief[code] - prior[code]) / (1 - prior[code]);
    if (gain > best.gain) best = {gain, prior[code], code == truth};
  }
  return best;
}

constexpr std::uint64_t most_beliefs = 1U << 24;  // 128 MB an attribute
constexpr std::uint64_t most_shares = 1U << 26;

// Whether what rows show was exchanged by a law of people: then what public values say of a row is
// what a model of people says, and not the share of some group.
bool goes_by_people(const Observed& observed) {
  return tosses_coins(observed) &&
         exchange_of(observed.mechanism->demand.scheme) == Exchange::Fitted;
}

// What a model learnt from those who are known says of each of `rows` by all public columns:
// [row][code].
std::vector<double> likely_by_people(const CodedRows& people, std::uint32_t publics,
                                     std::uint32_t attribute,
                                     const std::vector<std::uint8_t>& known,
                                     const std::vector<std::uint32_t>& rows, const Effort& effort) {
  std::vector<std::uint32_t> teachers;
  for (std::uint32_t row = 0; row < known.size(); ++row) {
    if (known[row] != 0) teachers.push_back(row);
  }
  teachers = drawn(std::move(teachers), effort.shown, 1);
  LawColumns columns{{}, {publics + attribute}};
  for (std::uint32_t i = 0; i < publics; ++i) columns.given.push_back(i);
  PeopleLaw law =
      PeopleLaw::learn(people.only(teachers), columns, {.lump = effort.lump, .threads = 1});
  std::vector<BlockVector> values;
  for (std::uint32_t v = 0; v < people.domains[publics + attribute]; ++v) values.push_back({v});
  ChanceTable chances(static_cast<std::uint32_t>(rows.size()),
                      static_cast<std::uint32_t>(values.size()));
  law.fill_log_chances(people, rows, std::vector<std::uint8_t>(rows.size(), 1), values, chances);
  for (double& chance : chances.at) chance = std::exp(chance);
  return std::move(chances.at);
}

// One attribute. Beliefs start as the shares of like rows, or as what people are like; each lesson
// moves them.
class Pupil {
 public:
  // `people`: null where like rows say what is believed before.
  Pupil(const Observed& observed, std::uint32_t attribute, const KnownGroups& like,
        const std::vector<std::uint8_t>& known, const CodedRows* people, const Effort& effort)
      : attribute_{attribute},
        like_(like),
        known_(known),
        shares_(observed.table, attribute, like) {
    kinds_ = kinds_of(observed.profiles, PrivateId{attribute}, numbers_);
    rows_ = draw_victims(observed.table.rows(), most_beliefs / shares_.codes(), 1);
    if (people != nullptr) {
      priors_ = likely_by_people(*people, observed.table.schema().public_count(), attribute, known,
                                 rows_, effort);
    } else {
      for (std::uint32_t row : rows_) {
        auto share = shares_.of(like_.group_of[row]);
        priors_.insert(priors_.end(), share.begin(), share.end());
      }
    }
    beliefs_ = priors_;
  }

  Finding bet(std::string name, const SparedValues& spared) {
    learn_voices();
    learn_cells([this](std::uint32_t row) { return std::uint64_t{kinds_[row]}; });
    learn_cells([this](std::uint32_t row) {
      return std::uint64_t{kinds_[row]} << 32 | like_.group_of[row];
    });
    auto may_bet = [&](std::uint32_t code) { return !spared.has(attribute_, code); };
    std::vector<Bet> bets;
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      std::uint32_t row = rows_[at];
      if (known_[row] != 0) continue;
      bets.push_back(best_bet(belief(at), prior(at), shares_.code(row), may_bet));
    }
    return bets_finding("trained", insider_method, std::move(name), std::move(bets));
  }

 private:
  std::span<double> belief(std::size_t at) {
    return std::span(beliefs_).subspan(at * shares_.codes(), shares_.codes());
  }
  std::span<const double> prior(std::size_t at) const {
    return std::span(priors_).subspan(at * shares_.codes(), shares_.codes());
  }

  // The value that a profile speaks for: whose strength is furthest above its share.
  struct Voice {
    std::uint32_t code = 0;
    double loudness = -1;
  };
  Voice voice_of(std::size_t at) const {
    const Strengths& strengths = numbers_.of(kinds_[rows_[at]]);
    auto before = prior(at);
    Voice voice;
    for (const auto& [value, strength] : strengths) {
      if (strength - before[value] > voice.loudness) voice = {value, strength - before[value]};
    }
    std::uint32_t none = shares_.codes() - 1;
    double rest = is_set(strengths) && !strengths.empty() ? 0 : rest_of(strengths);
    if (rest - before[none] > voice.loudness) voice = {none, rest - before[none]};
    return voice;
  }

  static constexpr std::size_t volumes = 4;
  static std::size_t volume(double loudness) {
    constexpr std::array limits = {0.05, 0.2, 0.5};
    return static_cast<std::size_t>(std::upper_bound(limits.begin(), limits.end(), loudness) -
                                    limits.begin());
  }

  // How much more often than by chance profiles speak the truth, by how loud they do.
  void learn_voices() {
    constexpr double few = 10;
    std::array<double, volumes> surplus{}, room{};
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      std::uint32_t row = rows_[at];
      if (known_[row] == 0) continue;
      Voice voice = voice_of(at);
      double before = prior(at)[voice.code];
      surplus[volume(voice.loudness)] += (voice.code == shares_.code(row) ? 1 : 0) - before;
      room[volume(voice.loudness)] += 1 - before;
    }
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      Voice voice = voice_of(at);
      std::size_t v = volume(voice.loudness);
      double trust = room[v] < few ? 0 : std::clamp(surplus[v] / room[v], 0.0, 1.0);
      for (double& p : belief(at)) p *= 1 - trust;
      belief(at)[voice.code] += trust;
    }
  }

  // Rows of a cell should have values as often as is believed of them. Where those that are known
  // do not, beliefs about all of them move; a few rows move them little.
  template <typename CellOf>
  void learn_cells(CellOf cell_of) {
    constexpr double weight_of_belief = 4;  // rows
    std::unordered_map<std::uint64_t, std::size_t> first;
    std::vector<double> seen, expected;
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      std::uint32_t row = rows_[at];
      if (known_[row] == 0) continue;
      auto [place, is_new] = first.try_emplace(cell_of(row), seen.size());
      if (is_new) seen.resize(seen.size() + shares_.codes(), 0);
      if (is_new) expected.resize(seen.size(), 0);
      seen[place->second + shares_.code(row)] += 1;
      auto own = belief(at);
      for (std::size_t code = 0; code < own.size(); ++code) {
        expected[place->second + code] += own[code];
      }
    }
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      auto place = first.find(cell_of(rows_[at]));
      if (place == first.end()) continue;
      auto own = belief(at);
      double all = 0;
      for (std::size_t code = 0; code < own.size(); ++code) {
        own[code] *= (seen[place->second + code] + weight_of_belief) /
                     (expected[place->second + code] + weight_of_belief);
        all += own[code];
      }
      for (double& p : own) p /= all;
    }
  }

  PrivateId attribute_;
  const KnownGroups& like_;
  const std::vector<std::uint8_t>& known_;
  AttributeShares shares_;
  KindNumbers numbers_;
  std::vector<std::uint32_t> kinds_;
  std::vector<std::uint32_t> rows_;  // all, or of a large domain as many as memory allows
  std::vector<double> priors_;       // [place in rows_][code]
  std::vector<double> beliefs_;      // likewise
};

bool has_room(const Table& table, std::uint32_t attribute, const KnownGroups& like) {
  const Column& column = table.column(AttributeId{table.schema().public_count() + attribute});
  return (column.domain_size() + std::uint64_t{1}) * like.groups.size() <= most_shares;
}

}  // namespace

namespace {

std::optional<Finding> coins_of_insider(const Observed& observed, std::uint64_t seed,
                                        std::uint32_t threads) {
  if (!tosses_coins(observed)) return std::nullopt;
  auto coins = judge_coin_levels(observed, {.acquaintances = false,
                                            .shares = false,
                                            .table_levels = false,
                                            .seed = seed,
                                            .threads = threads,
                                            .progress = {}});
  return coins ? std::optional(std::move(coins->insider)) : std::nullopt;
}

}  // namespace

std::vector<Finding> judge_trained(const Observed& observed, std::uint64_t seed,
                                   std::uint32_t threads, const std::optional<Finding>& coins) {
  KnownGroups like = like_rows(observed);
  std::vector<std::uint8_t> known = draw_known(observed.table.rows(), seed);
  SparedValues spared = spared_values(observed);
  std::vector<Finding> findings(observed.table.schema().private_count());
  const Effort effort = effort_for(observed.table);
  std::optional<CodedRows> people;
  if (goes_by_people(observed)) people = coded(observed.table);
  parallel_for(findings.size(), threads, [&](std::size_t j) {
    auto attribute = static_cast<std::uint32_t>(j);
    if (!has_room(observed.table, attribute, like)) return;
    findings[j] = Pupil(observed, attribute, like, known, people ? &*people : nullptr, effort)
                      .bet(private_name(observed.table, attribute), spared);
  });
  std::erase_if(findings, [](const Finding& finding) { return finding.attempts == 0; });
  auto insider = coins ? coins : coins_of_insider(observed, seed, threads);
  if (insider) findings.push_back(*std::move(insider));
  return findings;
}

}  // namespace rankveil::audit
