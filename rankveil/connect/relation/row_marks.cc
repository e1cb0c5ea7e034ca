#include "rankveil/connect/relation/row_marks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "rankveil/table/domain.h"

namespace rankveil::connect {

namespace {

constexpr std::array<std::pair<std::string_view, Consent>, 3> choices = {{
    {"protected", Consent::Protected},
    {"open", Consent::Open},
    {"hidden", Consent::Hidden},
}};

std::optional<Consent> choice_of(std::string_view text) {
  for (const auto& [name, choice] : choices) {
    if (name == text) return choice;
  }
  return std::nullopt;
}

// How early each time of a dictionary is, equal ones sharing a number; nothing is later than none.
std::vector<std::uint32_t> ranks_of(const std::vector<std::string>& times) {
  std::vector<std::uint32_t> order(times.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
    return natural_order(times[left], times[right]);
  });
  std::vector<std::uint32_t> ranks(times.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

bool is_there(const PackedText& text, bool present) { return present && text.size() > 0; }

}  // namespace

Result<RowMarks> RowMarks::create(const Policy& policy, const Relation& relation) {
  RowMarks marks;
  marks.policy_ = policy;
  std::string established = policy.established ? policy.established->column : "";
  auto found = marks.want(relation, "established", established, marks.established_at_);
  if (found) found = marks.want(relation, "consent", policy.consent, marks.consent_at_);
  if (found) found = marks.want(relation, "person", policy.person, marks.person_at_);
  if (found) found = marks.want(relation, "time", policy.time, marks.time_at_);
  if (!found) return found.error();
  return marks;
}

Status RowMarks::want(const Relation& relation, std::string_view key, const std::string& column,
                      std::optional<std::size_t>& place) {
  if (column.empty()) return {};
  for (const RelationColumn& candidate : relation.columns) {
    if (candidate.name != column) continue;
    place = columns_.size();
    columns_.push_back(candidate.text);
    return {};
  }
  return bad_input(
      fmt::format("the policy's {} names a column \"{}\", which is not there", key, column));
}

Status RowMarks::add(const Chunk& chunk, std::size_t first) {
  Status done;
  if (established_at_) add_established(chunk, first + *established_at_);
  if (consent_at_) done = add_consent(chunk, first + *consent_at_);
  if (done && person_at_) done = add_persons(chunk, first + *person_at_);
  if (time_at_) add_times(chunk, first + *time_at_);
  rows_ += chunk.rows();
  return done;
}

void RowMarks::add_established(const Chunk& chunk, std::size_t column) {
  auto texts = chunk.texts(column);
  Presence present = chunk.present(column);
  for (std::size_t row = 0; row < texts.size(); ++row) {
    bool accepted = present[row] && policy_.established->accepts(texts[row].view());
    people_.established.push_back(accepted ? 1 : 0);
  }
}

Status RowMarks::add_consent(const Chunk& chunk, std::size_t column) {
  auto texts = chunk.texts(column);
  Presence present = chunk.present(column);
  for (std::size_t row = 0; row < texts.size(); ++row) {
    std::string_view text = is_there(texts[row], present[row]) ? texts[row].view() : "protected";
    auto choice = choice_of(text);
    if (!choice) {
      return bad_input(fmt::format(
          "row {} has \"{}\" in {}, by which the policy's consent goes; there are open, "
          "protected and hidden, and an empty cell means protected",
          rows_ + row + 1, text, policy_.consent));
    }
    people_.consent.push_back(static_cast<std::uint8_t>(*choice));
  }
  return {};
}

Status RowMarks::add_persons(const Chunk& chunk, std::size_t column) {
  auto texts = chunk.texts(column);
  Presence present = chunk.present(column);
  for (std::size_t row = 0; row < texts.size(); ++row) {
    if (!is_there(texts[row], present[row])) {
      return bad_input(fmt::format(
          "row {} has no {}, by which the policy's person goes; give every row a person, "
          "or leave such rows out",
          rows_ + row + 1, policy_.person));
    }
    people_.person_of.push_back(persons_.add(texts[row]));
  }
  return {};
}

void RowMarks::add_times(const Chunk& chunk, std::size_t column) {
  auto texts = chunk.texts(column);
  Presence present = chunk.present(column);
  for (std::size_t row = 0; row < texts.size(); ++row) {
    bool there = is_there(texts[row], present[row]);
    time_of_.push_back(there ? times_.add(texts[row]) : Dictionary::none);
  }
}

std::vector<std::uint32_t> RowMarks::places() const {
  std::vector<std::uint32_t> order(people_.person_of.size());
  std::iota(order.begin(), order.end(), 0U);
  auto ranks = ranks_of(times_.texts());
  auto time_rank = [&](std::uint32_t row) {
    bool known = !time_of_.empty() && time_of_[row] != Dictionary::none;
    return known ? ranks[time_of_[row]] : Dictionary::none;
  };
  std::ranges::stable_sort(order, [&](std::uint32_t left, std::uint32_t right) {
    return time_rank(left) < time_rank(right);
  });
  std::vector<std::uint32_t> places(order.size()), rows_so_far(persons_.size(), 0);
  for (std::uint32_t row : order) places[row] = rows_so_far[people_.person_of[row]]++;
  return places;
}

// A person chooses for all of their rows; where these differ, the one that shows least holds.
void RowMarks::agree_on_consent() {
  if (people_.consent.empty() || people_.person_of.empty()) return;
  auto strictness = [](std::uint8_t choice) {
    return choice == static_cast<std::uint8_t>(Consent::Hidden) ? 2
           : choice == static_cast<std::uint8_t>(Consent::Open) ? 0
                                                                : 1;
  };
  std::vector<std::uint8_t> chosen(persons_.size(), static_cast<std::uint8_t>(Consent::Open));
  for (std::size_t row = 0; row < people_.consent.size(); ++row) {
    std::uint8_t& choice = chosen[people_.person_of[row]];
    if (strictness(people_.consent[row]) > strictness(choice)) choice = people_.consent[row];
  }
  for (std::size_t row = 0; row < people_.consent.size(); ++row) {
    people_.consent[row] = chosen[people_.person_of[row]];
  }
}

RowPeople RowMarks::finish() && {
  agree_on_consent();
  people_.person_names = persons_.texts();
  people_.place_of = places();
  return std::move(people_);
}

}  // namespace rankveil::connect
