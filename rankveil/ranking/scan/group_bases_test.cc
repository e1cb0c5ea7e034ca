#include "rankveil/ranking/scan/group_bases.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/base/random.h"

namespace rankveil {
namespace {

constexpr std::uint32_t attributes = 4;

// `groups` groups of up to `largest` rows, with random counts of the one value of each attribute.
ProfileKind random_kind(Rng& rng, std::uint32_t groups, std::uint32_t largest) {
  GroupShares shares(groups, std::vector<std::uint32_t>(attributes, 1));
  for (std::uint32_t g = 0; g < groups; ++g) {
    auto size = static_cast<std::uint32_t>(1 + rng.below(largest));
    shares.set_size(g, size);
    if (rng.below(10) == 0) shares.set_in_full(g);
    for (std::uint32_t j = 0; j < attributes; ++j) {
      auto count = static_cast<std::uint32_t>(rng.below(size + 1));
      shares.set_count(g, PrivateId{j}, ValueId{0}, count);
    }
  }
  auto part = static_cast<std::uint32_t>(1 + rng.below(6));
  return ProfileKind::with_shares({part, part + static_cast<std::uint32_t>(rng.below(9))}, 1,
                                  freeze(shares));
}

std::vector<ShareColumn> random_columns(Rng& rng, std::uint32_t groups,
                                        std::uint32_t heaviest = 20) {
  std::vector<ShareColumn> columns;
  for (std::uint32_t j = 0; j < attributes; ++j) {
    columns.push_back({std::size_t{j} * groups, static_cast<double>(1 + rng.below(heaviest))});
  }
  return columns;
}

double real_base(const ProfileKind& kind, const std::vector<ShareColumn>& columns, double scale,
                 std::uint32_t group) {
  double sum = 0;
  for (const auto& column : columns) {
    sum += column.weight * kind.shares.counts[column.place + group];
  }
  return scale * kind.factors[group] * sum / kind.shares.sizes[group];
}

constexpr std::uint32_t sizes[] = {1, 30, 255, 3000, 60000, 3000000};

TEST(GroupBases, AreRoundedShares) {
  Rng rng(1);
  for (std::uint32_t largest : sizes) {
    ProfileKind kind = random_kind(rng, 500, largest);
    for (std::uint32_t heaviest : {20U, 2000U}) {
      auto columns = random_columns(rng, 500, heaviest);
      GroupBases bases(kind, columns, 0x1p30);
      for (std::uint32_t g = 0; g < 500; ++g) {
        ASSERT_NEAR(static_cast<double>(bases.of(g)), real_base(kind, columns, 0x1p30, g), 1.0);
      }
    }
  }
}

// A row may get from its planes what another gets from its group: if both have the same in all,
// they tie. Doubles alone would round some of them apart.
TEST(GroupBases, WholePartsMakeNoDifferenceToTheRest) {
  Rng rng(9);
  ProfileKind kind = random_kind(rng, 3, 10);
  for (int i = 0; i < 200'000; ++i) {
    double scale = std::ldexp(1.0, 20 + static_cast<int>(rng.below(21)));
    GroupBases bases(kind, {}, scale);
    auto size = static_cast<double>(1 + rng.below(3'000'000));
    auto sum = static_cast<double>(rng.below(static_cast<std::uint64_t>(size)));
    auto whole = static_cast<double>(1 + rng.below(1000));
    std::int64_t rest = bases.from(1, sum, size);
    ASSERT_NEAR(static_cast<double>(rest), scale * sum / size, 0.51);
    ASSERT_EQ(bases.from(1, sum + whole * size, size),
              rest + static_cast<std::int64_t>(whole * scale))
        << sum << " / " << size << " + " << whole;
  }
}

TEST(GroupBases, LimitsAreNeverTooHighAndAtMostOneTooLow) {
  Rng rng(2);
  for (int i = 0; i < 300; ++i) {
    auto groups = static_cast<std::uint32_t>(1 + rng.below(400));
    ProfileKind kind = random_kind(rng, groups, sizes[rng.below(std::size(sizes))]);
    auto columns = random_columns(rng, groups);
    auto bits = static_cast<int>(rng.below(36));
    GroupBases bases(kind, columns, std::ldexp(1.0, bits));
    auto unit = static_cast<std::int64_t>(1 + rng.below(3)) << bits;
    // The base of some row, and a few units more: where thresholds are hard.
    auto some = static_cast<std::uint32_t>(rng.below(groups));
    std::int64_t floor = bases.of(some) + static_cast<std::int64_t>(rng.below(60)) * unit;
    auto first = static_cast<std::uint32_t>(rng.below(some + 1));
    std::vector<std::uint8_t> got(groups - first);
    bases.limits(first, got.size(), {floor, unit, 254}, got.data());
    for (std::uint32_t g = first; g < groups; ++g) {
      std::int64_t missing = std::max<std::int64_t>(0, floor - bases.of(g));
      std::int64_t least = (missing + unit - 1) / unit;
      ASSERT_LE(got[g - first], std::min<std::int64_t>(least, 255)) << i << ", group " << g;
      ASSERT_GE(got[g - first] + 1, std::min<std::int64_t>(least, 255)) << i << ", group " << g;
    }
  }
}

}  // namespace
}  // namespace rankveil
