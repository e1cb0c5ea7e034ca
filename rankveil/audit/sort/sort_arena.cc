#include "rankveil/audit/sort/sort_arena.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "rankveil/attack/targets/template.h"

namespace rankveil::audit {

namespace {

std::optional<double> end_number(const std::string& text) {
  double number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

// A number in the bin close to its upper end: the last whole one where the ends are whole. Rows
// between it and the first number of the next bin are few. Nothing: there is none beside its first.
std::optional<std::string> last_of(const attack::ValueEnds& ends) {
  auto high = end_number(ends.high);
  auto low = end_number(ends.low);
  if (!high || (!low && !ends.low.empty())) return std::nullopt;
  const bool whole = std::floor(*high) == *high && (!low || std::floor(*low) == *low);
  const double width = low ? *high - *low : std::max(1.0, std::abs(*high));
  const double last = *high - (whole ? 1 : width / 1024);
  return !low || last > *low ? std::optional(fmt::format("{}", last)) : std::nullopt;
}

// Numbers in the bin, at its edges.
std::vector<std::string> numbers_in(const std::string& bin) {
  std::vector<std::string> numbers;
  auto ends = attack::ends_of(bin);
  if (!ends) return numbers;
  if (!ends->low.empty()) numbers.push_back(ends->low);
  if (ends->low == ends->high) return numbers;
  if (auto last = last_of(*ends)) numbers.push_back(*last);
  return numbers;
}

void use_numbers(Attribute& attribute, std::vector<ValueId>& meaning) {
  std::vector<std::string> numbers;
  meaning.clear();
  for (std::uint32_t v = 0; v < attribute.domain.size(); ++v) {
    const ValueId bin{static_cast<std::uint16_t>(v)};
    for (std::string& number : numbers_in(attribute.domain.text(bin))) {
      if (std::ranges::find(numbers, number) != numbers.end()) continue;
      numbers.push_back(std::move(number));
      meaning.push_back(bin);
    }
  }
  if (auto domain = Domain::of(std::move(numbers))) attribute.domain = *std::move(domain);
}

std::vector<ValueId> same_values(const Domain& domain) {
  std::vector<ValueId> values;
  for (std::uint32_t v = 0; v < domain.size(); ++v) {
    values.push_back(ValueId{static_cast<std::uint16_t>(v)});
  }
  return values;
}

}  // namespace

Result<AskedRows> asked_rows(const Schema& schema, const std::vector<std::string>& binned) {
  for (const char* name : {attack::order_attribute, attack::no_field}) {
    if (!schema.find(name)) continue;
    return bad_input(
        fmt::format("the column \"{}\" is called as orders are; call it otherwise", name));
  }
  AskedRows asked{.schema = schema};
  for (Attribute& attribute : asked.schema.attributes) {
    asked.meaning.push_back(same_values(attribute.domain));
    bool is_number = std::ranges::find(binned, attribute.name) != binned.end();
    if (is_number) use_numbers(attribute, asked.meaning.back());
    asked.is_number.push_back(is_number ? 1 : 0);
  }
  asked.schema = attack::with_orders(std::move(asked.schema));
  return asked;
}

Result<OrderedRows> ask_order(const SortArena& arena, std::string_view attribute, bool descending) {
  const Schema& schema = arena.asked.schema;
  return arena.target->query(
      attack::order_query(schema, {schema.find(attribute).value(), descending}));
}

namespace {

// Why an order is refused, both ways; nothing: one of them is answered.
Result<std::optional<std::string>> refusal_of_order(const SortArena& arena,
                                                    const std::string& name) {
  std::string why;
  for (bool descending : {false, true}) {
    auto rows = ask_order(arena, name, descending);
    if (rows) return std::optional<std::string>();
    if (!arena.target->was_refused()) return rows.error();
    why = rows.error().message;
  }
  return std::optional(why);
}

// Whether any order by a public column is answered.
Status check_some_order(const SortArena& arena, const Table& truth) {
  std::string why;
  for (std::uint32_t i = 0; i < truth.schema().public_count(); ++i) {
    auto refusal = refusal_of_order(arena, truth.schema().attributes[i].name);
    if (!refusal) return refusal.error();
    if (!*refusal) return {};
    why = **refusal;
  }
  if (why.empty()) return {};
  return bad_input(fmt::format(
      "the service refuses to sort by public columns, too, so that its refusals say nothing: {}",
      why));
}

bool refuses_any_name(const SortArena& arena) {
  auto rows = ask_order(arena, attack::order_attribute, false);
  return !rows && arena.target->was_refused();
}

}  // namespace

std::string doubt_of_refusal(const SortArena& arena, const Table& truth,
                             std::string_view attribute) {
  if (truth.schema().public_count() == 0) {
    return fmt::format(
        "the service refuses to sort by {}, and no public column is there that it would sort by, "
        "so that it may refuse every order; give a public column in the policy",
        attribute);
  }
  if (arena.target->names_field(attribute) || !refuses_any_name(arena)) return {};
  return fmt::format(
      "the service refuses to sort by {0} as it refuses {1}, a name that no service has, so that "
      "a misspelt name looks the same; say how the service calls it: [sort] fields = {{ \"{0}\" = "
      "\"...\" }} in the target's file",
      attribute, attack::no_field);
}

Result<std::vector<Effect>> refused_orders(const SortArena& arena, const Table& truth) {
  std::vector<Effect> refused;
  bool any = false;
  for (std::uint32_t i = truth.schema().public_count(); i < truth.schema().size(); ++i) {
    const std::string& name = truth.schema().attributes[i].name;
    auto refusal = refusal_of_order(arena, name);
    if (!refusal) return refusal.error();
    if (!*refusal) continue;
    any = true;
    if (!doubt_of_refusal(arena, truth, name).empty()) continue;
    refused.push_back({.attribute = name, .acts = Acts::Refused, .questions = 2});
    refused.back().note = fmt::format(
        "the service refuses to sort by {}, both ways, as the target's file spells it: "
        "{}",
        name, **refusal);
  }
  if (!any) return refused;
  auto sound = check_some_order(arena, truth);
  if (!sound) return sound.error();
  return refused;
}

}  // namespace rankveil::audit
