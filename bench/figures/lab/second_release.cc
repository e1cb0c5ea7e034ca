#include "bench/figures/lab/second_release.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "bench/figures/lab/beds.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index.h"

namespace rankveil::figures {

namespace {

constexpr std::uint32_t new_one_in = 11, changed_one_in = 100, gone_one_in = 100;

// A row of a made table: who it is, and whose private values it has.
struct Person {
  std::uint32_t row;
  std::uint32_t values_of;
};

Table table_of(const Table& all, const std::vector<Person>& people) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < all.schema().size(); ++i) {
    bool is_private = i >= all.schema().public_count();
    std::vector<ValueId> values;
    values.reserve(people.size());
    for (const Person& person : people) {
      values.push_back(
          all.value(RowId{is_private ? person.values_of : person.row}, AttributeId{i}));
    }
    columns.emplace_back(all.schema().attributes[i].domain.size(), values);
  }
  IntegerNames names;
  for (const Person& person : people) names.values.push_back(person.row);
  return Table(all.schema(), std::move(columns), RowNames(std::move(names)));
}

bool differ_in_private(const Table& all, std::uint32_t left, std::uint32_t right) {
  for (std::uint32_t i = all.schema().public_count(); i < all.schema().size(); ++i) {
    AttributeId id{i};
    if (all.value(RowId{left}, id) != all.value(RowId{right}, id)) return true;
  }
  return false;
}

struct Lists {
  std::vector<Person> before, after;
};

Lists lists_of(const Table& all, std::uint64_t seed) {
  std::vector<std::uint32_t> drawn = shuffled(all.rows(), seed);
  std::uint32_t coming = all.rows() / new_one_in;
  std::uint32_t old = all.rows() - coming;
  std::uint32_t changing = old / changed_one_in, leaving = old / gone_one_in;
  Lists lists;
  for (std::uint32_t i = 0; i < all.rows(); ++i) {
    Person person{drawn[i], drawn[i]};
    if (i < old) lists.before.push_back(person);
    if (i < leaving) continue;
    // Takes over the values of a newcomer: as likely as any in this table.
    if (i < leaving + changing && coming > 0) person.values_of = drawn[old + i % coming];
    if (!differ_in_private(all, person.row, person.values_of)) person.values_of = person.row;
    lists.after.push_back(person);
  }
  return lists;
}

const GroupedProfiles& grouped(const Profiles& profiles) {
  return std::get<GroupedProfiles>(profiles.kinds());
}

// One release after the other: groups of `right` are numbered behind those of `left`.
GroupShares both_shares(const GroupShares& left, const GroupShares& right) {
  GroupShares both(left.groups() + right.groups(), left.domain_sizes());
  std::uint32_t first = 0;
  for (const GroupShares* from : {&left, &right}) {
    for (std::uint32_t g = 0; g < from->groups(); ++g) {
      both.set_size(first + g, from->size(g));
      if (from->in_full(g)) both.set_in_full(first + g);
    }
    for (std::uint32_t j = 0; j < from->domain_sizes().size(); ++j) {
      for (std::uint32_t v = 0; v < from->domain_sizes()[j]; ++v) {
        auto counts = from->counts(PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)});
        for (std::uint32_t g = 0; g < from->groups(); ++g) {
          both.set_count(first + g, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)},
                         counts[g]);
        }
      }
    }
    first += from->groups();
  }
  return both;
}

// Where each row of the first release stands in the second, by name; nowhere: it shows nothing
// there.
constexpr std::uint32_t nowhere = 0xFFFFFFFF;
std::vector<std::uint32_t> places_in(const Release& second, const Table& table) {
  std::unordered_map<std::string, std::uint32_t> place;
  for (std::uint32_t row = 0; row < second.table.rows(); ++row) {
    place.emplace(second.table.names().text(RowId{row}), row);
  }
  std::vector<std::uint32_t> places(table.rows(), nowhere);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    std::string name = table.names().text(RowId{row});
    auto entry = second.ledger.rows.find(name);
    bool shown = entry != second.ledger.rows.end() && entry->second.status == RowStatus::Shown;
    if (shown) places[row] = place.at(name);
  }
  return places;
}

// The second release in the rows of the first.
Profiles seen_later(const Profiles& first, const Release& second, const Table& table) {
  const GroupedProfiles& before = grouped(first);
  const GroupedProfiles& after = grouped(second.profiles);
  const std::vector<std::uint32_t>& domains = before.signals.domain_sizes();
  GroupedProfiles seen{before.keep, LevelProfiles(table.rows(), domains, before.signals.levels()),
                       before.group_of, both_shares(before.shares, after.shares)};
  std::vector<std::uint32_t> places = places_in(second, table);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    bool is_new = places[row] != nowhere;
    const LevelProfiles& signals = is_new ? after.signals : before.signals;
    RowId from{is_new ? places[row] : row};
    if (is_new) seen.group_of[row] = before.shares.groups() + after.group_of[+from];
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      for (std::uint32_t v = 0; v < domains[j]; ++v) {
        ValueId value{static_cast<std::uint16_t>(v)};
        std::uint32_t strength = signals.strength(from, PrivateId{j}, value);
        if (strength > 0) seen.signals.set(RowId{row}, PrivateId{j}, value, strength);
      }
    }
  }
  return seen;
}

}  // namespace

Result<TwoReleases> release_twice(const Table& all, const Demand& demand, std::uint64_t seed,
                                  Second how) {
  Lists lists = lists_of(all, seed);
  Table before = table_of(all, lists.before), after = table_of(all, lists.after);
  Workload none;
  SecretKey key = SecretKey::from_seed(seed), other_key = SecretKey::from_seed(~seed);
  auto first = first_release({.table = before, .workload = none, .demand = demand, .key = key});
  if (!first) return first.error();
  Index index =
      Index::build(public_part(first->table), first->profiles, {demand.scheme, demand.l, 10, {}});
  bool goes_on = how == Second::FromLedger;
  Task task{.table = after, .workload = none, .demand = demand, .key = goes_on ? key : other_key};
  auto second = goes_on ? next_release(task, index, first->ledger) : first_release(task);
  if (!second) return second.error();
  Profiles later = seen_later(first->profiles, *second, before);
  return TwoReleases{std::move(before), std::move(first->profiles), std::move(later),
                     second->counts};
}

}  // namespace rankveil::figures
