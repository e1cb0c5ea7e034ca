#include "rankveil/attack/targets/recorded_conversation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/attack/targets/open_target.h"
#include "rankveil/attack/testing/campaign.h"
#include "rankveil/attack/testing/fake_clock.h"
#include "rankveil/base/file.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::attack {
namespace {

using testing::HasSubstr;
using testing_support::awkward_table;
using testing_support::Campaign;
using testing_support::FakeClock;
using testing_support::PeopleRanking;

// A service that keeps rows, as a server does. It outlives campaigns, and can fail.
struct Server {
  PeopleRanking ranking{awkward_table()};
  int adds = 0;
  int failures = 0;       // of the next requests
  bool adds_too = false;  // and adds the row all the same
};

class KeepingService : public Service {
 public:
  KeepingService(Server& server, std::uint32_t k, bool removes)
      : server_(server), k_(k), removes_(removes) {}

  std::string name() const override { return "keeper"; }
  bool takes_rows() const override { return true; }
  bool takes_sets() const override { return true; }
  bool forgets() const override { return false; }
  bool removes_rows() const override { return removes_; }

  connect::Reply<std::vector<std::string>> rank(const Query& query) override {
    if (server_.failures > 0 && server_.failures-- > 0) return trouble();
    return server_.ranking.best(query, k_);
  }
  connect::Reply<std::string> add(std::span<const ValueId> values, const std::string&) override {
    bool fails = server_.failures > 0 && server_.failures-- > 0;
    if (fails && !server_.adds_too) return trouble();
    std::string id = "person " + std::to_string(++server_.adds);
    Query row{{}};
    for (ValueId value : values) {
      row.wanted.push_back(value == missing_value ? std::vector<ValueId>{} : std::vector{value});
    }
    server_.ranking.add(id, row);
    if (fails) return trouble();
    return id;
  }
  connect::Reply<connect::Done> remove(const std::string& id) override {
    server_.ranking.remove(id);
    return connect::Done{};
  }
  connect::Reply<connect::Done> restart() override { return connect::Done{}; }

 private:
  static connect::Trouble trouble() { return {io_error("out of order"), true, true}; }

  Server& server_;
  std::uint32_t k_;
  bool removes_;
};

class CampaignLog : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing_support::own_path("log");
    index_path_ = path_ + ".rvi";
    ASSERT_TRUE(write_index(campaign_.index(), index_path_));
  }
  void TearDown() override {
    std::filesystem::remove(path_);
    std::filesystem::remove(index_path_);
  }

  Result<std::unique_ptr<LiveTarget>> open_index(TargetOptions options = {}) {
    TargetConfig config{.source = "t.toml", .kind = IndexConfig{index_path_}};
    if (options.log.empty()) options.log = path_;
    options.k = campaign_.k;
    options.make_profile = unprotected_row(campaign_.table.schema());
    return open_target(config, campaign_.table.schema(), campaign_.table.names(), options);
  }

  std::unique_ptr<LiveTarget> open_keeper(Server& server, bool removes = true) {
    Json head;
    head.set("log", "rankveil campaign").set("target", "keeper");
    auto patient = std::make_unique<PatientConversation>(
        std::make_unique<KeepingService>(server, campaign_.k, removes), campaign_.table.schema(),
        Manners{.retries = 2, .backoff = 0}, NewIds{}, clock_);
    auto recorded =
        RecordedConversation::open(path_, head, campaign_.table.schema(), std::move(patient));
    EXPECT_TRUE(recorded) << recorded.error().message;
    return std::make_unique<LiveTarget>(std::move(*recorded), campaign_.table.schema(),
                                        campaign_.table.names(),
                                        LiveTarget::Options{.k = campaign_.k});
  }

  // How many queries and inserts the whole campaign has.
  std::uint64_t calls() const {
    std::uint64_t calls = 0;
    for (const Report& report : expected_reports(campaign_))
      calls += report.queries + report.inserts;
    return calls;
  }

  // Runs until so many calls have been made; then everything is dropped, as if the process ended.
  void run_some(std::unique_ptr<LiveTarget> target, std::uint64_t calls) {
    Knowledge knowledge = campaign_.knowledge();
    for (std::uint32_t number = 0; number < campaign_.victims; ++number) {
      const std::string& method = campaign_.methods[number % campaign_.methods.size()];
      Request request{.knowledge = knowledge, .target = *target, .victim = number * 7 + 1};
      request.budget.queries = calls;
      auto report = run(method, request);
      ASSERT_TRUE(report) << report.error().message;
      if (report->queries >= calls) return;
      calls -= report->queries;
      ASSERT_TRUE(target->restart());
    }
  }

  std::string log() const { return *read_text(path_); }

  Campaign campaign_;
  FakeClock clock_;
  std::string path_;
  std::string index_path_;
};

TEST_F(CampaignLog, ASecondRunReadsAllAnswersFromTheLog) {
  expect_same_findings(campaign_, **open_index());
  std::string first = log();
  expect_same_findings(campaign_, **open_index());
  EXPECT_EQ(log(), first) << "nothing was asked";
  EXPECT_THAT(first, HasSubstr("{\"query\":{"));
  EXPECT_THAT(first, HasSubstr("\"inserted\":\"rankveil-1\""));
}

// Wherever the log ends, in the middle of a line too, the campaign comes to the same result.
TEST_F(CampaignLog, ALogCutOffAnywhereIsContinued) {
  expect_same_findings(campaign_, **open_index());
  std::string whole = log();
  for (std::size_t length = 0; length < whole.size(); length += length < 200 ? 13 : 97) {
    SCOPED_TRACE(testing::Message() << "cut at " << length);
    ASSERT_TRUE(write_text(path_, whole.substr(0, length)));
    auto target = open_index();
    ASSERT_TRUE(target) << target.error().message;
    expect_same_findings(campaign_, **target);
  }
}

TEST_F(CampaignLog, AProgramForgetsAndIsToldAgain) {
  TargetConfig config;
  config.kind = ProgramConfig{.command = {RANKVEIL_PEOPLE_PROGRAM}, .inserts = true};
  auto open = [&] {
    return *open_target(config, campaign_.table.schema(), campaign_.table.names(),
                        {.k = campaign_.k, .log = path_});
  };
  for (std::uint64_t calls : {3, 11, 12, 13, 20, 30}) run_some(open(), calls);
  expect_same_findings(campaign_, *open());
}

TEST_F(CampaignLog, AServerKeepsItsRowsAndIsNotToldAgain) {
  for (std::uint64_t calls_made = 1; calls_made < calls(); calls_made += 3) {
    SCOPED_TRACE(testing::Message() << "interrupted after " << calls_made);
    Server server;
    std::filesystem::remove(path_);
    run_some(open_keeper(server), calls_made);
    expect_same_findings(campaign_, *open_keeper(server));
    EXPECT_EQ(server.ranking.size(), 60U);
    int adds = server.adds;
    expect_same_findings(campaign_, *open_keeper(server));
    EXPECT_EQ(server.adds, adds);
  }
}

TEST_F(CampaignLog, FailuresAreWrittenDownAndAskedAgain) {
  Server server;
  int before_failure = 9;
  auto target = open_keeper(server);
  auto reports = live_reports(campaign_, *target, [&] {
    if (--before_failure == 0) server.failures = 3;
  });
  ASSERT_FALSE(reports);
  EXPECT_THAT(reports.error().message, HasSubstr("(asked 3 times): out of order"));
  target.reset();
  EXPECT_THAT(log(), HasSubstr("\"failed\":\"keeper failed at"));
  expect_same_findings(campaign_, *open_keeper(server));
  expect_same_findings(campaign_, *open_keeper(server));
}

// The server adds the row and the process ends before it hears of it.
TEST_F(CampaignLog, AnInsertWithoutItsAnswerIsMadeAgainAndTheFirstLeftOut) {
  Server server;
  std::vector<ValueId> row(5, ValueId{0});
  Query query = empty_query(campaign_.table.schema());
  for (auto& values : query.wanted) values = {ValueId{0}};
  ASSERT_TRUE(open_keeper(server)->insert(row));
  std::string whole = log();
  ASSERT_TRUE(write_text(path_, whole.substr(0, whole.find("{\"inserted\""))));
  for (int run = 0; run < 2; ++run) {
    auto target = open_keeper(server);
    EXPECT_EQ(*target->insert(row), 60U);
    auto rows = target->query(query);
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_EQ(rows->size(), campaign_.k - 1);
    EXPECT_THAT(*rows, testing::Contains(60U));
  }
  EXPECT_EQ(server.adds, 2);
}

TEST_F(CampaignLog, AnotherCampaignIsRefused) {
  Query query = empty_query(campaign_.table.schema());
  ASSERT_TRUE((*open_index())->query(query));
  campaign_.k = 9;
  auto other_k = open_index();
  ASSERT_FALSE(other_k);
  EXPECT_THAT(other_k.error().message, HasSubstr("its k is 8, now it is 9"));
  campaign_.k = 8;
  query.wanted[1] = {ValueId{0}};
  auto rows = (*open_index())->query(query);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message,
              HasSubstr("line 2: this campaign asks the query {\"age\":\"20\"}"));
  EXPECT_FALSE((*open_index())->insert(std::vector<ValueId>(5, ValueId{0})));
  EXPECT_FALSE((*open_index())->restart());
}

TEST_F(CampaignLog, FilesThatAreNoLogsStayAsTheyAre) {
  for (std::string text : {"id,city\n1,Oslo\n", "id,city\n1,Os", "id", "{\"a\":1}\n", "[]\n"}) {
    ASSERT_TRUE(write_text(path_, text));
    auto target = open_index();
    ASSERT_FALSE(target);
    EXPECT_THAT(target.error().message, HasSubstr("is no log"));
    EXPECT_EQ(log(), text);
  }
  EXPECT_FALSE(open_index({.log = "/nowhere/at/all"}));
}

TEST_F(CampaignLog, TwoCampaignsDoNotShareALog) {
  auto first = open_index();
  ASSERT_TRUE(first);
  auto second = open_index();
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("in use by another campaign"));
}

TEST_F(CampaignLog, IsReadableByItsOwnerOnly) {
  ASSERT_TRUE(open_index());
  auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
  EXPECT_EQ(std::filesystem::status(path_).permissions() & others, std::filesystem::perms::none);
}

}  // namespace
}  // namespace rankveil::attack
