// Seeded random tables, profiles and queries for tests: small, skewed, full of ties.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/random.h"
#include "rankveil/ranking/index.h"

namespace rankveil::testing_support {

struct RandomShape {
  std::uint32_t rows;
  std::uint32_t publics;
  std::uint32_t privates;
  std::uint32_t largest_domain = 6;
  double missing = 0.05;
};

inline Domain numbered_domain(std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t i = 0; i < size; ++i) values.push_back("v" + std::to_string(i));
  return *Domain::of(std::move(values));
}

inline ValueId skewed_value(Rng& rng, std::uint32_t domain) {
  double u = rng.uniform();
  return ValueId{static_cast<std::uint16_t>(static_cast<double>(domain) * u * u)};
}

inline Column random_column(Rng& rng, std::uint32_t rows, std::uint32_t domain, double missing) {
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < rows; ++i) {
    values.push_back(rng.uniform() < missing ? missing_value : skewed_value(rng, domain));
  }
  return Column(domain, values);
}

inline Schema random_schema(Rng& rng, const RandomShape& shape) {
  Schema schema;
  for (std::uint32_t i = 0; i < shape.publics + shape.privates; ++i) {
    Attribute attribute;
    attribute.visibility = i < shape.publics ? Visibility::Public : Visibility::Private;
    attribute.name = (attribute.is_private() ? "b" : "a") + std::to_string(i);
    attribute.domain =
        numbered_domain(2 + static_cast<std::uint32_t>(rng.below(shape.largest_domain - 1)));
    schema.attributes.push_back(std::move(attribute));
  }
  return schema;
}

inline Table random_table(Rng& rng, const RandomShape& shape) {
  Schema schema = random_schema(rng, shape);
  std::vector<Column> columns;
  for (const Attribute& attribute : schema.attributes) {
    columns.push_back(random_column(rng, shape.rows, attribute.domain.size(), shape.missing));
  }
  return Table(std::move(schema), std::move(columns), RowNames(RowNumbers{shape.rows}));
}

// Every row's own values and some others, at random strengths.
inline Profiles random_levels(Rng& rng, const Table& table, std::uint32_t levels) {
  LevelProfiles profiles(table.rows(), table.schema().private_domain_sizes(), levels);
  for (std::uint32_t j = 0; j < table.schema().private_count(); ++j) {
    std::uint32_t domain = profiles.domain_sizes()[j];
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      for (std::uint32_t i = rng.below(4) != 0 ? 2 : 0; i-- > 0;) {
        profiles.set(RowId{row}, PrivateId{j}, skewed_value(rng, domain),
                     1 + static_cast<std::uint32_t>(rng.below(levels)));
      }
    }
  }
  return profiles;
}

// Random groups with random shares. Some count in full: their rows have no signals, or signals only
// in attributes that the group has no counts of.
inline Profiles random_grouped(Rng& rng, const Table& table, std::uint32_t groups, Fraction keep,
                               std::uint32_t levels = 1) {
  std::vector<std::uint32_t> domains = table.schema().private_domain_sizes();
  GroupedProfiles profiles{
      keep, LevelProfiles(table.rows(), domains, levels), {}, GroupShares(groups, domains)};
  std::vector<std::vector<bool>> counted(groups, std::vector<bool>(domains.size(), true));
  for (std::uint32_t g = 0; g < groups; ++g) {
    auto size = 1 + static_cast<std::uint32_t>(rng.below(60));
    profiles.shares.set_size(g, size);
    if (rng.below(5) == 0) profiles.shares.set_in_full(g);
    bool mixed = profiles.shares.in_full(g) && rng.below(2) == 0;
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      counted[g][j] = !mixed || rng.below(2) == 0;
      if (!counted[g][j]) continue;
      std::vector<std::uint32_t> counts(domains[j], 0);
      for (std::uint32_t i = 0; i < size; ++i) ++counts[+skewed_value(rng, domains[j])];
      for (std::uint32_t v = 0; v < domains[j]; ++v) {
        profiles.shares.set_count(g, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)},
                                  counts[v]);
      }
    }
  }
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    auto group = static_cast<std::uint32_t>(rng.below(groups));
    profiles.group_of.push_back(group);
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      bool silent = profiles.shares.in_full(group) && counted[group][j];
      if (silent || rng.below(12) == 0) continue;
      profiles.signals.set(RowId{row}, PrivateId{j}, skewed_value(rng, domains[j]),
                           1 + static_cast<std::uint32_t>(rng.below(levels)));
    }
  }
  return profiles;
}

inline Query random_query(Rng& rng, const Schema& schema) {
  Query query = empty_query(schema);
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    std::uint32_t domain = schema.attributes[i].domain.size();
    std::uint64_t shape = rng.below(10);
    std::uint64_t count = shape < 2 ? 0 : shape < 8 ? 1 : 1 + rng.below(3);
    std::vector<bool> taken(domain, false);
    for (std::uint64_t n = 0; n < count; ++n) taken[+skewed_value(rng, domain)] = true;
    for (std::uint32_t v = 0; v < domain; ++v) {
      if (taken[v]) query.wanted[i].push_back(ValueId{static_cast<std::uint16_t>(v)});
    }
  }
  return query;
}

enum class WeightKind { Unit, Integer, Real };

inline Weights random_weights(Rng& rng, const Schema& schema, WeightKind kind) {
  std::vector<double> weights;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    double whole = 1 + static_cast<double>(rng.below(7));
    double real = 0.01 + rng.uniform() * 3;
    weights.push_back(kind == WeightKind::Unit ? 1 : kind == WeightKind::Integer ? whole : real);
  }
  return *Weights::of(weights);
}

}  // namespace rankveil::testing_support
