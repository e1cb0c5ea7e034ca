#include "bench/versus/protect/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "rankveil/base/random.h"

namespace rankveil::versus {
namespace {

constexpr std::uint32_t public_domains[max_publics] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 15};
constexpr double public_exponent = 0.8;

enum class Purpose : std::uint64_t { Column = 1, Kind, Query };

Rng stream(std::uint64_t seed, Purpose purpose, std::uint64_t number) {
  return Rng(Rng(seed ^ (static_cast<std::uint64_t>(purpose) << 48) ^ (number << 32))());
}

class Zipf {
 public:
  Zipf(std::uint32_t domain, double exponent) {
    double sum = 0;
    for (std::uint32_t value = 0; value < domain; ++value) {
      sum += std::pow(value + 1.0, -exponent);
      until_.push_back(sum);
    }
  }
  std::uint8_t operator()(Rng& rng) const {
    double place = rng.uniform() * until_.back();
    auto found = std::upper_bound(until_.begin(), until_.end() - 1, place);
    return static_cast<std::uint8_t>(found - until_.begin());
  }

 private:
  std::vector<double> until_;
};

std::vector<std::uint8_t> draw(const Zipf& zipf, std::uint32_t count, Rng rng) {
  std::vector<std::uint8_t> codes(count);
  for (std::uint8_t& code : codes) code = zipf(rng);
  return codes;
}

struct Shape {
  const TableShape& shape;

  std::uint32_t attributes() const {
    return shape.publics + static_cast<std::uint32_t>(shape.private_domains.size());
  }
  bool is_public(std::uint32_t attribute) const { return attribute < shape.publics; }
  std::uint32_t domain(std::uint32_t attribute) const {
    if (is_public(attribute)) return public_domains[attribute];
    return std::max(shape.private_domains[attribute - shape.publics], shape.smallest_domain);
  }
  Zipf zipf(std::uint32_t attribute) const {
    return {domain(attribute), is_public(attribute) ? public_exponent : shape.exponent};
  }
  // Streams hang on the attribute itself, so that tables differ in as little as their shapes do.
  std::uint64_t number(std::uint32_t attribute) const {
    return is_public(attribute) ? attribute : max_publics + attribute - shape.publics;
  }
};

Schema schema_of(const Shape& shape) {
  Schema schema;
  for (std::uint32_t a = 0; a < shape.attributes(); ++a) {
    std::vector<std::string> values;
    for (std::uint32_t v = 0; v < shape.domain(a); ++v) values.push_back(fmt::format("v{}", v));
    schema.attributes.push_back(
        {.name = fmt::format("a{}", shape.number(a)),
         .visibility = shape.is_public(a) ? Visibility::Public : Visibility::Private,
         .domain = *Domain::of(std::move(values))});
  }
  return schema;
}

std::vector<std::uint8_t> pick(const std::vector<std::uint8_t>& codes,
                               const std::vector<std::uint32_t>& places) {
  std::vector<std::uint8_t> picked(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) picked[i] = codes[places[i]];
  return picked;
}

// Per row which of the public vectors it has; empty where values are drawn on their own.
std::vector<std::uint32_t> draw_kinds(const TableShape& shape, std::uint64_t seed) {
  std::vector<std::uint32_t> kinds(shape.public_kinds == 0 ? 0 : shape.rows);
  Rng rng = stream(seed, Purpose::Kind, 0);
  for (std::uint32_t& kind : kinds)
    kind = static_cast<std::uint32_t>(rng.below(shape.public_kinds));
  return kinds;
}

std::vector<std::uint8_t> parity(const std::vector<std::uint8_t>& left,
                                 const std::vector<std::uint8_t>& right) {
  std::vector<std::uint8_t> codes(left.size());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = left[i] == right[i] ? 0 : 1;
  return codes;
}

}  // namespace

Table make_table(const TableShape& table_shape, std::uint64_t seed) {
  assert(table_shape.publics <= max_publics && "there are domains for ten public attributes");
  Shape shape{table_shape};
  std::vector<std::uint32_t> kinds = draw_kinds(table_shape, seed);
  std::vector<Column> columns;
  for (std::uint32_t a = 0; a < shape.attributes(); ++a) {
    bool by_kind = shape.is_public(a) && table_shape.public_kinds != 0;
    std::uint32_t count = by_kind ? table_shape.public_kinds : table_shape.rows;
    auto codes = draw(shape.zipf(a), count, stream(seed, Purpose::Column, shape.number(a)));
    columns.emplace_back(shape.domain(a), by_kind ? pick(codes, kinds) : std::move(codes));
  }
  if (table_shape.has_parity) {
    auto first = columns.begin() + table_shape.publics;
    first[2] =
        Column(shape.domain(table_shape.publics + 2), parity(first[0].narrow(), first[1].narrow()));
  }
  return Table(schema_of(shape), std::move(columns), RowNames(RowNumbers{table_shape.rows}));
}

Workload make_workload(const TableShape& table_shape, const Schema& schema, std::uint32_t count,
                       std::uint64_t seed) {
  Shape shape{table_shape};
  Workload workload;
  workload.entries.assign(count, {empty_query(schema), 1});
  for (std::uint32_t a = 0; a < shape.attributes(); ++a) {
    auto codes = draw(shape.zipf(a), count, stream(seed, Purpose::Query, shape.number(a)));
    for (std::uint32_t q = 0; q < count; ++q) {
      workload.entries[q].query.wanted[a] = {ValueId{codes[q]}};
    }
  }
  return workload;
}

}  // namespace rankveil::versus
