#include "rankveil/ranking/store/segment_sample.h"

#include <gtest/gtest.h>

#include "rankveil/base/random.h"

namespace rankveil {
namespace {

// Two bits a value; every other value is kept as lists.
AttributePlanes random_planes(Rng& rng, std::uint32_t rows) {
  std::vector<std::vector<StrengthEntry>> lists(6);
  for (std::size_t value = 0; value < lists.size(); ++value) {
    std::uint64_t rarity = value % 2 == 0 ? 3 : 100;
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (rng.below(rarity) != 0) continue;
      lists[value].push_back({row, static_cast<std::uint8_t>(1 + rng.below(3))});
    }
  }
  return planes_from_lists(lists, rows, 2);
}

TEST(SegmentSample, HasTheBitsOfItsRows) {
  for (std::uint32_t rows : {0U, 1U, 8U, 9U, 24U, 25U, 5000U, 70000U, 3000000U}) {
    SCOPED_TRACE(::testing::Message() << rows << " rows");
    Rng rng(rows);
    std::vector<AttributePlanes> attributes;
    attributes.push_back(random_planes(rng, rows));
    SegmentSample sample = sample_planes(attributes, rows);
    ASSERT_EQ(sample.attributes.size(), 1U);
    const auto& mine = sample.attributes[0];
    ASSERT_EQ(mine.planes.size(), attributes[0].planes.size());
    EXPECT_EQ(mine.bits, 2U);
    for (std::size_t p = 0; p < mine.planes.size(); ++p) {
      for (std::uint32_t i = 0; i < sample.rows; ++i) {
        ASSERT_LT(sample.position(i), rows);
        bool expected = attributes[0].planes[p].test(sample.position(i));
        ASSERT_EQ(mine.planes[p].test(i), expected) << "plane " << p << " row " << i;
      }
    }
    EXPECT_GE(sample.position(sample.rows), rows);
    EXPECT_LE(sample.rows, 33000U);
  }
}

}  // namespace
}  // namespace rankveil
