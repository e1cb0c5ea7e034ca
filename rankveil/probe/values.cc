#include "rankveil/probe/values.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace rankveil::probe {
namespace {

struct Range {
  std::int64_t least;
  std::int64_t most;
};

// What services take, from anything to marks from 1 to 5.
constexpr std::array<Range, 5> number_ranges = {
    {{-900'000'000, 900'000'000}, {0, 900'000'000}, {0, 30'000}, {0, 100}, {1, 5}}};
constexpr std::array<std::pair<int, int>, 2> year_ranges = {{{1801, 2199}, {1971, 2099}}};

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

std::optional<Range> numbers(const Field& field, std::uint32_t modesty) {
  const auto least = number_in(field.least);
  const auto most = number_in(field.most);
  if (modesty > 0 && least && most) return std::nullopt;
  if (modesty >= number_ranges.size()) return std::nullopt;
  Range range = number_ranges[modesty];
  if (least) range.least = static_cast<std::int64_t>(std::ceil(*least));
  if (most) range.most = static_cast<std::int64_t>(std::floor(*most));
  return range;
}

Value number_value(std::int64_t number) { return {std::to_string(number), false}; }

using Days = std::chrono::sys_days;

std::string day_text(Days day) {
  const std::chrono::year_month_day date{day};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

// A day that does not read as one: none.
std::optional<Days> day_in(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2u", &year, &month, &day) != 3) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                                         std::chrono::day{day}};
  if (!date.ok()) return std::nullopt;
  return Days{date};
}

std::optional<Days> end_day(const Field& field, End end, std::uint32_t modesty) {
  const auto given = day_in(end == End::Top ? field.most : field.least);
  if (given && modesty == 0) return given;
  if (modesty >= year_ranges.size()) return std::nullopt;
  const auto [first, last] = year_ranges[modesty];
  return end == End::Top ? Days{std::chrono::year{last} / 12 / 31}
                         : Days{std::chrono::year{first} / 1 / 1};
}

std::string shortened(std::string text) {
  if (!text.empty()) text.pop_back();
  return text;
}

// The choices before and after; at an end the value itself.
std::pair<Value, Value> neighbours_of(const Field& field, const Value& value) {
  const auto at = std::ranges::find(field.choices, value.text);
  std::pair<Value, Value> beside{value, value};
  if (at == field.choices.end()) return beside;
  if (at != field.choices.begin()) beside.first.text = *std::prev(at);
  if (std::next(at) != field.choices.end()) beside.second.text = *std::next(at);
  return beside;
}

// Just below and just above.
std::pair<Value, Value> around(const Field& field, const Value& value) {
  if (field.type == FieldType::Number) {
    const auto number = static_cast<std::int64_t>(number_in(value.text).value_or(0));
    return {number_value(number - 1), number_value(number + 1)};
  }
  if (const auto day = day_in(value.text); field.type == FieldType::Date && day) {
    return {{day_text(*day - std::chrono::days{1})}, {day_text(*day + std::chrono::days{1})}};
  }
  if (field.type == FieldType::Flag) return {value, value};
  if (field.only_choices) return neighbours_of(field, value);
  return {{shortened(value.text)}, {value.text + "z"}};
}

std::vector<std::string> choices_of(const Field& field) {
  if (field.type == FieldType::Flag) return {"false", "true"};
  return field.choices;
}

// The first, or the last, of all that the service takes; fresh ones as far as there are any.
Value choice(const Field& field, const std::vector<std::string>& choices, End end,
             std::uint64_t nth) {
  const std::uint64_t half = std::max<std::uint64_t>(1, choices.size() / 2);
  const std::uint64_t at = end == End::Bottom ? nth % half : choices.size() - 1 - nth % half;
  const bool is_text = field.type == FieldType::Text || field.type == FieldType::Date;
  return {choices[at], is_text && !field.is_word};
}

}  // namespace

std::string ValueMaker::letters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += static_cast<char>('b' + static_cast<char>(rng_.below(24)));
  }
  return text;
}

std::optional<Value> ValueMaker::one(const Field& field, End end, std::uint32_t modesty,
                                     std::uint64_t nth) {
  if (const auto choices = choices_of(field); !choices.empty()) {
    if (modesty > 0) return std::nullopt;
    return choice(field, choices, end, nth);
  }
  if (field.type == FieldType::Number) {
    const auto range = numbers(field, modesty);
    if (!range) return std::nullopt;
    // Every third number, so that a's neighbours are free; the two ends do not meet.
    if (range->most <= range->least) return std::nullopt;
    const auto width = static_cast<std::uint64_t>(range->most - range->least);
    const auto step = static_cast<std::int64_t>(std::min(3 * nth, (width - 1) / 2));
    return number_value(end == End::Top ? range->most - step : range->least + step);
  }
  if (field.type == FieldType::Date) {
    const auto day = end_day(field, end, modesty);
    if (!day) return std::nullopt;
    const auto step = std::chrono::days{static_cast<int>(3 * nth)};
    return Value{day_text(end == End::Top ? *day - step : *day + step)};
  }
  if (modesty > 1) return std::nullopt;
  const std::string start(modesty == 0 ? 4 : 1, end == End::Top ? 'z' : '0');
  return Value{start + letters(modesty == 0 ? 6 : 3)};
}

std::optional<TestValues> ValueMaker::make(const Field& field, End end, std::uint32_t modesty) {
  const End opposite = end == End::Top ? End::Bottom : End::Top;
  const std::uint64_t nth = rng_.below(30);
  auto a = one(field, end, modesty, nth);
  auto b = one(field, opposite, modesty, rng_.below(30));
  auto other = one(field, opposite, modesty, rng_.below(30));
  if (!a || !b || !other || *a == *b || *a == *other) return std::nullopt;
  auto [low, high] = around(field, *a);
  return TestValues{*a, *b, *other, low, high};
}

bool is_made_up_text(std::string_view text) {
  const bool begins = text.starts_with("zzzz") || text.starts_with("0000");
  return begins && text.size() == 10 && std::ranges::all_of(text.substr(4), [](char letter) {
           return letter >= 'b' && letter <= 'y';
         });
}

bool same_value(const Field& field, const Value& left, const Value& right) {
  if (left.text == right.text) return true;
  if (field.type == FieldType::Number) {
    const auto a = number_in(left.text);
    return a && a == number_in(right.text);
  }
  if (field.type == FieldType::Date) {
    const auto a = day_in(left.text);
    return a && a == day_in(right.text);
  }
  return false;
}

}  // namespace rankveil::probe
