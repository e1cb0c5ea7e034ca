#include "bench/figures/lab/second_release.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/figures/lab/beds.h"
#include "rankveil/audit/levels.h"

namespace rankveil::figures {
namespace {

Table people() {
  Bed bed = attack_bed("people", 4000, 1, 1);
  Part part = usual_part(bed);
  part.publics = 2;
  part.privates = 3;
  return cut(bed, part);
}

double largest_gain(const TwoReleases& two, const Demand& demand, const Profiles& second) {
  auto judged =
      audit::judge_profiles({two.table, two.first, audit::Mechanism{demand}, nullptr, {&second}},
                            {.levels = {"intersecting"}});
  EXPECT_TRUE(judged) << judged.error().message;
  double gain = 0;
  for (const audit::Finding& finding : judged->findings) gain = std::max(gain, finding.gain);
  EXPECT_FALSE(judged->findings.empty());
  return gain;
}

// Rows of the first release that show something else in the second.
std::uint32_t changed_rows(const TwoReleases& two) {
  std::uint32_t changed = 0;
  for (std::uint32_t row = 0; row < two.table.rows(); ++row) {
    bool same = true;
    for (std::uint32_t j = 0; j < two.table.schema().private_count(); ++j) {
      AttributeId id{two.table.schema().public_count() + j};
      for (std::uint32_t v = 0; v < two.table.schema()[id].domain.size(); ++v) {
        ValueId value{static_cast<std::uint16_t>(v)};
        same &= two.first.match(RowId{row}, PrivateId{j}, value) ==
                two.second.match(RowId{row}, PrivateId{j}, value);
      }
    }
    changed += same ? 0 : 1;
  }
  return changed;
}

TEST(SecondRelease, FromTheLedgerKeepsThePromise) {
  for (const char* scheme : {"swap", "cluster"}) {
    SCOPED_TRACE(scheme);
    Demand demand{.scheme = scheme, .l = 2};
    auto two = release_twice(people(), demand, 1);
    ASSERT_TRUE(two) << two.error().message;
    EXPECT_GT(two->counts.kept, 3000U);
    EXPECT_GT(two->counts.released, 100U);
    EXPECT_GT(two->counts.withdrawn, 20U);
    EXPECT_EQ(two->counts.gone, 36U);
    EXPECT_EQ(changed_rows(*two), 0U);
    // Showing the first again tells nothing, and so does the second. Only cluster promises a gain
    // over what public values say; that of swap is over R.
    EXPECT_EQ(largest_gain(*two, demand, two->second), largest_gain(*two, demand, two->first));
    if (demand.scheme == "cluster") {
      EXPECT_LE(largest_gain(*two, demand, two->second), 0.5 + 1e-6);
    }
  }
}

TEST(SecondRelease, MadeAfreshBreaksIt) {
  for (const char* scheme : {"swap", "cluster"}) {
    SCOPED_TRACE(scheme);
    Demand demand{.scheme = scheme, .l = 2};
    auto two = release_twice(people(), demand, 1, Second::Afresh);
    ASSERT_TRUE(two) << two.error().message;
    EXPECT_GT(changed_rows(*two), 1000U);
    EXPECT_GT(largest_gain(*two, demand, two->second), 0.55);
  }
}

}  // namespace
}  // namespace rankveil::figures
