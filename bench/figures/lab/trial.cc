#include "bench/figures/lab/trial.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "rankveil/base/random.h"
#include "rankveil/utility/measure.h"

namespace rankveil::figures {
namespace {

// Own and other value count half each; a value that both have counts in full.
Protection pair_with_any_row(const Task& task, std::uint64_t seed) {
  std::uint32_t rows = task.table.rows();
  std::vector<std::uint32_t> partner(rows);
  Rng rng(seed);
  for (std::uint32_t& other : partner) other = static_cast<std::uint32_t>(rng.below(rows));
  LevelProfiles profiles(rows, task.private_domain_sizes(), 2);
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    const Column& column = task.private_column(PrivateId{j});
    for (std::uint32_t row = 0; row < rows; ++row) {
      ValueId own = column.value(RowId{row});
      ValueId other = column.value(RowId{partner[row]});
      if (own != missing_value) profiles.set(RowId{row}, PrivateId{j}, own, own == other ? 2 : 1);
      if (other == missing_value || other == own) continue;
      profiles.set(RowId{row}, PrivateId{j}, other, 1);
    }
  }
  return {std::move(profiles), {}};
}

// The same rows and scores, but profiles decide about all attributes.
Scene all_private(const Scene& scene) {
  Schema schema = scene.table.schema();
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    schema.attributes[i].visibility = Visibility::Private;
    columns.push_back(scene.table.column(AttributeId{i}));
  }
  return Scene(Table(std::move(schema), std::move(columns), scene.table.names()));
}

bool uses_workload(const Contender& contender) {
  const Scheme* scheme = find_scheme(contender.demand.scheme);
  return scheme != nullptr && scheme->uses_workload;
}

// One value per attribute of the bed. Rows come from the first third, which every part has.
std::vector<ValueId> draw_values(const Bed& bed, Asking asking, Rng& rng) {
  std::vector<ValueId> values;
  std::uint32_t rows = bed.table.rows() / 3;
  auto row = static_cast<std::uint32_t>(rng.below(rows));
  for (std::uint32_t i = 0; i < bed.table.schema().size(); ++i) {
    const Column& column = bed.table.column(AttributeId{i});
    auto other = static_cast<std::uint32_t>(rng.below(rows));
    auto any = static_cast<std::uint16_t>(rng.below(column.domain_size()));
    values.push_back(asking == Asking::Uniform     ? ValueId{any}
                     : asking == Asking::Marginals ? column.value(RowId{other})
                                                   : column.value(RowId{row}));
  }
  return values;
}

// Sums of U_aul over the queries of one workload, one per k.
Status add_losses(const Scene& scene, const Contender& contender, const TrialOptions& options,
                  const Workload& workload, std::uint64_t seed, std::vector<double>& sums,
                  ProtectionReport* report) {
  auto served = serve(scene.table, workload, contender, seed, options.threads, report);
  if (!served) return served.error();
  auto loss = utility::measure(scene.truth, *served, workload,
                               {.ks = options.ks, .threads = options.threads});
  if (!loss) return loss.error();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] += loss->at[i].aul.mean * static_cast<double>(loss->queries);
  }
  return {};
}

// Means over all queries of a seed, one per k.
Result<std::vector<double>> losses(Scenes& scenes, const Contender& contender,
                                   const TrialOptions& options, std::uint64_t seed,
                                   ProtectionReport* report) {
  bool is_random = contender.demand.scheme == random_tuples;
  Scene scene = is_random ? all_private(scenes.of(seed)) : scenes.of(seed);
  Workload all = draw_queries(scenes.bed(), scene.table, options.asking, seed);
  std::uint32_t size = uses_workload(contender) ? options.queries : queries_per_seed;
  assert(queries_per_seed % size == 0 && "all queries are to be measured once");
  std::vector<double> sums(options.ks.size());
  for (std::size_t first = 0; first < all.entries.size(); first += size) {
    auto begin = all.entries.begin() + static_cast<std::ptrdiff_t>(first);
    Workload workload{{begin, begin + size}};
    auto added =
        add_losses(scene, contender, options, workload, seed, sums, first == 0 ? report : nullptr);
    if (!added) return added.error();
  }
  for (double& sum : sums) sum /= queries_per_seed;
  return sums;
}

}  // namespace

Contender contender(const std::string& scheme, std::uint32_t l) {
  Demand demand;
  demand.scheme = scheme;
  demand.l = l;
  demand.pairing = Pairing::SortedWeight;  // the paper's
  demand.node_budget = node_budget;
  return {scheme, demand};
}

bool is_known(const Contender& contender) {
  return contender.demand.scheme == random_tuples ||
         find_scheme(contender.demand.scheme) != nullptr;
}

Scene::Scene(const Bed& bed, const Part& part) : Scene(cut(bed, part)) {}
Scene::Scene(Table rows) : table(std::move(rows)), truth(utility::true_ranking(table)) {}

const Scene& Scenes::of(std::uint64_t seed) {
  Part part = part_;
  part.pick = picks_ ? seed : 0;
  if (picks_ || !scene_) scene_.emplace(bed_, part);
  return *scene_;
}

Workload draw_queries(const Bed& bed, const Table& table, Asking asking, std::uint64_t seed) {
  Rng rng(seed);
  Workload workload;
  for (std::uint32_t i = 0; i < queries_per_seed; ++i) {
    std::vector<ValueId> values = draw_values(bed, asking, rng);
    Query query = empty_query(table.schema());
    for (std::uint32_t a = 0; a < query.wanted.size(); ++a) {
      ValueId value = values[+*bed.table.schema().find(table.schema().attributes[a].name)];
      if (value != missing_value) query.wanted[a] = {value};
    }
    workload.entries.push_back({std::move(query), 1});
  }
  return workload;
}

Result<Index> serve(const Table& table, const Workload& workload, const Contender& contender,
                    std::uint64_t seed, std::uint32_t threads, ProtectionReport* report) {
  SecretKey key = SecretKey::from_seed(seed);
  Task task{.table = table, .workload = workload, .demand = contender.demand, .key = key};
  task.threads = threads;
  auto protection = contender.demand.scheme == random_tuples
                        ? Result<Protection>(pair_with_any_row(task, seed))
                        : protect(task);
  if (!protection) return protection.error();
  if (report != nullptr) *report = protection->report;
  return Index::build(public_part(table), protection->profiles,
                      {.scheme = contender.demand.scheme, .l = contender.demand.l});
}

Result<Outcome> try_out(Scenes& scenes, const Contender& contender, const TrialOptions& options) {
  Outcome outcome;
  std::vector<std::vector<double>> by_k(options.ks.size());
  for (std::uint32_t seed = 1; seed <= options.seeds; ++seed) {
    auto means = losses(scenes, contender, options, seed, seed == 1 ? &outcome.report : nullptr);
    if (!means) return means.error();
    for (std::size_t i = 0; i < by_k.size(); ++i) by_k[i].push_back((*means)[i]);
  }
  std::vector<std::uint64_t> once(options.seeds, 1);
  for (const auto& values : by_k) outcome.aul.push_back(utility::estimate(values, once));
  return outcome;
}

}  // namespace rankveil::figures
