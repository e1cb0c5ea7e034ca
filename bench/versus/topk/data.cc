#include "bench/versus/topk/data.h"

#include <algorithm>
#include <cmath>

#include "rankveil/base/random.h"

namespace rankveil::versus {
namespace {

const std::vector<std::uint32_t> public_domains = {2, 3, 4, 5, 6, 7, 8, 10, 12, 15};
const std::vector<std::uint32_t> private_domains = {2, 4, 5, 6, 8, 9, 10, 12, 14, 15};

// Sixteen random bits give a value: one look-up a draw, so that 30 million rows take seconds.
class ZipfDraws {
 public:
  explicit ZipfDraws(std::uint32_t domain) : value_of_(std::size_t{1} << 16) {
    std::vector<double> until(domain);
    double sum = 0;
    for (std::uint32_t value = 0; value < domain; ++value) {
      sum += std::pow(value + 1.0, -0.8);
      until[value] = sum;
    }
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < value_of_.size(); ++i) {
      double place = (static_cast<double>(i) + 0.5) / static_cast<double>(value_of_.size()) * sum;
      while (value + 1 < domain && place > until[value]) ++value;
      value_of_[i] = static_cast<std::uint8_t>(value);
    }
  }
  std::uint8_t operator()(std::uint64_t bits) const { return value_of_[bits & 0xFFFF]; }

 private:
  std::vector<std::uint8_t> value_of_;
};

std::vector<std::uint8_t> draw_column(std::uint32_t rows, std::uint32_t domain,
                                      std::uint64_t seed) {
  ZipfDraws draw(domain);
  Rng rng(seed);
  std::vector<std::uint8_t> column(rows);
  std::uint64_t bits = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    bits = row % 4 == 0 ? rng() : bits >> 16;
    column[row] = draw(bits);
  }
  return column;
}

std::uint64_t stream(std::uint64_t seed, std::uint64_t purpose, std::uint64_t number) {
  return Rng(seed ^ (purpose << 48) ^ (number << 32))();
}

// Any value of the domain but `own`, all alike.
std::uint8_t other_value(std::uint8_t own, std::uint32_t domain, Rng& rng) {
  auto value = static_cast<std::uint8_t>(rng.below(domain - 1));
  return static_cast<std::uint8_t>(value + (value >= own));
}

Groups empty_groups(const Table& table, std::uint32_t count) {
  Groups groups;
  groups.count = count;
  groups.of_row.resize(table.rows);
  groups.sizes.assign(count, 0);
  for (std::uint32_t j = 0; j < table.private_count(); ++j) {
    groups.value_counts.emplace_back(std::size_t{table.domains[table.public_count + j]} * count);
  }
  return groups;
}

}  // namespace

std::shared_ptr<const Table> make_table(std::uint32_t rows, std::uint64_t seed) {
  auto table = std::make_shared<Table>();
  table->rows = rows;
  table->public_count = static_cast<std::uint32_t>(public_domains.size());
  table->domains = public_domains;
  table->domains.insert(table->domains.end(), private_domains.begin(), private_domains.end());
  for (std::uint32_t a = 0; a < table->attributes(); ++a) {
    table->columns.push_back(draw_column(rows, table->domains[a], stream(seed, 1, a)));
  }
  return table;
}

Data exact_data(std::shared_ptr<const Table> table) {
  Data data;
  data.table = std::move(table);
  return data;
}

Data set_data(std::shared_ptr<const Table> table, std::uint64_t seed) {
  Data data = exact_data(std::move(table));
  data.kind = Kind::Sets;
  for (std::uint32_t a = data.table->public_count; a < data.table->attributes(); ++a) {
    Rng rng(stream(seed, 2, a));
    std::vector<std::uint8_t> second = data.table->columns[a];
    for (std::uint8_t& value : second) value = other_value(value, data.table->domains[a], rng);
    data.second.push_back(std::move(second));
  }
  return data;
}

Data level_data(std::shared_ptr<const Table> table, std::uint64_t seed) {
  Data data = exact_data(std::move(table));
  data.kind = Kind::Levels;
  for (std::uint32_t a = data.table->public_count; a < data.table->attributes(); ++a) {
    data.second.push_back(
        draw_column(data.table->rows, data.table->domains[a], stream(seed, 3, a)));
  }
  return data;
}

Data shown_data(std::shared_ptr<const Table> table, std::uint32_t groups, std::uint64_t seed) {
  Data data = exact_data(std::move(table));
  data.kind = Kind::Shown;
  data.groups = empty_groups(*data.table, groups);
  Rng rng(stream(seed, 4, groups));
  for (std::uint32_t& group : data.groups.of_row) {
    group = static_cast<std::uint32_t>(rng.below(groups));
    ++data.groups.sizes[group];
  }
  for (std::uint32_t j = 0; j < data.table->private_count(); ++j) {
    const auto& column = data.table->columns[data.table->public_count + j];
    for (std::uint32_t row = 0; row < data.table->rows; ++row) {
      ++data.groups.value_counts[j][std::size_t{column[row]} * groups + data.groups.of_row[row]];
    }
  }
  for (std::uint32_t& size : data.groups.sizes) size = std::max(size, 1U);
  return data;
}

std::vector<Question> make_questions(const Table& table, std::size_t count, std::uint32_t asked,
                                     std::uint64_t seed) {
  std::uint32_t all = table.attributes();
  std::vector<Question> questions(count);
  for (std::uint32_t a = 0; a < all; ++a) {
    ZipfDraws draw(table.domains[a]);
    Rng rng(stream(seed, 5, a));
    for (std::size_t q = 0; q < count; ++q) {
      // Shifting by the query's number makes the left out attributes differ from query to query.
      bool is_asked = (a + q) % all * asked / all != ((a + q) % all + 1) * asked / all;
      int value = draw(rng());
      questions[q].wanted.push_back(is_asked ? value : no_wish);
    }
  }
  return questions;
}

Weights unit_weights(const Table& table) {
  return {std::vector<std::int64_t>(table.attributes(), 1), 1};
}

Weights integer_weights(const Table& table, std::uint64_t seed) {
  Rng rng(stream(seed, 6, 0));
  Weights weights = unit_weights(table);
  for (std::int64_t& weight : weights.units) weight = static_cast<std::int64_t>(1 + rng.below(7));
  return weights;
}

Weights real_weights(const Table& table, std::uint64_t seed) {
  Rng rng(stream(seed, 7, 0));
  Weights weights = unit_weights(table);
  weights.per_one = 1'000'000;
  for (std::int64_t& weight : weights.units) {
    weight = static_cast<std::int64_t>(100'000 + rng.below(1'900'001));
  }
  return weights;
}

}  // namespace rankveil::versus
