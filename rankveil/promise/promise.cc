#include "rankveil/promise/promise.h"

#include <fmt/core.h>

#include <array>

namespace rankveil {

namespace {

struct LevelWords {
  AdversaryLevel level;
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array levels = {
    LevelWords{AdversaryLevel::Prior, "prior", "sees no ranking, guesses the most frequent value"},
    LevelWords{AdversaryLevel::Ignorant, "ignorant",
               "takes all values of a profile for equally likely"},
    LevelWords{AdversaryLevel::Knowledgeable, "knowledgeable",
               "drops values that no row with these public values has"},
    LevelWords{AdversaryLevel::MechanismAware, "mechanism-aware",
               "knows the scheme and its parameters, not the key"},
    LevelWords{AdversaryLevel::Joint, "joint", "knows the private vectors of every public group"},
    LevelWords{AdversaryLevel::BayesianJoint, "bayesian-joint",
               "weighs these vectors by how likely they lead to all profiles of a row"},
    LevelWords{AdversaryLevel::Population, "population",
               "the same with other people of the same kind in place of the table"},
    LevelWords{AdversaryLevel::Intersecting, "intersecting", "holds two or more releases"},
    LevelWords{AdversaryLevel::Informed, "informed", "already believes something about one person"},
};

constexpr auto level_list = [] {
  std::array<AdversaryLevel, levels.size()> list{};
  for (std::size_t i = 0; i < levels.size(); ++i) list[i] = levels[i].level;
  return list;
}();

}  // namespace

std::span<const AdversaryLevel> adversary_levels() { return level_list; }

std::string_view level_name(AdversaryLevel level) {
  return levels[static_cast<std::size_t>(level)].name;
}

std::string_view level_meaning(AdversaryLevel level) {
  return levels[static_cast<std::size_t>(level)].meaning;
}

std::optional<AdversaryLevel> level_from_name(std::string_view name) {
  for (const LevelWords& words : levels) {
    if (words.name == name) return words.level;
  }
  return std::nullopt;
}

std::string Promise::text() const {
  switch (kind) {
    case PromiseKind::None:
      return "nothing";
    case PromiseKind::GuessAtMost:
      return fmt::format("a right guess with probability at most {:.3g}", bound);
    case PromiseKind::GainAtMost:
      return fmt::format(
          "a gain of at most {:.3g}{}{}", bound,
          over_moved ? " from each column or block over R, what one would believe if told that the "
                       "row moved in it"
                     : "",
          spares_declared ? " for every value but those declared not sensitive" : "");
    case PromiseKind::LikelihoodRatio:
      return fmt::format("a likelihood ratio of at most e^{:.3g}", bound);
  }
  return {};
}

}  // namespace rankveil
