#include "rankveil/api/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "rankveil/api/audit_gate.h"
#include "rankveil/api/known_columns.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/api/version.h"
#include "rankveil/attack/method.h"
#include "rankveil/audit/audit.h"
#include "rankveil/audit/campaign.h"
#include "rankveil/audit/campaign_log.h"
#include "rankveil/audit/other_release.h"
#include "rankveil/audit/plan.h"
#include "rankveil/audit/report_html.h"
#include "rankveil/audit/report_junit.h"
#include "rankveil/audit/report_sarif.h"
#include "rankveil/audit/truth.h"
#include "rankveil/base/checksum.h"
#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/table/toml/toml.h"

namespace rankveil::api {

namespace {

// ---- What the target is held against ----

std::vector<AdversaryLevel> all_but_informed() {
  std::vector<AdversaryLevel> levels;
  for (AdversaryLevel level : adversary_levels()) {
    bool tested = level != AdversaryLevel::Prior && level != AdversaryLevel::Informed;
    if (tested) levels.push_back(level);
  }
  return levels;
}

Error unknown_level(const std::string& name) {
  std::vector<std::string> names = {"all", "claimed"};
  for (AdversaryLevel level : all_but_informed()) names.emplace_back(level_name(level));
  auto near = closest(name, names);
  return wrong_use(fmt::format("there is no level \"{}\"; {}there are {}", name,
                               near ? "did you mean " + *near + "? " : "", listed(names)));
}

Result<std::vector<AdversaryLevel>> levels_against(const AuditRequest& request,
                                                   const std::vector<AdversaryLevel>& claimed) {
  std::vector<AdversaryLevel> levels;
  auto add = [&](const std::vector<AdversaryLevel>& more) {
    for (AdversaryLevel level : more) {
      if (std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
    }
  };
  for (const std::string& name : request.against) {
    auto level = level_from_name(name);
    if (name == "all") {
      add(all_but_informed());
    } else if (name == "claimed") {
      add(claimed);
    } else if (level && *level != AdversaryLevel::Prior && *level != AdversaryLevel::Informed) {
      add({*level});
    } else {
      return unknown_level(name);
    }
  }
  return levels;
}

std::vector<std::string> attribute_names(const Schema& schema, bool is_private) {
  std::vector<std::string> names;
  for (const Attribute& attribute : schema.attributes) {
    if (attribute.is_private() == is_private) names.push_back(attribute.name);
  }
  return names;
}

// Whom the promise is made for: whom the scheme holds against, but for one thing that only the
// index knows: a new release of the same rows makes no promise about adversaries who hold both.
// Nothing else that a target says of itself spares it a level.
std::vector<AdversaryLevel> claims_of(const OpenedTarget& opened, const Scheme& scheme) {
  std::vector<AdversaryLevel> levels = scheme.holds_against;
  const Json* noted = opened.index ? opened.index->info().notes.find("holds_against") : nullptr;
  const Json::Array* names = noted == nullptr ? nullptr : noted->as_array();
  if (names == nullptr || names->empty()) return levels;
  bool held = std::ranges::any_of(*names, [](const Json& name) {
    return name.as_text() != nullptr &&
           level_from_name(*name.as_text()) == AdversaryLevel::Intersecting;
  });
  if (!held) std::erase(levels, AdversaryLevel::Intersecting);
  return levels;
}

// Where the policy describes columns. It was read before, so what cannot be read now has no lines.
std::vector<std::pair<std::string, std::uint32_t>> lines_of_columns(const std::string& policy) {
  std::vector<std::pair<std::string, std::uint32_t>> lines;
  auto text = policy.empty() ? Result<std::string>(std::string()) : read_text(policy);
  if (!text) return lines;
  auto root = parse_toml(*text, policy, "a policy");
  const Toml* columns = root ? root->find("column") : nullptr;
  const Toml::Table* table =
      columns == nullptr ? nullptr : std::get_if<Toml::Table>(&columns->value);
  if (table == nullptr) return lines;
  for (const TomlMember& member : *table) lines.emplace_back(member.key, member.line);
  return lines;
}

Result<audit::Subject> subject_of(const AuditRequest& request, const OpenedTarget& opened) {
  audit::Subject subject;
  subject.target = request.target.target;
  subject.target_kind = opened.kind;
  subject.live = opened.live != nullptr;
  const auto& source = request.target.input.source;
  bool own = source.path.empty() && source.sql.empty();
  subject.table = own ? request.target.target : source.name();
  subject.policy = request.target.input.policy_path;
  subject.policy_lines = lines_of_columns(subject.policy);
  subject.fingerprint = audit::fingerprint(opened.table);
  subject.rows = opened.table.rows();
  subject.public_attributes = attribute_names(opened.truth.schema(), false);
  const Table& whole = opened.live ? opened.table : opened.truth;
  subject.private_attributes = attribute_names(whole.schema(), true);
  if (opened.index) subject.scheme = opened.index->info().scheme;
  if (opened.live && opened.mechanism) subject.scheme = opened.mechanism->demand.scheme;
  const Scheme* scheme = find_scheme(opened.demand.scheme);
  if (scheme == nullptr) {
    return bad_input(fmt::format("the policy names the scheme \"{}\", which is not there",
                                 opened.demand.scheme));
  }
  subject.l = opened.demand.l;
  subject.not_sensitive = spared_by(opened.demand);
  subject.promise = scheme->promise_for(opened.demand, opened.truth.schema());
  subject.holds_against = claims_of(opened, *scheme);
  if (opened.index) subject.coverage = coverage_in(opened.index->info().notes, subject.rows);
  auto against = levels_against(request, subject.holds_against);
  if (!against) return against.error();
  subject.against = *std::move(against);
  return subject;
}

// ---- What else an adversary may hold ----

struct Extras {
  std::vector<audit::OtherRelease> releases;
  std::vector<std::string> notes;  // of rows that not all of them have
  std::optional<Table> population;
};

Result<audit::OtherRelease> other_release(const std::string& path, const OpenedTarget& opened) {
  auto index = open_index(path);
  if (!index) return index.error();
  auto release = audit::in_rows_of(opened.truth, *index);
  if (!release) return Error{release.error().code, path + " " + release.error().message};
  return release;
}

Result<Extras> read_extras(const AuditRequest& request, const OpenedTarget& opened) {
  Extras extras;
  for (const std::string& path : request.other_releases) {
    auto release = other_release(path, opened);
    if (!release) return release.error();
    if (release->common < opened.truth.rows()) {
      extras.notes.push_back(fmt::format(
          "{} and {} are compared on {} of {} rows: those that both have.", request.target.target,
          path, grouped(release->common), grouped(opened.truth.rows())));
    }
    extras.releases.push_back(*std::move(release));
  }
  if (request.population.empty()) return extras;
  connect::Source source{.path = request.population};
  auto loaded = connect::read_table(source, policy_for_others(opened.policy),
                                    read_options(request.target.input));
  if (!loaded) return loaded.error();
  auto aligned = audit::recoded_like(loaded->table, opened.truth.schema());
  if (!aligned) return aligned.error();
  extras.population = *std::move(aligned);
  return extras;
}

// A missing folder or permission is met here, not after the work.
Status check_outputs(const AuditRequest& request) {
  const TargetInput& target = request.target;
  std::vector<std::string> inputs = {target.target,   target.input.source.path,
                                     target.workload, target.input.policy_path,
                                     target.log,      request.population};
  inputs.insert(inputs.end(), request.other_releases.begin(), request.other_releases.end());
  // The next baseline may take the place of this one.
  if (auto fine = check_report_outputs({request.write_baseline}, inputs); !fine) return fine;
  inputs.insert(inputs.end(), {request.baseline, request.write_baseline});
  return check_report_outputs({request.output, request.html, request.junit, request.sarif}, inputs);
}

Status write_reports(const AuditRequest& request, const audit::AuditReport& report) {
  return write_outputs({{request.output, [&] { return to_json(report).dump() + "\n"; }},
                        {request.html, [&] { return audit::to_html(report); }},
                        {request.junit, [&] { return audit::to_junit(report); }},
                        {request.sarif, [&] { return audit::to_sarif(report).dump() + "\n"; }}});
}

Status check(const AuditRequest& request) {
  if (request.victims == 0) return wrong_use("0 victims show nothing; use 1 or more, or all");
  if (auto checked = check_gate(request.fail_on, request.write_baseline); !checked) return checked;
  return check_outputs(request);
}

// Of attributes that the target has, values that it knows.
std::vector<audit::ValueSet> audited_sets(const Policy& policy, const Schema& schema) {
  std::vector<audit::ValueSet> sets;
  for (const ColumnPolicy& column : policy.columns) {
    auto found = schema.find(column.name);
    if (!found || +*found < schema.public_count()) continue;
    for (const auto& names : column.sensitive_sets) {
      audit::ValueSet set{PrivateId{+*found - schema.public_count()}};
      for (const std::string& name : names) {
        if (auto value = schema[*found].domain.find(name)) set.values.push_back(*value);
      }
      if (!set.values.empty()) sets.push_back(std::move(set));
    }
  }
  return sets;
}

audit::AuditTask task_of(const AuditRequest& request, const OpenedTarget& opened,
                         const Extras& extras, audit::Subject subject) {
  audit::AuditTask task{.truth = opened.truth, .arena = opened.arena};
  task.subject = std::move(subject);
  if (opened.profiles) task.profiles = &*opened.profiles;
  task.mechanism = opened.mechanism;
  if (extras.population) task.population = &*extras.population;
  task.sensitive_sets = audited_sets(opened.policy, opened.truth.schema());
  task.person = opened.truth.schema().find(opened.policy.person);
  task.known = telling_asked(opened.policy, opened.truth, {}, task.threads).known;
  for (const audit::OtherRelease& release : extras.releases) {
    task.other_releases.push_back(&release.profiles);
    task.other_rows.push_back(release.there);
  }
  task.levels = request.levels;
  task.ladder = opened.ladder;
  task.min_group = opened.demand.min_group;
  task.victims = request.victims.value_or(audit::PlanLimits{}.victims);
  task.methods = request.methods;
  task.seed = request.seed;
  task.budget.queries = request.query_budget.value_or(UINT64_MAX);
  task.budget.inserts = request.insert_budget.value_or(UINT64_MAX);
  if (opened.live && opened.live->most_rows()) {
    task.budget.inserts = std::min<std::uint64_t>(task.budget.inserts, *opened.live->most_rows());
  }
  task.refused = opened.refused;
  task.sort = opened.sort ? &*opened.sort : nullptr;
  task.canaries = request.canaries;
  task.threads = request.target.input.threads;
  task.progress = request.target.input.progress;
  return task;
}

// ---- How much there is time for ----

Stop stop_of(const AuditRequest& request, const Stopwatch& watch) {
  if (!request.time_limit && request.stop == nullptr) return {};
  return [&request, &watch] {
    bool told = request.stop != nullptr && request.stop->load();
    return told || (request.time_limit && watch.seconds() > *request.time_limit);
  };
}

std::string flags_of(const audit::AuditTask& task) {
  auto methods = audit::choose_methods(task.arena, task.methods);
  std::vector<std::string> names;
  for (const attack::Method* method : *methods) names.emplace_back(method->name);
  std::string flags =
      fmt::format("--victims {} --methods {} --seed {} --k {} --canaries {}", task.victims,
                  fmt::join(names, ","), task.seed, task.arena.knowledge.k, task.canaries);
  if (task.budget.queries != UINT64_MAX) flags += fmt::format(" --budget {}", task.budget.queries);
  if (task.budget.inserts != UINT64_MAX) {
    flags += fmt::format(" --insert-budget {}", task.budget.inserts);
  }
  return flags;
}

// What an earlier run of the same audit was planned to do.
std::optional<audit::Plan> plan_in_log(const std::string& path) {
  auto head = path.empty() ? std::nullopt : audit::head_of_log(path);
  const Json* victims = head ? head->find("victims") : nullptr;
  const Json* budget = head ? head->find("budget") : nullptr;
  if (victims == nullptr || victims->as_integer() == nullptr || budget == nullptr) {
    return std::nullopt;
  }
  audit::Plan plan{.victims = static_cast<std::uint64_t>(*victims->as_integer())};
  if (budget->as_integer() != nullptr) {
    plan.query_budget = static_cast<std::uint64_t>(*budget->as_integer());
  }
  return plan;
}

// Attacks get two fifths of the time: the rest is for reading and for profiles.
Status plan_audit(const AuditRequest& request, const OpenedTarget& opened, audit::AuditTask& task) {
  auto effort = audit::effort_of(task);
  if (effort && request.models_planned) request.models_planned(*effort);
  if (request.victims || opened.live) return {};
  auto earlier = plan_in_log(request.target.log);
  audit::PlanLimits limits;
  if (request.time_limit) limits.seconds = std::min(limits.seconds, 0.4 * *request.time_limit);
  report(task.progress, "finding out how much there is time for", 0);
  auto plan = earlier ? Result<audit::Plan>(*earlier) : audit::plan_attacks(task, limits);
  if (!plan) return plan.error();
  task.victims = plan->victims;
  if (plan->query_budget && !request.query_budget) task.budget.queries = *plan->query_budget;
  if (request.planned) request.planned(flags_of(task), plan->seconds);
  return {};
}

// All that attacks depend on.
Result<Json> about_log(const AuditRequest& request, const audit::AuditTask& task) {
  auto seen = [](const std::string& path) -> Result<std::string> {
    if (path.empty()) return std::string();
    auto file = MappedFile::open(path);
    if (!file) return file.error();
    return fmt::format("{:016x}", checksum((*file)->bytes()));
  };
  auto target = seen(request.target.target);
  if (!target) return target.error();
  auto policy = seen(request.target.input.policy_path);
  if (!policy) return policy.error();
  bool no_budget = task.budget.queries == UINT64_MAX;
  return Json()
      .set("log", "rankveil audit")
      .set("version", 1)
      .set("fingerprint", task.subject.fingerprint)
      .set("target", *target)
      .set("policy", *policy)
      .set("victims", task.victims)
      .set("budget", no_budget ? Json() : Json(task.budget.queries))
      .set("insert_budget", task.budget.inserts == UINT64_MAX ? Json() : Json(task.budget.inserts))
      .set("k", task.arena.knowledge.k);
}

// A live ranking logs what it is asked (live_target.h); of an index, what came of it is enough.
Result<std::unique_ptr<audit::CampaignLog>> open_log(const AuditRequest& request,
                                                     const OpenedTarget& opened,
                                                     const audit::AuditTask& task) {
  if (request.target.log.empty() || opened.live) return std::unique_ptr<audit::CampaignLog>();
  auto about = about_log(request, task);
  if (!about) return about.error();
  return audit::CampaignLog::open(request.target.log, *about);
}

Result<audit::AuditReport> run_planned(const AuditRequest& request, const OpenedTarget& opened,
                                       audit::AuditTask task) {
  if (auto planned = plan_audit(request, opened, task); !planned) return planned.error();
  auto log = open_log(request, opened, task);
  if (!log) return log.error();
  task.log = log->get();
  auto made = audit::run_audit(task);
  if (made && !made->incomplete.empty()) {
    bool told = request.stop != nullptr && request.stop->load();
    made->incomplete = told ? fmt::format("told to stop: {}", made->incomplete)
                            : fmt::format("the time limit of {} was over: {}",
                                          format_seconds(*request.time_limit), made->incomplete);
  }
  return made;
}

void add_notes(const OpenedTarget& opened, audit::AuditReport& report) {
  if (opened.index && !opened.index->info().unprotected() && !opened.arena.takes_inserts) {
    report.notes.push_back(
        fmt::format("What {} makes of a new row depends on other rows, so none were inserted.",
                    opened.index->info().scheme));
  }
  if (!opened.live) return;
  for (const std::string& sentence : opened.live->notes()) report.notes.push_back(sentence);
}

}  // namespace

Result<AuditResult> run_audit(const AuditRequest& request) {
  Stopwatch watch;
  if (auto checked = check(request); !checked) return checked.error();
  auto baseline = read_baseline(request.baseline);
  if (!baseline) return baseline.error();
  auto opened = open_audit_target(request.target);
  if (!opened) return opened.error();
  auto subject = subject_of(request, **opened);
  if (!subject) return subject.error();
  auto fits = check_baseline(request.baseline, *baseline, *subject);
  if (!fits) return fits.error();
  auto extras = read_extras(request, **opened);
  if (!extras) return extras.error();
  for (std::string& note : extras->notes) (*opened)->warnings.push_back(std::move(note));
  audit::AuditTask task = task_of(request, **opened, *extras, *std::move(subject));
  task.stop = stop_of(request, watch);
  auto report = run_planned(request, **opened, std::move(task));
  // The last victim's rows, too: a service would keep them.
  Status cleared = (*opened)->live ? (*opened)->live->restart() : Status{};
  if (!report) return report.error();
  if (!cleared) {
    (*opened)->warnings.push_back(
        fmt::format("the rows inserted last may still be there: {}", cleared.error().message));
  }
  VersionInfo info = version();
  report->settings.version = info.version;
  report->settings.compiler = info.compiler;
  add_notes(**opened, *report);
  auto passed = pass_gate(request.fail_on, *baseline, request.write_baseline, *report);
  auto written = both(passed, write_reports(request, *report));
  return AuditResult{*std::move(report), std::move((*opened)->warnings), std::move(written)};
}

Result<ReadReport> read_report(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return bad_input(fmt::format("{}: {}", path, json.error().message));
  auto report = audit::audit_report_from_json(*json);
  if (!report) return bad_input(fmt::format("{}: {}", path, report.error().message));
  return ReadReport{*std::move(report), *std::move(json)};
}

}  // namespace rankveil::api
