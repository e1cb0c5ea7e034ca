#include "rankveil/audit/arena.h"

#include <algorithm>
#include <array>
#include <memory>

#include "rankveil/audit/new_rows.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

namespace {

using attack::MakeProfile;

template <typename List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Whose profile of a row is a function of the row, the workload and the key.
constexpr std::array<std::string_view, 5> row_by_row = {"pvsv", "random", "generalise", "esvt",
                                                        "rr"};

// Whose profile of a row is made of rows with the same public values.
constexpr std::array<std::string_view, 2> by_peers = {"pvst", "estt"};

Table one_row(const Schema& schema, std::span<const ValueId> values) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    columns.emplace_back(schema.attributes[i].domain.size(), values.subspan(i, 1));
  }
  return Table(schema, std::move(columns), RowNames(RowNumbers{1}));
}

MakeProfile by_scheme(const Schema& schema, const Mechanism& mechanism) {
  return [schema, mechanism](std::span<const ValueId> values) -> Result<Profiles> {
    Table table = one_row(schema, values);
    SecretKey key = SecretKey::from_seed(1);
    Task task{.table = table,
              .workload = mechanism.workload,
              .demand = mechanism.demand,
              .key = key,
              .threads = 1};
    auto made = protect(task);
    if (!made) return made.error();
    return std::move(made->profiles);
  };
}

// Nothing, in the form of other profiles.
Profiles mould_of(const Profiles& profiles) {
  if (const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds())) {
    return LevelProfiles(1, levels->domain_sizes(), levels->levels());
  }
  const auto& grouped = std::get<GroupedProfiles>(profiles.kinds());
  const auto& domains = grouped.signals.domain_sizes();
  return GroupedProfiles{grouped.keep,
                         LevelProfiles(1, domains, grouped.signals.levels()),
                         {0},
                         GroupShares(1, domains)};
}

// What schemes take that hide a row among those with the same public values.
struct Ground {
  Ground(const Table& truth, const Mechanism& declared, const Profiles& profiles)
      : table(truth),
        mechanism(declared),
        mould(mould_of(profiles)),
        task{.table = table,
             .workload = mechanism.workload,
             .demand = mechanism.demand,
             .key = key} {
    constexpr std::uint32_t most_peers = 64;  // an attack inserts thousands of rows
    make = new_rows(task, mould, most_peers);
  }

  Table table;
  Mechanism mechanism;
  SecretKey key = SecretKey::from_seed(1);
  Profiles mould;
  Task task;  // of all of these
  MakeProfile make;
};

MakeProfile among_peers(const Table& truth, const Mechanism& mechanism, const Profiles& profiles) {
  auto ground = std::make_shared<Ground>(truth, mechanism, profiles);
  return [ground](std::span<const ValueId> values) { return ground->make(values); };
}

// Always the same.
MakeProfile always(Profiles profile) {
  return [made = std::move(profile)](std::span<const ValueId>) -> Result<Profiles> { return made; };
}

// Shares of the whole table in full; without `shares`, nothing.
MakeProfile waiting(const Profiles& like, const Table& truth, bool shares) {
  Workload none;
  Demand demand;
  SecretKey key = SecretKey::from_seed(1);
  Task task{.table = truth, .workload = none, .demand = demand, .key = key};
  if (const auto* levels = std::get_if<LevelProfiles>(&like.kinds())) {
    if (shares) return {};  // would have to be rounded as the scheme does
    return always(LevelProfiles(1, task.private_domain_sizes(), levels->levels()));
  }
  const auto& grouped = std::get<GroupedProfiles>(like.kinds());
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; shares && row < truth.rows(); ++row) rows.push_back(RowId{row});
  GroupShares counts(1, task.private_domain_sizes());
  count_values(task, rows, 0, counts);
  counts.set_in_full(0);
  return always(
      GroupedProfiles{grouped.keep,
                      LevelProfiles(1, task.private_domain_sizes(), grouped.signals.levels()),
                      {0},
                      std::move(counts)});
}

// Whether the strengths of a row's values stay below 1 together, as proofs about sets of values
// need. Rounding may lift them above; and where sets of full matches stand beside shares they do
// not add up at all.
bool strengths_add_up(const Profiles& profiles) {
  if (const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds())) {
    bool mixed =
        grouped->signals.levels() == 1 && grouped->keep.numerator == grouped->keep.denominator;
    return !mixed;
  }
  const auto& levels = std::get<LevelProfiles>(profiles.kinds());
  if (levels.levels() == 1) return true;  // sets: nothing is added up
  for (std::uint32_t j = 0; j < levels.domain_sizes().size(); ++j) {
    for (std::uint32_t row = 0; row < levels.rows(); ++row) {
      std::uint32_t sum = 0;
      for (std::uint32_t v = 0; v < levels.domain_sizes()[j]; ++v) {
        sum += levels.strength(RowId{row}, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)});
      }
      if (sum > levels.levels()) return false;
    }
  }
  return true;
}

// Whether the index takes such rows at all.
bool fits(const Index& index, const MakeProfile& make) {
  attack::IndexTarget target(index, 1, make);
  std::vector<ValueId> values(index.schema().size(), ValueId{0});
  return target.insert(values).has_value();
}

}  // namespace

std::vector<std::uint8_t> complete_attributes(const Table& truth) {
  std::vector<std::uint8_t> complete;
  for (std::uint32_t i = truth.schema().public_count(); i < truth.schema().size(); ++i) {
    const Column& column = truth.column(AttributeId{i});
    std::size_t present = 0;
    column.for_each([&](std::size_t, std::uint32_t) { ++present; });
    complete.push_back(present == column.size() ? 1 : 0);
  }
  return complete;
}

bool shows_own_value(std::string_view scheme) {
  // estt replaces values where a set lacks some; the rest answer at random or not at all.
  constexpr std::array<std::string_view, 5> others = {"rr", "estt", "drop", "ldp", "capped"};
  return !contains(others, scheme);
}

attack::Belief unprotected_belief(const Table& truth) {
  auto complete = complete_attributes(truth);
  bool none_missing = std::find(complete.begin(), complete.end(), 0) == complete.end();
  return {.kind = attack::ProfileKind::OneValue, .none_missing = none_missing};
}

attack::Belief belief_about(const IndexInfo& info, const Profiles& profiles, const Table& truth) {
  if (info.unprotected() || profiles.unprotected()) return unprotected_belief(truth);
  attack::Belief belief;
  const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds());
  if (levels == nullptr) {
    belief.kind = attack::ProfileKind::Graded;
    return belief;
  }
  belief.kind = levels->levels() == 1 ? attack::ProfileKind::Sets : attack::ProfileKind::Graded;
  if (levels->levels() > 1) belief.levels = levels->levels();
  belief.own_rows_match = contains(row_by_row, info.scheme) && shows_own_value(info.scheme);
  return belief;
}

MakeProfile profile_of_new_row(const Index& index, const Profiles& profiles, const Table& truth,
                               const std::optional<Mechanism>& mechanism) {
  if (index.info().unprotected()) return attack::unprotected_row(index.schema());
  const Scheme* scheme = find_scheme(index.info().scheme);
  if (scheme == nullptr || !mechanism) return {};
  MakeProfile make;
  if (contains(row_by_row, scheme->name)) {
    make = by_scheme(index.schema(), *mechanism);
  } else if (contains(by_peers, scheme->name)) {
    make = among_peers(truth, *mechanism, profiles);
  } else if (scheme->climbs) {
    make = waiting(profiles, truth, scheme->promise != PromiseKind::LikelihoodRatio);
  }
  return make && fits(index, make) ? make : MakeProfile{};
}

Arena index_arena(const Index& index, const Profiles& profiles, const Table& truth,
                  const std::optional<Mechanism>& mechanism, std::uint32_t k) {
  Arena arena;
  arena.knowledge.schema = index.schema();
  for (std::uint32_t i = 0; i < index.schema().public_count(); ++i) {
    arena.knowledge.public_columns.push_back(truth.column(AttributeId{i}));
  }
  arena.knowledge.weights = weights_of(index.schema());
  arena.knowledge.k = k;
  arena.knowledge.belief = belief_about(index.info(), profiles, truth);
  MakeProfile make = profile_of_new_row(index, profiles, truth, mechanism);
  arena.takes_inserts = static_cast<bool>(make);
  arena.takes_sets = strengths_add_up(profiles);
  arena.own_value_shows = shows_own_value(index.info().scheme);
  arena.complete = complete_attributes(truth);
  arena.fresh = [index, k, make]() -> Result<std::unique_ptr<attack::Target>> {
    return std::unique_ptr<attack::Target>(new attack::IndexTarget(index, k, make));
  };
  return arena;
}

}  // namespace rankveil::audit
