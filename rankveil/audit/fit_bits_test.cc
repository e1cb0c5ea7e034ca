#include "rankveil/audit/fit_bits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/audit/testing/random_columns.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil::audit {
namespace {

using testing_support::all_of;
using testing_support::plain_weight;
using testing_support::RandomColumns;

// What weighs more than nothing.
std::vector<std::uint32_t> plain_fits(const RandomColumns& group, const ClassList& classes,
                                      std::uint32_t one) {
  std::vector<std::uint32_t> fits;
  for (std::uint32_t v = 0; v < group.prior.vectors(); ++v) {
    if (plain_weight(group, classes, one, v) > 0) fits.push_back(v);
  }
  return fits;
}

TEST(FitBits, AndWalksListExactlyTheVectorsThatFit) {
  for (std::uint64_t seed = 0; seed < some_of(100U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto width = static_cast<std::uint32_t>(1 + seed % 5);
    auto rows = static_cast<std::uint32_t>(1 + rng.below(200));
    RandomColumns group(rng, width, rows, /*releases=*/1, /*zeros=*/3);
    ClassList classes = classes_of(group.columns, all_of(rows));
    FitBits bits(group.columns, classes, group.prior.vectors());
    SparseWeights weights(group.prior, group.columns, classes);
    SparseWeights::Walk walk(weights);
    for (std::uint32_t at = 0; at < classes.count(); ++at) {
      std::vector<std::uint32_t> listed;
      bits.list(at, listed);
      EXPECT_EQ(listed, plain_fits(group, classes, at));
      std::vector<std::uint32_t> reached;
      walk.go_to(at);
      walk.list(reached);
      std::sort(reached.begin(), reached.end());
      EXPECT_EQ(reached, plain_fits(group, classes, walk.one()));
    }
  }
}

}  // namespace
}  // namespace rankveil::audit
