#include "rankveil/protect/ledger/value_codes.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "rankveil/protect/ledger/sealed_values.h"
#include "rankveil/protect/scheme.h"

namespace rankveil {

namespace {

// ---- Renamed values ----

LedgerColumn* column_called(Ledger& ledger, std::string_view name) {
  auto found = std::ranges::find(ledger.columns, name, &LedgerColumn::name);
  return found == ledger.columns.end() ? nullptr : &*found;
}

// Shares are told by text, too.
void rename_in_shares(const RenamedValue& value, Ledger& ledger) {
  for (auto& [column, values] : ledger.shares) {
    if (column != value.column) continue;
    for (auto& [text, count] : values) {
      if (text == value.before) text = value.now;
    }
  }
}

Json with_member(const Json& object, std::string_view member, const Json& now) {
  Json made;
  for (const auto& [name, value] : *object.as_object()) {
    made.set(name, name == member ? now : value);
  }
  return made;
}

Json renamed_attribute(const Json& attribute, const RenamedValue& value) {
  const Json* values = attribute.find("values");
  bool is_it = attribute.text_at("name") == value.column && values != nullptr &&
               values->as_array() != nullptr;
  if (!is_it) return attribute;
  Json::Array texts = *values->as_array();
  for (Json& text : texts) {
    if (text.as_text() != nullptr && *text.as_text() == value.before) text = value.now;
  }
  return with_member(attribute, "values", std::move(texts));
}

// Base groups (shown_groups.h) tell values by text, too.
void rename_in_groups(const RenamedValue& value, Ledger& ledger) {
  const Json* groups = ledger.scheme_state.find("groups");
  const Json* attributes = groups == nullptr ? nullptr : groups->find("attributes");
  if (attributes == nullptr || attributes->as_array() == nullptr) return;
  Json::Array renamed;
  for (const Json& attribute : *attributes->as_array()) {
    renamed.push_back(renamed_attribute(attribute, value));
  }
  ledger.scheme_state = with_member(ledger.scheme_state, "groups",
                                    with_member(*groups, "attributes", std::move(renamed)));
}

Status rename_value(const RenamedValue& value, Ledger& ledger) {
  LedgerColumn* column = column_called(ledger, value.column);
  if (column == nullptr) return {};
  auto before = std::ranges::find(column->values, value.before);
  if (before == column->values.end()) return {};
  if (std::ranges::find(column->values, value.now) != column->values.end()) {
    return wrong_use(fmt::format(
        "{} has both {} and {}, so one cannot be renamed into the other: that would move what rows "
        "show; keep them apart in the table, or start over with --new-release",
        value.column, value.before, value.now));
  }
  *before = value.now;
  rename_in_shares(value, ledger);
  rename_in_groups(value, ledger);
  return {};
}

// ---- New ids ----

using NewIds = std::vector<std::pair<std::string, std::string>>;

Status check_new_ids(const NewIds& ids) {
  std::map<std::string_view, int> before, now;
  for (const auto& [old_id, new_id] : ids) {
    if (++before[old_id] > 1 || ++now[new_id] > 1) {
      return wrong_use(
          "the list of new ids names one id twice; give each person one line, with one old id and "
          "one new id");
    }
  }
  return {};
}

// Under another name values have other pads.
void seal_anew(const ValueSeal& seal, std::string_view before, std::string_view now,
               const LedgerEntry& entry, Ledger& ledger) {
  if (!shows(entry.status)) return;
  std::size_t columns = ledger.columns.size();
  std::size_t first = entry.at + ledger.public_columns.size();
  for (std::size_t i = 0; i < entry.rows * columns; ++i) {
    ValueSeal::Place place{entry.releases, static_cast<std::uint32_t>(i / columns)};
    std::uint16_t& code = ledger.codes[first + i];
    code = seal.seal(seal.open(code, i % columns, before, place), i % columns, now, place);
  }
}

using EntryNode = std::unordered_map<std::string, LedgerEntry>::node_type;

Status give_new_ids(const SecretKey& key, const NewIds& ids, Ledger& ledger) {
  if (auto checked = check_new_ids(ids); !checked) return checked;
  ValueSeal seal(key, ledger.columns, ledger.release);
  std::vector<std::pair<EntryNode, const std::string*>> moved;
  std::map<std::string, std::string> first_names;
  for (const auto& [before, now] : ids) {
    if (ledger.gone.erase(hash_of_name(key, before)) > 0)
      ledger.gone.insert(hash_of_name(key, now));
    auto node = ledger.rows.extract(before);
    if (node.empty()) continue;
    seal_anew(seal, before, now, node.mapped(), ledger);
    auto first = ledger.first_names.extract(before);
    first_names.emplace(now, first.empty() ? before : first.mapped());
    moved.emplace_back(std::move(node), &now);
  }
  for (auto& [node, now] : moved) {
    node.key() = *now;
    if (ledger.rows.insert(std::move(node)).inserted) continue;
    return wrong_use(
        "the list of new ids gives somebody an id that another person has; correct it");
  }
  for (auto& [now, first] : first_names) {
    if (now != first) ledger.first_names.emplace(now, first);
  }
  return {};
}

// ---- Columns ----

Error not_as_before(std::string_view column, std::string_view was, std::string_view is) {
  return wrong_use(fmt::format(
      "{} was {} in the last build and is {} now; give it the role it had in the policy, or start "
      "over with --new-release",
      column, was, is));
}

std::string_view role_of(const Schema& schema, std::string_view name) {
  auto found = schema.find(name);
  if (!found) return "not there";
  return schema[*found].is_private() ? "private" : "public";
}

Status check_private_columns(const Schema& schema, const Ledger& ledger) {
  for (const LedgerColumn& column : ledger.columns) {
    auto is = role_of(schema, column.name);
    if (is != "private") return not_as_before(column.name, "private", is);
  }
  for (const Attribute& attribute : schema.attributes) {
    if (!attribute.is_private()) continue;
    bool known = std::ranges::find(ledger.columns, attribute.name, &LedgerColumn::name) !=
                 ledger.columns.end();
    if (known) continue;
    bool was_public =
        std::ranges::find(ledger.fit_columns, attribute.name) != ledger.fit_columns.end();
    if (was_public) return not_as_before(attribute.name, "public", "private");
    return wrong_use(fmt::format(
        "{} was not there in the last build; give it the role \"ignored\" in the policy, or start "
        "over with --new-release",
        attribute.name));
  }
  return {};
}

Status check_public_columns(const Schema& schema, const Ledger& ledger) {
  for (const Attribute& attribute : schema.attributes) {
    if (attribute.is_private()) continue;
    if (std::ranges::find(ledger.fit_columns, attribute.name) != ledger.fit_columns.end()) continue;
    return wrong_use(fmt::format(
        "{} is public and what rows show does not rest on it, so an output with it would tell who "
        "shows the own values; give it the role \"ignored\", or start over with --new-release, "
        "which gives whoever holds both releases more to go by. (Columns that a later output will "
        "show can be named before the first: [population] fit_on in the policy.)",
        attribute.name));
  }
  return {};
}

Status check_bins(const LedgerColumn& column, const std::string& now) {
  if (column.bins == now) return {};
  return wrong_use(fmt::format(
      "the bins of {} have other edges than in the last build, so rows near them would be "
      "withdrawn "
      "and stand out; write the old edges into the policy{}, or start over with --new-release",
      column.name, column.bins.empty() ? "" : ", edges = [" + column.bins + "]"));
}

Status check_renamed(const Attribute& attribute, const LedgerColumn& column,
                     const BuildRules& rules) {
  for (const RenamedValue& value : rules.renamed) {
    if (value.column != column.name || !attribute.domain.find(value.before)) continue;
    bool is_value = std::ranges::find(column.values, value.before) != column.values.end();
    if (is_value) continue;
    return wrong_use(fmt::format(
        "{} is renamed from {} to {} in the policy, and the table still has the old value; rename "
        "it there, too, or take the line out",
        column.name, value.before, value.now));
  }
  return {};
}

// Under ldp, the chance of every answer depends on the number of values.
Status check_same_domain(const Attribute& attribute, const LedgerColumn& column,
                         const Ledger& ledger) {
  const Json* name = ledger.parameters.find("scheme");
  const Scheme* scheme =
      name == nullptr || name->as_text() == nullptr ? nullptr : find_scheme(*name->as_text());
  if (scheme == nullptr || scheme->promise != PromiseKind::LikelihoodRatio) return {};
  for (const std::string& value : attribute.domain.values()) {
    if (std::ranges::find(column.values, value) != column.values.end()) continue;
    return wrong_use(fmt::format(
        "{0} has the value {1} that was not there when the release began, and under {2} that would "
        "change how likely every answer is. If another value is called so now, say it in the "
        "policy ([column.{0}.renamed]); else leave it out of the domain, or start over with "
        "--new-release",
        column.name, value, scheme->name));
  }
  return {};
}

std::string bins_of(const BuildRules& rules, const std::string& column) {
  auto found = rules.bins.find(column);
  return found == rules.bins.end() ? "" : found->second;
}

Status add_private(const Schema& schema, const Ledger& ledger, const BuildRules& rules,
                   Schema& made) {
  for (const LedgerColumn& column : ledger.columns) {
    const Attribute& attribute = schema[*schema.find(column.name)];
    auto checked = check_bins(column, bins_of(rules, column.name));
    if (checked) checked = check_renamed(attribute, column, rules);
    if (checked) checked = check_same_domain(attribute, column, ledger);
    if (!checked) return checked;
    auto domain = Domain::of(column.values);
    if (!domain) return domain.error();
    made.attributes.push_back(attribute);
    made.attributes.back().domain = std::move(*domain);
  }
  return {};
}

void add_public(const Schema& schema, const Schema* before, Schema& made) {
  for (const Attribute& attribute : schema.attributes) {
    if (attribute.is_private()) continue;
    made.attributes.push_back(attribute);
    auto found = before == nullptr ? std::nullopt : before->find(attribute.name);
    if (!found || (*before)[*found].is_private()) continue;
    made.attributes.back().domain = (*before)[*found].domain;
  }
}

}  // namespace

Result<Ledger> with_new_names(Ledger ledger, const SecretKey& key, const BuildRules& rules) {
  for (const RenamedValue& value : rules.renamed) {
    if (auto renamed = rename_value(value, ledger); !renamed) return renamed.error();
  }
  if (rules.new_ids.empty()) return ledger;
  if (auto named = give_new_ids(key, rules.new_ids, ledger); !named) return named.error();
  return ledger;
}

Result<Schema> schema_by_codes(const Schema& schema, const Ledger& ledger, const Schema* before,
                               const BuildRules& rules) {
  auto checked = check_private_columns(schema, ledger);
  if (checked) checked = check_public_columns(schema, ledger);
  if (!checked) return checked.error();
  Schema made{{}, schema.id_name};
  add_public(schema, before, made);
  if (auto added = add_private(schema, ledger, rules, made); !added) return added.error();
  return made;
}

std::vector<LedgerColumn> ledger_columns(const Schema& served, const BuildRules& rules) {
  std::vector<LedgerColumn> columns;
  for (const Attribute& attribute : served.attributes) {
    if (!attribute.is_private()) continue;
    columns.push_back({attribute.name, attribute.domain.values(), bins_of(rules, attribute.name)});
  }
  return columns;
}

}  // namespace rankveil
