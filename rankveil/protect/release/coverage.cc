#include "rankveil/protect/release/coverage.h"

#include <algorithm>
#include <unordered_map>

#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil {

namespace {

// Groups whose rows share all public values, by number: how many rows they were released with.
using AlikeGroups = std::unordered_map<std::uint32_t, std::uint64_t>;

bool has_all_public(const FrozenRung& rung, const Schema& schema) {
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
    if (std::ranges::find(rung.columns, schema.attributes[i].name) == rung.columns.end()) {
      return false;
    }
  }
  return true;
}

AlikeGroups groups_alike_in_all(const Schema& schema, const Ledger& ledger) {
  AlikeGroups alike;
  if (!ledger.groups) return alike;
  for (const FrozenRung& rung : *ledger.groups) {
    if (!has_all_public(rung, schema)) continue;
    for (const FrozenGroup& group : rung.groups) alike[group.number] = group.rows;
  }
  return alike;
}

void count_alike(const Schema& schema, const Ledger& ledger, Coverage& coverage) {
  AlikeGroups alike = groups_alike_in_all(schema, ledger);
  coverage.without_model = 0;
  for (const auto& [name, entry] : ledger.rows) {
    auto group = shows(entry.status) ? alike.find(entry.group) : alike.end();
    if (group == alike.end()) continue;
    coverage.covered += entry.rows;
    bool large = group->second >= GroupSizes::in_use().exact_class;
    *coverage.without_model += large ? entry.rows : 0;
  }
  coverage.covered = std::min(coverage.covered, coverage.rows - coverage.base_only);
}

}  // namespace

Coverage coverage_of(const Scheme& scheme, const Table& table, const Ledger& ledger,
                     const ProtectionReport& so_far, std::uint64_t base_only) {
  Coverage coverage{.rows = table.rows(), .base_only = base_only};
  if (scheme.shows_nothing) coverage.base_only = coverage.rows;
  if (scheme.promise == PromiseKind::None || scheme.shows_nothing) return coverage;
  std::uint64_t shown = coverage.rows - coverage.base_only;
  if (scheme.climbs) {
    count_alike(table.schema(), ledger, coverage);
  } else {
    coverage.covered = shown - std::min(shown, so_far.rows_with_short_sets);
  }
  coverage.without_model.reset();
  if (scheme.over_moved) {
    coverage.without_model = std::min(so_far.rows_in_classes, coverage.covered);
  }
  return coverage;
}

}  // namespace rankveil
