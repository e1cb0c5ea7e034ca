#include "rankveil/audit/transcript.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "rankveil/audit/step_words.h"

namespace rankveil::audit {

namespace {

// Steps as short as can be that prove the claim when they are done again.
Result<std::optional<std::vector<RecordedStep>>> confirmed_steps(
    const Arena& arena, const Claim& claim, const std::vector<RecordedStep>& recorded) {
  for (bool drop_inserts : {true, false}) {
    auto steps = shortest(arena.knowledge, claim, recorded, drop_inserts);
    auto target = arena.fresh();
    if (!target) return target.error();
    auto again = perform(**target, steps);
    if (!again) return again.error();
    if (proves(arena.knowledge, claim, *again)) return std::optional(*std::move(again));
  }
  return std::optional<std::vector<RecordedStep>>();
}

}  // namespace

Result<std::optional<Transcript>> make_transcript(const Arena& arena, const Table& truth,
                                                  const Claim& claim, const attack::Method& method,
                                                  const CampaignOptions& options) {
  std::optional<Transcript> made;
  auto target = arena.fresh();
  if (!target) return target.error();
  RecordingTarget recording(**target);
  auto report = attack::run(method, {.knowledge = arena.knowledge,
                                     .target = recording,
                                     .victim = claim.victim,
                                     .attributes = {claim.attribute},
                                     .priors = options.priors,
                                     .budget = options.budget});
  if (!report) return report.error();
  if (!proves(arena.knowledge, claim, recording.steps())) return made;
  auto confirmed = confirmed_steps(arena, claim, recording.steps());
  if (!confirmed) return confirmed.error();
  const auto& steps = *confirmed ? **confirmed : recording.steps();

  const Schema& schema = arena.knowledge.schema;
  const Attribute& attribute = schema.attributes[schema.public_count() + +claim.attribute];
  made.emplace();
  made->victim = truth.names().text(RowId{claim.victim});
  made->attribute = attribute.name;
  made->value = attribute.domain.text(claim.value);
  made->method = method.name;
  made->recorded = recording.steps().size();
  made->confirmed = confirmed->has_value();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    made->steps.push_back(step_in_words(arena.knowledge, truth.names(), claim.victim, steps, i));
  }
  return made;
}

// ---- Back to numbers ----

namespace {

Error not_there(const std::string& what, const std::string& name) {
  return bad_input(fmt::format(
      "the transcript names {} \"{}\", which is not there; use the table and the policy that the "
      "report was made with",
      what, name));
}

Result<std::vector<ValueId>> values_of(const Step& step, const Schema& schema) {
  if (step.row.size() != schema.size()) {
    return bad_input(fmt::format("a row of the transcript has {} values for {} attributes",
                                 step.row.size(), schema.size()));
  }
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    values.push_back(missing_value);
    if (!step.row[i]) continue;
    auto value = schema.attributes[i].domain.find(*step.row[i]);
    if (!value) return not_there("a value of " + schema.attributes[i].name, *step.row[i]);
    values.back() = *value;
  }
  return values;
}

class RowsByName {
 public:
  explicit RowsByName(const RowNames& names) : rows_(names.size()) {
    for (std::uint32_t row = 0; row < rows_; ++row) numbers_.emplace(names.text(RowId{row}), row);
  }

  std::optional<std::uint32_t> find(const std::string& name) const {
    if (auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    if (!name.starts_with("+") || name.size() > 9) return std::nullopt;
    std::uint32_t number = 0;
    for (char digit : name.substr(1)) {
      if (digit < '0' || digit > '9') return std::nullopt;
      number = number * 10 + static_cast<std::uint32_t>(digit - '0');
    }
    return number == 0 ? std::nullopt : std::optional(rows_ + number - 1);
  }

 private:
  std::uint32_t rows_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

Result<RecordedStep> recorded(const Step& step, const Schema& schema, const RowsByName& numbers) {
  RecordedStep made{.is_insert = step.is_insert};
  if (step.is_insert) {
    auto values = values_of(step, schema);
    if (!values) return values.error();
    made.values = *std::move(values);
    return made;
  }
  auto query = query_from_json(schema, step.query);
  if (!query) return query.error();
  made.query = *std::move(query);
  for (const std::string& name : step.answer) {
    auto row = numbers.find(name);
    if (!row) return not_there("row", name);
    made.answer.push_back(*row);
  }
  return made;
}

Result<Claim> claim_of(const Transcript& transcript, const Schema& schema,
                       const RowsByName& numbers) {
  auto victim = numbers.find(transcript.victim);
  if (!victim) return not_there("row", transcript.victim);
  auto attribute = schema.find(transcript.attribute);
  if (!attribute || !schema[*attribute].is_private()) {
    return not_there("the private attribute", transcript.attribute);
  }
  auto value = schema[*attribute].domain.find(transcript.value);
  if (!value) return not_there("a value of " + transcript.attribute, transcript.value);
  return Claim{*victim, PrivateId{+*attribute - schema.public_count()}, *value};
}

}  // namespace

Result<Replayable> replayable(const Transcript& transcript, const Schema& schema,
                              const RowNames& names) {
  RowsByName numbers(names);
  auto claim = claim_of(transcript, schema, numbers);
  if (!claim) return claim.error();
  Replayable made{*claim, {}};
  for (const Step& step : transcript.steps) {
    auto done = recorded(step, schema, numbers);
    if (!done) return done.error();
    made.steps.push_back(*std::move(done));
  }
  return made;
}

namespace {

std::string change_of(const std::vector<std::uint32_t>& answer, const std::string& victim,
                      std::uint32_t row) {
  auto place = std::find(answer.begin(), answer.end(), row);
  if (place == answer.end()) {
    return fmt::format("answered otherwise now: {} is not among the {} rows shown", victim,
                       answer.size());
  }
  return fmt::format("answered otherwise now: {} is number {}", victim, place - answer.begin() + 1);
}

}  // namespace

Result<Replayed> replay(const Arena& arena, const Transcript& transcript, const RowNames& names) {
  auto then = replayable(transcript, arena.knowledge.schema, names);
  if (!then) return then.error();
  auto target = arena.fresh();
  if (!target) return target.error();
  auto now = perform(**target, then->steps);
  if (!now) return now.error();
  Replayed replayed;
  replayed.changes.resize(now->size());
  for (std::size_t i = 0; i < now->size(); ++i) {
    const RecordedStep& step = (*now)[i];
    if (step.is_insert) continue;
    ++replayed.queries;
    if (step.answer == then->steps[i].answer) {
      ++replayed.same;
    } else {
      replayed.changes[i] = change_of(step.answer, transcript.victim, then->claim.victim);
    }
  }
  replayed.still_leaks = proves(arena.knowledge, then->claim, *now);
  return replayed;
}

}  // namespace rankveil::audit
