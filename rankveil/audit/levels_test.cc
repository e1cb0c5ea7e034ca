#include "rankveil/audit/levels.h"

#include <gtest/gtest.h>

namespace rankveil::audit {
namespace {

TEST(Levels, GoFromWeakToStrong) {
  auto last = AdversaryLevel::Prior;
  for (std::string_view name : level_names()) {
    EXPECT_LE(last, level_of(name)) << name;
    last = level_of(name);
  }
}

TEST(Levels, OfOneNameAreCalledByIt) {
  EXPECT_EQ(level_of("bayesian-joint"), AdversaryLevel::BayesianJoint);
  EXPECT_EQ(level_of("mechanism-table"), AdversaryLevel::MechanismAware);
}

}  // namespace
}  // namespace rankveil::audit
