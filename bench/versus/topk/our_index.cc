#include "bench/versus/topk/our_index.h"

#include <fmt/format.h>

namespace rankveil::versus {
namespace {

Domain domain_of(std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t value = 0; value < size; ++value) values.push_back(fmt::format("v{}", value));
  return *Domain::of(std::move(values));
}

Schema schema_of(const Table& table) {
  Schema schema;
  for (std::uint32_t a = 0; a < table.attributes(); ++a) {
    Visibility visibility = a < table.public_count ? Visibility::Public : Visibility::Private;
    schema.attributes.push_back({.name = fmt::format("a{}", a),
                                 .visibility = visibility,
                                 .domain = domain_of(table.domains[a])});
  }
  return schema;
}

Column column_of(const Table& table, std::uint32_t attribute) {
  return Column(table.domains[attribute], table.columns[attribute]);
}

PublicTable public_table(const Table& table) {
  PublicTable rows{schema_of(table), {}, RowNames(RowNumbers{table.rows})};
  for (std::uint32_t a = 0; a < table.public_count; ++a)
    rows.columns.push_back(column_of(table, a));
  return rows;
}

std::vector<std::uint32_t> private_domains(const Table& table) {
  return {table.domains.begin() + table.public_count, table.domains.end()};
}

LevelProfiles set_profiles(const Data& data) {
  const Table& table = *data.table;
  LevelProfiles profiles(table.rows, private_domains(table), 1);
  for (std::uint32_t j = 0; j < table.private_count(); ++j) {
    profiles.set_column(PrivateId{j}, column_of(table, table.public_count + j));
    for (std::uint32_t row = 0; row < table.rows && !data.second.empty(); ++row) {
      profiles.set(RowId{row}, PrivateId{j}, ValueId{data.second[j][row]});
    }
  }
  return profiles;
}

LevelProfiles level_profiles(const Data& data) {
  const Table& table = *data.table;
  LevelProfiles profiles(table.rows, private_domains(table), 2);
  for (std::uint32_t j = 0; j < table.private_count(); ++j) {
    const auto& first = table.columns[table.public_count + j];
    for (std::uint32_t row = 0; row < table.rows; ++row) {
      bool is_same = first[row] == data.second[j][row];
      profiles.set(RowId{row}, PrivateId{j}, ValueId{first[row]}, is_same ? 2 : 1);
      if (!is_same) profiles.set(RowId{row}, PrivateId{j}, ValueId{data.second[j][row]}, 1);
    }
  }
  return profiles;
}

GroupShares shares_of(const Data& data) {
  const Groups& groups = data.groups;
  GroupShares shares(groups.count, private_domains(*data.table));
  for (std::uint32_t group = 0; group < groups.count; ++group) {
    shares.set_size(group, groups.sizes[group]);
    for (std::uint32_t j = 0; j < data.table->private_count(); ++j) {
      for (std::uint16_t value = 0; value < shares.domain_sizes()[j]; ++value) {
        shares.set_count(group, PrivateId{j}, ValueId{value},
                         groups.value_counts[j][std::size_t{value} * groups.count + group]);
      }
    }
  }
  return shares;
}

GroupedProfiles shown_profiles(const Data& data) {
  const Table& table = *data.table;
  LevelProfiles shown(table.rows, private_domains(table), 1);
  for (std::uint32_t j = 0; j < table.private_count(); ++j) {
    shown.set_column(PrivateId{j}, column_of(table, table.public_count + j));
  }
  return {{1, 3}, std::move(shown), data.groups.of_row, shares_of(data)};
}

Profiles profiles_of(const Data& data) {
  switch (data.kind) {
    case Kind::Levels:
      return level_profiles(data);
    case Kind::Shown:
      return shown_profiles(data);
    default:
      return set_profiles(data);
  }
}

}  // namespace

Query query_of(const Question& question) {
  Query query;
  for (int wanted : question.wanted) {
    query.wanted.emplace_back();
    if (wanted != no_wish) {
      query.wanted.back().push_back(ValueId{static_cast<std::uint16_t>(wanted)});
    }
  }
  return query;
}

Index build_index(const Data& data) {
  IndexInfo info;
  info.scheme = "benchmark";
  return Index::build(public_table(*data.table), profiles_of(data), info);
}

}  // namespace rankveil::versus
