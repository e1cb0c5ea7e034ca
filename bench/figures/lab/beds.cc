#include "bench/figures/lab/beds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/base/random.h"
#include "rankveil/connect/source.h"
#include "rankveil/table/row_groups.h"

namespace rankveil::figures {
namespace {

using Sizes = std::vector<std::uint32_t>;
using Codes = std::vector<ValueId>;

const Sizes independent_publics = {2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 3, 5, 9, 11, 14};
const Sizes independent_privates = {2, 4, 5, 6, 8, 9, 10, 12, 14, 15, 3, 5, 7, 11, 13};
const Sizes correlated_publics = {2, 2, 2, 5, 2, 3, 2, 2, 6, 15, 2, 4, 2, 2, 8};
const Sizes correlated_privates = {2, 5, 2, 2, 6, 2, 9, 2, 2, 15, 2, 2, 7, 2, 3};
const Sizes attacked_domains = {5, 2, 2, 5, 6};
constexpr std::uint32_t prototypes = 200;
constexpr double like_prototype = 0.8;

class Zipf {
 public:
  explicit Zipf(std::uint32_t domain, double exponent = 0.8) {
    double sum = 0;
    for (std::uint32_t value = 0; value < domain; ++value) {
      sum += std::pow(value + 1.0, -exponent);
      until_.push_back(sum);
    }
  }
  std::uint32_t operator()(Rng& rng) const {
    double at = rng.uniform() * until_.back();
    auto found = std::upper_bound(until_.begin(), until_.end() - 1, at);
    return static_cast<std::uint32_t>(found - until_.begin());
  }

 private:
  std::vector<double> until_;
};

ValueId value_id(std::uint32_t value) { return ValueId{static_cast<std::uint16_t>(value)}; }

std::uint64_t stream(std::uint64_t seed, std::uint64_t number) {
  return Rng(seed * 1'000'003 + number)();
}

Domain numbered(std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t value = 0; value < size; ++value) values.push_back(fmt::format("v{}", value));
  return *Domain::of(std::move(values));
}

Table made_table(const Sizes& publics, const Sizes& privates, const std::vector<Codes>& columns) {
  Schema schema;
  std::vector<Column> coded;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool is_public = i < publics.size();
    std::uint32_t domain = is_public ? publics[i] : privates[i - publics.size()];
    schema.attributes.push_back(
        {.name = fmt::format("{}{}", is_public ? "a" : "b", is_public ? i : i - publics.size()),
         .visibility = is_public ? Visibility::Public : Visibility::Private,
         .domain = numbered(domain)});
    coded.emplace_back(domain, columns[i]);
  }
  auto rows = static_cast<std::uint32_t>(columns.at(0).size());
  return Table(std::move(schema), std::move(coded), RowNames(RowNumbers{rows}));
}

Sizes joined(Sizes left, const Sizes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Codes independent_column(std::uint32_t rows, const Zipf& draw, std::uint64_t seed) {
  Rng rng(seed);
  Codes column(rows);
  for (ValueId& value : column) value = value_id(draw(rng));
  return column;
}

// Every column reads the same prototypes of the rows, and a stream of its own.
Codes correlated_column(const Sizes& prototype_of, std::uint32_t domain, std::uint64_t seed) {
  Zipf draw(domain);
  Rng rng(seed);
  Sizes value_of(prototypes);
  for (std::uint32_t& value : value_of) value = draw(rng);
  Codes column;
  for (std::uint32_t prototype : prototype_of) {
    bool copies = rng.uniform() < like_prototype;
    column.push_back(value_id(copies ? value_of[prototype] : draw(rng)));
  }
  return column;
}

std::vector<AttributeId> all_attributes(const Table& table) {
  std::vector<AttributeId> ids;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) ids.push_back(AttributeId{i});
  return ids;
}

// The first of each kind of row.
Sizes distinct_rows(const Table& table) {
  RowGroups groups = group_rows(table, all_attributes(table));
  std::vector<bool> is_met(groups.count());
  Sizes rows;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    if (!is_met[groups.group_of[row]]) rows.push_back(row);
    is_met[groups.group_of[row]] = true;
  }
  return rows;
}

Column take_column(const Column& column, const Sizes& rows) {
  Codes values;
  values.reserve(rows.size());
  for (std::uint32_t row : rows) values.push_back(column.value(RowId{row}));
  return Column(column.domain_size(), values);
}

Column first_rows(const Column& column, std::uint32_t rows) {
  if (column.is_narrow()) {
    const auto& codes = column.narrow();
    return Column(column.domain_size(), std::vector(codes.begin(), codes.begin() + rows));
  }
  const auto& codes = column.wide();
  return Column(column.domain_size(), std::vector(codes.begin(), codes.begin() + rows));
}

// `count` numbers from `first` on: of the first `usual` some, when fewer are wanted.
Sizes picked(std::uint32_t first, std::uint32_t count, std::uint32_t usual, std::uint64_t pick) {
  Sizes ids(count);
  std::iota(ids.begin(), ids.end(), 0U);
  if (pick != 0 && count < usual) {
    ids = shuffled(usual, pick);
    ids.resize(count);
    std::sort(ids.begin(), ids.end());
  }
  for (std::uint32_t& id : ids) id += first;
  return ids;
}

}  // namespace

std::uint32_t Bed::usual_publics() const {
  return std::min<std::uint32_t>(10, table.schema().public_count());
}

std::uint32_t Bed::usual_privates() const {
  return std::min<std::uint32_t>(10, table.schema().private_count());
}

Part usual_part(const Bed& bed) {
  return {bed.table.rows(), bed.usual_publics(), bed.usual_privates()};
}

Table cut(const Bed& bed, const Part& part) {
  Schema schema;
  std::vector<Column> columns;
  auto take = [&](const Sizes& ids, std::uint32_t weight) {
    for (std::uint32_t i : ids) {
      schema.attributes.push_back(bed.table.schema()[AttributeId{i}]);
      schema.attributes.back().weight = weight;
      columns.push_back(first_rows(bed.table.column(AttributeId{i}), part.rows));
    }
  };
  take(picked(0, part.publics, bed.usual_publics(), part.pick), part.public_weight);
  take(picked(bed.table.schema().public_count(), part.privates, bed.usual_privates(), part.pick),
       1);
  return Table(std::move(schema), std::move(columns), RowNames(RowNumbers{part.rows}));
}

Bed independent_bed(std::uint32_t rows, std::uint64_t seed) {
  Sizes domains = joined(independent_publics, independent_privates);
  std::vector<Codes> columns;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    columns.push_back(independent_column(rows, Zipf(domains[i]), stream(seed, i)));
  }
  return {"independent",
          fmt::format("made up: {} rows, domains of 2 to 15 values, every attribute drawn on its "
                      "own from Zipf(0.8)",
                      rows),
          made_table(independent_publics, independent_privates, columns),
          {5, 10, 15},
          {5, 10, 15}};
}

Bed correlated_bed(std::uint32_t rows, std::uint64_t seed) {
  Sizes domains = joined(correlated_publics, correlated_privates);
  Zipf draw(prototypes);
  Rng rng(stream(seed, 1000));
  Sizes prototype_of(rows);
  for (std::uint32_t& prototype : prototype_of) prototype = draw(rng);
  std::vector<Codes> columns;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    columns.push_back(correlated_column(prototype_of, domains[i], stream(seed, 2000 + i)));
  }
  return {"correlated",
          fmt::format("made up: {} rows like {} prototypes, most attributes with two values, as in "
                      "eHarmony's table",
                      rows, prototypes),
          made_table(correlated_publics, correlated_privates, columns),
          {5, 10, 15},
          {5, 10, 15}};
}

Bed attack_bed(std::string name, std::uint32_t rows, double exponent, std::uint64_t seed) {
  Sizes domains = joined(attacked_domains, attacked_domains);
  std::vector<Codes> columns;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    columns.push_back(independent_column(rows, Zipf(domains[i], exponent), stream(seed, 3000 + i)));
  }
  std::string shares = exponent == 0 ? "all values alike" : fmt::format("Zipf({})", exponent);
  return {std::move(name),
          fmt::format("made up: {} rows, 5 public and 5 private attributes of 5, 2, 2, 5 and 6 "
                      "values, {}",
                      rows, shares),
          made_table(attacked_domains, attacked_domains, columns),
          {5},
          {5}};
}

const std::vector<RealTable>& real_tables() {
  static const std::vector<RealTable> tables = {
      {"okcupid",
       {"sex", "age", "height", "edu_level", "diet", "dogs", "cats", "edu_status", "english",
        "n_languages", "sign", "speaks_spanish", "speaks_french", "sign_matters", "diet_strict"},
       {"orientation", "status", "body_type", "drinks", "drugs", "smokes", "income", "religion",
        "has_kids", "wants_kids", "ethnicity", "religion_serious", "eth_white", "eth_asian",
        "eth_hispanic_latin"},
       {5, 10, 15},
       {5, 10, 15}},
      {"census_income",
       {"sex", "class_of_worker", "enrolled", "work_status", "household_summary", "employer_size",
        "weeks_worked", "parents_present", "same_house_1y", "self_employed", "major_occupation",
        "prev_region", "mig_sunbelt", "year", "vet_questionnaire"},
       {"marital", "race", "hispanic", "citizenship", "tax_filer", "wage_per_hour", "capital_gains",
        "dividends", "union_member", "income", "capital_losses", "unemp_reason", "vet_benefits"},
       {5, 10, 15},
       {5, 10, 13}},
      {"heart2020",
       {"sex", "age", "race", "smoking", "difficulty_walking", "exercise", "sleep_hours"},
       {"bmi", "general_health", "bad_physical_days", "bad_mental_days", "diabetic",
        "heart_disease", "asthma", "stroke", "skin_cancer", "kidney_disease", "heavy_drinking"},
       {3, 5, 7},
       {5, 8, 11}},
  };
  return tables;
}

std::string path_in(const std::string& data, const std::string& name) {
  return fmt::format("{}/{}/{}.csv.gz", data, name, name);
}

Result<Table> read_columns(const std::string& data, const std::string& name,
                           const std::vector<std::string>& publics,
                           const std::vector<std::string>& privates) {
  Policy policy;
  for (const std::string& column : publics) {
    policy.columns.push_back({.name = column, .role = Role::Public});
  }
  for (const std::string& column : privates) {
    policy.columns.push_back({.name = column, .role = Role::Private});
  }
  auto loaded = connect::read_table({.path = path_in(data, name)}, policy);
  if (!loaded) return loaded.error();
  return std::move(loaded->table);
}

namespace {

// Attributes in the order of the lists, not of the file.
Table in_order(const Table& table, const RealTable& real) {
  Schema schema;
  std::vector<Column> columns;
  for (const auto* names : {&real.publics, &real.privates}) {
    for (const std::string& name : *names) {
      AttributeId found = *table.schema().find(name);
      schema.attributes.push_back(table.schema()[found]);
      columns.push_back(table.column(found));
    }
  }
  return Table(std::move(schema), std::move(columns), table.names());
}

}  // namespace

Result<Bed> real_bed(const RealTable& real, const std::string& data, std::uint64_t seed) {
  auto read = read_columns(data, real.name, real.publics, real.privates);
  if (!read) return read.error();
  Table table = in_order(*read, real);
  Sizes distinct = distinct_rows(table);
  Sizes rows;
  for (std::uint32_t i : shuffled(static_cast<std::uint32_t>(distinct.size()), seed)) {
    rows.push_back(distinct[i]);
  }
  return Bed{real.name, fmt::format("real: {} distinct rows of {}", rows.size(), table.rows()),
             take_rows(table, rows), real.public_steps, real.private_steps};
}

Table take_rows(const Table& table, const std::vector<std::uint32_t>& rows) {
  std::vector<Column> columns;
  for (AttributeId id : all_attributes(table)) {
    columns.push_back(take_column(table.column(id), rows));
  }
  auto count = static_cast<std::uint32_t>(rows.size());
  return Table(table.schema(), std::move(columns), RowNames(RowNumbers{count}));
}

std::vector<std::uint32_t> shuffled(std::uint32_t count, std::uint64_t seed) {
  Sizes numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  Rng rng(seed);
  for (std::uint32_t i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[rng.below(i)]);
  return numbers;
}

}  // namespace rankveil::figures
