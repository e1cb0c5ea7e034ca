#include "rankveil/audit/guesses.h"

#include <algorithm>
#include <cmath>

#include "rankveil/audit/check.h"
#include "rankveil/audit/verdict.h"

namespace rankveil::audit {

namespace {

constexpr double sure = 0.999;

ValueId true_value(const Table& truth, std::uint32_t row, PrivateId attribute) {
  return truth.value(RowId{row}, AttributeId{truth.schema().public_count() + +attribute});
}

// A belief about one value: candidates with probabilities.
struct Posterior {
  std::vector<ValueId> values;
  std::vector<double> weights;
};

Posterior supported(const Posterior& all, std::uint32_t row, PrivateId attribute,
                    const Priors& priors) {
  Posterior left;
  double sum = 0;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    if (priors.share(row, attribute, all.values[i]) <= 0) continue;
    left.values.push_back(all.values[i]);
    left.weights.push_back(all.weights[i]);
    sum += all.weights[i];
  }
  if (sum <= 0) return all;  // nothing is left of the belief: keep it as it was
  for (double& weight : left.weights) weight /= sum;
  return left;
}

// The chance that the likeliest value is the true one; equals share it. Who has no value is never
// guessed right.
double chance_of_right(const Posterior& posterior, ValueId truth) {
  if (truth == missing_value) return 0;
  double most = *std::max_element(posterior.weights.begin(), posterior.weights.end());
  int best = 0;
  bool hit = false;
  for (std::size_t i = 0; i < posterior.values.size(); ++i) {
    if (posterior.weights[i] < most - 1e-12) continue;
    ++best;
    hit = hit || posterior.values[i] == truth;
  }
  return hit ? 1.0 / best : 0;
}

// The same belief about values that a guess may name. None may: it stands, and is never right.
Posterior guessable(const Posterior& all, PrivateId attribute, const Priors& priors) {
  Posterior left;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    if (priors.spares(attribute, all.values[i])) continue;
    left.values.push_back(all.values[i]);
    left.weights.push_back(all.weights[i]);
  }
  return left.values.empty() ? Posterior{{missing_value}, {0}} : left;
}

double effective(const Posterior& posterior) {
  double entropy = 0;
  for (double weight : posterior.weights) {
    if (weight > 0) entropy -= weight * std::log(weight);
  }
  return std::exp(entropy);
}

double largest_gain(const Posterior& posterior, std::uint32_t row, PrivateId attribute,
                    const Priors& priors) {
  double largest = 0;
  for (std::size_t i = 0; i < posterior.values.size(); ++i) {
    double prior = priors.share(row, attribute, posterior.values[i]);
    if (prior >= 1 || posterior.values[i] == missing_value) continue;
    if (priors.spares(attribute, posterior.values[i])) continue;
    largest = std::max(largest, (posterior.weights[i] - prior) / (1 - prior));
  }
  return largest;
}

// Sums over attempts, then a finding.
class GuessTally {
 public:
  GuessTally(std::string attribute, std::string method, std::string level) {
    finding_.attribute = std::move(attribute);
    finding_.method = std::move(method);
    finding_.level = std::move(level);
  }

  // `guess`: what may be named of the belief. Who was refuted is certain of nothing.
  void add(const Posterior& posterior, const Posterior& guess, ValueId truth, double prior,
           bool refuted = false) {
    ++finding_.attempts;
    finding_.right += chance_of_right(guess, truth);
    finding_.prior += prior;
    finding_.candidates += effective(posterior);
    double most = *std::max_element(guess.weights.begin(), guess.weights.end());
    finding_.certain += most > sure && !refuted ? 1 : 0;
    finding_.certain_before += prior > sure ? 1 : 0;
  }
  void add_gain(double gain) { finding_.gain = std::max(finding_.gain, gain); }
  void add_cost(double queries, double inserts) {
    finding_.queries += queries;
    finding_.inserts += inserts;
  }
  void add_hidden() { ++finding_.hidden; }
  void add_proven() { ++finding_.proven; }

  // Costs are of `victims`.
  Finding finish(std::size_t victims) && {
    auto attempts = static_cast<double>(std::max<std::uint64_t>(finding_.attempts, 1));
    auto people = static_cast<double>(std::max<std::size_t>(victims, 1));
    finding_.prior /= attempts;
    finding_.candidates /= attempts;
    finding_.certain /= attempts;
    finding_.certain_before /= attempts;
    finding_.queries /= people;
    finding_.inserts /= people;
    fill_rate(finding_);
    return std::move(finding_);
  }

 private:
  Finding finding_;
};

struct Bench {
  const Campaign& campaign;
  const Arena& arena;
  const Table& truth;
  const Priors& priors;
  std::vector<Proofs> proofs = {};  // by private attribute

  std::uint32_t privates() const { return truth.schema().private_count(); }
  std::string name(PrivateId attribute) const {
    return truth.schema().attributes[truth.schema().public_count() + +attribute].name;
  }
};

// Whether answers narrowed a set of full matches down, so that a uniform guess is worth what it
// says.
bool narrowed(const Bench& bench, const Recovered& recovered, PrivateId attribute) {
  return bench.arena.knowledge.belief.kind != attack::ProfileKind::Graded &&
         bench.arena.own_value_shows &&
         recovered.candidates.size() < bench.priors.domain(attribute);
}

void add_attempt(const Bench& bench, const Attacked& attacked, PrivateId attribute,
                 bool knowledgeable, GuessTally& tally) {
  const Recovered& recovered = attacked.attributes[+attribute];
  Posterior posterior{recovered.candidates, recovered.weights};
  if (knowledgeable) posterior = supported(posterior, attacked.victim, attribute, bench.priors);
  ValueId truth = true_value(bench.truth, attacked.victim, attribute);
  bool refuted = recovered.proven && recovered.candidates[0] != truth;
  tally.add(posterior, guessable(posterior, attribute, bench.priors), truth,
            bench.priors.best(attacked.victim, attribute), refuted);
  bool spared = recovered.proven && bench.priors.spares(attribute, recovered.candidates[0]);
  if (recovered.proven && !refuted && !spared) tally.add_proven();
  if (!attacked.seen) tally.add_hidden();
  bool believed = bench.proofs[+attribute].wrong == 0;
  if (believed && recovered.candidates.size() > 1 && narrowed(bench, recovered, attribute)) {
    tally.add_gain(largest_gain(posterior, attacked.victim, attribute, bench.priors));
  }
}

Finding finding_of(const Bench& bench, std::optional<PrivateId> attribute, bool knowledgeable) {
  GuessTally tally(attribute ? bench.name(*attribute) : "all", bench.campaign.method,
                   knowledgeable ? "knowledgeable" : "ignorant");
  for (const Attacked& attacked : bench.campaign.victims) {
    for (std::uint32_t j = 0; j < bench.privates(); ++j) {
      if (attribute && +*attribute != j) continue;
      add_attempt(bench, attacked, PrivateId{j}, knowledgeable, tally);
    }
    tally.add_cost(static_cast<double>(attacked.queries), static_cast<double>(attacked.inserts));
  }
  for (std::uint32_t j = 0; j < bench.privates(); ++j) {
    if (!attribute || +*attribute == j) tally.add_gain(bench.proofs[j].gain);
  }
  return std::move(tally).finish(bench.campaign.victims.size());
}

Posterior prior_posterior(const Table& truth, const Priors& priors, std::uint32_t row,
                          PrivateId attribute, bool by_group) {
  Posterior posterior;
  std::uint32_t domain =
      truth.schema().attributes[truth.schema().public_count() + +attribute].domain.size();
  for (std::uint32_t v = 0; v < domain; ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    posterior.values.push_back(value);
    posterior.weights.push_back(by_group ? priors.share(row, attribute, value)
                                         : priors.overall()[+attribute][v]);
  }
  return posterior;
}

Finding baseline(std::span<const std::uint32_t> victims, const Table& truth, const Priors& priors,
                 std::optional<PrivateId> attribute, bool by_group) {
  std::uint32_t first = truth.schema().public_count();
  GuessTally tally(attribute ? truth.schema().attributes[first + +*attribute].name : "all", "none",
                   by_group ? "prior-public" : "prior");
  for (std::uint32_t victim : victims) {
    for (std::uint32_t j = 0; j < truth.schema().private_count(); ++j) {
      if (attribute && +*attribute != j) continue;
      Posterior belief = prior_posterior(truth, priors, victim, PrivateId{j}, by_group);
      tally.add(belief, guessable(belief, PrivateId{j}, priors),
                true_value(truth, victim, PrivateId{j}), priors.best(victim, PrivateId{j}));
    }
  }
  return std::move(tally).finish(victims.size());
}

// Each private attribute, then none: all of them.
std::vector<std::optional<PrivateId>> each_and_all(std::uint32_t privates) {
  std::vector<std::optional<PrivateId>> list;
  for (std::uint32_t j = 0; j < privates; ++j) list.emplace_back(PrivateId{j});
  list.emplace_back();
  return list;
}

}  // namespace

bool is_laid_open(const Recovered& recovered, std::uint32_t victim, PrivateId attribute,
                  const Table& truth, const Priors& priors) {
  if (!recovered.proven) return false;
  ValueId value = recovered.candidates[0];
  return value == true_value(truth, victim, attribute) && !priors.spares(attribute, value) &&
         priors.share(victim, attribute, value) < sure;
}

Proofs proofs_of(const Campaign& campaign, PrivateId attribute, const Table& truth,
                 const Priors& priors) {
  Proofs proofs;
  double prior = 0;
  std::uint64_t bets = 0;  // proofs but those of values that are spared
  for (const Attacked& attacked : campaign.victims) {
    const Recovered& recovered = attacked.attributes[+attribute];
    if (!recovered.proven) continue;
    bool right = recovered.candidates[0] == true_value(truth, attacked.victim, attribute);
    double share = priors.share(attacked.victim, attribute, recovered.candidates[0]);
    bool spared = priors.spares(attribute, recovered.candidates[0]);
    if (right && (spared || share >= sure)) continue;
    ++(right ? proofs.right : proofs.wrong);  // a wrong one says that all of them are guesses
    if (spared) continue;
    ++bets;
    prior += share;
  }
  if (proofs.right == 0) return proofs;
  proofs.gain =
      proofs.wrong == 0 ? 1 : sure_gain(bets, proofs.right, prior / static_cast<double>(bets));
  return proofs;
}

std::vector<Finding> findings_of(const Campaign& campaign, const Arena& arena, const Table& truth,
                                 const Priors& priors) {
  Bench bench{campaign, arena, truth, priors};
  for (std::uint32_t j = 0; j < bench.privates(); ++j) {
    bench.proofs.push_back(proofs_of(campaign, PrivateId{j}, truth, priors));
  }
  std::vector<Finding> findings;
  for (auto attribute : each_and_all(bench.privates())) {
    for (bool knowledgeable : {false, true}) {
      findings.push_back(finding_of(bench, attribute, knowledgeable));
    }
  }
  return findings;
}

std::vector<Finding> baselines(std::span<const std::uint32_t> victims, const Table& truth,
                               const Priors& priors) {
  std::vector<Finding> findings;
  for (auto attribute : each_and_all(truth.schema().private_count())) {
    for (bool by_group : {false, true}) {
      findings.push_back(baseline(victims, truth, priors, attribute, by_group));
    }
  }
  return findings;
}

std::uint64_t proven_wrong(const Campaign& campaign, const Table& truth) {
  std::uint64_t wrong = 0;
  for (const Attacked& attacked : campaign.victims) {
    for (std::uint32_t j = 0; j < attacked.attributes.size(); ++j) {
      const Recovered& recovered = attacked.attributes[j];
      bool is_wrong = recovered.proven &&
                      recovered.candidates[0] != true_value(truth, attacked.victim, PrivateId{j});
      wrong += is_wrong ? 1 : 0;
    }
  }
  return wrong;
}

}  // namespace rankveil::audit
