// Services of which an audit would learn nothing, and must not say that they are safe.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "rankveil/api/generate.h"
#include "rankveil/api/table_input.h"
#include "rankveil/base/file.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "tests/audit/command.h"
#include "tests/audit/stand_in.h"

namespace rankveil::tests {
namespace {

using attack::testing_support::StandIn;
using attack::testing_support::StandInHabits;
using testing::HasSubstr;
using testing::Not;

constexpr int passes = 0, finds = 1, not_tested = 3;

class FalseAllClears : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder("rankveil-all-clears");
    auto made = api::generate({.rows = 200,
                               .attributes = 4,
                               .seed = 3,
                               .table_path = folder_->path("people.csv"),
                               .policy_path = {},
                               .workload_path = {},
                               .progress = {}});
    ASSERT_TRUE(made) << made.error().message;
    api::TableInput input{.source = {.path = folder_->path("people.csv")},
                          .policy_path = folder_->path("people.toml"),
                          .overrides = {},
                          .progress = {}};
    auto loaded = connect::read_table(input.source, *load_policy(input));
    ASSERT_TRUE(loaded) << loaded.error().message;
    table_ = new Table(std::move(loaded->table));
  }
  static void TearDownTestSuite() {
    delete std::exchange(table_, nullptr);
    delete std::exchange(folder_, nullptr);
  }

  void serve(const StandInHabits& habits) { service_.emplace(*table_, habits); }
  // The first private column, and the second.
  static const std::string& first() { return attribute(0).name; }
  static const std::string& second() { return attribute(1).name; }
  static const Attribute& attribute(std::uint32_t number) {
    return table_->schema().attributes[table_->schema().public_count() + number];
  }

  // Audits what the file leads to; what it prints is in out_.
  int audit(const std::string& file, const std::vector<std::string>& more = {}) {
    EXPECT_TRUE(write_text(folder_->path("service.toml"), "kind = \"http\"\n" + file));
    std::vector<std::string> words = {RANKVEIL_COMMAND,
                                      "audit",
                                      "service.toml",
                                      "--table",
                                      "people.csv",
                                      "--policy",
                                      "people.toml",
                                      "--victims",
                                      "6",
                                      "--k",
                                      "20",
                                      "--seed",
                                      "5",
                                      "--canaries",
                                      "2",
                                      "--scheme",
                                      "swap"};
    words.insert(words.end(), more.begin(), more.end());
    Command command(std::move(words), folder_->path(), {"RANKVEIL_TEST_OWNER=Bearer owner"});
    int code = command.wait();
    out_ = command.out();
    err_ = command.err();
    return code;
  }
  std::string question() const { return service_->query_section(); }
  std::string writing() const { return service_->insert_section() + service_->remove_section(); }

  static TemporaryFolder* folder_;
  static Table* table_;
  std::optional<StandIn> service_;
  std::string out_, err_;
};

TemporaryFolder* FalseAllClears::folder_ = nullptr;
Table* FalseAllClears::table_ = nullptr;

TEST_F(FalseAllClears, AServiceThatReadsEverythingIsTested) {
  serve({});
  EXPECT_EQ(audit(question() + writing()), passes) << err_;
  EXPECT_THAT(out_, HasSubstr("BROKEN by ignorant"));
  EXPECT_EQ(service_->size(), 200U);
  EXPECT_EQ(audit(question() + writing(), {"--fail-on", "broken"}), finds);
}

TEST_F(FalseAllClears, AMisspeltParameterIsNotTested) {
  serve({.unread = {first(), second()}});
  EXPECT_EQ(audit(question() + writing()), not_tested) << err_;
  EXPECT_THAT(out_, HasSubstr("NOT TESTED: nothing was found, and that means nothing here"));
  EXPECT_THAT(out_, HasSubstr("nothing moves when " + first() + " is asked for"));
  EXPECT_THAT(out_, Not(HasSubstr("kept")));
  EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
}

TEST_F(FalseAllClears, AGatePassesWhatIsNotTestedOnlyWhenTold) {
  serve({.unread = {first(), second()}});
  const std::string file = question() + writing();
  EXPECT_EQ(audit(file, {"--fail-on", "broken"}), not_tested);
  EXPECT_EQ(audit(file, {"--fail-on", "broken,undecidable=allow"}), not_tested);
  EXPECT_EQ(audit(file, {"--fail-on", "broken,untested=allow"}), passes) << out_;
}

TEST_F(FalseAllClears, OneMisspeltParameterDoesNotHideBehindTheOther) {
  serve({.unread = {first()}});
  EXPECT_EQ(audit(question() + writing()), not_tested) << err_;
  EXPECT_THAT(out_, HasSubstr("BROKEN by ignorant (" + second()));
  EXPECT_THAT(out_, HasSubstr(first() + " not seen"));
  EXPECT_EQ(audit(question() + writing(), {"--fail-on", "broken"}), finds);
}

TEST_F(FalseAllClears, AnOverriddenParameterIsNotTested) {
  serve({.overridden = {{first(), attribute(0).domain.text(ValueId{0})},
                        {second(), attribute(1).domain.text(ValueId{0})}}});
  EXPECT_EQ(audit(question() + writing()), not_tested) << err_;
  EXPECT_THAT(out_ + err_, HasSubstr("does nothing override it?"));
}

TEST_F(FalseAllClears, ASortByAPrivateColumnIsNotTestedByWishes) {
  serve({.sorted_by = first()});
  std::string file = service_->query_section("&sort=-" + first());
  EXPECT_NE(audit(file, {"--methods", "q-point", "--levels", "ignorant"}), passes) << out_;
  EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
}

TEST_F(FalseAllClears, ThrottledEmptyAnswersAreBlind) {
  for (std::size_t answers : {0UL, 5UL, 60UL}) {
    serve({.answers = answers});
    EXPECT_EQ(audit(question(), {"--methods", "q-point", "--levels", "ignorant"}), not_tested)
        << answers << out_ << err_;
    EXPECT_THAT(out_ + err_, Not(HasSubstr("KEPT")));
  }
  EXPECT_THAT(out_, HasSubstr("the audit is blind"));
}

TEST_F(FalseAllClears, AnAdminsHeadersInQuestionsShowThemselves) {
  serve({.admin = "Bearer owner", .owner = "Bearer owner"});
  const std::string headers = "Authorization = \"${env:RANKVEIL_TEST_OWNER}\"\n";
  EXPECT_EQ(audit(question() + writing() + "[headers]\n" + headers), not_tested);
  EXPECT_THAT(err_, HasSubstr("would go with questions and with writing alike"));
  EXPECT_EQ(audit("share_headers = true\n" + question() + writing() + "[headers]\n" + headers,
                  {"--methods", "q-point"}),
            not_tested);
  EXPECT_THAT(out_ + err_, Not(HasSubstr("KEPT")));
  EXPECT_EQ(audit(question() + writing() + "[insert.headers]\n" + headers), passes) << err_;
  EXPECT_THAT(out_, HasSubstr("BROKEN by ignorant"));
}

constexpr const char* refusal = "[refused]\nstatus = [400, 403]\nbody = \"/errors\"\n";

TEST_F(FalseAllClears, ARefusalIsAPassWhereItIsSaidToBeOne) {
  serve({.refused = {first(), second()}});
  EXPECT_EQ(audit(question() + writing()), not_tested);
  EXPECT_THAT(err_, HasSubstr("status 400")) << "an error ends an audit";
  EXPECT_EQ(audit(question() + writing() + refusal, {"--fail-on", "broken"}), passes) << err_;
  EXPECT_THAT(out_, HasSubstr("REFUSED: the best answer there is"));
  EXPECT_THAT(out_, HasSubstr("the service refuses to be asked for " + first()));
  EXPECT_THAT(out_, HasSubstr("you may not ask for " + first())) << "what it said itself";
}

TEST_F(FalseAllClears, WhatIsNotRefusedIsStillAttacked) {
  serve({.refused = {first()}});
  EXPECT_EQ(audit(question() + writing() + refusal, {"--fail-on", "broken"}), finds) << err_;
  EXPECT_THAT(out_, HasSubstr("BROKEN by ignorant (" + second()));
  EXPECT_THAT(out_, HasSubstr(first() + " refused"));
}

TEST_F(FalseAllClears, AServiceThatRefusesEverythingHasNotPassed) {
  StandInHabits habits{.refused = {first(), second()}};
  for (std::uint32_t i = 0; i < table_->schema().public_count(); ++i) {
    habits.refused.push_back(table_->schema().attributes[i].name);
  }
  serve(habits);
  EXPECT_EQ(audit(question() + writing() + refusal), not_tested);
  EXPECT_THAT(err_, HasSubstr("refuses questions for public values alone, too"));
}

}  // namespace
}  // namespace rankveil::tests
