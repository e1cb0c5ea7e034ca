#include "rankveil/attack/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rankveil/base/random.h"

namespace rankveil::attack {
namespace {

// Few values, so that many rows agree; one row in ten has no value.
Knowledge random_knowledge(Rng& rng, std::uint32_t rows, std::uint32_t attributes) {
  Knowledge knowledge;
  for (std::uint32_t i = 0; i < attributes; ++i) {
    std::uint32_t domain = i % 3 == 2 ? 300 : 2 + static_cast<std::uint32_t>(rng.below(3));
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < rows; ++row) {
      auto value = ValueId{static_cast<std::uint16_t>(rng.below(std::min(domain, 4U)))};
      values.push_back(rng.below(10) == 0 ? missing_value : value);
    }
    knowledge.public_columns.emplace_back(domain, values);
    knowledge.weights.units.push_back(1 + static_cast<std::uint32_t>(rng.below(3)));
  }
  return knowledge;
}

Mask plain_mask(const Knowledge& knowledge, std::uint32_t victim, std::uint32_t row) {
  Mask mask = 0;
  for (std::size_t i = 0; i < knowledge.public_columns.size(); ++i) {
    ValueId own = knowledge.public_columns[i].value(RowId{victim});
    bool same = own != missing_value && own == knowledge.public_columns[i].value(RowId{row});
    mask |= Mask{same} << i;
  }
  return mask;
}

std::int64_t plain_weight(const Knowledge& knowledge, Mask mask) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < knowledge.public_columns.size(); ++i) {
    if ((mask >> i & 1) != 0) sum += knowledge.weights.units[i];
  }
  return sum;
}

// Tables of one block and of several, with few attributes and with many.
TEST(Agreement, IsWhatRowsSayOneByOne) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto rows = static_cast<std::uint32_t>(1 + rng.below(seed % 4 == 0 ? 9000 : 200));
    auto attributes = static_cast<std::uint32_t>(seed % 5 == 0 ? 18 : 1 + rng.below(6));
    Knowledge knowledge = random_knowledge(rng, rows, attributes);
    auto victim = static_cast<std::uint32_t>(rng.below(rows));
    std::map<Mask, std::uint32_t> counts;
    std::vector<std::pair<std::int64_t, std::uint32_t>> order;
    for (std::uint32_t row = 0; row < rows; ++row) {
      Mask mask = plain_mask(knowledge, victim, row);
      ++counts[mask];
      if (row != victim) order.emplace_back(-plain_weight(knowledge, mask), row);
    }
    std::vector<MaskCount> expected;
    for (const auto& [mask, count] : counts) expected.push_back({mask, count});
    std::vector<MaskCount> agreement = count_agreement(knowledge, victim);
    EXPECT_EQ(agreement, expected);
    std::sort(order.begin(), order.end());
    order.resize(std::min<std::size_t>(order.size(), 1 + rng.below(60)));
    std::size_t asked = order.size();
    std::vector<std::uint32_t> nearest;
    for (const auto& [weight, row] : order) nearest.push_back(row);
    EXPECT_EQ(closest_rows(knowledge, victim, agreement, asked), nearest);
  }
}

// Of many attributes, so that two can be left out; some missing, some weights above a match's.
TEST(Reach, OfAllQueriesAtOnceIsThatOfEach) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto rows = static_cast<std::uint32_t>(1 + rng.below(300));
    auto attributes = static_cast<std::uint32_t>(2 + rng.below(seed % 3 == 0 ? 62 : 8));
    Knowledge knowledge = random_knowledge(rng, rows, attributes);
    auto agreement = count_agreement(knowledge, static_cast<std::uint32_t>(rng.below(rows)));
    Mask asked = rng() & ((Mask{2} << (attributes - 1)) - 1);
    auto weight = static_cast<std::int64_t>(1 + rng.below(6));
    auto near = near_agreement(knowledge, agreement, asked, weight);
    ReachCounts counts(knowledge, near, asked, weight);
    for (std::uint32_t a = 0; a < attributes; ++a) {
      for (std::uint32_t b = a; b < attributes; ++b) {
        Mask dropped = asked & ((Mask{1} << a) | (Mask{1} << b));
        EXPECT_EQ(counts.without(dropped),
                  count_reach(knowledge, agreement, asked & ~dropped, weight));
      }
    }
    EXPECT_EQ(counts.without(0), count_reach(knowledge, agreement, asked, weight));
  }
}

}  // namespace
}  // namespace rankveil::attack
