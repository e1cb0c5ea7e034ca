#include "rankveil/base/keys/keyed.h"

#include <gtest/gtest.h>

#include <set>

namespace rankveil {
namespace {

TEST(KeyedStream, GivesTheSameNumberForTheSameName) {
  KeyedStream first(SecretKey::from_seed(1), "coin", "city");
  KeyedStream second(SecretKey::from_seed(1), "coin", "city");
  EXPECT_EQ(first.number("alice", 3), second.number("alice", 3));
}

TEST(KeyedStream, TellsKeyPurposeDetailNameAndIndexApart) {
  SecretKey key = SecretKey::from_seed(1);
  std::set<std::uint64_t> numbers = {
      KeyedStream(key, "coin", "city").number("alice", 3),
      KeyedStream(SecretKey::from_seed(2), "coin", "city").number("alice", 3),
      KeyedStream(key, "order", "city").number("alice", 3),
      KeyedStream(key, "coin", "town").number("alice", 3),
      KeyedStream(key, "coinc", "ity").number("alice", 3),
      KeyedStream(key, "coin", "city").number("alic", 3),
      KeyedStream(key, "coin", "city").number("alice", 4)};
  EXPECT_EQ(numbers.size(), 7U);
}

TEST(KeyedStream, TakesNamesOfAnyLength) {
  KeyedStream stream(SecretKey::from_seed(1), "coin");
  std::set<std::uint64_t> numbers;
  for (std::size_t length = 0; length < 200; ++length) {
    numbers.insert(stream.number(std::string(length, 'x')));
  }
  EXPECT_EQ(numbers.size(), 200U);
}

TEST(KeyedStream, IsUniform) {
  KeyedStream stream(SecretKey::from_seed(7), "coin");
  constexpr int cells = 10;
  constexpr int draws = 100000;
  int counts[cells] = {};
  for (int i = 0; i < draws; ++i) ++counts[stream.below(cells, std::to_string(i))];
  double chi_square = 0;
  for (int count : counts) chi_square += (count - 1e4) * (count - 1e4) / 1e4;
  EXPECT_LT(chi_square, 33.7);  // 9 degrees of freedom, one in 10,000
}

TEST(SecretKey, FingerprintsTellKeysApart) {
  EXPECT_NE(SecretKey::random().fingerprint(), SecretKey::random().fingerprint());
  EXPECT_EQ(SecretKey::from_seed(5).fingerprint(), SecretKey::from_seed(5).fingerprint());
  EXPECT_EQ(SecretKey::from_seed(5).fingerprint().size(), 16U);
}

TEST(KeyedHash, TellsTextsApart) {
  SecretKey key = SecretKey::from_seed(1);
  EXPECT_EQ(keyed_hash(key, "row", "a"), keyed_hash(key, "row", "a"));
  EXPECT_NE(keyed_hash(key, "row", "a"), keyed_hash(key, "row", "b"));
  EXPECT_NE(keyed_hash(key, "row", "a"), keyed_hash(SecretKey::from_seed(2), "row", "a"));
}

}  // namespace
}  // namespace rankveil
