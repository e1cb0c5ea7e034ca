#include "rankveil/audit/step_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/audit/testing/small_ranking.h"
#include "rankveil/audit/transcript.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;
using testing::HasSubstr;

// One public and one private attribute; the victim is row 0, called r0.
class StepWords : public testing::Test {
 protected:
  StepWords() {
    knowledge_.schema.attributes = {attribute("city", Visibility::Public, 2),
                                    attribute("faith", Visibility::Private, 3)};
    knowledge_.public_columns = {Column(2, std::vector<ValueId>(5, ValueId{0}))};
    knowledge_.weights = weights_of(knowledge_.schema);
    TextNames names;
    for (std::uint32_t row = 0; row < 5; ++row) {
      names.bytes += "r" + std::to_string(row);
      names.ends.push_back(names.bytes.size());
    }
    names_ = RowNames(std::move(names));
  }

  static RecordedStep asked(std::vector<ValueId> faith, std::vector<std::uint32_t> answer) {
    return {.query = {{{ValueId{0}}, std::move(faith)}}, .answer = std::move(answer)};
  }
  static RecordedStep inserted(std::uint16_t faith) {
    return {.is_insert = true, .values = {ValueId{0}, ValueId{faith}}};
  }
  std::string why(const std::vector<RecordedStep>& steps) const {
    return step_in_words(knowledge_, names_, 0, steps, steps.size() - 1).why;
  }

  attack::Knowledge knowledge_;
  RowNames names_ = RowNames(RowNumbers{0});
};

TEST_F(StepWords, WhoPassesSomebodyMatches) {
  EXPECT_EQ(why({asked({}, {1, 2, 0}), asked({ValueId{1}}, {0, 1, 2})}),
            "with faith = faith1 asked for as well, r0 passes 2 rows and is number 1: it matches "
            "this value");
  EXPECT_THAT(why({asked({}, {1, 2, 3}), asked({ValueId{0}, ValueId{2}}, {1, 0, 2})}),
              HasSubstr("r0 passes 2 rows and is number 2: it matches one of these values"));
}

TEST_F(StepWords, WhoIsPassedDoesNot) {
  EXPECT_THAT(why({asked({}, {0, 1, 2}), asked({ValueId{1}}, {2, 0, 1})}),
              HasSubstr("1 row passes r0, which is number 2: it does not match this value"));
  EXPECT_THAT(
      why({asked({}, {0, 1}), asked({ValueId{0}, ValueId{1}}, {1, 3})}),
      HasSubstr("2 rows pass r0, which is not among the answers: it does not match any of"));
  knowledge_.belief.kind = attack::ProfileKind::Graded;
  EXPECT_THAT(why({asked({}, {0, 1, 2}), asked({ValueId{1}}, {2, 0, 1})}),
              HasSubstr("it matches this value less"));
}

TEST_F(StepWords, WhoStaysBeforeAnEqualThatMatchesMatchesToo) {
  std::vector<RecordedStep> steps = {inserted(1), asked({}, {0, 5}), asked({ValueId{1}}, {0, 5})};
  EXPECT_THAT(why(steps), HasSubstr("r0 stays before +1, which has this value and is as good "
                                    "otherwise: it matches, too"));
  knowledge_.belief = {.kind = attack::ProfileKind::Sets};
  EXPECT_THAT(why(steps), HasSubstr("nobody passes r0")) << "the row may be suppressed";
}

TEST_F(StepWords, AnAnswerWithNothingToCompareIsABase) {
  EXPECT_EQ(why({asked({}, {1, 0})}), "to compare with: r0 is number 2");
  EXPECT_EQ(why({inserted(2)}), "a row of one's own, to compare with");
}

bool is_asked_for(const Json& wanted, const std::string& value) {
  if (wanted.as_text() != nullptr) return *wanted.as_text() == value;
  for (const Json& one : *wanted.as_array()) {
    if (*one.as_text() == value) return true;
  }
  return false;
}

// What the sentences of real transcripts say is so.
TEST(StepWordsOfAttacks, AreTrue) {
  std::size_t matched = 0, excluded = 0;
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    SmallRanking ranking = unprotected(200, seed);
    for (std::uint32_t victim = 0; victim < 20; ++victim) {
      for (const char* method : {"q-point", "q-in", "qi-point", "qi-in"}) {
        Claim claim{victim, PrivateId{0}, ranking.table.value(RowId{victim}, AttributeId{3})};
        auto made =
            make_transcript(ranking.arena, ranking.table, claim, *attack::find_method(method), {});
        ASSERT_TRUE(made);
        if (!*made) continue;
        for (const Step& step : (*made)->steps) {
          ASSERT_FALSE(step.why.empty());
          bool matches = step.why.find(": it matches") != std::string::npos;
          bool does_not = step.why.find("it does not match") != std::string::npos;
          if (!matches && !does_not) continue;
          (matches ? matched : excluded) += 1;
          EXPECT_EQ(is_asked_for(*step.query.find("faith"), (*made)->value), matches)
              << method << ": " << step.why;
        }
      }
    }
  }
  EXPECT_GT(matched, 50U);
  EXPECT_GT(excluded, 50U);
}

}  // namespace
}  // namespace rankveil::audit
