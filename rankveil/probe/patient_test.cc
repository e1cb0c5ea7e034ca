#include "rankveil/probe/patient.h"

#include <gtest/gtest.h>

#include "rankveil/probe/testing/stand_in.h"

namespace rankveil::probe {
namespace {

// Fails as often as it is told to, whatever it is asked.
class FailingAsker : public Asker {
 public:
  std::span<const Way> ways() const override { return {}; }
  Answer ask(const Question&) override {
    ++asked;
    if (failures == 0) return {};
    --failures;
    return {.outcome = Outcome::Failed, .status = 500};
  }

  std::uint32_t failures = 0;
  std::uint32_t asked = 0;
};

class PatientTest : public testing::Test {
 protected:
  std::uint32_t times_asked(const Question& question) {
    service_.asked = 0;
    patient_.ask(question);
    return service_.asked;
  }

  FailingAsker service_;
  Meter meter_{100, nullptr};
  FakeClock clock_;
  PatientAsker patient_{service_, meter_, clock_, {.seconds = 30, .tries = 3, .pages = 1}};
  Question question_{.way = "where all", .field = "note"};
};

TEST_F(PatientTest, AsksAgainAfterAFailure) {
  service_.failures = 2;
  EXPECT_EQ(times_asked(question_), 3U);
  EXPECT_EQ(service_.failures, 0U);
}

TEST_F(PatientTest, AWayThatAlwaysFailsIsNotWaitedForEachTime) {
  service_.failures = 50;
  EXPECT_EQ(times_asked(question_), 3U);
  const double waited = clock_.now();
  EXPECT_EQ(times_asked(question_), 1U);
  EXPECT_EQ(clock_.now(), waited);
}

TEST_F(PatientTest, OtherFieldsHaveAllTheirTriesAndOtherWaysFewer) {
  service_.failures = 50;
  patient_.ask(question_);
  EXPECT_EQ(times_asked({.way = "sort", .field = "note"}), 2U);
  EXPECT_EQ(times_asked({.way = "search", .field = "note"}), 1U);
  EXPECT_EQ(times_asked({.way = "where all", .field = "income"}), 1U);
  EXPECT_EQ(times_asked({.way = "count", .field = "age"}), 3U);
}

TEST_F(PatientTest, AnAnswerGivesAWayItsTriesBack) {
  service_.failures = 3;
  patient_.ask(question_);
  EXPECT_EQ(times_asked(question_), 1U);
  service_.failures = 2;
  EXPECT_EQ(times_asked(question_), 3U);
}

}  // namespace
}  // namespace rankveil::probe
