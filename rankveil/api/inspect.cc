#include "rankveil/api/inspect.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "rankveil/api/columns_apart.h"
#include "rankveil/api/hints.h"
#include "rankveil/api/known_columns.h"
#include "rankveil/api/policy_file.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/base/text/json_values.h"
#include "rankveil/protect/release/telling_shares.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/weights.h"
#include "rankveil/table/telling/telling_values.h"

namespace rankveil::api {

namespace {

// The policy to read by, and what is said of its columns where it is written.
struct ChosenPolicy {
  Policy policy;
  std::vector<std::string> comments;
  std::vector<draft::ColumnSight> sights = {};  // of a drafted policy: one a column
  std::uint64_t rows = 0;                       // of a drafted policy
};

std::string toml_of(const ChosenPolicy& chosen, const TableReport& report) {
  return together_hint(chosen.policy.together, report.near_copies) +
         to_toml(chosen.policy, chosen.comments);
}

// A role that was given has no guess to explain.
void explain_roles(const Policy& guessed, connect::PolicyDraft& draft) {
  for (std::size_t i = 0; i < guessed.columns.size(); ++i) {
    if (draft.policy.columns[i].role == guessed.columns[i].role) continue;
    std::string& comment = draft.comments[i];
    comment = comment.substr(0, comment.rfind("; ")) + "; its role was given";
    draft.sights[i].role = draft.policy.columns[i].role;
  }
}

Result<ChosenPolicy> choose_policy(const InspectRequest& request) {
  const TableInput& input = request.input;
  if (!input.policy_path.empty()) {
    TableInput as_it_is = input;
    as_it_is.accept_draft = true;  // to look at a draft is to decide on it
    auto policy = load_policy(as_it_is);
    if (!policy) return policy.error();
    return ChosenPolicy{*policy, {}};
  }
  auto draft = connect::draft_policy(input.source, read_options(input));
  if (!draft) return draft.error();
  const Policy guessed = draft->policy;
  if (auto applied = apply(input.overrides, draft->policy); !applied) return applied.error();
  explain_roles(guessed, *draft);
  return ChosenPolicy{std::move(draft->policy), std::move(draft->comments),
                      std::move(draft->sights), draft->rows};
}

bool is_ranked_by(Role role) { return role == Role::Public || role == Role::Private; }

std::vector<draft::ColumnSight> left_out_columns(const ChosenPolicy& chosen) {
  std::vector<draft::ColumnSight> left_out;
  for (std::size_t i = 0; i < chosen.policy.columns.size(); ++i) {
    const ColumnPolicy& column = chosen.policy.columns[i];
    if (is_ranked_by(column.role) || column.role == Role::Id) continue;
    if (i < chosen.sights.size()) {
      left_out.push_back(chosen.sights[i]);
    } else {
      left_out.push_back({.name = column.name, .role = column.role});
    }
  }
  return left_out;
}

// A draft may know of no column what it may be used for. Then there is nothing to read yet.
bool can_be_read(const Policy& policy) {
  return std::any_of(policy.columns.begin(), policy.columns.end(),
                     [](const ColumnPolicy& column) { return is_ranked_by(column.role); });
}

void add_undecided(const Policy& policy, std::vector<std::string>& hints) {
  auto undecided = policy.undecided();
  if (undecided.empty()) return;
  hints.push_back(fmt::format(
      "{} undecided (role = \"?\"): {}. Say of each whether it is public, private or ignored; "
      "protect "
      "refuses the policy until then.",
      undecided.size() == 1 ? "1 column is" : fmt::format("{} columns are", undecided.size()),
      listed(undecided, 20)));
}

// The policy that shows public columns as proposed, with the price above it.
void apply_crowds(const Table& table, const InspectRequest& request, ChosenPolicy& chosen,
                  TableReport& report) {
  if (!request.crowds) return;
  CrowdsAsked asked = *request.crowds;
  asked.threads = request.input.threads;
  report.crowds = propose_crowds(table, chosen.policy, asked);
  Policy shown = with_crowds(chosen.policy, *report.crowds);
  for (std::size_t i = 0; i < chosen.comments.size(); ++i) {
    if (shown.columns[i] == chosen.policy.columns[i]) continue;
    bool is_shown = shown.columns[i].role == Role::Public;
    chosen.comments[i] += is_shown ? "; coarser, for crowds" : "; ignored: it splits crowds";
  }
  chosen.policy = std::move(shown);
}

Result<InspectResult> inspect_undecided(const InspectRequest& request, const ChosenPolicy& chosen,
                                        const Stopwatch& watch) {
  TableReport report{.name = request.input.source.name(),
                     .policy_path = request.input.policy_path,
                     .written_policy = request.write_policy,
                     .policy = chosen.policy,
                     .summary = {.rows = chosen.rows,
                                 .attributes = {},
                                 .public_groups = {},
                                 .repeated_rows = 0,
                                 .table_bytes = 0},
                     .left_out = left_out_columns(chosen),
                     .crowds = {},
                     .near_copies = {},
                     .hints = {},
                     .warnings = {}};
  add_undecided(chosen.policy, report.hints);
  if (!request.write_policy.empty()) {
    auto written = write_policy(request.write_policy, toml_of(chosen, report), request.force);
    if (!written) return written.error();
  }
  report.seconds = watch.seconds();
  return InspectResult(std::move(report));
}

// Of ids that count on, the first is enough.
std::uint64_t name_bytes(const RowNames& names) {
  if (const auto* text = std::get_if<TextNames>(&names.kinds())) {
    return text->bytes.size() + text->ends.size() * sizeof text->ends[0];
  }
  const auto* numbers = std::get_if<IntegerNames>(&names.kinds());
  if (numbers == nullptr || numbers->values.empty()) return 0;
  auto spread =
      static_cast<double>(numbers->values.back()) - static_cast<double>(numbers->values.front());
  bool counted = spread + 1 == static_cast<double>(numbers->values.size());
  return counted ? 0 : numbers->values.size() * sizeof(std::uint32_t);
}

// A section is filled up to a line of 64 bytes, and the directory says in 40 where it is.
std::uint64_t section_bytes(std::uint64_t bytes) { return (bytes + 63) / 64 * 64 + 40; }

// A bitmap a value, with some room between bitmaps, or a list of its rows where that is shorter and
// values are many; names; and public codes.
std::uint64_t estimated_index_bytes(const Table& table, const TableSummary& summary) {
  constexpr std::uint64_t header_and_description = 500;
  constexpr std::uint64_t room = 320;
  std::uint64_t bytes = section_bytes(name_bytes(table.names())) + header_and_description;
  for (const AttributeSummary& attribute : summary.attributes) {
    const bool is_wide = attribute.values.size() > 64;
    if (!attribute.is_private)
      bytes += section_bytes(summary.rows * (attribute.values.size() > UINT8_MAX ? 2 : 1));
    for (const ValueCount& value : attribute.values) {
      const bool is_list = is_wide && 4 * value.rows < summary.rows / 8;
      bytes += section_bytes(is_list ? 4 * value.rows : summary.rows / 8 + room);
    }
  }
  return bytes;
}

Result<InspectResult> inspect_table(const InspectRequest& request) {
  Stopwatch watch;
  auto chosen = choose_policy(request);
  if (!chosen) return chosen.error();
  if (!request.write_policy.empty()) {
    auto fine = check_report_outputs({request.write_policy}, request.input.source.files());
    if (!fine) return fine.error();
  }
  bool drafted = request.input.policy_path.empty();
  if (drafted && !can_be_read(chosen->policy)) return inspect_undecided(request, *chosen, watch);
  auto loaded =
      connect::read_table(request.input.source, chosen->policy, read_options(request.input));
  if (!loaded) return loaded.error();
  if (auto fine = check_weights(loaded->table.schema()); !fine) return fine.error();
  TableReport report{
      .name = request.input.source.name(),
      .policy_path = request.input.policy_path,
      .written_policy = request.write_policy,
      .policy = chosen->policy,
      .summary = summarize(loaded->table),
      .left_out = left_out_columns(*chosen),
      .crowds = {},
      .near_copies = copies_to_settle(chosen->policy, loaded->table, request.input.threads),
      .hints = {},
      .warnings = loaded->warnings};
  report.index_bytes = estimated_index_bytes(loaded->table, report.summary);
  report.hints = hints(report.summary, report.policy);
  add_undecided(report.policy, report.hints);
  for (std::string& hint :
       telling_columns_hints(report.policy, loaded->table, *loaded, request.input.threads)) {
    report.hints.push_back(std::move(hint));
  }
  for (std::string& warning :
       person_warnings(report.policy, loaded->table, request.input.threads)) {
    report.warnings.push_back(std::move(warning));
  }
  for (std::string& warning :
       unread_person_warnings(request.input.source, report.policy, request.input.threads)) {
    report.warnings.push_back(std::move(warning));
  }
  apply_crowds(loaded->table, request, *chosen, report);
  add_telling_values(loaded->table, report.policy, request.input.threads, report.hints);
  if (!request.write_policy.empty()) {
    auto written = write_policy(request.write_policy, toml_of(*chosen, report), request.force);
    if (!written) return written.error();
  }
  report.seconds = watch.seconds();
  return InspectResult(std::move(report));
}

Status refuse_table_flags(const InspectRequest& request) {
  const TableInput& input = request.input;
  bool none = input.policy_path.empty() && input.overrides.empty() && request.write_policy.empty();
  if (none) return {};
  return wrong_use(
      fmt::format("{} is an index: its policy is settled, so policy flags make no "
                  "sense with it",
                  input.source.path));
}

Result<InspectResult> inspect_index(const InspectRequest& request) {
  Stopwatch watch;
  if (auto refused = refuse_table_flags(request); !refused) return refused.error();
  const std::string& path = request.input.source.path;
  auto index = open_index(path);
  if (!index) return index.error();
  BaseReport base = telling_shares(*index, request.input.threads);
  std::vector<std::string> warnings = telling_shares_warnings(base, index->info().l);
  std::error_code problem;
  auto bytes = std::filesystem::file_size(path, problem);
  return InspectResult(IndexReport{.name = path,
                                   .schema = index->schema(),
                                   .info = index->info(),
                                   .rows = index->rows(),
                                   .file_bytes = problem ? 0 : bytes,
                                   .memory_bytes = index->bytes(),
                                   .base = std::move(base),
                                   .warnings = std::move(warnings),
                                   .seconds = watch.seconds()});
}

bool asks_for_index(const connect::Source& source) {
  if (!source.sql.empty() || !source.table.empty()) return false;
  return source.path.ends_with(".rankveil") || looks_like_index(source.path);
}

Json to_json(const AttributeSummary& attribute) {
  Json::Array values;
  for (const ValueCount& value : attribute.values) {
    values.push_back(Json().set("value", value.value).set("rows", value.rows));
  }
  return Json()
      .set("name", attribute.name)
      .set("role", attribute.is_private ? "private" : "public")
      .set("weight", attribute.weight)
      .set("missing", attribute.missing)
      .set("largest_l", attribute.is_private ? Json(attribute.largest_l) : Json())
      .set("values", std::move(values));
}

Json to_json(const GroupSizeClass& one) {
  return Json()
      .set("least", one.least)
      .set("most", one.has_no_end() ? Json() : Json(one.most))
      .set("groups", one.groups)
      .set("rows", one.rows);
}

Json to_json(const GroupSummary& groups) {
  Json::Array sizes;
  for (const GroupSizeClass& one : groups.sizes) sizes.push_back(to_json(one));
  return Json()
      .set("groups", groups.groups)
      .set("smallest", groups.smallest)
      .set("median", groups.median)
      .set("largest", groups.largest)
      .set("unique_rows", groups.unique_rows)
      .set("rows_below_21", groups.rows_below_21)
      .set("sizes", std::move(sizes));
}

Json near_copies_json(const std::vector<NearCopies>& copies) {
  Json::Array list;
  for (const NearCopies& one : copies) {
    list.push_back(Json().set("columns", json_texts(one.columns)).set("shared", one.shared));
  }
  return list;
}

Json unranked_json(const std::vector<draft::ColumnSight>& columns) {
  Json::Array list;
  for (const draft::ColumnSight& column : columns) {
    list.push_back(Json().set("name", column.name).set("role", role_name(column.role)));
  }
  return list;
}

Json crowd_steps_json(const std::vector<CrowdStep>& steps) {
  Json::Array list;
  for (const CrowdStep& step : steps) {
    list.push_back(Json()
                       .set("column", step.column)
                       .set("values", step.values)
                       .set("whole", step.is_whole)
                       .set("kept", step.kept)
                       .set("covered", step.covered));
  }
  return list;
}

Json crowds_json(const std::optional<CrowdsProposal>& crowds) {
  if (!crowds) return Json();
  return Json()
      .set("share", crowds->asked.share)
      .set("crowd", crowds->asked.crowd)
      .set("covered_by_all", crowds->covered_by_all)
      .set("steps", crowd_steps_json(crowds->steps))
      .set("beyond", crowd_steps_json(crowds->beyond));
}

Json to_json(const TableReport& report) {
  Json::Array attributes;
  for (const auto& attribute : report.summary.attributes) attributes.push_back(to_json(attribute));
  return Json()
      .set("kind", "table")
      .set("name", report.name)
      .set("rows", report.summary.rows)
      .set("policy", report.drafted() ? Json() : Json(report.policy_path))
      .set("policy_drafted", report.drafted())
      .set("policy_written", report.written_policy.empty() ? Json() : Json(report.written_policy))
      .set("l", report.policy.l)
      .set("k", report.policy.k)
      .set("scheme", report.policy.scheme)
      .set("attributes", std::move(attributes))
      .set("left_out", unranked_json(report.left_out))
      .set("crowds", crowds_json(report.crowds))
      .set("public_groups", to_json(report.summary.public_groups))
      .set("near_copies", near_copies_json(report.near_copies))
      .set("repeated_rows", report.summary.repeated_rows)
      .set("table_bytes", report.summary.table_bytes)
      .set("index_bytes_estimate", report.index_bytes)
      .set("hints", json_texts(report.hints))
      .set("warnings", json_texts(report.warnings))
      .set("seconds", report.seconds);
}

Json to_json(const Attribute& attribute) {
  return Json()
      .set("name", attribute.name)
      .set("role", attribute.is_private() ? "private" : "public")
      .set("weight", attribute.weight)
      .set("values", json_texts(attribute.domain.values()));
}

Json note_in(const IndexInfo& info, std::string_view name) {
  const Json* note = info.notes.find(name);
  return note == nullptr ? Json() : *note;
}

Json to_json(const IndexReport& report) {
  Json::Array attributes;
  for (const auto& attribute : report.schema.attributes) attributes.push_back(to_json(attribute));
  return Json()
      .set("kind", "index")
      .set("name", report.name)
      .set("scheme", report.info.scheme.empty() ? Json() : Json(report.info.scheme))
      .set("unprotected", report.info.unprotected())
      .set("l", report.info.l)
      .set("k", report.info.default_k)
      .set("rows", report.rows)
      .set("claim", note_in(report.info, "claim"))
      .set("covered_rows", note_in(report.info, "covered_rows"))
      .set("covered_without_model", note_in(report.info, "covered_without_model"))
      .set("rows_of_base_only", note_in(report.info, "rows_of_base_only"))
      .set("id", report.schema.id_name.empty() ? Json() : Json(report.schema.id_name))
      .set("attributes", std::move(attributes))
      .set("file_bytes", report.file_bytes)
      .set("memory_bytes", report.memory_bytes)
      .set("base", json_of(report.base))
      .set("warnings", json_texts(report.warnings))
      .set("notes", report.info.notes)
      .set("seconds", report.seconds);
}

}  // namespace

Result<InspectResult> inspect(const InspectRequest& request) {
  return asks_for_index(request.input.source) ? inspect_index(request) : inspect_table(request);
}

std::string promise(const IndexInfo& info) {
  if (info.unprotected()) {
    return "UNPROTECTED: the order of its answers gives private values away, and so does the file";
  }
  if (info.scheme.empty()) return "its scheme is not stated, so it promises nothing";
  std::string text = fmt::format("protected by {}, l = {}", info.scheme, info.l);
  const Json* promised = info.notes.find("claim");
  bool told = promised != nullptr && promised->as_text() != nullptr;
  return told ? text + "; " + *promised->as_text() : text;
}

Json to_json(const InspectResult& result) {
  return std::visit([](const auto& report) { return to_json(report); }, result);
}

}  // namespace rankveil::api
