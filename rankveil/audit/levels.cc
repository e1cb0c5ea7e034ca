#include "rankveil/audit/levels.h"

#include <array>
#include <cassert>

namespace rankveil::audit {

namespace {

struct NamedLevel {
  std::string_view name;
  AdversaryLevel level;
};

constexpr std::array named_levels = {
    NamedLevel{"prior", AdversaryLevel::Prior},
    NamedLevel{"prior-public", AdversaryLevel::Prior},
    NamedLevel{"ignorant", AdversaryLevel::Ignorant},
    NamedLevel{"knowledgeable", AdversaryLevel::Knowledgeable},
    NamedLevel{"mechanism-table", AdversaryLevel::MechanismAware},
    NamedLevel{"mechanism-public", AdversaryLevel::MechanismAware},
    NamedLevel{"joint", AdversaryLevel::Joint},
    NamedLevel{"joint-balanced", AdversaryLevel::Joint},
    NamedLevel{"bayesian-joint", AdversaryLevel::BayesianJoint},
    NamedLevel{"population", AdversaryLevel::Population},
    NamedLevel{"intersecting", AdversaryLevel::Intersecting},
};

constexpr auto names = [] {
  std::array<std::string_view, named_levels.size()> list{};
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = named_levels[i].name;
  return list;
}();

}  // namespace

std::span<const std::string_view> level_names() { return names; }

AdversaryLevel level_of(std::string_view name) {
  for (const NamedLevel& level : named_levels) {
    if (level.name == name) return level.level;
  }
  assert(false && "only names of level_names() stand for a level");
  return AdversaryLevel::Prior;
}

}  // namespace rankveil::audit
