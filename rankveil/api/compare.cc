#include "rankveil/api/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "rankveil/api/policy_file.h"
#include "rankveil/api/policy_ladder.h"
#include "rankveil/api/policy_rules.h"
#include "rankveil/api/protected_rows.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/audit/levels.h"
#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/protect/chance/ldp_budgets.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/release/release.h"
#include "rankveil/protect/sensitive_sets.h"
#include "rankveil/ranking/kernels/kernel.h"
#include "rankveil/ranking/sample_workload.h"
#include "rankveil/table/policy/policy_edit.h"

namespace rankveil::api {

namespace {

constexpr std::uint32_t tuning_queries = 10;
constexpr const char* all_attributes = "all";

// ---- What is asked ----

Status check(const CompareRequest& request) {
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) return wrong_use(problem);
  if (auto checked = check_has_policy(request.input, "compare"); !checked) return checked;
  if (std::any_of(request.ls.begin(), request.ls.end(), [](std::uint32_t l) { return l < 2; })) {
    return wrong_use("an l below 2 protects nothing; use 2 or more");
  }
  for (const std::string& name : request.schemes) {
    if (find_scheme(name) != nullptr) continue;
    Demand unknown;
    unknown.scheme = name;
    return check_demand({}, unknown).error();
  }
  if (!request.write_policy.empty() && request.input.policy_path.empty()) {
    return wrong_use(
        "the choice can only be written into a policy file; pass one with --policy, such as "
        "inspect "
        "--write-policy makes");
  }
  return {};
}

bool goes_by_l(const Scheme& scheme) {
  return !scheme.shows_nothing && scheme.promise != PromiseKind::LikelihoodRatio;
}

std::vector<std::uint32_t> ls_of(const CompareRequest& request, std::uint32_t own) {
  std::vector<std::uint32_t> ls = request.ls;
  ls.push_back(own);
  std::sort(ls.begin(), ls.end());
  ls.erase(std::unique(ls.begin(), ls.end()), ls.end());
  return ls;
}

// What is to be run, in the order in which schemes are recommended.
std::vector<Demand> demands_of(const CompareRequest& request, std::uint32_t own) {
  std::vector<Demand> demands;
  for (const Scheme& scheme : schemes()) {
    const auto& wanted = request.schemes;
    bool is_wanted =
        wanted.empty() || std::find(wanted.begin(), wanted.end(), scheme.name) != wanted.end();
    if (!is_wanted) continue;
    Demand demand = request.demand;
    demand.scheme = scheme.name;
    demand.l = own;
    if (!goes_by_l(scheme)) {
      demands.push_back(demand);
      continue;
    }
    for (std::uint32_t l : ls_of(request, own)) {
      demand.l = l;
      demands.push_back(demand);
    }
  }
  return demands;
}

// Whether the choice may go where it is asked to go. A file that is there may only be what could
// come out; otherwise that is said now, not when all is done.
Status check_choice_file(const CompareRequest& request, std::uint32_t own) {
  if (request.write_policy.empty() || request.force) return {};
  if (same_file(request.write_policy, request.input.policy_path)) return {};
  auto text = read_text(request.input.policy_path);
  if (!text) return text.error();
  Status refused;
  for (const Demand& demand : demands_of(request, own)) {
    auto changed = with_scheme(*text, request.input.policy_path, demand.scheme, demand.l);
    if (!changed) return changed.error();
    refused = check_may_write_policy(request.write_policy, *changed, false);
    if (refused) break;
  }
  return refused;
}

Status check_files(const CompareRequest& request, std::uint32_t own) {
  const auto& input = request.input;
  if (auto allowed = check_choice_file(request, own); !allowed) return allowed;
  std::vector<std::string> inputs = input.source.files();
  inputs.push_back(request.workload);
  if (auto fine = check_report_outputs({request.write_policy}, inputs); !fine) return fine;
  inputs.insert(inputs.end(), {input.policy_path, request.write_policy});
  if (auto fine = check_report_outputs({request.html}, inputs); !fine) return fine;
  return check_may_write(request.html, request.force);
}

// ---- The table, and what it is compared on ----

struct Ground {
  Policy policy;
  SecretKey key;
  Table table;
  connect::RowPeople people;
  std::vector<std::vector<AttributeId>> ladder;
  Workload tuning;
  Workload asked;
};

Status read_queries(const CompareRequest& request, Ground& ground) {
  if (request.workload.empty()) {
    std::uint64_t seed = request.seed.value_or(1);
    ground.tuning = test_workload(ground.table, TestQueries::Same,
                                  {.queries = tuning_queries, .seed = seed + 1'000'003});
    ground.asked =
        test_workload(ground.table, TestQueries::Same, {.queries = request.queries, .seed = seed});
    return {};
  }
  auto workload = connect::read_workload(request.workload, ground.table.schema(),
                                         ignored_columns(ground.policy));
  if (!workload) return workload.error();
  ground.tuning = *workload;
  ground.asked = *std::move(workload);
  return {};
}

Result<Ground> read_ground(const CompareRequest& request, CompareResult& result) {
  auto policy = load_policy(request.input);
  if (!policy) return policy.error();
  if (auto fine = check_files(request, policy->l); !fine) return fine.error();
  auto loaded = connect::read_table(request.input.source, *policy, read_options(request.input));
  if (!loaded) return loaded.error();
  result.warnings = std::move(loaded->warnings);
  SecretKey key = request.seed ? SecretKey::from_seed(*request.seed) : SecretKey::random();
  arrange_as_served(*loaded, key);  // so that ties go as they will where it is protected
  Ground ground{*std::move(policy), key, std::move(loaded->table), std::move(*loaded), {}, {}, {}};
  const Schema& schema = ground.table.schema();
  if (schema.private_count() == 0) {
    return bad_input(
        "no attribute is private, so there is nothing to protect; give the columns that "
        "nobody may see the role \"private\"");
  }
  if (auto working = check_weights(schema); !working) return working.error();
  auto ladder = ladder_of(ground.policy, schema);
  if (!ladder) return ladder.error();
  ground.ladder = *std::move(ladder);
  if (auto read = read_queries(request, ground); !read) return read.error();
  return ground;
}

void describe(const CompareRequest& request, const Ground& ground, CompareResult& result) {
  const Schema& schema = ground.table.schema();
  result.table = request.input.source.name();
  result.rows = ground.table.rows();
  result.public_attributes = schema.public_count();
  result.private_attributes = schema.private_count();
  result.l = ground.policy.l;
  result.k = request.k != 0 ? request.k : ground.policy.k;
  result.workload = request.workload;
  result.queries = ground.asked.entries.size();
}

// ---- One scheme ----

// Keeps the level that says most; the weaker one of equal levels.
void take_largest(double value, const std::string& level, double& largest, std::string& its_level) {
  constexpr double same = 1e-9;
  if (!its_level.empty() && value <= largest + same) return;
  largest = value;
  its_level = level;
}

void take_verdict(const audit::Finding& finding, Compared& compared) {
  if (finding.verdict == audit::Verdict::Broken && !compared.broken_by) {
    compared.broken_by = finding.level;
  }
  if (finding.verdict == audit::Verdict::Undecidable && !compared.undecided_at) {
    compared.undecided_at = finding.level;
  }
}

bool is_prior(const audit::Finding& finding) {
  return audit::level_of(finding.level) == AdversaryLevel::Prior;
}

// One who does not know the scheme takes noise for truth, and may be sure of what is not so.
bool knows_scheme(const audit::Finding& finding) {
  return audit::level_of(finding.level) >= AdversaryLevel::MechanismAware;
}

// Where coins were found to be hidden, what is gained over R is what a coin that nobody sees gives,
// 1/l: the largest of many beliefs about coins is off by chance.
double gain_of(const audit::Finding& finding) {
  bool hidden = finding.coins && audit::judge_coins(*finding.coins) == audit::CoinVerdict::Hidden;
  return hidden ? finding.coins->keep : finding.gain;
}

void take_finding(const audit::Finding& finding, Compared& compared) {
  take_verdict(finding, compared);
  if (finding.attribute != all_attributes) return;
  compared.findings.push_back(finding);
  // A level that nothing is promised about stands among the findings alone.
  bool counts = audit::level_of(finding.level) != AdversaryLevel::Informed;
  if (is_prior(finding) || !counts) return;
  take_largest(gain_of(finding), finding.level, compared.gain, compared.gain_level);
  if (knows_scheme(finding)) {
    take_largest(finding.certain, finding.level, compared.certain, compared.certain_level);
  }
  std::string before = compared.rate_level;
  take_largest(finding.rate, finding.level, compared.rate, compared.rate_level);
  if (compared.rate_level != before) {
    compared.rate_low = finding.low;
    compared.rate_high = finding.high;
    compared.prior = finding.prior;
  }
}

// Of a refusal only what is wrong: the ways out are those of protect.
Error first_part(const Error& error) {
  return {error.code, error.message.substr(0, error.message.find("; "))};
}

// What is needed to run one scheme after the other.
class Contest {
 public:
  Contest(const CompareRequest& request, const Ground& ground, CompareResult& result)
      : request_(request),
        ground_(ground),
        result_(result),
        truth_(utility::true_ranking(ground.table)) {}

  void run(const std::vector<Demand>& demands) {
    for (std::size_t i = 0; i < demands.size(); ++i) {
      Compared compared;
      compared.scheme = demands[i].scheme;
      compared.l = goes_by_l(*find_scheme(compared.scheme)) ? demands[i].l : 0;
      double begin = static_cast<double>(i) / static_cast<double>(demands.size());
      report(request_.input.progress, compared.name(), begin);
      if (auto done = try_one(demands[i], compared); !done) {
        compared = {.scheme = compared.scheme,
                    .l = compared.l,
                    .promise = compared.promise,
                    .left_out = done.error().message};
      }
      result_.compared.push_back(std::move(compared));
    }
  }

 private:
  Status try_one(const Demand& demand, Compared& compared) {
    const Scheme& scheme = *find_scheme(demand.scheme);
    if (auto checked = check_policy(ground_.policy, scheme); !checked) return checked;
    if (auto checked = check_demand(ground_.table.schema(), demand); !checked) {
      return first_part(checked.error());
    }
    Stopwatch watch;
    auto release = release_of(demand, scheme);
    if (!release) return release.error();
    compared.promise = scheme.promise_for(demand, ground_.table.schema());
    compared.rows_without_signal = release->counts.waiting;
    compared.protect_seconds = watch.seconds();
    if (auto judged = judge(demand, *release, compared); !judged) return judged;
    return measure(demand, *release, compared);
  }

  Result<Release> release_of(const Demand& demand, const Scheme& scheme) const {
    Task task{.table = ground_.table,
              .workload = ground_.tuning,
              .demand = demand,
              .key = ground_.key,
              .ladder = ground_.ladder,
              .declared = declared_domains(ground_.policy, ground_.table.schema()),
              .threads = request_.input.threads};
    add_people(ground_.policy, ground_.people, task);
    if (scheme.takes_cover) task.taking_part = ground_.people.established;
    return first_release(task);
  }

  Status judge(const Demand& demand, const Release& release, Compared& compared) {
    Stopwatch watch;
    audit::Mechanism mechanism{demand, ground_.tuning, ground_.ladder};
    mechanism.together = together_of(ground_.policy, release.table.schema());
    auto judgement = audit::judge_profiles({release.table, release.profiles, std::move(mechanism)},
                                           {.threads = request_.input.threads});
    if (!judgement) return judgement.error();
    for (const audit::Finding& finding : judgement->findings) take_finding(finding, compared);
    for (const std::string& note : judgement->notes) add_note(note);
    compared.judge_seconds = watch.seconds();
    return {};
  }

  Status measure(const Demand& demand, const Release& release, Compared& compared) const {
    Stopwatch watch;
    Index served = Index::build(public_part(release.table), release.profiles,
                                {.scheme = demand.scheme, .l = demand.l});
    auto cost = utility::measure(truth_, served, ground_.asked,
                                 {.ks = {result_.k}, .threads = request_.input.threads});
    if (!cost) return cost.error();
    compared.utility = cost->at[0];
    compared.measure_seconds = watch.seconds();
    return {};
  }

  void add_note(const std::string& note) {
    if (std::find(result_.notes.begin(), result_.notes.end(), note) == result_.notes.end()) {
      result_.notes.push_back(note);
    }
  }

  const CompareRequest& request_;
  const Ground& ground_;
  CompareResult& result_;
  Index truth_;
};

// ---- Writing the choice ----

Status write_choice(const CompareRequest& request, CompareResult& result) {
  if (request.write_policy.empty()) return {};
  if (!result.chosen) {
    return bad_input("no scheme may be chosen, so no policy was written: " + result.reason);
  }
  auto text = read_text(request.input.policy_path);
  if (!text) return text.error();
  const Compared& chosen = result.compared[*result.chosen];
  auto changed = with_scheme(*text, request.input.policy_path, chosen.scheme,
                             chosen.l != 0 ? chosen.l : result.l);
  if (!changed) return changed.error();
  // Into the policy itself only what was asked for changes: that needs no force.
  bool itself = same_file(request.write_policy, request.input.policy_path);
  if (auto done = write_policy(request.write_policy, *changed, request.force || itself); !done) {
    return done;
  }
  result.written = request.write_policy;
  return {};
}

}  // namespace

std::string Compared::name() const {
  return l == 0 ? scheme : fmt::format("{}, l = {}", scheme, l);
}

Result<CompareResult> compare(const CompareRequest& request) {
  if (auto checked = check(request); !checked) return checked.error();
  CompareResult result;
  Stopwatch watch;
  auto ground = read_ground(request, result);
  if (!ground) return ground.error();
  describe(request, *ground, result);
  result.read_seconds = watch.seconds();
  auto demands = demands_of(request, result.l);
  for (Demand& demand : demands) {
    demand.not_sensitive = not_sensitive_of(ground->policy);
    demand.sensitive_sets = sensitive_sets_of(ground->policy);
    demand.budgets = budgets_of(ground->policy);
  }
  Contest(request, *ground, result).run(demands);
  choose(result);
  result.files = write_choice(request, result);
  result.seconds = watch.seconds();
  result.files =
      both(result.files, write_outputs({{request.html, [&] { return to_html(result); }}}));
  return result;
}

}  // namespace rankveil::api
