#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/attack/targets/open_target.h"
#include "rankveil/attack/testing/campaign.h"
#include "rankveil/attack/testing/fake_clock.h"
#include "rankveil/connect/program/process.h"

namespace rankveil::attack {
namespace {

using testing::HasSubstr;
using testing_support::Campaign;
using testing_support::FakeClock;

class ProgramTarget : public testing::Test {
 protected:
  TargetConfig config(std::vector<std::string> arguments = {}) const {
    TargetConfig config;
    config.source = "t.toml";
    ProgramConfig program{.command = {RANKVEIL_PEOPLE_PROGRAM}, .inserts = true};
    program.command.insert(program.command.end(), arguments.begin(), arguments.end());
    config.kind = program;
    return config;
  }
  Result<std::unique_ptr<LiveTarget>> open(const TargetConfig& config) {
    return open_target(config, campaign_.table.schema(), campaign_.table.names(),
                       {.k = campaign_.k, .clock = &clock_});
  }
  // What the first question comes to when the program meets with a fault.
  std::string first_error(const TargetConfig& config) {
    auto target = open(config);
    EXPECT_TRUE(target) << target.error().message;
    auto rows = (*target)->query(empty_query(campaign_.table.schema()));
    EXPECT_FALSE(rows);
    return rows ? "" : rows.error().message;
  }

  Campaign campaign_;
  FakeClock clock_;
};

TEST_F(ProgramTarget, GivesWhatAnIndexGives) {
  auto target = open(config());
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign_, **target);
}

// Each time it is started anew, and the rows inserted so far are inserted again.
TEST_F(ProgramTarget, HangingAndComplainingAreSurvived) {
  for (const char* fault : {"hang", "complain"}) {
    TargetConfig faulty = config({fault, "9"});
    faulty.timeout = 0.2;
    auto target = open(faulty);
    ASSERT_TRUE(target) << target.error().message;
    expect_same_findings(campaign_, **target);
    EXPECT_GT(clock_.slept(), 0) << fault;
  }
}

TEST_F(ProgramTarget, ItsDeathIsAClearError) {
  std::string error = first_error(config({"die", "1"}));
  EXPECT_THAT(error, HasSubstr("failed at the query {}"));
  EXPECT_THAT(error, HasSubstr("ended with exit code 3 instead of answering"));
}

TEST_F(ProgramTarget, AnswersThatMakeNoSenseAreErrors) {
  EXPECT_THAT(first_error(config({"babble", "1"})), HasSubstr("I rank people"));
  EXPECT_THAT(first_error(config({"refuse", "1"})), HasSubstr("it says not today"));
  auto target = open(config({"chatter", "1"}));
  EXPECT_TRUE((*target)->query(empty_query(campaign_.table.schema())));
  auto second = (*target)->query(empty_query(campaign_.table.schema()));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("more than one line"));
}

TEST_F(ProgramTarget, AProgramThatIsNotThereIsToldWhenOpened) {
  TargetConfig missing = config();
  std::get<ProgramConfig>(missing.kind).command = {"no-such-program-of-rankveil"};
  auto target = open(missing);
  ASSERT_FALSE(target);
  EXPECT_THAT(target.error().message, HasSubstr("cannot start no-such-program-of-rankveil"));
}

TEST(Process, LinesLargerThanAPipeGoBothWays) {
  auto cat = connect::Process::start({"cat"});
  ASSERT_TRUE(cat) << cat.error().message;
  std::string line(3 << 20, 'x');
  auto answer = cat->exchange(line, 20);
  ASSERT_TRUE(answer) << answer.trouble().error.message;
  EXPECT_EQ(*answer, line);
}

TEST(Process, WritingToOneThatIsGoneEndsNobody) {
  auto gone = connect::Process::start({"true"});
  ASSERT_TRUE(gone);
  auto answer = gone->exchange(std::string(1 << 20, 'x'), 5);
  ASSERT_FALSE(answer);
  EXPECT_FALSE(answer.trouble().passes);
  EXPECT_THAT(answer.trouble().error.message, HasSubstr("true ended with exit code 0"));
}

}  // namespace
}  // namespace rankveil::attack
