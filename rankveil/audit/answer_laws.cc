#include "rankveil/audit/answer_laws.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "rankveil/audit/ldp_answers.h"
#include "rankveil/audit/rounded_strengths.h"
#include "rankveil/base/parallel.h"
#include "rankveil/protect/capped/capped_channels.h"
#include "rankveil/protect/chance/ldp.h"
#include "rankveil/protect/chance/rr_mean.h"
#include "rankveil/protect/groups/silent_groups.h"

namespace rankveil::audit {

namespace {

// Parts of an answer: d for the truth and l - 1 for each of the d others.
double response_parts(std::uint32_t said, std::uint32_t code, std::uint32_t domain,
                      std::uint32_t l) {
  return said == code ? domain : l - 1.0;
}

class RrLaw : public Likelihood {
 public:
  explicit RrLaw(const Scene& scene)
      : l_(scene.task.demand.l),
        domains_(scene.task.private_domain_sizes()),
        dictionaries_(scene.dictionaries) {}

  double weight(std::uint32_t, std::uint32_t attribute, std::uint32_t kind, std::uint32_t code,
                std::uint32_t) const override {
    const Strengths& shown = dictionaries_[attribute].of(kind);
    std::uint32_t domain = domains_[attribute];
    return response_parts(shown.empty() ? domain : shown.front().first, code, domain, l_);
  }

 private:
  std::uint32_t l_;
  std::vector<std::uint32_t> domains_;
  const Dictionaries& dictionaries_;
};

// Weights of all values for every profile that an answer in a group may lead to.
class TableLaw : public Likelihood {
 public:
  TableLaw(std::size_t attributes, std::size_t groups)
      : groups_(groups), weights_(attributes * groups) {}

  // By code.
  using Weights = std::vector<double>;
  std::unordered_map<std::uint32_t, Weights>& of(std::size_t group, std::size_t attribute) {
    return weights_[attribute * groups_ + group];
  }

  double weight(std::uint32_t group, std::uint32_t attribute, std::uint32_t kind,
                std::uint32_t code, std::uint32_t) const override {
    const auto& known = weights_[attribute * groups_ + group];
    auto place = known.find(kind);
    return place == known.end() ? 0 : place->second[code];
  }

 private:
  std::size_t groups_;
  std::vector<std::unordered_map<std::uint32_t, Weights>> weights_;
};

void add_weights(TableLaw::Weights& sum, const TableLaw::Weights& more) {
  sum.resize(more.size(), 0);
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

std::vector<std::uint32_t> counts_of(const Task& task, const KnownGroup& group, std::uint32_t j) {
  const Column& column = task.private_column(PrivateId{j});
  std::vector<std::uint32_t> counts(column.domain_size() + std::size_t{1}, 0);
  for (RowId row : group.rows) {
    ValueId value = column.value(row);
    ++counts[value == missing_value ? column.domain_size() : +value];
  }
  return counts;
}

// Rounding by attribute, as rows with a signal show it.
std::vector<RoundedStrengths> rounding_of(const Scene& scene) {
  std::vector<RoundedStrengths> rounding;
  for (std::uint32_t j = 0; j < scene.task.private_count(); ++j) {
    std::vector<std::uint32_t> kinds;
    for (const KnownGroup& group : scene.groups.groups) {
      if (group.silent) continue;
      for (RowId row : group.rows) kinds.push_back(scene.release.kinds[j][+row]);
    }
    rounding.emplace_back(scene.task.demand, scene.task.private_domain_sizes()[j],
                          scene.dictionaries[j], kinds);
  }
  return rounding;
}

// The profile of every answer, "no value" last.
Strengths rr_mean_profile(const std::vector<std::uint32_t>& counts, std::uint32_t said,
                          const Demand& demand, const RoundedStrengths& rounded) {
  RrMeanStrengths meant(counts, said, demand.l, demand.levels);
  std::vector<std::uint32_t> steps;
  for (std::uint32_t v = 0; v + 1 < counts.size(); ++v) steps.push_back(meant.steps(v));
  return rounded.profile(steps);
}

void add_rr_mean(const Scene& scene, const RoundedStrengths& rounded, std::uint32_t group,
                 std::uint32_t j, TableLaw& law) {
  auto counts = counts_of(scene.task, scene.groups.groups[group], j);
  auto domain = static_cast<std::uint32_t>(counts.size() - 1);
  for (std::uint32_t said = 0; said <= domain; ++said) {
    std::uint32_t kind =
        scene.dictionaries[j].find(rr_mean_profile(counts, said, scene.task.demand, rounded));
    if (kind == KindNumbers::none) continue;
    TableLaw::Weights weights;
    for (std::uint32_t code = 0; code <= domain; ++code) {
      weights.push_back(response_parts(said, code, domain, scene.task.demand.l));
    }
    add_weights(law.of(group, j)[kind], weights);
  }
}

void add_capped(const Scene& scene, const RoundedStrengths& rounded, const CappedChannels& channels,
                std::uint32_t group, std::uint32_t j, TableLaw& law) {
  const Channel& channel = channels.channel(group, PrivateId{j});
  const auto& codes = channels.codes(group, PrivateId{j});
  std::uint32_t domain = scene.task.private_domain_sizes()[j];
  for (std::uint32_t signal = 0; signal < channel.levels.size(); ++signal) {
    std::vector<std::uint32_t> steps(domain, 0);
    for (auto [place, level] : channel.levels[signal]) {
      if (codes[place] < domain) steps[codes[place]] = level;
    }
    std::uint32_t kind = scene.dictionaries[j].find(rounded.profile(steps));
    if (kind == KindNumbers::none) continue;
    TableLaw::Weights weights(domain + std::size_t{1}, 0);
    for (std::uint32_t place = 0; place < codes.size(); ++place) {
      weights[codes[place]] = channel.probability(place, signal);
    }
    add_weights(law.of(group, j)[kind], weights);
  }
}

// Calls body(group, attribute) for all groups that are not silent.
template <typename Body>
void for_each_cell(const Scene& scene, const Body& body) {
  parallel_for(scene.task.private_count(), scene.task.threads, [&](std::size_t j) {
    for (std::uint32_t group = 0; group < scene.groups.groups.size(); ++group) {
      if (!scene.groups.groups[group].silent) body(group, static_cast<std::uint32_t>(j));
    }
  });
}

std::unique_ptr<TableLaw> empty_law(const Scene& scene) {
  return std::make_unique<TableLaw>(scene.task.private_count(), scene.groups.groups.size());
}

void add_ldp(const LdpAnswers& answers, const LdpChannel& channel, std::uint32_t group,
             std::uint32_t j, TableLaw& law) {
  for (std::uint32_t kind : answers.kinds(group)) {
    for (std::uint32_t said : answers.answers(group, kind)) {
      TableLaw::Weights weights(channel.domain() + std::size_t{1}, channel.even());
      weights[said] += channel.extra();
      weights.back() = 1.0 / channel.domain();
      add_weights(law.of(group, j)[kind], weights);
    }
  }
}

}  // namespace

Result<std::unique_ptr<const Likelihood>> rr_law(const Scene& scene) {
  return std::unique_ptr<const Likelihood>(std::make_unique<RrLaw>(scene));
}

Result<std::unique_ptr<const Likelihood>> rr_mean_law(const Scene& scene) {
  auto law = empty_law(scene);
  auto rounding = rounding_of(scene);
  for_each_cell(scene, [&](std::uint32_t group, std::uint32_t j) {
    add_rr_mean(scene, rounding[j], group, j, *law);
  });
  return std::unique_ptr<const Likelihood>(std::move(law));
}

Result<std::unique_ptr<const Likelihood>> capped_law(const Scene& scene) {
  // Silent groups stand behind the others: nothing was drawn in them.
  std::vector<std::uint32_t> group_of = scene.groups.group_of;
  std::uint32_t count = 0;
  for (const KnownGroup& group : scene.groups.groups) count += group.silent ? 0 : 1;
  for (std::uint32_t& group : group_of) group = group < count ? group : Climb::no_group;
  GroupShares shares(count, scene.task.private_domain_sizes());
  count_groups(scene.task, group_of, count, shares);
  CappedChannels channels(scene.task, shares);
  auto law = empty_law(scene);
  auto rounding = rounding_of(scene);
  for_each_cell(scene, [&](std::uint32_t group, std::uint32_t j) {
    add_capped(scene, rounding[j], channels, group, j, *law);
  });
  return std::unique_ptr<const Likelihood>(std::move(law));
}

Result<std::unique_ptr<const Likelihood>> ldp_law(const Scene& scene) {
  auto law = empty_law(scene);
  LdpBudgets budgets(scene.task.table.schema(), scene.task.demand);
  parallel_for(scene.task.private_count(), scene.task.threads, [&](std::size_t i) {
    auto j = static_cast<std::uint32_t>(i);
    LdpChannel channel(budgets.of(PrivateId{j}), scene.task.private_domain_sizes()[j]);
    LdpAnswers answers(scene.task, scene.groups, scene.dictionaries[j], scene.release.kinds[j], j,
                       channel);
    for (std::uint32_t group = 0; group < scene.groups.groups.size(); ++group) {
      if (!scene.groups.groups[group].silent) add_ldp(answers, channel, group, j, *law);
    }
  });
  return std::unique_ptr<const Likelihood>(std::move(law));
}

}  // namespace rankveil::audit
