#include "rankveil/protect/option_names.h"

#include <fmt/core.h>

#include <array>
#include <cassert>
#include <charconv>
#include <type_traits>

#include "rankveil/protect/chance/fewer_bitmaps.h"

namespace rankveil {

namespace {

constexpr std::array<std::string_view, 3> pairings = {"random", "sorted-weight", "optimal"};
constexpr std::array<std::string_view, 3> fallbacks = {"shares", "suppress", "whole-domain"};

struct OptionWord {
  std::string_view name;
  std::string (*text)(const Demand&);
  bool (*set)(Demand&, std::string_view text);
};

std::string number(double value) { return fmt::format("{}", value); }

template <typename Number>
bool read(std::string_view text, Number& target) {
  double value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool sound = problem == std::errc() && end == text.data() + text.size() && value >= 0 &&
               (std::is_floating_point_v<Number> || value < 1e18);
  if (sound) target = static_cast<Number>(value);
  return sound;
}

template <typename Choice>
bool read_choice(std::optional<Choice> choice, Choice& target) {
  if (choice) target = *choice;
  return choice.has_value();
}

using Text = std::string_view;

const std::array options = {
    OptionWord{"n-min", [](const Demand& d) { return number(d.least_group); },
               [](Demand& d, Text text) { return read(text, d.least_group); }},
    OptionWord{"set-size", [](const Demand& d) { return number(d.set_size); },
               [](Demand& d, Text text) { return read(text, d.set_size); }},
    OptionWord{
        "pairing", [](const Demand& d) { return std::string(pairing_name(d.pairing)); },
        [](Demand& d, Text text) { return read_choice(pairing_from_name(text), d.pairing); }},
    OptionWord{"node-budget",
               [](const Demand& d) { return number(static_cast<double>(d.node_budget)); },
               [](Demand& d, Text text) { return read(text, d.node_budget); }},
    OptionWord{
        "fallback", [](const Demand& d) { return std::string(fallback_name(d.fallback)); },
        [](Demand& d, Text text) { return read_choice(fallback_from_name(text), d.fallback); }},
    OptionWord{"gamma", [](const Demand& d) { return number(d.gamma); },
               [](Demand& d, Text text) { return read(text, d.gamma); }},
    OptionWord{"epsilon", [](const Demand& d) { return number(d.epsilon); },
               [](Demand& d, Text text) { return read(text, d.epsilon); }},
    OptionWord{"levels", [](const Demand& d) { return number(d.levels); },
               [](Demand& d, Text text) { return read(text, d.levels); }},
    OptionWord{"bitmaps", [](const Demand& d) { return number(bitmaps_of(d)); },
               [](Demand& d, Text text) { return read(text, d.bitmaps); }},
};

const auto names = [] {
  std::array<std::string_view, options.size()> list;
  for (std::size_t i = 0; i < options.size(); ++i) list[i] = options[i].name;
  return list;
}();

template <typename Choice, std::size_t size>
std::optional<Choice> choice(const std::array<std::string_view, size>& words,
                             std::string_view name) {
  for (std::size_t i = 0; i < size; ++i) {
    if (words[i] == name) return static_cast<Choice>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view pairing_name(Pairing pairing) {
  return pairings[static_cast<std::size_t>(pairing)];
}

std::optional<Pairing> pairing_from_name(std::string_view name) {
  return choice<Pairing>(pairings, name);
}

std::string_view fallback_name(Fallback fallback) {
  return fallbacks[static_cast<std::size_t>(fallback)];
}

std::optional<Fallback> fallback_from_name(std::string_view name) {
  return choice<Fallback>(fallbacks, name);
}

std::span<const std::string_view> option_names() { return names; }

std::string option_text(const Demand& demand, std::string_view option) {
  for (const OptionWord& word : options) {
    if (word.name == option) return word.text(demand);
  }
  assert(false && "an option there is");
  return {};
}

bool set_option(Demand& demand, std::string_view option, std::string_view text) {
  for (const OptionWord& word : options) {
    if (word.name == option) return word.set(demand, text);
  }
  return false;
}

}  // namespace rankveil
