// Secrets, their way into requests, and a log-in on a service of our own.
#include "rankveil/connect/http/log_in.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "rankveil/base/json.h"
#include "rankveil/connect/http/encoding.h"

namespace rankveil::connect {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

TEST(Encoding, OfValuesLeavesNothingThatHasAMeaning) {
  EXPECT_EQ(percent_encoded("a b&c=d/é~"), "a%20b%26c%3Dd%2F%C3%A9~");
}

TEST(Encoding, OfTypedUrlsKeepsWhatIsEncodedAlready) {
  EXPECT_EQ(typed_url_encoded("/people?where=(income gt 5)&q=%20\"é\""),
            "/people?where=(income%20gt%205)&q=%20%22%C3%A9%22");
}

TEST(Encoding, OfJsonKnowsWhetherItIsInQuotes) {
  EXPECT_EQ(json_encoded("a\"b", false), "\"a\\\"b\"");
  EXPECT_EQ(json_encoded("a\"b", true), "a\\\"b");
}

class WithSecrets : public testing::Test {
 protected:
  WithSecrets() { ::setenv("RANKVEIL_TEST_WORD", "p\"w &1", 1); }
  ~WithSecrets() override { ::unsetenv("RANKVEIL_TEST_WORD"); }

  static std::string filled(std::string_view text, SecretUse use) {
    auto made = with_secrets(text, {{"token", "t 1"}}, use, "the body");
    return made ? *made : made.error().message;
  }
};

TEST_F(WithSecrets, FillsThemAsTheTextAroundNeeds) {
  EXPECT_EQ(filled("Bearer ${token}", SecretUse::Plain), "Bearer t 1");
  EXPECT_EQ(filled("?key=${token}&w=${env:RANKVEIL_TEST_WORD}", SecretUse::Url),
            "?key=t%201&w=p%22w%20%261");
  EXPECT_EQ(filled(R"({"a": ${env:RANKVEIL_TEST_WORD}, "b": "x ${token}"})", SecretUse::Json),
            R"({"a": "p\"w &1", "b": "x t 1"})");
}

TEST_F(WithSecrets, NamesWhatIsMissing) {
  EXPECT_EQ(filled("${env:RANKVEIL_NOT_SET}", SecretUse::Plain),
            "the body needs the environment variable RANKVEIL_NOT_SET, which is not set");
  EXPECT_THAT(filled("${session}", SecretUse::Plain),
              HasSubstr("${session}, which no step of a log-in gives"));
  EXPECT_EQ(filled("${token", SecretUse::Plain), "the body has a ${ without its }");
}

TEST_F(WithSecrets, RefusesHeadersThatAreNone) {
  EXPECT_THAT(filled_headers({{"a b", "x"}}).error().message, HasSubstr("is no name of a header"));
  EXPECT_THAT(filled_headers({{"A", "${t}"}}, {{"t", "a\nb"}}).error().message,
              HasSubstr("control character"));
  EXPECT_TRUE(has_header({{"content-type", "x"}}, "Content-Type"));
}

class LogIn : public testing::Test {
 protected:
  LogIn() {
    ::setenv("RANKVEIL_TEST_PASSWORD", "right \"one", 1);
    server_.Post("/login", [](const httplib::Request& in, httplib::Response& out) {
      auto body = parse_json(in.body);
      bool is_right = body && *body->find("password")->as_text() == "right \"one" &&
                      in.get_header_value("X-App") == "shop" &&
                      in.get_header_value("Content-Type") == "application/json";
      out.status = is_right ? 200 : 401;
      out.set_content(is_right ? R"({"user": {"token": "abc", "number": 7}})" : "right \"one",
                      "application/json");
    });
    server_.Post("/form", [](const httplib::Request& in, httplib::Response& out) {
      out.status = in.get_param_value("token") == "abc" ? 302 : 403;
      out.set_header("Location", "http://elsewhere.example/");
      out.set_header("Set-Cookie", "other=1; Path=/");
      out.set_header("Set-Cookie", "session=s1; HttpOnly");
      out.set_header("X-Csrf", "c1");
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~LogIn() override {
    server_.stop();
    thread_.join();
    ::unsetenv("RANKVEIL_TEST_PASSWORD");
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  LogInStep password_step() const {
    return {.url = url("/login"),
            .body = R"({"password": ${env:RANKVEIL_TEST_PASSWORD}})",
            .headers = {{"X-App", "shop"}},
            .answer = "/user/token"};
  }
  static std::string problem(std::vector<LogInStep> steps) {
    auto secrets = log_in(steps, 5);
    EXPECT_FALSE(secrets);
    return secrets ? "" : secrets.error().message;
  }

  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

TEST_F(LogIn, KeepsWhatAnswersHoldForLaterSteps) {
  std::vector<LogInStep> steps = {password_step()};
  steps.push_back({.name = "session",
                   .url = url("/form"),
                   .body = "token=${token}",
                   .answer = "cookie:session"});
  steps.push_back({.name = "csrf", .url = url("/form?token=${token}"), .answer = "header:x-csrf"});
  auto secrets = log_in(steps, 5);
  ASSERT_TRUE(secrets) << secrets.error().message;
  EXPECT_THAT(*secrets,
              ElementsAre(Pair("csrf", "c1"), Pair("session", "s1"), Pair("token", "abc")));
  steps = {password_step()};
  steps[0].answer = "/user/number";
  EXPECT_EQ(log_in(steps, 5)->at("token"), "7");
}

TEST_F(LogIn, SaysWhatFailedAndNoSecret) {
  ::setenv("RANKVEIL_TEST_PASSWORD", "wrong", 1);
  EXPECT_EQ(problem({password_step()}),
            "logging in for ${token} failed: the answer has status 401");
  ::setenv("RANKVEIL_TEST_PASSWORD", "right \"one", 1);
  LogInStep nowhere = password_step();
  nowhere.answer = "/token";
  EXPECT_THAT(problem({nowhere}), HasSubstr("nothing at \"/token\""));
  EXPECT_THAT(problem({nowhere}), Not(HasSubstr("abc")));
}

TEST_F(LogIn, StaysOnThisMachine) {
  LogInStep far = password_step();
  far.url = "http://shop.example/login";
  EXPECT_THAT(problem({far}), HasSubstr("leads to \"shop.example\", which is not this machine"));
  far.url = "http://${token}/login";
  EXPECT_NE(problem({password_step(), far}), "");
  far.url = url("") + "${token}";
  EXPECT_THAT(problem({password_step(), far}), HasSubstr("place in its host"));
}

}  // namespace
}  // namespace rankveil::connect
