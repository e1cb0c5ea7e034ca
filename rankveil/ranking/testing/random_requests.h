// Seeded random requests for tests, over tables whose attributes have orders of every kind.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rankveil/ranking/asking/request.h"
#include "rankveil/ranking/asking/value_scale.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil::testing_support {

// Text, numbers, bins of numbers, or an order that somebody declared.
inline Domain domain_of_some_kind(Rng& rng, std::uint32_t size) {
  std::uint64_t kind = rng.below(4);
  std::vector<std::string> values;
  for (std::uint32_t i = 0; i < size; ++i) {
    std::string number = std::to_string(10 * i);
    std::string before = std::to_string(10 * (static_cast<int>(i) - 1));
    std::string bin = i == 0 ? "<0" : i + 1 == size ? ">=" + before : before + "-" + number;
    values.push_back(kind == 0   ? "it's v" + std::to_string(i)
                     : kind == 1 ? number
                     : kind == 2 ? bin
                                 : "place " + std::to_string(size - i));
  }
  return *Domain::of(std::move(values));
}

// The same rows, whose values are called otherwise.
inline Table with_orders(Rng& rng, const Table& table) {
  Schema schema = table.schema();
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    schema.attributes[i].domain = domain_of_some_kind(rng, schema.attributes[i].domain.size());
    columns.push_back(table.column(AttributeId{i}));
  }
  return Table(std::move(schema), std::move(columns), table.names());
}

class RandomRequests {
 public:
  RandomRequests(Rng& rng, const Schema& schema) : rng_(rng), schema_(schema) {}

  Request next() {
    Request request;
    if (schema_.public_count() > 0 && chance(2)) request.where.push_back(condition(2));
    if (schema_.public_count() > 0 && chance(6)) request.where.push_back(condition(0));
    for (std::uint64_t n = rng_.below(5); n > 0; --n) request.prefer.push_back(wish());
    for (std::uint32_t i : some_attributes(chance(2) ? 3 : 0, schema_.size())) {
      request.sort.push_back({schema_.attributes[i].name, chance(2)});
    }
    for (std::uint32_t i : some_attributes(chance(3) ? 2 : 0, schema_.public_count())) {
      request.facets.push_back(schema_.attributes[i].name);
    }
    request.prefer_first = chance(3);
    request.k = 1 + static_cast<std::uint32_t>(rng_.below(chance(4) ? 1000 : 30));
    if (chance(3)) request.offset = static_cast<std::uint32_t>(rng_.below(20));
    return request;
  }

  WishText wish() {
    const Attribute& attribute = some_attribute(schema_.size());
    ValueScale scale = ValueScale::of(attribute.domain);
    bool ordered = scale.kind != ValueScale::Kind::Unordered;
    WishText made{attribute.name};
    std::uint64_t form = rng_.below(ordered ? 6 : 4);
    if (form == 0) made.form = OrderText{chance(2)};
    if (form == 1) made.form = grades(attribute);
    if (form == 2 || form == 3) made.form = ValuesText{values(attribute), chance(3)};
    if (form == 4) made.form = range(attribute, scale, false);
    if (form == 5) made.form = near(attribute, scale);
    if (chance(2)) made.weight = static_cast<double>(1 + rng_.below(40)) / (chance(2) ? 1 : 10);
    return made;
  }

 private:
  bool chance(std::uint64_t of) { return rng_.below(of) == 0; }
  const Attribute& some_attribute(std::uint32_t count) {
    return schema_.attributes[rng_.below(count)];
  }
  std::vector<std::uint32_t> some_attributes(std::uint64_t max, std::uint32_t count) {
    std::vector<std::uint32_t> some;
    for (std::uint64_t n = max == 0 || count == 0 ? 0 : 1 + rng_.below(max); n > 0; --n) {
      auto i = static_cast<std::uint32_t>(rng_.below(count));
      if (std::ranges::find(some, i) == some.end()) some.push_back(i);
    }
    return some;
  }
  std::string value(const Attribute& attribute) {
    return attribute.domain.values()[rng_.below(attribute.domain.size())];
  }
  std::vector<std::string> values(const Attribute& attribute) {
    std::vector<std::string> some;
    for (std::uint64_t n = 1 + rng_.below(3); n > 0; --n) some.push_back(value(attribute));
    return some;
  }
  GradesText grades(const Attribute& attribute) {
    GradesText some;
    for (const std::string& each : attribute.domain.values()) {
      if (!chance(3)) some.grades.emplace_back(each, static_cast<double>(rng_.below(11)) / 10);
    }
    if (some.grades.empty()) some.grades.emplace_back(attribute.domain.values().front(), 1);
    return some;
  }

  // A range that some value lies in; for conditions, one whose ends cut no bin.
  RangeText range(const Attribute& attribute, const ValueScale& scale, bool whole_bins) {
    RangeText made = closed_range(attribute, scale, whole_bins);
    if ((made.low && made.high) || chance(2)) return made;  // between takes both of its ends
    RangeText open = made;
    (open.low ? open.low : open.high)->included = false;
    bool of_values = scale.kind != ValueScale::Kind::Bins;
    std::uint32_t last = open.low ? attribute.domain.size() : 1;
    bool empty = of_values && place_of(attribute, scale, open.low ? *open.low : *open.high) == last;
    return empty ? made : open;
  }
  static std::uint32_t place_of(const Attribute& attribute, const ValueScale& scale,
                                const RangeText::End& end) {
    return scale.place[+*attribute.domain.find(end.value)];
  }
  RangeText closed_range(const Attribute& attribute, const ValueScale& scale, bool whole_bins) {
    std::uint32_t size = attribute.domain.size();
    auto low = static_cast<std::uint32_t>(rng_.below(size));
    auto high = low + static_cast<std::uint32_t>(rng_.below(size - low));
    RangeText made;
    bool with_low = chance(2);
    if (scale.kind == ValueScale::Kind::Bins) {
      // Edges lie between values: the low one below a bin, the high one above it.
      double least = low == 0 ? scale.edges.front() - 10 : scale.edges[low - 1];
      double most = high + 1 >= size ? scale.edges.back() + 10 : scale.edges[high];
      bool open_low = low == 0;
      bool open_high = high + 1 >= size;
      if (!whole_bins && !open_low && low + 1 < size && chance(2)) least += 3;
      if (whole_bins && open_low && open_high) return one_edge(scale);
      if (!open_low || !whole_bins) made.low = end(least, true);
      if ((!open_high || !whole_bins) && (!with_low || !made.low)) made.high = end(most, true);
      return made;
    }
    auto text = [&](std::uint32_t place) {
      auto at = std::ranges::find(scale.place, place + 1) - scale.place.begin();
      return attribute.domain.values()[static_cast<std::size_t>(at)];
    };
    if (with_low || chance(2)) made.low = RangeText::End{text(low)};
    if (!made.low || chance(2)) made.high = RangeText::End{text(high)};
    return made;
  }
  RangeText one_edge(const ValueScale& scale) {
    RangeText made;
    made.low = end(scale.edges.front(), true);
    return made;
  }
  static RangeText::End end(double number, bool included) {
    return {std::to_string(static_cast<int>(number)), included};
  }
  NearText near(const Attribute& attribute, const ValueScale& scale) {
    NearText made;
    made.origin = scale.is_numeric() ? std::to_string(rng_.below(60)) : value(attribute);
    if (chance(2)) made.scale = static_cast<double>(1 + rng_.below(40)) / 2;
    made.shape = static_cast<NearText::Shape>(rng_.below(3));
    return made;
  }

  Condition condition(int depth) {
    Condition made;
    std::uint64_t kind = depth == 0 ? 3 : rng_.below(5);
    if (kind < 3) {
      made.kind = kind == 0   ? Condition::Kind::And
                  : kind == 1 ? Condition::Kind::Or
                              : Condition::Kind::Not;
      made.parts.push_back(condition(depth - 1));
      if (kind < 2) made.parts.push_back(condition(depth - 1));
      return made;
    }
    const Attribute& attribute = some_attribute(schema_.public_count());
    ValueScale scale = ValueScale::of(attribute.domain);
    made.attribute = attribute.name;
    made.test = ValuesText{values(attribute), chance(2)};
    if (chance(5)) made.test = NullText{chance(2)};
    bool ordered = scale.kind != ValueScale::Kind::Unordered;
    if (ordered && chance(2)) made.test = range(attribute, scale, true);
    return made;
  }

  Rng& rng_;
  const Schema& schema_;
};

}  // namespace rankveil::testing_support
