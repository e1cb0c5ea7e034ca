#include "rankveil/audit/campaign.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include "rankveil/audit/campaign_log.h"
#include "rankveil/base/format.h"
#include "rankveil/base/parallel.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

// Strengths as far as they are known: the middle of what is possible. What strengths leave over is
// the chance that the row has no value.
void weigh(const attack::Finding& finding, const Arena& arena, Recovered& recovered) {
  bool graded = arena.knowledge.belief.kind == attack::ProfileKind::Graded;
  double sum = 0;
  for (ValueId value : recovered.candidates) {
    const attack::Strength& strength = finding.strengths[+value];
    recovered.weights.push_back(graded ? (strength.low + strength.high) / 2 : 1);
    sum += recovered.weights.back();
  }
  if (!arena.is_complete(finding.attribute) && !arena.is_unprotected()) {
    recovered.candidates.push_back(missing_value);
    recovered.weights.push_back(graded ? std::max(0.0, 1 - sum) : 1);
    sum += recovered.weights.back();
  }
  // Nothing matched and nothing open: all values are candidates again.
  bool alike = sum <= 0;
  for (double& weight : recovered.weights) {
    weight = alike ? 1 / static_cast<double>(recovered.weights.size()) : weight / sum;
  }
}

// Tells a caller how far many threads are together.
class SharedProgress {
 public:
  SharedProgress(const Progress& progress, std::string what, std::size_t count)
      : progress_(progress), what_(std::move(what)), count_(count) {}

  void step() {
    std::size_t done = ++done_;
    std::size_t every = std::max<std::size_t>(count_ / 100, 1);
    if (!progress_ || done % every != 0) return;
    std::lock_guard lock(mutex_);
    report(progress_, what_, static_cast<double>(done) / static_cast<double>(count_));
  }

 private:
  const Progress& progress_;
  std::string what_;
  std::size_t count_;
  std::atomic<std::size_t> done_ = 0;
  std::mutex mutex_;
};

Result<Attacked> attack_victim(const Arena& arena, const attack::Method& method,
                               std::uint32_t victim, const CampaignOptions& options) {
  auto target = arena.fresh();
  if (!target) return target.error();
  auto report = attack::run(method, {.knowledge = arena.knowledge,
                                     .target = **target,
                                     .victim = victim,
                                     .priors = options.priors,
                                     .budget = options.budget});
  if (!report) return report.error();
  return attacked(arena, victim, *report);
}

// profile-by-sets is what qi-in becomes where rows match several values; one of them is enough.
bool is_doubled(const Arena& arena, const attack::Method& method) {
  return method.name == (arena.is_unprotected() ? "profile-by-sets" : "qi-in");
}

bool works_in(const Arena& arena, const attack::Method& method) {
  return (!method.needs_inserts || arena.takes_inserts) && (!method.needs_sets || arena.takes_sets);
}

}  // namespace

std::vector<std::uint32_t> draw_victims(std::uint32_t rows, std::uint64_t count,
                                        std::uint64_t seed) {
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, rows));
  Rng rng(seed);
  for (std::uint32_t i = 0; i < wanted; ++i) {
    std::swap(order[i], order[i + rng.below(rows - i)]);
  }
  order.resize(wanted);
  std::sort(order.begin(), order.end());
  return order;
}

Result<std::vector<const attack::Method*>> choose_methods(const Arena& arena,
                                                          std::span<const std::string> names) {
  std::vector<const attack::Method*> chosen;
  for (const std::string& name : names) {
    if (name == "all") continue;
    const attack::Method* method = attack::find_method(name);
    if (method == nullptr) {
      std::vector<std::string> all = {"all"};
      for (const attack::Method& known : attack::methods()) all.emplace_back(known.name);
      return wrong_use(fmt::format("there is no attack \"{}\"; there are {}", name, listed(all)));
    }
    if (!works_in(arena, *method)) {
      return wrong_use(fmt::format(
          "{} {}, which this target does not take; use all for every "
          "attack that works here",
          name,
          method->needs_inserts && !arena.takes_inserts ? "inserts rows"
                                                        : "asks for several values at once"));
    }
    chosen.push_back(method);
  }
  bool all = names.empty() || std::find(names.begin(), names.end(), "all") != names.end();
  if (!all) return chosen;
  chosen.clear();
  for (const attack::Method& method : attack::methods()) {
    if (works_in(arena, method) && !is_doubled(arena, method)) chosen.push_back(&method);
  }
  return chosen;
}

Attacked attacked(const Arena& arena, std::uint32_t victim, const attack::Report& report) {
  Attacked made{.victim = victim, .seen = report.seen};
  made.queries = report.queries;
  made.inserts = report.inserts;
  std::uint64_t asked = 0;
  for (const attack::Finding& finding : report.findings) {
    Recovered& recovered = made.attributes.emplace_back();
    asked += finding.queries;
    recovered.queries = asked;
    recovered.candidates = finding.candidates();
    recovered.strengths = finding.strengths;
    weigh(finding, arena, recovered);
    recovered.proven =
        arena.own_value_shows && recovered.candidates.size() == 1 && finding.matched().size() == 1;
    made.contradicted = made.contradicted || finding.outcome == attack::Outcome::Inconsistent;
  }
  return made;
}

namespace {

// One campaign under way.
class Run {
 public:
  Run(const Arena& arena, const attack::Method& method, std::span<const std::uint32_t> victims,
      const CampaignOptions& options)
      : arena_(arena),
        method_(method),
        victims_(victims),
        options_(options),
        order_(in_order(victims.size())),
        done_(victims.size()),
        errors_(victims.size()) {}

  Result<Campaign> run() {
    SharedProgress progress(options_.progress, "attacking with " + std::string(method_.name),
                            victims_.size());
    parallel_for(victims_.size(), arena_.threads, [&](std::size_t i) {
      if (failed_ || told_to(options_.stop)) return;
      attack(order_[i]);
      progress.step();
    });
    for (auto& error : errors_) {
      if (error) return *std::move(error);
    }
    Campaign campaign;
    campaign.method = method_.name;
    for (auto& attacked : done_) {
      if (attacked) campaign.victims.push_back(*std::move(attacked));
    }
    campaign.left = victims_.size() - campaign.victims.size();
    return campaign;
  }

 private:
  // By lot where not all may get their turn.
  std::vector<std::size_t> in_order(std::size_t count) const {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng(count);
    for (std::size_t i = 0; options_.stop && arena_.threads != 1 && i < count; ++i) {
      std::swap(order[i], order[i + rng.below(count - i)]);
    }
    return order;
  }

  void attack(std::size_t i) {
    CampaignLog* log = options_.log;
    if (log != nullptr) done_[i] = log->find(options_.name, method_.name, victims_[i]);
    if (done_[i]) return;
    auto made = attack_victim(arena_, method_, victims_[i], options_);
    if (!made) return fail(i, made.error());
    done_[i] = *std::move(made);
    if (log == nullptr) return;
    if (auto written = log->add(options_.name, method_.name, *done_[i]); !written) {
      fail(i, written.error());
    }
  }

  void fail(std::size_t i, Error error) {
    errors_[i] = std::move(error);
    failed_ = true;
  }

  const Arena& arena_;
  const attack::Method& method_;
  std::span<const std::uint32_t> victims_;
  const CampaignOptions& options_;
  std::vector<std::size_t> order_;
  std::vector<std::optional<Attacked>> done_;
  std::vector<std::optional<Error>> errors_;
  std::atomic<bool> failed_ = false;
};

}  // namespace

Result<Campaign> run_campaign(const Arena& arena, const attack::Method& method,
                              std::span<const std::uint32_t> victims,
                              const CampaignOptions& options) {
  return Run(arena, method, victims, options).run();
}

Curve curve_of(const Campaign& campaign, const Table& truth, const std::string& name) {
  Curve curve{.name = name, .method = campaign.method, .victims = campaign.victims.size()};
  std::vector<std::uint64_t> moments;
  std::size_t attempts = 0;
  for (const Attacked& attacked : campaign.victims) {
    for (std::uint32_t j = 0; j < attacked.attributes.size(); ++j) {
      const Recovered& recovered = attacked.attributes[j];
      const AttributeId attribute{truth.schema().public_count() + j};
      ++attempts;
      bool open = recovered.proven &&
                  recovered.candidates[0] == truth.value(RowId{attacked.victim}, attribute);
      if (open) moments.push_back(recovered.queries);
    }
  }
  std::sort(moments.begin(), moments.end());
  for (std::size_t i = 0; i < moments.size(); ++i) {
    if (i + 1 < moments.size() && moments[i + 1] == moments[i]) continue;
    curve.points.push_back({static_cast<double>(moments[i]),
                            static_cast<double>(i + 1) / static_cast<double>(attempts)});
  }
  return curve;
}

}  // namespace rankveil::audit
