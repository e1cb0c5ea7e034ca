#include "rankveil/promise/claim.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "rankveil/base/format.h"

namespace rankveil {

namespace {

std::string have_nothing_of_their_own(std::uint64_t rows) {
  return fmt::format("{} {} nothing of {} own", counted(rows, "row"), rows == 1 ? "has" : "have",
                     rows == 1 ? "its" : "their");
}

}  // namespace

double Coverage::uncovered() const {
  std::uint64_t apart = covered + base_only + open;
  return rows == 0 || apart >= rows ? 0
                                    : static_cast<double>(rows - apart) / static_cast<double>(rows);
}

std::string claim_text(const Promise& promise, const Coverage& coverage) {
  if (coverage.base_only == coverage.rows) return "all " + have_nothing_of_their_own(coverage.rows);
  if (promise.kind == PromiseKind::None) {
    return fmt::format("for 0 of {}, because nothing is promised", counted(coverage.rows, "row"));
  }
  const char* few = "covers {} of {}, with {}";
  std::string text =
      fmt::format(fmt::runtime(coverage.covers_few() ? few : "for {} of {}, {}"),
                  grouped(coverage.covered), counted(coverage.rows, "row"), promise.text());
  if (coverage.without_model) {
    text += fmt::format("; for {} of them no model of people is assumed",
                        grouped(*coverage.without_model));
  }
  if (coverage.base_only > 0) text += "; " + have_nothing_of_their_own(coverage.base_only);
  if (coverage.open > 0) {
    text += fmt::format("; {} of people who chose to show their own values",
                        counted(coverage.open, "row"));
  }
  return text;
}

void add_coverage(const Coverage& coverage, Json& json) {
  json.set("covered_rows", coverage.covered);
  json.set("covered_without_model",
           coverage.without_model ? Json(*coverage.without_model) : Json());
  json.set("rows_of_base_only", coverage.base_only);
  json.set("open_rows", coverage.open);
}

namespace {

std::optional<std::uint64_t> count_in(const Json& json, std::string_view name) {
  const Json* found = json.find(name);
  const std::int64_t* value = found == nullptr ? nullptr : found->as_integer();
  if (value == nullptr || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

}  // namespace

std::optional<Coverage> coverage_in(const Json& json, std::uint64_t rows) {
  auto covered = count_in(json, "covered_rows");
  auto base_only = count_in(json, "rows_of_base_only");
  if (!covered || !base_only || *covered > rows || *base_only > rows - *covered) {
    return std::nullopt;
  }
  return Coverage{rows, *covered, *base_only, count_in(json, "open_rows").value_or(0),
                  count_in(json, "covered_without_model")};
}

namespace {

// Of a gain over what somebody would believe if told that the row moved.
std::string_view condition_over_moved(AdversaryLevel level) {
  switch (level) {
    case AdversaryLevel::Joint:
    case AdversaryLevel::BayesianJoint:
      return "over R, which knows what all others show";
    case AdversaryLevel::Population:
      return "who knows people no better than a model fitted on this table";
    case AdversaryLevel::Intersecting:
      return "of builds under one ledger, with established rows";
    default:
      return "";
  }
}

std::string_view condition_over_shares(AdversaryLevel level) {
  switch (level) {
    case AdversaryLevel::Joint:
    case AdversaryLevel::BayesianJoint:
      return "about rows whose group shares all public values";
    case AdversaryLevel::Population:
      return "about such rows, and who believes of them what their group's shares say";
    case AdversaryLevel::Intersecting:
      return "of builds under one ledger, with established rows";
    default:
      return "";
  }
}

std::string_view condition_of_ratio(AdversaryLevel level) {
  switch (level) {
    case AdversaryLevel::Joint:
    case AdversaryLevel::BayesianJoint:
    case AdversaryLevel::Population:
      return "as a ratio to what is believed before";
    case AdversaryLevel::Intersecting:
      return "of builds under one ledger";
    default:
      return "";
  }
}

std::string_view condition_of_nothing(AdversaryLevel level) {
  switch (level) {
    case AdversaryLevel::Joint:
    case AdversaryLevel::BayesianJoint:
    case AdversaryLevel::Population:
    case AdversaryLevel::Intersecting:
      return "as no private value is shown";
    default:
      return "";
  }
}

}  // namespace

std::string_view level_condition(const Promise& promise, AdversaryLevel level) {
  if (promise.kind == PromiseKind::LikelihoodRatio) return condition_of_ratio(level);
  if (promise.kind == PromiseKind::GainAtMost && promise.bound == 0) {
    return condition_of_nothing(level);
  }
  return promise.over_moved ? condition_over_moved(level) : condition_over_shares(level);
}

std::vector<std::string> claimed_levels(const Promise& promise,
                                        const std::vector<AdversaryLevel>& levels) {
  std::vector<std::pair<std::string_view, std::string>> by_condition;
  for (AdversaryLevel level : levels) {
    std::string_view condition = level_condition(promise, level);
    auto same = std::ranges::find(by_condition, condition,
                                  &std::pair<std::string_view, std::string>::first);
    if (same == by_condition.end()) same = by_condition.insert(same, {condition, ""});
    same->second += (same->second.empty() ? "" : ", ") + std::string(level_name(level));
  }
  std::vector<std::string> lines;
  for (const auto& [condition, names] : by_condition) {
    lines.push_back(condition.empty() ? names : fmt::format("{}: {}", names, condition));
  }
  return lines.empty() ? std::vector<std::string>{"nobody"} : lines;
}

Json conditions_json(const Promise& promise, const std::vector<AdversaryLevel>& levels) {
  Json conditions = Json::Object{};
  for (AdversaryLevel level : levels) {
    std::string_view condition = level_condition(promise, level);
    if (!condition.empty()) conditions.set(std::string(level_name(level)), condition);
  }
  return conditions;
}

}  // namespace rankveil
