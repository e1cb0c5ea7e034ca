#include "rankveil/probe/evidence/leak_worth.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "rankveil/base/format.h"

namespace rankveil::probe {
namespace {

// How many values a field may have; 0: nobody knows.
std::uint64_t values_of(const Field& field, const WorthCounts& counts) {
  if (!field.choices.empty()) return field.choices.size();
  switch (field.type) {
    case FieldType::Number:
      return counts.values;
    case FieldType::Date:
      return 36'500;  // a hundred years
    case FieldType::Flag:
      return 2;
    case FieldType::Text:
      return 0;
  }
  return 0;
}

const Finding* first_leak(std::span<const Finding> findings, const Field& field,
                          const std::function<bool(const Way&)>& fits) {
  const auto found = std::ranges::find_if(findings, [&](const Finding& finding) {
    return finding.field == field.name && finding.verdict == Verdict::Leak && fits(finding.way);
  });
  return found == findings.end() ? nullptr : &*found;
}

std::optional<LeakWorth> worth_by(const Finding* leak, const Field& field, bool ordered,
                                  const WorthCounts& counts) {
  if (leak == nullptr) return std::nullopt;
  const WorthInput input{.kind = leak->way.kind,
                         .rows = counts.rows,
                         .values = values_of(field, counts),
                         .page = counts.page,
                         .ordered = ordered};
  if (input.values == 0 && leak->way.kind != Kind::Sort) return std::nullopt;
  LeakWorth worth{field.name, leak->way.name, worth_of(input)};
  if (input.values == 0) worth.worth.one_value = worth.worth.everybody = 0;
  return worth;
}

std::string requests(double number) {
  return counted(static_cast<std::uint64_t>(std::ceil(number)), "request");
}

}  // namespace

std::vector<LeakWorth> worth_of_leaks(std::span<const Finding> findings,
                                      std::span<const Field> fields, const WorthCounts& counts) {
  std::vector<LeakWorth> worths;
  const auto add = [&](std::optional<LeakWorth> worth) {
    if (worth) worths.push_back(std::move(*worth));
  };
  for (const Field& field : fields) {
    const bool is_few = !field.choices.empty() || field.type == FieldType::Flag;
    const Finding* order =
        first_leak(findings, field, [](const Way& way) { return way.kind == Kind::Sort; });
    const Finding* range = first_leak(
        findings, field, [](const Way& way) { return way.kind == Kind::Filter && way.compares; });
    const Finding* guess =
        first_leak(findings, field, [](const Way& way) { return way.kind == Kind::Filter; });
    add(worth_by(order, field, true, counts));
    if (is_few) {
      add(worth_by(guess, field, false, counts));
    } else {
      add(worth_by(range, field, true, counts));
    }
  }
  return worths;
}

std::string sentence_of(const LeakWorth& leak) {
  const Worth& worth = leak.worth;
  std::string text = fmt::format("by {}:", leak.way);
  if (worth.ranks > 0) {
    text += fmt::format(" {} for the order of all rows", requests(worth.ranks));
  }
  if (worth.one_value > 0) {
    text += fmt::format("{} {} for one exact value", worth.ranks > 0 ? "," : "",
                        requests(worth.one_value));
  }
  if (worth.everybody > 1) text += fmt::format(", {} for everybody's", requests(worth.everybody));
  return text;
}

}  // namespace rankveil::probe
