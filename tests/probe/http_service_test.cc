// Asking and writing over HTTP, against a service in this process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "rankveil/probe/http/service.h"
#include "tests/probe/stand_in.h"

namespace rankveil::probe {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::StandIn;

class HttpServiceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RANKVEIL_TEST_OWNER", StandIn::owner_token, 1);
    ::setenv("RANKVEIL_TEST_PASSWORD", "open sesame", 1);
  }

  static HttpSettings settings_for(const std::string& url) {
    HttpSettings settings;
    settings.talk.url = url;
    settings.dialect = *parse_dialect(StandIn::dialect(), "stand-in.toml");
    settings.public_field = "city";
    settings.mark_field = "name";
    settings.row.set("city", "Oslo");
    settings.owner =
        *Identity::make("the owner", {{"Authorization", "Bearer ${RANKVEIL_TEST_OWNER}"}});
    return settings;
  }
  static std::unique_ptr<HttpService> open(HttpSettings settings) {
    auto service = HttpService::open(std::move(settings));
    EXPECT_TRUE(service) << service.error().message;
    return std::move(*service);
  }

  static Question question(const std::string& way, const std::string& field,
                           const std::string& row) {
    return {.way = way,
            .field = field,
            .value = {"zzzq", true},
            .low = {"zzzp", true},
            .high = {"zzzr", true},
            .direction = Direction::Descending,
            .own = {row}};
  }

  const Field religion_{.name = "religion"};
  const Field income_{.name = "income", .type = FieldType::Number};
};

TEST_F(HttpServiceTest, AnOwnRowIsMadeChangedReadFoundAndRemoved) {
  StandIn people({});
  auto service = open(settings_for(people.url()));
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(id) << id.trouble().error.message;
  EXPECT_EQ(people.people(), 301);
  ASSERT_TRUE(service->write(*id, religion_, Value{"zzzq", true}));
  ASSERT_TRUE(service->write(*id, income_, Value{"900000017", false}));
  auto religion = service->read(*id, religion_);
  ASSERT_TRUE(religion);
  EXPECT_EQ(*religion, (Value{"zzzq", true}));
  auto income = service->read(*id, income_);
  ASSERT_TRUE(income);
  ASSERT_TRUE(*income);
  EXPECT_EQ(std::strtod((*income)->text.c_str(), nullptr), 900000017);
  ASSERT_TRUE(service->write(*id, religion_, std::nullopt));
  EXPECT_EQ(*service->read(*id, religion_), std::nullopt);
  auto found = service->find("rvprobe1");
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, testing::ElementsAre(*id));
  EXPECT_TRUE(service->find("rvprobe2")->empty());
  ASSERT_TRUE(service->remove(*id));
  EXPECT_EQ(people.people(), 300);
  EXPECT_TRUE(service->remove(*id)) << "what is gone already is removed";
}

TEST_F(HttpServiceTest, ARowThatIsGoneIsToldFromOneWhoseMarkIsNot) {
  StandIn people({});
  HttpSettings settings = settings_for(people.url());
  auto service = open(settings);
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(id) << id.trouble().error.message;
  auto held = service->read_mark(*id);
  ASSERT_TRUE(held) << held.trouble().error.message;
  EXPECT_FALSE(held->is_gone);
  EXPECT_EQ(held->value, (Value{"rvprobe1", true}));
  // Where the row would be there is nothing, as a GraphQL service says that it is gone.
  ASSERT_TRUE(service->write(*id, religion_, std::nullopt));
  settings.dialect.read->row = *Pointer::parse("/religion");
  auto elsewhere = open(settings);
  auto null_row = elsewhere->read_mark(*id);
  ASSERT_TRUE(null_row) << null_row.trouble().error.message;
  EXPECT_TRUE(null_row->is_gone);
  EXPECT_FALSE(elsewhere->read(*id, religion_)) << "no row is not no value";
  ASSERT_TRUE(service->remove(*id));
  auto gone = service->read_mark(*id);
  ASSERT_TRUE(gone) << gone.trouble().error.message;
  EXPECT_TRUE(gone->is_gone);
  EXPECT_FALSE(service->read(*id, religion_));
}

TEST_F(HttpServiceTest, DottedNamesAreWrittenAndReadInside) {
  StandIn people({});
  auto service = open(settings_for(people.url()));
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(id);
  const Field dotted{.name = "profile.religion"};
  ASSERT_TRUE(service->write(*id, dotted, Value{"zzzq", true}));
  EXPECT_EQ(*service->read(*id, dotted), (Value{"zzzq", true}));
  EXPECT_EQ(*service->read(*id, religion_), (Value{"zzzq", true}));
}

TEST_F(HttpServiceTest, MarksAreFoundByLookingThroughPagesToo) {
  StandIn people({});
  HttpSettings settings = settings_for(people.url());
  settings.dialect.find.reset();
  auto service = open(settings);
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(id);
  auto found = service->find("rvprobe1");
  ASSERT_TRUE(found) << found.trouble().error.message;
  EXPECT_THAT(*found, testing::ElementsAre(*id));
}

TEST_F(HttpServiceTest, AnswersTellFieldsOfOwnRowsAndIdsOfOthers) {
  StandIn people({.leaks = {"sort"}});
  auto service = open(settings_for(people.url()));
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(service->write(*id, religion_, Value{"zzzq", true}));
  const Answer answer = service->ask(question("sort", "religion", *id));
  EXPECT_EQ(answer.outcome, Outcome::Answered) << answer.reason;
  ASSERT_EQ(answer.rows.size(), 50);
  EXPECT_EQ(answer.rows.front(), *id);
  EXPECT_EQ(answer.requests, 1);
  EXPECT_THAT(answer.request, HasSubstr("GET /api/people?sort=-religion&limit=50"));
  for (const Part& part : answer.parts) {
    EXPECT_TRUE(part.row == *id || part.text.starts_with('#')) << part.name << " " << part.text;
    EXPECT_THAT(part.text, Not(HasSubstr("person "))) << part.name;
  }
}

TEST_F(HttpServiceTest, RefusalsFailuresAndThrottlingAreToldApart) {
  StandIn people({.noise = {"rate"}});
  auto service = open(settings_for(people.url()));
  const Answer refused = service->ask(question("sort", "religion", "1"));
  EXPECT_EQ(refused.outcome, Outcome::Refused);
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.reason, HasSubstr("religion cannot be queried"));
  Answer answer;
  for (int i = 0; i < 45 && answer.outcome != Outcome::Throttled; ++i) {
    answer = service->ask(question("sort", "city", "1"));
  }
  EXPECT_EQ(answer.outcome, Outcome::Throttled);
  EXPECT_EQ(answer.wait_seconds, 1);
  HttpSettings elsewhere = settings_for(people.origin() + "/nothing-here");
  elsewhere.dialect.refused.status = {400};
  EXPECT_EQ(open(elsewhere)->ask(question("sort", "city", "1")).outcome, Outcome::Failed);
}

TEST_F(HttpServiceTest, CountsAndAggregatesNeedNoRows) {
  StandIn people({.leaks = {"count", "aggregate", "group_by"}});
  auto service = open(settings_for(people.url()));
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(service->write(*id, religion_, Value{"zzzq", true}));
  const Answer count = service->ask(question("count", "religion", *id));
  EXPECT_EQ(count.outcome, Outcome::Answered) << count.reason;
  EXPECT_EQ(count.count, 1);
  const Answer most = service->ask(question("aggregate", "religion", *id));
  ASSERT_EQ(most.parts.size(), 1);
  EXPECT_EQ(most.parts[0].text, "\"zzzq\"") << "the value that was asked for is our own";
  ASSERT_TRUE(service->write(*id, religion_, Value{"aaaa", true}));
  const Answer other = service->ask(question("aggregate", "religion", *id));
  EXPECT_TRUE(other.parts[0].text.starts_with('#')) << "somebody else's value is not kept";
  const Answer groups = service->ask(question("group_by", "religion", *id));
  EXPECT_EQ(groups.outcome, Outcome::Answered) << groups.reason;
}

TEST_F(HttpServiceTest, LinkedRowsStandForTheOwnRow) {
  StandIn people({.leaks = {"relation"}});
  HttpSettings settings = settings_for(people.url());
  settings.linked = LinkedRows{.path = "/api/posts", .by = "author"};
  auto service = open(settings);
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(id) << id.trouble().error.message;
  EXPECT_EQ(people.posts(), 301);
  ASSERT_TRUE(service->write(*id, religion_, Value{"zzzq", true}));
  const Answer answer = service->ask(question("relation", "religion", *id));
  EXPECT_EQ(answer.outcome, Outcome::Answered) << answer.reason;
  EXPECT_EQ(answer.rows.front(), *id);
  // Another process, which never made the post, finds it by whom it refers to.
  auto later = open(settings);
  ASSERT_TRUE(later->remove(*id));
  EXPECT_EQ(people.posts(), 300);
  EXPECT_EQ(people.people(), 300);
}

// A service that is busy for a moment is asked for a row once more.
TEST_F(HttpServiceTest, ARowWhoseLinkCannotBeMadeIsNotLeft) {
  StandIn people({.busy_posts = 1});
  HttpSettings settings = settings_for(people.url());
  settings.linked = LinkedRows{.path = "/api/posts", .by = "author"};
  auto service = open(settings);
  auto busy = service->create("rvprobe1");
  ASSERT_FALSE(busy);
  EXPECT_TRUE(busy.trouble().passes);
  EXPECT_FALSE(busy.trouble().may_be_done);
  EXPECT_EQ(people.people(), 300);
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(id) << id.trouble().error.message;
  ASSERT_TRUE(service->remove(*id));
  EXPECT_EQ(people.people(), 300);
  EXPECT_EQ(people.posts(), 300);
}

TEST_F(HttpServiceTest, WaysThroughARelationNeedOne) {
  StandIn people({});
  auto service = open(settings_for(people.url()));
  for (const Way& way : service->ways()) EXPECT_NE(way.kind, Kind::Relation);
}

// ---- Manners ----

TEST_F(HttpServiceTest, QuestionsNeverCarryTheOwnersHeaders) {
  StandIn people({.leaks = {"sort"}});
  auto service = open(settings_for(people.url()));
  auto id = service->create("rvprobe1");
  for (const Way& way : service->ways()) service->ask(question(way.name, "religion", *id));
  EXPECT_EQ(people.questions_with_secrets(), 0);
}

TEST_F(HttpServiceTest, SecretsAreInNoTextThatComesOut) {
  StandIn people({});
  HttpSettings settings = settings_for(people.url());
  // A service that repeats what it was sent, in a body that nobody expects.
  settings.dialect.create->request.path =
      *RequestText::parse("${url}/" + std::string(StandIn::owner_token), {}, "path");
  auto service = open(settings);
  auto id = service->create("rvprobe1");
  ASSERT_FALSE(id);
  EXPECT_THAT(id.trouble().error.message, HasSubstr("***"));
  EXPECT_THAT(id.trouble().error.message, Not(HasSubstr(StandIn::owner_token)));
  Question leaky = question("eq", "city", "1");
  leaky.value.text = StandIn::owner_token;
  EXPECT_THAT(service->ask(leaky).request, Not(HasSubstr(StandIn::owner_token)));
}

TEST_F(HttpServiceTest, OtherMachinesNeedLeave) {
  for (const char* url : {"http://example.org/people", "http://192.0.2.7/people",
                          "http://localhost.example.org/people"}) {
    auto service = HttpService::open(settings_for(url));
    ASSERT_FALSE(service) << url;
    EXPECT_THAT(service.error().message, HasSubstr("--allow-remote"));
  }
  HttpSettings allowed = settings_for("http://192.0.2.7/people");
  allowed.talk.allow_remote = true;
  EXPECT_TRUE(HttpService::open(allowed));
}

TEST_F(HttpServiceTest, TheBudgetHoldsAndKeepsEnoughForTheEnd) {
  StandIn people({});
  HttpSettings settings = settings_for(people.url());
  settings.talk.budget = 60;
  auto service = open(settings);
  auto id = service->create("rvprobe1");
  ASSERT_TRUE(id);
  Answer answer;
  for (int i = 0; i < 100; ++i) answer = service->ask(question("sort", "city", *id));
  EXPECT_EQ(answer.outcome, Outcome::Failed);
  EXPECT_THAT(answer.reason, HasSubstr("the budget of 60 requests is used up"));
  EXPECT_EQ(people.requests(), 40);
  EXPECT_TRUE(service->remove(*id)) << "what was written is removed all the same";
  EXPECT_EQ(people.people(), 300);
  for (int i = 0; i < 100; ++i) static_cast<void>(service->remove(*id));
  EXPECT_EQ(people.requests(), 60);
}

TEST_F(HttpServiceTest, ALogInGivesAToken) {
  StandIn people({});
  HttpSettings settings = settings_for(people.url());
  auto owner = Identity::make("the owner", {{"Authorization", "Bearer ${token}"}},
                              LogIn{.path = "/login",
                                    .body = R"({"password": "${RANKVEIL_TEST_PASSWORD}"})",
                                    .token = *Pointer::parse("/token")});
  ASSERT_TRUE(owner) << owner.error().message;
  settings.owner = *owner;
  auto service = open(settings);
  EXPECT_TRUE(service->create("rvprobe1"));
  EXPECT_TRUE(service->create("rvprobe2"));
  EXPECT_EQ(people.requests(), 3) << "one log-in is enough";
  Question leaky = question("eq", "city", "1");
  leaky.value.text = StandIn::owner_token;
  EXPECT_THAT(service->ask(leaky).request, Not(HasSubstr(StandIn::owner_token)));
}

TEST_F(HttpServiceTest, ALogInThatFailsSaysSoWithoutThePassword) {
  StandIn people({});
  ::setenv("RANKVEIL_TEST_WRONG", "hunter22", 1);
  HttpSettings settings = settings_for(people.url());
  settings.owner = *Identity::make("the owner", {{"Authorization", "Bearer ${token}"}},
                                   LogIn{.path = "/login",
                                         .body = R"({"password": "${RANKVEIL_TEST_WRONG}"})",
                                         .token = *Pointer::parse("/token")});
  auto id = open(settings)->create("rvprobe1");
  ASSERT_FALSE(id);
  EXPECT_THAT(id.trouble().error.message, HasSubstr("the log-in of the owner has status 401"));
  EXPECT_THAT(id.trouble().error.message, Not(HasSubstr("hunter22")));
}

TEST_F(HttpServiceTest, RedirectsAreFollowedOnTheSameOriginOnly) {
  StandIn people({});
  auto moved = open(settings_for(people.origin() + "/moved"));
  const Answer answer = moved->ask(question("sort", "city", "1"));
  EXPECT_EQ(answer.outcome, Outcome::Answered) << answer.reason;
  EXPECT_EQ(answer.requests, 2);
  auto elsewhere = open(settings_for(people.origin() + "/elsewhere"));
  const Answer refused = elsewhere->ask(question("sort", "city", "1"));
  EXPECT_EQ(refused.outcome, Outcome::Failed);
  EXPECT_THAT(refused.reason, HasSubstr("a redirect to somewhere else is not followed"));
  EXPECT_EQ(refused.requests, 1);
}

TEST_F(HttpServiceTest, HeadersOnTheCommandLineNameVariables) {
  EXPECT_FALSE(header_from_text("authorization: JWT abcdef", false)) << "on every request";
  EXPECT_TRUE(header_from_text("X-Parse-Application-Id: shop", false));
  auto written = Identity::make("the asker", {{"Authorization", "JWT abcdef"}});
  ASSERT_TRUE(written);
  EXPECT_EQ(without_secrets("no abcdef here", written->secrets), "no *** here");
  EXPECT_EQ(without_secrets("no abcde...", written->secrets), "no ***...") << "cut in the middle";
  EXPECT_EQ(without_secrets("no abc", written->secrets), "no abc");
  auto key = Identity::make("the asker", {{"X-API-Key", "k7f31q"}, {"apikey", "id"}});
  ASSERT_TRUE(key);
  EXPECT_EQ(without_secrets("k7f31q hid it", key->secrets), "*** hid it") << "id is in many words";
  for (const char* name :
       {"X-Auth-Token", "X-Parse-Master-Key", "x-session-id", "Cookie2", "X-Api-Key", "apikey"}) {
    EXPECT_FALSE(header_from_text(std::string(name) + ": abcdef", false)) << name;
  }
  EXPECT_TRUE(header_from_text("Authorization: JWT ${TOKEN}", true));
  auto value = header_from_text("Authorization: JWT abcdef", true);
  ASSERT_FALSE(value);
  EXPECT_THAT(value.error().message, HasSubstr("'Authorization: ${MY_TOKEN}'"));
  EXPECT_THAT(value.error().message, Not(HasSubstr("abcdef")));
  auto missing = Identity::make("the owner", {{"Authorization", "${RANKVEIL_TEST_UNSET}"}});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("RANKVEIL_TEST_UNSET, which is not set"));
  EXPECT_FALSE(Identity::make("x", {{"Bad Name", "x"}}));
  EXPECT_FALSE(Identity::make("x", {{"Name", "a\nb"}}));
  EXPECT_FALSE(Identity::make("x", {{"Name", "${token}"}}));
}

}  // namespace
}  // namespace rankveil::probe
