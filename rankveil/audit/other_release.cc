#include "rankveil/audit/other_release.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "rankveil/base/error.h"

namespace rankveil::audit {

namespace {

constexpr std::uint32_t absent = UINT32_MAX;

// Where rows and values of the other release are in the table.
struct Places {
  std::vector<std::uint32_t> rows;           // per row of the other
  std::vector<PrivateId> attributes;         // per private attribute of the other
  std::vector<std::vector<ValueId>> values;  // [attribute of the other][value]; missing: nowhere
  std::vector<std::uint32_t> domains;        // of the table
};

std::vector<std::uint32_t> places_of_rows(const Table& truth, const Index& other) {
  std::unordered_map<std::string, std::uint32_t> by_name;
  by_name.reserve(truth.rows());
  for (std::uint32_t row = 0; row < truth.rows(); ++row) {
    by_name.emplace(truth.names().text(RowId{row}), row);
  }
  std::vector<std::uint32_t> places(other.rows(), absent);
  for (std::uint32_t row = 0; row < places.size(); ++row) {
    auto found = by_name.find(other.name(RowId{row}));
    if (found != by_name.end()) places[row] = found->second;
  }
  return places;
}

Result<Places> places_of(const Table& truth, const Index& other) {
  const Schema& schema = truth.schema();
  const Schema& before = other.schema();
  Places places{places_of_rows(truth, other), {}, {}, {}};
  bool alike = schema.private_count() == before.private_count();
  for (std::uint32_t j = 0; alike && j < before.private_count(); ++j) {
    const Attribute& attribute = before.attributes[before.public_count() + j];
    auto found = schema.find(attribute.name);
    alike = found && schema[*found].is_private();
    if (!alike) break;
    places.attributes.push_back(PrivateId{+*found - schema.public_count()});
    auto& values = places.values.emplace_back();
    for (const std::string& value : attribute.domain.values()) {
      values.push_back(schema[*found].domain.find(value).value_or(missing_value));
    }
  }
  if (!alike) {
    return bad_input(
        "has other private attributes than the target; releases that serve the same ones can be "
        "compared");
  }
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    places.domains.push_back(schema.attributes[i].domain.size());
  }
  return places;
}

LevelProfiles moved(const LevelProfiles& signals, const Places& places, std::uint32_t rows) {
  LevelProfiles made(rows, places.domains, signals.levels());
  for (std::uint32_t j = 0; j < places.attributes.size(); ++j) {
    PrivateId attribute = places.attributes[j];
    signals.for_each_bit(PrivateId{j}, [&](RowId row, ValueId value, std::uint32_t bit) {
      ValueId place = places.values[j][+value];
      if (places.rows[+row] == absent || place == missing_value) return;
      RowId to{places.rows[+row]};
      made.set(to, attribute, place, made.strength(to, attribute, place) + (1U << bit));
    });
  }
  return made;
}

// Behind the groups there are stands one that shows nothing.
GroupShares with_nobody(const GroupShares& shares, const Places& places) {
  std::uint32_t groups = shares.groups();
  GroupShares made(groups + 1, places.domains);
  for (std::uint32_t group = 0; group < groups; ++group) {
    made.set_size(group, shares.size(group));
    if (shares.in_full(group)) made.set_in_full(group);
  }
  made.set_size(groups, 1);
  made.set_in_full(groups);
  for (std::uint32_t j = 0; j < places.attributes.size(); ++j) {
    for (std::uint32_t v = 0; v < places.values[j].size(); ++v) {
      ValueId place = places.values[j][v];
      if (place == missing_value) continue;
      auto counts = shares.counts(PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)});
      for (std::uint32_t group = 0; group < groups; ++group) {
        made.set_count(group, places.attributes[j], place, counts[group]);
      }
    }
  }
  return made;
}

Profiles moved(const Profiles& profiles, const Places& places, std::uint32_t rows) {
  if (const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds())) {
    return moved(*levels, places, rows);
  }
  const auto& grouped = std::get<GroupedProfiles>(profiles.kinds());
  std::vector<std::uint32_t> group_of(rows, grouped.shares.groups());
  for (std::uint32_t row = 0; row < places.rows.size(); ++row) {
    if (places.rows[row] != absent) group_of[places.rows[row]] = grouped.group_of[row];
  }
  return GroupedProfiles{grouped.keep, moved(grouped.signals, places, rows), std::move(group_of),
                         with_nobody(grouped.shares, places)};
}

}  // namespace

Result<OtherRelease> in_rows_of(const Table& truth, const Index& other) {
  auto places = places_of(truth, other);
  if (!places) return places.error();
  OtherRelease made{moved(other.profiles(), *places, truth.rows()),
                    std::vector<std::uint8_t>(truth.rows(), 0), 0};
  for (std::uint32_t place : places->rows) {
    if (place == absent) continue;
    made.there[place] = 1;
    ++made.common;
  }
  if (made.common > 0) return made;
  return bad_input(
      "has no row of the target, by the names that both call them; releases of the same people can "
      "be compared");
}

}  // namespace rankveil::audit
