#include "rankveil/protect/scheme_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "rankveil/ranking/profiles.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
// In the order of Pairing and Fallback.
constexpr std::array<std::string_view, 3> pairings = {"random", "sorted-weight", "optimal"};
constexpr std::array<std::string_view, 3> fallbacks = {"shares", "suppress", "whole-domain"};

// An option that is one field of a Demand.
template <auto field>
constexpr SchemeOption of(SchemeOption option) {
  option.get = [](const Demand& demand) { return static_cast<double>(demand.*field); };
  option.put = [](Demand& demand, double value) {
    demand.*field = static_cast<std::remove_reference_t<decltype(demand.*field)>>(value);
  };
  return option;
}

constexpr std::array options = {
    of<&Demand::min_group>(
        {.name = "n-min",
         .value = "N",
         .help = "rows that must hide each other; smaller groups go up the ladder (21)",
         .least = 2,
         .most = 1'000'000}),
    of<&Demand::gamma>(
        {.name = "gamma",
         .value = "NUMBER",
         .help = "cluster, capped: how far common values are capped; inf for not at all",
         .least = 1,
         .most = no_limit,
         .whole = false}),
    of<&Demand::epsilon>(
        {.name = "epsilon",
         .value = "NUMBER",
         .help = "ldp: the budget of columns without their own (ln 3, or less for 8 in all)",
         .least = 0,
         .most = largest_epsilon,
         .whole = false}),
    of<&Demand::levels>({.name = "levels",
                         .value = "N",
                         .help = "capped, ldp, rr-mean: steps that strengths are rounded to (15)",
                         .least = 1,
                         .most = max_steps}),
    of<&Demand::fallback>(
        {.name = "fallback",
         .value = "HOW",
         .help = "pvst: for sets that stay short: shares, suppress or whole-domain",
         .words = fallbacks}),
    of<&Demand::pairing>({.name = "pairing",
                          .value = "HOW",
                          .help = "estt: random, sorted-weight or optimal (optimal)",
                          .words = pairings}),
    of<&Demand::set_size>({.name = "set-size",
                           .value = "N",
                           .help = "estt: rows in a set, at least l (l)",
                           .least = 2,
                           .most = 255}),
    of<&Demand::node_budget>({.name = "node-budget",
                              .value = "N",
                              .help = "esvt: nodes of the search for one row (100000)",
                              .least = 1,
                              .most = 1e15}),
};

bool in_range(const SchemeOption& option, double value) {
  bool sound = value >= option.least && value <= option.most;
  return sound && (option.whole || value > 0);
}

template <typename Number>
std::optional<double> parsed(std::string_view text) {
  Number value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool sound = problem == std::errc() && end == text.data() + text.size();
  return sound ? std::optional(static_cast<double>(value)) : std::nullopt;
}

std::optional<double> read(const SchemeOption& option, std::string_view text) {
  if (option.words.empty()) {
    auto value = option.whole ? parsed<std::uint64_t>(text) : parsed<double>(text);
    return value && in_range(option, *value) ? value : std::nullopt;
  }
  auto word = std::find(option.words.begin(), option.words.end(), text);
  if (word == option.words.end()) return std::nullopt;
  return static_cast<double>(word - option.words.begin());
}

}  // namespace

std::string SchemeOption::text(const Demand& demand) const {
  double asked = get(demand);
  if (!words.empty()) return std::string(words[static_cast<std::size_t>(asked)]);
  return whole ? fmt::format("{}", static_cast<std::uint64_t>(asked)) : fmt::format("{}", asked);
}

Status SchemeOption::set(Demand& demand, std::string_view text) const {
  auto given = read(*this, text);
  if (!given) return wrong_use(fmt::format("it takes {}, not \"{}\"", range(), text));
  put(demand, *given);
  return {};
}

Status SchemeOption::check(const Demand& demand) const {
  double asked = get(demand);
  bool sound = !words.empty() || asked == get(Demand{}) || in_range(*this, asked);
  if (sound) return {};
  return wrong_use(fmt::format("{} is {}; it takes {}", name, text(demand), range()));
}

std::string SchemeOption::range() const {
  if (!words.empty())
    return fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back());
  std::string kind = whole ? "a whole number" : "a number";
  if (least == 0) return fmt::format("{} above 0 and at most {}", kind, most);
  if (most == no_limit) return fmt::format("{} from {} up, or inf", kind, least);
  return fmt::format("{} from {} to {}", kind, least, most);
}

std::span<const SchemeOption> scheme_options() { return options; }

const SchemeOption* find_scheme_option(std::string_view name) {
  for (const SchemeOption& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

Status check_scheme_options(const Demand& demand) {
  for (const SchemeOption& option : options) {
    if (auto checked = option.check(demand); !checked) return checked;
  }
  return {};
}

}  // namespace rankveil
