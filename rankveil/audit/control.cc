#include "rankveil/audit/control.h"

#include <fmt/core.h>

#include "rankveil/audit/effect/twins.h"
#include "rankveil/base/format.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

std::vector<ValueId> random_row(const Schema& schema, Rng& rng) {
  std::vector<ValueId> values;
  for (const Attribute& attribute : schema.attributes) {
    values.push_back(ValueId{static_cast<std::uint16_t>(rng.below(attribute.domain.size()))});
  }
  return values;
}

// What everybody knows once the row is there.
attack::Knowledge with_row(const attack::Knowledge& knowledge, const std::vector<ValueId>& row) {
  attack::Knowledge grown = knowledge;
  for (std::uint32_t i = 0; i < knowledge.public_columns.size(); ++i) {
    const Column& column = knowledge.public_columns[i];
    std::vector<ValueId> values(column.size(), missing_value);
    column.for_each([&](std::size_t at, std::uint32_t value) {
      values[at] = ValueId{static_cast<std::uint16_t>(value)};
    });
    values.push_back(row[i]);
    grown.public_columns[i] = Column(column.domain_size(), values);
  }
  return grown;
}

Status attack_canary(const Arena& arena, const attack::Method& method,
                     const std::vector<ValueId>& row, const CampaignOptions& options,
                     Control& control) {
  auto target = arena.fresh();
  if (!target) return target.error();
  if (auto planted = (*target)->insert(row); !planted) return planted.error();
  Arena grown = arena;
  grown.knowledge = with_row(arena.knowledge, row);
  std::uint32_t victim = arena.knowledge.rows();
  auto report = attack::run(method, {.knowledge = grown.knowledge,
                                     .target = **target,
                                     .victim = victim,
                                     .priors = options.priors,
                                     .budget = options.budget});
  if (!report) return report.error();
  Attacked found = attacked(grown, victim, *report);
  ++control.planted;
  for (std::uint32_t j = 0; j < found.attributes.size(); ++j) {
    ++control.attempts;
    if (!found.attributes[j].proven) continue;
    ValueId planted = row[arena.knowledge.schema.public_count() + j];
    ++(found.attributes[j].candidates[0] == planted ? control.recovered : control.wrong);
  }
  return {};
}

// What may be said of rows that nothing was recovered of.
std::string twins_words(const Twins& twins) {
  if (twins.stay_in_order()) {
    return "; planted rows that differ in nothing but a hidden value stay in the same order.";
  }
  if (!twins.moved_by.empty()) {
    return fmt::format("; but planted rows that differ in nothing but {} change places.",
                       twins.moved_by);
  }
  return fmt::format("; of {} that differ in nothing but a hidden value, {} were seen together.",
                     counted(twins.pairs, "planted pair"), twins.seen);
}

void describe(const Arena& arena, const Twins& twins, Control& control) {
  bool unprotected = arena.is_unprotected();
  control.blind = unprotected && control.recovered == 0;
  std::string found = fmt::format("{} of {} values of {} were recovered", control.recovered,
                                  control.attempts, counted(control.planted, "planted row"));
  if (control.blind) {
    control.note = found + ": this audit is blind, and what it does not find may still be there.";
  } else if (unprotected) {
    control.note = found + ", so the attacks work on this target.";
  } else {
    control.note = found + twins_words(twins);
    if (control.recovered > 0) control.note = found + " in spite of the protection.";
  }
}

}  // namespace

Result<Control> run_control(const Arena& arena, std::span<const attack::Method* const> methods,
                            std::uint32_t count, std::uint64_t seed,
                            const CampaignOptions& options) {
  Control control;
  if (!arena.takes_inserts || methods.empty() || count == 0) {
    control.note = count == 0 ? "No control was asked for."
                              : "The target takes no rows, so there is no control.";
    return control;
  }
  Rng rng(seed ^ 0xca9a57);
  for (std::uint32_t i = 0; i < count; ++i) {
    auto row = random_row(arena.knowledge.schema, rng);
    auto done = attack_canary(arena, *methods[i % methods.size()], row, options, control);
    if (!done) return done.error();
  }
  Twins twins;
  if (!arena.is_unprotected() && control.recovered == 0) {
    auto planted = plant_twins(arena, seed);
    if (!planted) return planted.error();
    twins = *planted;
  }
  describe(arena, twins, control);
  return control;
}

}  // namespace rankveil::audit
