#include "rankveil/probe/features.h"

#include <fmt/core.h>

#include <algorithm>

namespace rankveil::probe {
namespace {

std::string name_of_own_row(std::size_t number, std::size_t rows) {
  return rows == 1 ? "the own row" : fmt::format("own row {}", number + 1);
}

std::string outcome_text(const Answer& answer) {
  switch (answer.outcome) {
    case Outcome::Answered:
      return "answered";
    case Outcome::Refused:
      return fmt::format("refused ({})", answer.status);
    case Outcome::Failed:
      return "failed";  // how, is chance: a time-out here, a status there
    case Outcome::Throttled:
      return "throttled";
  }
  return "";
}

void add_own_rows(Features& features, const Answer& answer, std::span<const std::string> own) {
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t place = place_of(answer, own[i]);
    const std::string row = name_of_own_row(i, own.size());
    features.emplace_back("presence of " + row, place == 0 ? "not there" : "there");
    features.emplace_back("place of " + row, place == 0 ? "not there" : std::to_string(place));
  }
}

void add_parts(Features& features, const Answer& answer, std::span<const std::string> own) {
  for (const Part& part : answer.parts) {
    const auto row = std::ranges::find(own, part.row);
    std::string name = part.name;
    if (row != own.end()) {
      name += " of " + name_of_own_row(static_cast<std::size_t>(row - own.begin()), own.size());
    }
    features.emplace_back("\"" + name + "\"", part.text);
  }
}

std::string order_text(const Answer& answer) {
  std::string text;
  for (const std::string& row : answer.rows) text += row + "\n";
  return text;
}

}  // namespace

std::size_t place_of(const Answer& answer, const std::string& row) {
  const auto at = std::ranges::find(answer.rows, row);
  return at == answer.rows.end() ? 0 : static_cast<std::size_t>(at - answer.rows.begin()) + 1;
}

Features features_of(const Answer& answer, std::span<const std::string> own) {
  Features features;
  features.emplace_back("outcome", outcome_text(answer));
  if (answer.outcome != Outcome::Answered) return features;
  add_own_rows(features, answer, own);
  if (answer.count) features.emplace_back("count", std::to_string(*answer.count));
  features.emplace_back("cursor", answer.cursor);
  add_parts(features, answer, own);
  features.emplace_back("order of all rows", order_text(answer));
  return features;
}

bool is_part(const std::string& name) { return name.starts_with('"'); }

std::string feature_text(const Features& features, const std::string& name) {
  const auto feature = std::ranges::find(features, name, &Features::value_type::first);
  return feature == features.end() ? "nothing" : feature->second;
}

}  // namespace rankveil::probe
