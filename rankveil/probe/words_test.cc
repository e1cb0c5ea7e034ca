// Kinds and verdicts have one word each, in both directions.
#include <gtest/gtest.h>

#include <set>

#include "rankveil/probe/finding.h"
#include "rankveil/probe/way.h"

namespace rankveil::probe {
namespace {

TEST(Words, EveryKindIsReadBack) {
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(Kind::Column); ++i) {
    const auto kind = static_cast<Kind>(i);
    words.insert(to_text(kind));
    EXPECT_EQ(parse_kind(to_text(kind)), kind);
  }
  EXPECT_EQ(words.size(), 9U);
  EXPECT_EQ(parse_kind("Sort"), std::nullopt);
}

TEST(Words, EveryVerdictIsReadBack) {
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(Verdict::Blind); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    words.insert(to_text(verdict));
    EXPECT_EQ(parse_verdict(to_text(verdict)), verdict);
  }
  EXPECT_EQ(words.size(), 7U);
  EXPECT_EQ(parse_verdict("leak"), std::nullopt);
}

}  // namespace
}  // namespace rankveil::probe
