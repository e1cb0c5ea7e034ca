#include "rankveil/protect/esvt/query_view.h"

#include <map>
#include <numeric>

#include "rankveil/ranking/weights.h"

namespace rankveil {

namespace {

using Wishes = std::vector<std::vector<ValueId>>;

std::map<Wishes, std::uint64_t> private_wishes(const Schema& schema, const Workload& workload) {
  std::map<Wishes, std::uint64_t> counts;
  for (const WorkloadEntry& entry : workload.entries) {
    Wishes wishes(entry.query.wanted.begin() + schema.public_count(), entry.query.wanted.end());
    bool any = false;
    for (const auto& wanted : wishes) any = any || !wanted.empty();
    if (any && entry.count > 0) counts[std::move(wishes)] += entry.count;
  }
  return counts;
}

template <typename Number>
void divide_by_common_factor(std::vector<Number>& numbers) {
  Number common = 0;
  for (Number number : numbers) common = std::gcd(common, number);
  if (common == 0) return;
  for (Number& number : numbers) number /= common;
}

std::vector<std::int64_t> private_weights(const Schema& schema) {
  Weights weights = weights_of(schema);
  weights.units.erase(weights.units.begin(), weights.units.begin() + schema.public_count());
  divide_by_common_factor(weights.units);
  return weights.units;
}

// Classes are numbered in the order of their first values.
AttributeView view_attribute(std::uint32_t domain, std::vector<std::vector<std::uint32_t>> asked) {
  AttributeView view;
  std::map<std::vector<std::uint32_t>, std::uint16_t> numbers;
  for (std::uint32_t v = 0; v < domain; ++v) {
    auto next = static_cast<std::uint16_t>(view.values.size());
    auto [place, is_new] = numbers.try_emplace(std::move(asked[v]), next);
    if (is_new) {
      view.values.emplace_back();
      view.asked_by.push_back(place->first);
    }
    view.class_of.push_back(place->second);
    view.values[place->second].push_back(ValueId{static_cast<std::uint16_t>(v)});
  }
  return view;
}

}  // namespace

QueryView view_queries(const Schema& schema, const Workload& workload) {
  auto queries = private_wishes(schema, workload);
  auto weights = private_weights(schema);
  QueryView view;
  for (const auto& [wishes, count] : queries) view.counts.push_back(count);
  divide_by_common_factor(view.counts);
  for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
    std::uint32_t domain = schema.attributes[schema.public_count() + j].domain.size();
    std::vector<std::vector<std::uint32_t>> asked(domain);
    std::uint32_t query = 0;
    for (const auto& [wishes, count] : queries) {
      for (ValueId value : wishes[j]) asked[+value].push_back(query);
      ++query;
    }
    view.attributes.push_back(view_attribute(domain, std::move(asked)));
    view.attributes.back().weight = weights[j];
  }
  return view;
}

}  // namespace rankveil
