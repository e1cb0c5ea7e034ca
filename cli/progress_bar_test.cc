#include "cli/progress_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "cli/terminal.h"

namespace rankveil::cli {
namespace {

TEST(ProgressBar, SaysHowLongAStepStillTakesOnceItCanTell) {
  EXPECT_EQ(time_left(100, 0.25), "about 5 min 0 s left");
  EXPECT_EQ(time_left(1, 0.25), "") << "too young to tell";
  EXPECT_EQ(time_left(30, 0.001), "");
  EXPECT_EQ(time_left(30, 1), "");
}

// A step that reports once and then nothing for long, without a terminal.
TEST(ProgressBar, TellsNowAndThenWhereThereIsNoTerminal) {
  if (talk_terminal().redraws) GTEST_SKIP() << "there is a terminal";
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(std::chrono::milliseconds(20));
    Progress progress = bar.progress();
    progress("attacking with q-in", 0.5);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, testing::HasSubstr("so far: attacking with q-in 50%\n"));
  EXPECT_GT(std::ranges::count(told, '\n'), 1);
}

TEST(ProgressBar, OfQuickWorkSaysNothing) {
  if (talk_terminal().redraws) GTEST_SKIP() << "there is a terminal";
  testing::internal::CaptureStderr();
  {
    ProgressBar bar;
    bar.progress()("reading", 0.5);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace rankveil::cli
