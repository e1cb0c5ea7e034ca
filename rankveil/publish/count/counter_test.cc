#include "rankveil/publish/count/counter.h"

#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/publish/testing/plain_methods.h"

namespace rankveil::publish {
namespace {

Edges random_edges(Rng& rng, const Field& field) {
  Edges edges;
  for (std::size_t d = 0; d < field.dimensions(); ++d) {
    auto a = static_cast<std::uint32_t>(rng.below(field.distinct(d)));
    auto b = static_cast<std::uint32_t>(rng.below(field.distinct(d)));
    edges.low[d] = std::min(a, b);
    edges.high[d] = std::max(a, b);
  }
  return edges;
}

TEST(Counter, CountsAsTheDefinitionDoes) {
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Points points = plain::random_points(rng, 4000);
    Top top = find_top(points, 1 + static_cast<std::uint32_t>(rng.below(points.rows() / 3 + 1)),
                       Ties::Cut);
    Field field = Field::of_table(points, top.rows);
    Counter fast(field);
    Counter slow(field, 0);
    ASSERT_TRUE(fast.uses_bitmaps());
    ASSERT_FALSE(slow.uses_bitmaps());
    plain::Left left(points, top);
    for (int i = 0; i < 20; ++i) {
      Edges edges = random_edges(rng, field);
      plain::Inside inside = left.count(field.box(edges));
      Counts counts = fast.count(edges);
      EXPECT_EQ(counts.positives, inside.positives);
      EXPECT_EQ(counts.members, inside.members);
      EXPECT_EQ(slow.count(edges), counts);
      std::uint32_t others = counts.members - counts.positives;
      auto limit = static_cast<std::uint32_t>(rng.below(others + 2));
      std::uint32_t limited = fast.others(edges, limit);
      EXPECT_TRUE(others <= limit ? limited == others : limited > limit);
      auto gone = static_cast<Point>(rng.below(field.positives()));
      if (!field.is_left(gone)) continue;
      field.remove(gone);
      fast.remove(gone);
      slow.remove(gone);
      std::erase(left.positives, field.row(gone));
    }
  }
}

TEST(Counter, EveryInstructionSetCountsAlike) {
  Rng rng(1);
  std::vector<std::vector<std::uint64_t>> bitmaps(5, std::vector<std::uint64_t>(75));
  for (auto& bitmap : bitmaps) {
    for (auto& word : bitmap) word = rng() | rng();
  }
  std::vector<const std::uint64_t*> all;
  for (const auto& bitmap : bitmaps) all.push_back(bitmap.data());
  for (std::uint32_t number = 1; number <= all.size(); ++number) {
    for (std::size_t first = 0; first < 75; first += 7) {
      auto expected = count::scalar_kernel().shared(all.data(), number, first, 75, ~0U);
      for (Isa isa : supported_isas()) {
        EXPECT_EQ(count::kernel_for(isa).shared(all.data(), number, first, 75, ~0U), expected);
      }
    }
  }
}

}  // namespace
}  // namespace rankveil::publish
