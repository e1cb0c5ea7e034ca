#include "rankveil/ranking/asking/bound_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "rankveil/base/format.h"
#include "rankveil/ranking/asking/names.h"
#include "rankveil/ranking/asking/value_scale.h"

namespace rankveil {

namespace {

Error private_condition(const std::string& name) {
  return bad_input(fmt::format(
      "{} is private, and nobody is left out of an answer for what is private; wish for it with "
      "--prefer, and give the wish a weight that outweighs the others if it matters most",
      name));
}

Result<AttributeId> public_attribute(const Schema& schema, const std::string& name,
                                     std::string_view part) {
  auto attribute = named_attribute(schema, name);
  if (!attribute || +*attribute < schema.public_count()) return attribute;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
    names.push_back(schema.attributes[i].name);
  }
  constexpr std::size_t max_named = 8;
  return bad_input(fmt::format("{}: {} is private, and answers show public attributes only; {}",
                               part, name,
                               names.empty() ? "this index has no public attribute"
                                             : "choose among " + listed(names, max_named)));
}

Result<BoundCondition> bind_test(const Schema& schema, const Condition& condition, bool negated) {
  auto attribute = named_attribute(schema, condition.attribute);
  if (!attribute) return attribute.error();
  if (+*attribute >= schema.public_count()) return private_condition(condition.attribute);
  BoundCondition bound;
  bound.attribute = *attribute;
  if (const auto* null = std::get_if<NullText>(&condition.test)) {
    bound.null_passes = null->negated == negated;
    bound.passing.assign(schema[*attribute].domain.size(), !bound.null_passes);
    return bound;
  }
  const auto* values = std::get_if<ValuesText>(&condition.test);
  auto passing = values != nullptr
                     ? passing_values(schema[*attribute], *values)
                     : passing_values(schema[*attribute], std::get<RangeText>(condition.test));
  if (!passing) return passing.error();
  bound.passing = std::move(*passing);
  if (negated) bound.passing.flip();
  return bound;
}

Result<BoundCondition> bind_condition(const Schema& schema, const Condition& condition,
                                      bool negated) {
  if (condition.kind == Condition::Kind::Test) return bind_test(schema, condition, negated);
  if (condition.kind == Condition::Kind::Not) {
    return bind_condition(schema, condition.parts.front(), !negated);
  }
  BoundCondition bound;
  bool all = (condition.kind == Condition::Kind::And) != negated;
  bound.kind = all ? BoundCondition::Kind::And : BoundCondition::Kind::Or;
  for (const Condition& part : condition.parts) {
    auto made = bind_condition(schema, part, negated);
    if (!made) return made;
    bound.parts.push_back(std::move(*made));
  }
  return bound;
}

Status bind_where(const Schema& schema, const Request& request, BoundRequest& bound) {
  if (request.where.empty()) return {};
  Condition all;
  all.kind = Condition::Kind::And;
  all.parts = request.where;
  auto made = bind_condition(schema, all, false);
  if (!made) return made.error();
  bound.where = std::move(*made);
  return {};
}

// The values of a wish for plain ones, without a range such as "30..40" among them; else null.
const ValuesText* plain_values(const Schema& schema, const WishText& wish) {
  const auto* form = std::get_if<ValuesText>(&wish.form);
  auto attribute = schema.find(wish.attribute);
  if (form == nullptr || form->negated || !attribute) return nullptr;
  const Domain& domain = schema[*attribute].domain;
  bool has_range = std::ranges::any_of(form->values, [&](const std::string& value) {
    return value.find("..") != std::string::npos && !find_value(domain, value);
  });
  return has_range ? nullptr : form;
}

// "city=Paris" and "city=Rome" say "city=Paris|Rome".
std::vector<WishText> joined_values(const Schema& schema, const std::vector<WishText>& wishes) {
  std::vector<WishText> joined;
  for (const WishText& wish : wishes) {
    const ValuesText* values = plain_values(schema, wish);
    auto same = std::ranges::find_if(joined, [&](const WishText& other) {
      return values != nullptr && other.attribute == wish.attribute &&
             other.weight == wish.weight && plain_values(schema, other) != nullptr;
    });
    if (same == joined.end()) {
      joined.push_back(wish);
      continue;
    }
    auto& into = std::get<ValuesText>(same->form).values;
    for (const std::string& value : values->values) {
      if (std::ranges::find(into, value) == into.end()) into.push_back(value);
    }
  }
  return joined;
}

Status bind_wishes(const Schema& schema, const std::vector<double>& weights, const Request& request,
                   BoundRequest& bound) {
  std::vector<double> of_wishes;
  for (WishText& wish : joined_values(schema, request.prefer)) {
    auto attribute = named_attribute(schema, wish.attribute);
    if (!attribute) return attribute.error();
    auto grades = grades_of(schema[*attribute], wish);
    if (!grades) return grades.error();
    of_wishes.push_back(wish.weight.value_or(weights[+*attribute]));
    bound.wishes.push_back({*attribute, std::move(*grades), std::move(wish)});
  }
  auto exact = Weights::of(of_wishes);
  if (!exact) return exact.error();
  bound.weights = std::move(*exact);
  std::int64_t total = 0;
  for (std::int64_t units : bound.weights.units) total += units;
  if (total <= Weights::largest_total / grade_steps(bound.wishes)) return {};
  return bad_input(
      "the weights of these wishes span too much; use smaller numbers or fewer decimals");
}

BoundKey bound_key(AttributeId attribute, const Domain& domain, bool descends) {
  std::vector<std::uint32_t> place = ValueScale::of(domain).place;
  if (!descends) {
    for (std::uint32_t& each : place) each = domain.size() + 1 - each;
  }
  return {attribute, std::move(place)};
}

Status bind_keys(const Schema& schema, const Request& request, BoundRequest& bound) {
  for (const SortText& key : request.sort) {
    auto attribute = named_attribute(schema, key.attribute);
    if (!attribute) return attribute.error();
    bool again = std::ranges::any_of(
        bound.keys, [&](const BoundKey& other) { return other.attribute == *attribute; });
    if (again) {
      return bad_input(fmt::format("sort names {} twice; the second changes nothing, leave it out",
                                   key.attribute));
    }
    bound.keys.push_back(bound_key(*attribute, schema[*attribute].domain, key.descends));
  }
  return {};
}

Status bind_names(const Schema& schema, const std::vector<std::string>& names,
                  std::string_view part, std::vector<AttributeId>& out) {
  for (const std::string& name : names) {
    auto attribute = public_attribute(schema, name, part);
    if (!attribute) return attribute.error();
    if (std::ranges::find(out, *attribute) == out.end()) out.push_back(*attribute);
  }
  return {};
}

}  // namespace

std::uint32_t grade_steps(const std::vector<BoundWish>& wishes) {
  std::uint32_t step = full_grade;
  for (const BoundWish& wish : wishes) {
    for (std::uint8_t grade : wish.grades) step = std::gcd(step, std::uint32_t{grade});
  }
  return full_grade / step;
}

std::vector<double> attribute_weights(const Schema& schema) {
  std::vector<double> weights;
  for (const Attribute& attribute : schema.attributes) weights.push_back(attribute.weight);
  return weights;
}

Result<BoundRequest> bind_request(const Schema& schema, const std::vector<double>& weights,
                                  const Request& request) {
  BoundRequest bound;
  bound.prefer_first = request.prefer_first;
  bound.k = request.k;
  bound.offset = request.offset;
  bound.explain = request.explain;
  for (const Status& done :
       {bind_where(schema, request, bound), bind_wishes(schema, weights, request, bound),
        bind_keys(schema, request, bound),
        bind_names(schema, request.columns, "columns", bound.columns),
        bind_names(schema, request.facets, "facets", bound.facets)}) {
    if (!done) return done.error();
  }
  return bound;
}

}  // namespace rankveil
