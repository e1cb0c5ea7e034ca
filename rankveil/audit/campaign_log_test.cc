#include "rankveil/audit/campaign_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "rankveil/audit/audit.h"
#include "rankveil/audit/plan.h"
#include "rankveil/audit/testing/small_ranking.h"
#include "rankveil/base/file.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;
using testing::HasSubstr;

Json about_this(int victims) {
  return Json().set("log", "rankveil audit").set("version", 1).set("victims", victims);
}

std::string log_path(const std::string& name) {
  std::string path = testing::TempDir() + "campaign_log_test_" + name;
  std::filesystem::remove(path);
  return path;
}

AuditTask logged_task(const SmallRanking& ranking, CampaignLog* log, Stop stop) {
  AuditTask task{.truth = ranking.table, .arena = ranking.arena};
  task.profiles = &ranking.profiles;
  task.mechanism = ranking.mechanism;
  task.subject.scheme = ranking.index.info().scheme;
  task.subject.private_attributes = {"faith", "diet"};
  task.victims = 60;
  task.canaries = 2;
  task.victims_before = 10;
  task.stop = std::move(stop);
  task.log = log;
  return task;
}

std::string without_seconds(AuditReport report) {
  report.seconds = 0;
  return to_json(report).dump();
}

// Stopped again and again, each time after a few victims, and resumed.
TEST(CampaignLog, AnAuditThatWasStoppedEndsWithTheReportOfOneThatWasNot) {
  for (const char* scheme : {"pvsv", "pvst"}) {
    SmallRanking ranking = protected_by(scheme, 2, 300, 5);
    auto whole = run_audit(logged_task(ranking, nullptr, {}));
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->incomplete, "");
    const std::string path = log_path(scheme);
    std::size_t done = 0;
    for (int round = 0; round < 60; ++round) {
      auto log = CampaignLog::open(path, about_this(60));
      ASSERT_TRUE(log) << log.error().message;
      EXPECT_GE((*log)->size(), done);
      done = (*log)->size();
      // As often as victims were known, and a few times more.
      std::atomic<std::size_t> left = done + 25;
      auto report = run_audit(logged_task(
          ranking, log->get(), [&left] { return left.load() == 0 || left.fetch_sub(1) == 0; }));
      ASSERT_TRUE(report) << report.error().message;
      if (!report->incomplete.empty()) continue;
      EXPECT_GT(round, 3) << "it was stopped at all";
      EXPECT_EQ(without_seconds(*report), without_seconds(*whole));
      return;
    }
    FAIL() << "it never ended";
  }
}

TEST(CampaignLog, WhatIsStoppedSaysSoAndKeepsWhatProfilesDecide) {
  SmallRanking ranking = protected_by("pvst", 2, 300, 6);
  auto report = run_audit(logged_task(ranking, nullptr, [] { return true; }));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->incomplete, HasSubstr("was stopped after 0 of 60 victims"));
  bool has_profiles = false;
  for (const Finding& finding : report->findings) {
    has_profiles = has_profiles || finding.method == "profiles";
    EXPECT_NE(finding.method, "q-point") << "nobody was attacked";
  }
  EXPECT_TRUE(has_profiles);
  auto back = audit_report_from_json(to_json(*report));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->incomplete, report->incomplete);
}

TEST(CampaignLog, RefusesLogsOfOtherAuditsAndFilesThatAreNone) {
  const std::string path = log_path("other");
  { ASSERT_TRUE(CampaignLog::open(path, about_this(60))); }
  auto other = CampaignLog::open(path, about_this(61));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("its victims is 60, now it is 61"));
  ASSERT_TRUE(write_text(path, "id,city\n1,Rome\n"));
  auto table = CampaignLog::open(path, about_this(60));
  ASSERT_FALSE(table);
  EXPECT_THAT(table.error().message, HasSubstr("is no log of an audit"));
  EXPECT_EQ(*read_text(path), "id,city\n1,Rome\n");
}

TEST(CampaignLog, DropsALineThatWasCutOffAndIsForItsOwnerOnly) {
  const std::string path = log_path("cut");
  Attacked attacked{.victim = 7, .seen = true, .queries = 3};
  attacked.attributes.push_back(
      {{ValueId{1}, ValueId{2}}, {0.1 + 0.2, 0.7}, {{0, 1}, {0.125, 0.5}}, false, 3});
  {
    auto log = CampaignLog::open(path, about_this(60));
    ASSERT_TRUE(log);
    EXPECT_FALSE(CampaignLog::open(path, about_this(60))) << "one process at a time";
    ASSERT_TRUE((*log)->add("after", "q-in", attacked));
  }
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(path).permissions() & (perms::group_all | perms::others_all),
            perms::none);
  std::string text = *read_text(path);
  ASSERT_TRUE(write_text(path, text + "{\"campaign\":\"af"));
  auto log = CampaignLog::open(path, about_this(60));
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ((*log)->size(), 1U);
  auto found = (*log)->find("after", "q-in", 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->attributes[0].weights, attacked.attributes[0].weights) << "to the last bit";
  EXPECT_EQ(found->attributes[0].strengths[1].low, 0.125);
  EXPECT_FALSE((*log)->find("before", "q-in", 7));
}

}  // namespace
}  // namespace rankveil::audit
