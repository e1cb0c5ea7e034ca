#include "audited.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "rankveil/audit/like_rows.h"
#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil::audit::testing_support {

namespace {

std::uint32_t first_private(const Table& table) { return table.schema().public_count(); }

std::vector<std::uint32_t> private_domains(const Table& table) {
  std::vector<std::uint32_t> domains;
  for (std::uint32_t i = first_private(table); i < table.schema().size(); ++i) {
    domains.push_back(table.schema().attributes[i].domain.size());
  }
  return domains;
}

// The row whose vector each row shows.
std::vector<RowId> trade(const KnownGroups& groups, double keep, Rng& rng) {
  std::vector<RowId> shown(groups.group_of.size());
  for (const KnownGroup& group : groups.groups) {
    std::vector<RowId> cycle;
    for (RowId row : group.rows) {
      shown[+row] = row;
      if (rng.uniform() >= keep) cycle.push_back(row);
    }
    for (std::size_t i = cycle.size(); i > 1; --i) std::swap(cycle[i - 1], cycle[rng.below(i)]);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      shown[+cycle[i]] = cycle[(i + 1) % cycle.size()];
    }
  }
  return shown;
}

GroupShares counted_shares(const Table& table, const KnownGroups& groups) {
  GroupShares shares(static_cast<std::uint32_t>(groups.groups.size()), private_domains(table));
  for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
    shares.set_size(g, static_cast<std::uint32_t>(groups.groups[g].rows.size()));
    for (RowId row : groups.groups[g].rows) {
      for (std::uint32_t j = 0; j < table.schema().private_count(); ++j) {
        ValueId value = table.value(row, AttributeId{first_private(table) + j});
        if (value == missing_value) continue;
        shares.set_count(g, PrivateId{j}, value, shares.count(g, PrivateId{j}, value) + 1);
      }
    }
  }
  return shares;
}

ValueId most_common(const GroupShares& shares, std::uint32_t group, PrivateId attribute) {
  std::uint32_t best = 0;
  for (std::uint32_t v = 1; v < shares.domain_sizes()[+attribute]; ++v) {
    auto count = [&](std::uint32_t value) {
      return shares.count(group, attribute, ValueId{static_cast<std::uint16_t>(value)});
    };
    if (count(v) > count(best)) best = v;
  }
  return ValueId{static_cast<std::uint16_t>(best)};
}

// The tables here are small, and so are the classes of swap-exact, down to 20: in a class of two T5
// itself allows a gain of 5/9 at l = 3, and an audit says so. Of no other scheme: `swap` has to
// hold with the sizes that it ships with.
GroupSizes sizes_for(const std::string& scheme) {
  GroupSizes sizes = GroupSizes::in_use();
  if (scheme == "swap-exact") {
    sizes.batch = 2;
    sizes.exact_class = 20;
  }
  return sizes;
}

}  // namespace

Mechanism declared(const std::string& scheme, std::uint32_t l) {
  Mechanism mechanism;
  mechanism.demand.scheme = scheme;
  mechanism.demand.l = l;
  return mechanism;
}

Profiles protected_profiles(const Table& table, const Mechanism& mechanism, std::uint64_t key) {
  GroupSizes::Hook sizes(sizes_for(mechanism.demand.scheme));
  SecretKey secret = SecretKey::from_seed(key);
  auto made = protect({.table = table,
                       .workload = mechanism.workload,
                       .demand = mechanism.demand,
                       .key = secret,
                       .ladder = mechanism.ladder,
                       .taking_part = mechanism.taking_part,
                       .threads = 1});
  EXPECT_TRUE(made) << made.error().message;
  return std::move(made->profiles);
}

Profiles hand_swap(const Table& table, const HandSwap& how, std::uint64_t seed) {
  Rng rng(seed + 77);
  Mechanism climbing = declared("cluster", how.l);
  climbing.ladder = how.rungs;
  KnownGroups groups = like_rows(table, how.rungs.empty() ? nullptr : &climbing);
  std::vector<RowId> shown = trade(groups, how.keep, rng);
  GroupShares shares = counted_shares(table, groups);
  LevelProfiles signals(table.rows(), private_domains(table), 1);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    for (std::uint32_t j = 0; j < table.schema().private_count(); ++j) {
      bool own = shown[row] == RowId{row} || how.forgotten == static_cast<int>(j);
      ValueId value =
          table.value(own ? RowId{row} : shown[row], AttributeId{first_private(table) + j});
      if (!own && how.popular_decoys)
        value = most_common(shares, groups.group_of[row], PrivateId{j});
      if (value != missing_value) signals.set(RowId{row}, PrivateId{j}, value);
    }
  }
  return GroupedProfiles{{1, how.l}, std::move(signals), groups.group_of, std::move(shares)};
}

AuditReport audit_of(const Defended& defended, std::uint64_t seed) {
  const Demand& demand = defended.mechanism.demand;
  GroupSizes::Hook sizes(sizes_for(demand.scheme));
  const Scheme& scheme = *find_scheme(demand.scheme);
  Index index = Index::build(public_part(defended.table), defended.profiles,
                             {.scheme = demand.scheme, .l = demand.l});
  Arena arena = index_arena(index, defended.profiles, defended.table, defended.mechanism, /*k=*/50);
  if (defended.target) {
    arena.fresh = defended.target;
    arena.takes_inserts = false;
  }
  AuditTask task{.truth = defended.table, .arena = arena};
  task.subject.scheme = demand.scheme;
  task.subject.l = demand.l;
  task.subject.promise = scheme.promise_for(demand, defended.table.schema());
  task.subject.against = scheme.holds_against;
  task.profiles = &defended.profiles;
  task.mechanism = defended.mechanism;
  for (const Profiles& other : defended.others) task.other_releases.push_back(&other);
  task.rebuild = defended.rebuild;
  task.ladder = defended.mechanism.ladder;
  task.victims = 20;
  task.methods = {"q-point"};
  task.canaries = 2;
  task.victims_before = 0;
  task.seed = seed;
  auto report = run_audit(task);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *std::move(report) : AuditReport{};
}

std::set<std::string> broken_by(const AuditReport& report) {
  std::set<std::string> names;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::Broken) names.insert(finding.level);
  }
  return names;
}

}  // namespace rankveil::audit::testing_support
