// A target for tests: few rows, any profiles, any order of ties, scores added up one by one.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "rankveil/attack/target.h"

namespace rankveil::attack::testing_support {

// Strengths of one row, in levels: [private attribute][value].
using Strengths = std::vector<std::vector<std::uint32_t>>;

struct PlainRow {
  std::vector<ValueId> values;  // public ones are ranked by; private ones are never read
  Strengths strengths;
  std::int64_t tie = 0;  // smaller goes first
};

class PlainTarget : public Target {
 public:
  using Make = std::function<PlainRow(std::span<const ValueId>)>;

  PlainTarget(const Knowledge& knowledge, std::vector<PlainRow> rows, std::uint32_t levels,
              Make make = {})
      : knowledge_(knowledge), rows_(std::move(rows)), levels_(levels), make_(std::move(make)) {}

  Result<std::vector<std::uint32_t>> query(const Query& query) override {
    std::vector<std::pair<std::int64_t, std::int64_t>> keys;  // -score, tie
    std::vector<std::uint32_t> order;
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      keys.emplace_back(-score(rows_[row], query), rows_[row].tie);
      order.push_back(row);
    }
    auto k = std::min<std::size_t>(knowledge_.k, order.size());
    auto by_key = [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                      by_key);
    order.resize(k);
    return order;
  }

  Result<std::uint32_t> insert(std::span<const ValueId> values) override {
    rows_.push_back(make_(values));
    return static_cast<std::uint32_t>(rows_.size() - 1);
  }

  bool takes_inserts() const override { return static_cast<bool>(make_); }

  const PlainRow& row(std::uint32_t number) const { return rows_[number]; }
  std::uint32_t levels() const { return levels_; }

 private:
  std::int64_t score(const PlainRow& row, const Query& query) const {
    std::int64_t sum = 0;
    std::uint32_t publics = knowledge_.schema.public_count();
    for (std::uint32_t i = 0; i < query.wanted.size(); ++i) {
      const auto& wanted = query.wanted[i];
      std::int64_t match = 0;
      for (ValueId value : wanted) {
        match += i < publics ? (row.values[i] == value ? levels_ : 0)
                             : row.strengths[i - publics][+value];
      }
      sum += knowledge_.weights.units[i] * std::min<std::int64_t>(match, levels_);
    }
    return sum;
  }

  const Knowledge& knowledge_;
  std::vector<PlainRow> rows_;
  std::uint32_t levels_;
  Make make_;
};

inline Domain small_domain(std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t v = 0; v < size; ++v) values.push_back("v" + std::to_string(v));
  return *Domain::of(std::move(values));
}

inline ValueId id(std::uint32_t value) { return ValueId{static_cast<std::uint16_t>(value)}; }

inline Attribute attribute(const std::string& name, Visibility visibility, std::uint32_t domain) {
  Attribute made;
  made.name = name;
  made.visibility = visibility;
  made.domain = small_domain(domain);
  return made;
}

// The public part of rows, and weights in units.
inline Knowledge knowledge_of(const std::vector<PlainRow>& rows,
                              const std::vector<std::uint32_t>& public_domains,
                              const std::vector<std::uint32_t>& private_domains,
                              std::vector<std::int64_t> weights, std::uint32_t k, Belief belief) {
  Knowledge knowledge;
  knowledge.k = k;
  knowledge.belief = belief;
  knowledge.weights.units = std::move(weights);
  for (std::uint32_t i = 0; i < public_domains.size(); ++i) {
    knowledge.schema.attributes.push_back(
        attribute("a" + std::to_string(i), Visibility::Public, public_domains[i]));
    std::vector<ValueId> column;
    for (const PlainRow& row : rows) column.push_back(row.values[i]);
    knowledge.public_columns.emplace_back(public_domains[i], column);
  }
  for (std::uint32_t j = 0; j < private_domains.size(); ++j) {
    knowledge.schema.attributes.push_back(
        attribute("b" + std::to_string(j), Visibility::Private, private_domains[j]));
  }
  return knowledge;
}

// Each row matches exactly its own values.
inline Strengths own_values(const std::vector<ValueId>& values, std::size_t publics,
                            const std::vector<std::uint32_t>& private_domains,
                            std::uint32_t levels = 1) {
  Strengths strengths;
  for (std::size_t j = 0; j < private_domains.size(); ++j) {
    strengths.emplace_back(private_domains[j], 0);
    ValueId value = values[publics + j];
    if (value != missing_value) strengths[j][+value] = levels;
  }
  return strengths;
}

}  // namespace rankveil::attack::testing_support
