#include "rankveil/audit/finding.h"

#include <gtest/gtest.h>

namespace rankveil::audit {
namespace {

Finding sample_finding() {
  return {.attribute = "religion",
          .method = "qi-in",
          .level = "knowledgeable",
          .attempts = 100,
          .hidden = 3,
          .proven = 40,
          .right = 61.5,
          .rate = 0.615,
          .low = 0.5,
          .high = 0.7,
          .prior = 0.4,
          .gain = 1,
          .certain = 0.4,
          .candidates = 1.75,
          .queries = 12.5,
          .inserts = 1,
          .evidence = "signals repeat",
          .promise = {PromiseKind::GainAtMost, 1.0 / 3},
          .verdict = Verdict::Broken,
          .reason = "the largest gain is 1; 0.333 is allowed"};
}

TEST(Finding, ReadsBackFromItsJson) {
  Json json = to_json(sample_finding());
  auto back = finding_from_json(*parse_json(json.dump()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back).dump(), json.dump());
  EXPECT_EQ(back->promise.bound, 1.0 / 3);
}

TEST(Finding, NamesTheFieldThatDoesNotFit) {
  Json without = to_json(sample_finding());
  Json::Object members = *without.as_object();
  members.erase(members.begin() + 3);
  auto read = finding_from_json(members);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "the finding: \"attempts\" is missing");
  EXPECT_FALSE(finding_from_json(Json(3)));
}

TEST(Finding, VerdictsHaveNames) {
  for (Verdict verdict :
       {Verdict::Kept, Verdict::Broken, Verdict::Undecidable, Verdict::NotPromised}) {
    EXPECT_EQ(verdict_from_name(verdict_name(verdict)), verdict);
  }
  EXPECT_FALSE(verdict_from_name("fine"));
}

}  // namespace
}  // namespace rankveil::audit
