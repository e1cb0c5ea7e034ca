// Against a service with habits of its own: pages, log-ins, owners, refusals, ids with a prefix.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "rankveil/attack/targets/open_target.h"
#include "rankveil/attack/testing/campaign.h"
#include "rankveil/attack/testing/fake_clock.h"
#include "rankveil/base/file.h"
#include "tests/audit/stand_in.h"

namespace rankveil::attack {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing_support::Campaign;
using testing_support::FakeClock;
using testing_support::own_path;
using testing_support::StandIn;
using testing_support::StandInHabits;

class HttpHabits : public testing::Test {
 protected:
  using Opened = Result<std::unique_ptr<LiveTarget>>;

  void serve(const StandInHabits& habits) { service_.emplace(campaign_.table, habits); }

  Opened open(const std::string& rest, const std::string& log = "") {
    auto config = parse_target("kind = \"http\"\n" + rest, "t.toml");
    if (!config) return config.error();
    return open_target(*config, campaign_.table.schema(), campaign_.table.names(),
                       {.k = campaign_.k, .log = log, .clock = &clock_});
  }
  std::string refusal(const std::string& rest) {
    auto target = open(rest);
    EXPECT_FALSE(target);
    return target ? "" : target.error().message;
  }
  // The first wish for a private value.
  static Query wish() {
    Query query{std::vector<std::vector<ValueId>>(5)};
    query.wanted[3] = {ValueId{1}};
    return query;
  }

  Campaign campaign_;
  std::optional<StandIn> service_;
  FakeClock clock_;
};

TEST_F(HttpHabits, PagesAreFollowedUpToK) {
  serve({.page = 3});
  for (const std::string& section :
       {service_->query_section("&page=${page}"), service_->query_section() + "next = \"/next\"\n",
        service_->query_section("$[&page=${cursor}$]") + "next = \"/nextPage\"\n"}) {
    auto target = open(section + service_->insert_section() + service_->remove_section());
    ASSERT_TRUE(target) << target.error().message;
    expect_same_findings(campaign_, **target);
  }
  campaign_.k = 1000;
  auto all = open(service_->query_section() + "next = \"/next\"\n");
  auto answer = (*all)->query(wish());
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->size(), 60U);
}

TEST_F(HttpHabits, PagesElsewhereAreNotFollowed) {
  httplib::Server server;
  server.Get("/people", [](const httplib::Request&, httplib::Response& out) {
    out.set_content(R"({"docs": [{"id": 100}], "next": "http://127.0.0.1:1/people"})",
                    "application/json");
  });
  int port = server.bind_to_any_port("127.0.0.1");
  std::thread thread([&] { server.listen_after_bind(); });
  auto target = open("[query]\nurl = \"http://127.0.0.1:" + std::to_string(port) +
                     "/people?q=${query}\"\nids = \"/docs/*/id\"\nnext = \"/next\"\n");
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_THAT((*target)->query(wish()).error().message, HasSubstr("on the same origin only"));
  server.stop();
  thread.join();
}

TEST_F(HttpHabits, IdsMayHaveAForm) {
  serve({.id_prefix = "u_"});
  auto target = open("id_format = \"u_*\"\n" + service_->query_section());
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_TRUE((*target)->query(wish()));
  EXPECT_THAT(refusal("id_format = \"u_\"\n" + service_->query_section()),
              HasSubstr("one * for the table's id"));
}

TEST_F(HttpHabits, BlanksInAUrlAreEncoded) {
  serve({});
  std::string section = service_->query_section();
  section.replace(section.find("job%20title"), 11, "job title");
  auto target = open(section);
  ASSERT_TRUE(target) << target.error().message;
  Query query = wish();
  query.wanted[2] = {ValueId{3}};
  EXPECT_TRUE((*target)->query(query));
}

class HttpOwner : public HttpHabits {
 protected:
  HttpOwner() { ::setenv("RANKVEIL_TEST_OWNER", "Bearer owner", 1); }
  ~HttpOwner() override { ::unsetenv("RANKVEIL_TEST_OWNER"); }
  static constexpr const char* owner = "Authorization = \"${env:RANKVEIL_TEST_OWNER}\"\n";
};

TEST_F(HttpOwner, WritesAndAStrangerAsks) {
  serve({.owner = "Bearer owner"});
  auto target = open(service_->query_section() + service_->insert_section() + "[insert.headers]\n" +
                     owner + service_->remove_section());
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign_, **target);
  EXPECT_EQ(service_->size(), 60U) << "removed with the headers of the insert";
  EXPECT_THAT(service_->askers(), Each(""));
}

TEST_F(HttpOwner, SharesHeadersOnlyWhenTold) {
  serve({.owner = "Bearer owner"});
  std::string file = service_->query_section() + service_->insert_section() +
                     service_->remove_section() + "[headers]\n" + owner;
  EXPECT_THAT(refusal(file), HasSubstr("would go with questions and with writing alike; write "
                                       "[query.headers] and [insert.headers]"));
  auto target = open("share_headers = true\n" + file);
  ASSERT_TRUE(target) << target.error().message;
  ASSERT_TRUE((*target)->query(wish()));
  EXPECT_THAT(service_->askers(), Each("Bearer owner"));
  ::unsetenv("RANKVEIL_TEST_OWNER");
  EXPECT_THAT(refusal("share_headers = true\n" + file),
              HasSubstr("needs the environment variable RANKVEIL_TEST_OWNER"));
}

TEST_F(HttpOwner, ChangesRowsOfItsOwn) {
  Campaign smaller;  // without the last three, which are ours
  Campaign whole;
  serve({.owner = "Bearer owner"});
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < whole.table.schema().size(); ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < 57; ++row) {
      values.push_back(whole.table.value(RowId{row}, AttributeId{i}));
    }
    columns.emplace_back(whole.table.schema().attributes[i].domain.size(), values);
  }
  IntegerNames names;
  for (std::uint32_t row = 0; row < 57; ++row) names.values.push_back(100 + row);
  campaign_.table = Table(whole.table.schema(), std::move(columns), RowNames(std::move(names)));
  std::string update = "[update]\nurl = \"" + service_->address() +
                       "/people/${id}\"\nbody = '${row}'\nrows = [\"157\", \"158\", \"159\"]\n"
                       "[update.headers]\n" +
                       owner;
  auto target = open(service_->query_section() + update);
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_TRUE((*target)->takes_inserts());
  EXPECT_EQ((*target)->most_rows(), 3U);
  for (int round = 0; round < 2; ++round) {
    std::vector<ValueId> row(5, ValueId{1});
    auto added = (*target)->insert(row);
    ASSERT_TRUE(added) << added.error().message;
    EXPECT_EQ(*added, 57U);
    Query query{std::vector<std::vector<ValueId>>(5, {ValueId{1}})};
    auto answer = (*target)->query(query);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->front(), 57U) << "it matches everything";
    ASSERT_TRUE((*target)->restart());
    answer = (*target)->query(query);
    EXPECT_THAT(*answer, Each(testing::Lt(57U))) << "it is there, and left out";
  }
  EXPECT_TRUE((*target)->notes().empty()) << "nothing is left that was not there before";
  campaign_.table = whole.table;
  EXPECT_THAT(refusal(service_->query_section() + update),
              HasSubstr("the row \"157\" of [update] in t.toml is in the table"));
}

TEST_F(HttpHabits, LogInsGiveWhatHeadersNeed) {
  ::setenv("RANKVEIL_TEST_PASSWORD", "a \"b", 1);
  serve({.password = "a \"b", .token_lasts = 5});
  std::string login = "[[login]]\nurl = \"" + service_->address() +
                      "/login\"\nbody = '{\"password\": ${env:RANKVEIL_TEST_PASSWORD}}'\n"
                      "keep = \"/user/token\"\n";
  auto target = open(service_->query_section() +
                     "[query.headers]\nAuthorization = \"JWT ${token}\"\n" + login);
  ASSERT_TRUE(target) << target.error().message;
  for (int i = 0; i < 12; ++i) ASSERT_TRUE((*target)->query(wish()));
  EXPECT_EQ(service_->log_ins(), 3U) << "again when the token was old";
  ::setenv("RANKVEIL_TEST_PASSWORD", "wrong", 1);
  EXPECT_EQ(refusal(service_->query_section() + login),
            "t.toml: logging in for ${token} failed: the answer has status 401");
  ::unsetenv("RANKVEIL_TEST_PASSWORD");
}

TEST_F(HttpHabits, RefusalsAreResultsAndNotAskedAgain) {
  serve({.refused = {"religion"}});
  std::string file = service_->query_section() + "[refused]\nstatus = [400]\nbody = \"/errors\"\n";
  std::string log = own_path("log");
  for (int run = 0; run < 2; ++run) {
    auto target = open(file, log);
    ASSERT_TRUE(target) << target.error().message;
    EXPECT_FALSE((*target)->query(wish()));
    EXPECT_TRUE((*target)->was_refused());
    Query other{std::vector<std::vector<ValueId>>(5)};
    EXPECT_TRUE((*target)->query(other));
    EXPECT_FALSE((*target)->was_refused());
    EXPECT_EQ(service_->askers().size(), 2U) << "the second run reads its log";
  }
  EXPECT_THAT(*read_text(log), HasSubstr("\"refused\":\""));
  auto plain = open(service_->query_section());
  EXPECT_FALSE((*plain)->query(wish()));
  EXPECT_FALSE((*plain)->was_refused()) << "nobody said that this is a refusal";
}

TEST_F(HttpHabits, WhatIsNoRefusalIsRefused) {
  serve({});
  const std::string query = service_->query_section();
  EXPECT_THAT(refusal(query + "[refused]\nstatus = [429]\n"), HasSubstr("429 are no refusals"));
  EXPECT_THAT(refusal(query + "[refused]\nstatus = [200]\n"), HasSubstr("say by body"));
  EXPECT_THAT(refusal(query + "[refused]\nbody = \"/errors\"\n"), HasSubstr("list the statuses"));
}

}  // namespace
}  // namespace rankveil::attack
