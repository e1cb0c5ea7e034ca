#include "rankveil/audit/effect/refusals.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

constexpr std::uint32_t values_tried = 3;

// Why the question was refused; nothing: it was answered.
Result<std::optional<std::string>> refusal_of(attack::LiveTarget& target, const Query& query) {
  auto answer = target.query(query);
  if (answer) return std::optional<std::string>();
  if (target.was_refused()) return std::optional(answer.error().message);
  return answer.error();
}

// The first row's public values.
Query public_question(const Table& truth) {
  Query query = empty_query(truth.schema());
  for (std::uint32_t i = 0; i < truth.schema().public_count() && truth.rows() > 0; ++i) {
    ValueId value = truth.value(RowId{0}, AttributeId{i});
    if (value != missing_value) query.wanted[i] = {value};
  }
  return query;
}

std::vector<Query> questions_for(const Table& truth, AttributeId attribute) {
  std::vector<Query> questions;
  std::uint32_t size = truth.schema()[attribute].domain.size();
  for (std::uint32_t v = 0; v < std::min(size, values_tried); ++v) {
    for (Query query : {empty_query(truth.schema()), public_question(truth)}) {
      query.wanted[+attribute] = {ValueId{static_cast<std::uint16_t>(v)}};
      questions.push_back(std::move(query));
    }
  }
  return questions;
}

Result<std::optional<Effect>> refused_effect(attack::LiveTarget& target, const Table& truth,
                                             AttributeId attribute) {
  const std::string& name = truth.schema()[attribute].name;
  Effect effect{.attribute = name, .acts = Acts::Refused};
  std::string why;
  for (const Query& question : questions_for(truth, attribute)) {
    auto refusal = refusal_of(target, question);
    if (!refusal) return refusal.error();
    if (!*refusal) return std::optional<Effect>();
    if (effect.questions++ == 0) why = **refusal;
  }
  if (effect.questions == 0) return std::optional<Effect>();
  effect.note = fmt::format(
      "the service refuses to be asked for {}, {} of {}, as the target's file "
      "spells it: {}",
      name, effect.questions, counted(effect.questions, "question"), why);
  return std::optional(std::move(effect));
}

Status check_public_questions(attack::LiveTarget& target, const Table& truth) {
  auto refusal = refusal_of(target, public_question(truth));
  if (!refusal) return refusal.error();
  if (!*refusal) return {};
  return bad_input(fmt::format(
      "the service refuses questions for public values alone, too, so that its refusals "
      "say nothing: {}",
      **refusal));
}

bool is_refused(const std::vector<Effect>& refused, const std::string& name) {
  return std::ranges::find(refused, name, &Effect::attribute) != refused.end();
}

}  // namespace

Result<std::vector<Effect>> find_refusals(attack::LiveTarget& target, const Table& truth) {
  std::vector<Effect> refused;
  for (std::uint32_t i = truth.schema().public_count(); i < truth.schema().size(); ++i) {
    auto effect = refused_effect(target, truth, AttributeId{i});
    if (!effect) return effect.error();
    if (*effect) refused.push_back(**std::move(effect));
  }
  if (refused.empty()) return refused;
  auto sound = check_public_questions(target, truth);
  if (!sound) return sound.error();
  return refused;
}

Table without(const Table& table, const std::vector<Effect>& refused) {
  Schema schema{{}, table.schema().id_name};
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    const Attribute& attribute = table.schema().attributes[i];
    if (attribute.is_private() && is_refused(refused, attribute.name)) continue;
    schema.attributes.push_back(attribute);
    columns.push_back(table.column(AttributeId{i}));
  }
  return Table(std::move(schema), std::move(columns), table.names());
}

}  // namespace rankveil::audit
