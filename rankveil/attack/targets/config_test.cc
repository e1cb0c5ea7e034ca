#include "rankveil/attack/targets/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/attack/testing/campaign.h"
#include "rankveil/base/file.h"

namespace rankveil::attack {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view text) {
  auto config = parse_target(text, "t.toml");
  EXPECT_FALSE(config) << text;
  return config ? "" : config.error().message;
}

TEST(TargetConfig, ReadsAWholeHttpTarget) {
  auto config = parse_target(R"(
kind = "http"
timeout = 2.5
retries = 0
backoff = 1
rate = 20
unknown_ids = "skip"
first_id = 9000
share_headers = true
id_format = "u_*"
refused = { status = [400, 403], body = "/errors" }

[query]
url = "http://127.0.0.1/rank"
body = '{"want": ${query}}'
ids = "/hits/*/id"

[insert]
method = "PUT"
url = "http://127.0.0.1/people/${id}"
body = '${row}'

[remove]
url = "http://127.0.0.1/people/${id}"

[headers]
Authorization = "Bearer ${env:TOKEN}"

[insert.headers]
X-Owner = "me"

[[login]]
name = "session"
url = "http://127.0.0.1/login"
body = 'user=me&password=${env:PASSWORD}'
keep = "cookie:sid"
)",
                             "t.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->timeout, 2.5);
  EXPECT_EQ(config->manners.retries, 0U);
  EXPECT_EQ(config->manners.backoff, 1);
  EXPECT_EQ(config->manners.rate, 20);
  EXPECT_TRUE(config->skip_unknown_ids);
  EXPECT_EQ(config->new_ids.at(2), "9002");
  const auto& http = std::get<HttpConfig>(config->kind);
  EXPECT_EQ(http.query.method, "POST") << "a body makes it so";
  EXPECT_EQ(http.query.answer, "/hits/*/id");
  EXPECT_EQ(http.insert->method, "PUT");
  EXPECT_EQ(http.insert->answer, "");
  EXPECT_EQ(http.remove->method, "DELETE");
  EXPECT_EQ(http.remove->headers, http.insert->headers) << "who writes removes";
  EXPECT_EQ(http.refused.status, (std::vector<int>{400, 403}));
  EXPECT_EQ(http.refused.body, "/errors");
  EXPECT_EQ(config->id_format, "u_*");
  ASSERT_EQ(http.log_in.size(), 1U);
  EXPECT_EQ(http.log_in[0].name, "session");
  EXPECT_EQ(http.log_in[0].answer, "cookie:sid");
  ASSERT_EQ(http.headers.size(), 1U);
  EXPECT_EQ(http.headers[0].second, "Bearer ${env:TOKEN}");
}

TEST(TargetConfig, ReadsTheOtherKinds) {
  auto postgres = parse_target(
      "kind = \"postgres\"\nconnection = \"dbname=a\"\nquery = \"SELECT\"\ninsert = \"INSERT\"",
      "t");
  ASSERT_TRUE(postgres) << postgres.error().message;
  EXPECT_EQ(std::get<PostgresConfig>(postgres->kind).insert, "INSERT");
  EXPECT_EQ(postgres->new_ids.at(0), "rankveil-1");
  auto duckdb = parse_target("kind = \"duckdb\"\nquery = \"SELECT\"\nsetup = [\"a\", \"b\"]", "t");
  ASSERT_TRUE(duckdb) << duckdb.error().message;
  EXPECT_EQ(std::get<DuckdbConfig>(duckdb->kind).setup.size(), 2U);
  auto program = parse_target("kind = \"program\"\ncommand = [\"x\", \"-y\"]\nsets = false", "t");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(std::get<ProgramConfig>(program->kind).command.size(), 2U);
  EXPECT_FALSE(std::get<ProgramConfig>(program->kind).sets);
  auto index = parse_target("kind = \"index\"\npath = \"people.rvi\"", "t");
  ASSERT_TRUE(index) << index.error().message;
}

TEST(TargetConfig, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal(""), "t.toml, line 1: kind is missing");
  EXPECT_THAT(refusal("kind = \"htp\""), HasSubstr("kind is \"htp\"; did you mean http?"));
  EXPECT_THAT(refusal("kind = \"index\"\npath = \"a\"\nport = 3"),
              HasSubstr("line 3: \"port\" is not known here"));
  EXPECT_THAT(refusal("kind = \"index\"\npath = 3"), HasSubstr("line 2: path must be text"));
  EXPECT_THAT(refusal("kind = \"index\"\npath = \"a\"\nrate = 0"), HasSubstr("rate must be"));
  EXPECT_THAT(refusal("kind = \"index\"\npath = \"a\"\nretries = 1.5"), HasSubstr("retries must"));
  EXPECT_THAT(refusal("kind = \"index\"\npath = \"a\"\ntimeout = nan"), HasSubstr("timeout must"));
  EXPECT_THAT(refusal("kind = \"index\"\npath = \"a\"\nunknown_ids = \"x\""),
              HasSubstr("\"skip\""));
  EXPECT_THAT(refusal("kind = \"http\""), HasSubstr("[query]"));
  EXPECT_THAT(refusal("kind = \"http\"\nquery = 3"), HasSubstr("must be a section"));
  EXPECT_THAT(refusal("kind = \"http\"\n[query]\nurl = \"x\""),
              HasSubstr("ids in [query] is missing"));
  EXPECT_THAT(refusal("kind = \"http\"\n[query]\nurl = \"x\"\nids = \"/i\"\nmethod = \"get\""),
              HasSubstr("line 5: method in [query] must be \"GET\""));
  EXPECT_THAT(refusal("kind = \"program\"\ncommand = []"), HasSubstr("command must be a list"));
  EXPECT_THAT(refusal("kind = \"postgres\"\nquery = \"x\""), HasSubstr("connection is missing"));
}

TEST(TargetConfig, PathsAreTakenFromTheFilesFolder) {
  std::string folder = testing_support::own_path("folder");
  std::filesystem::create_directories(folder);
  std::string path = folder + "/t.toml";
  ASSERT_TRUE(write_text(path, "kind = \"index\"\npath = \"people.rvi\""));
  EXPECT_EQ(std::get<IndexConfig>(read_target(path)->kind).path, folder + "/people.rvi");
  ASSERT_TRUE(write_text(path, "kind = \"duckdb\"\nquery = \"x\"\npath = \"/data/people.db\""));
  EXPECT_EQ(std::get<DuckdbConfig>(read_target(path)->kind).path, "/data/people.db");
  ASSERT_TRUE(write_text(path, "kind = \"program\"\ncommand = [\"./rank\"]"));
  EXPECT_EQ(std::get<ProgramConfig>(read_target(path)->kind).command[0], folder + "/./rank");
  ASSERT_TRUE(write_text(path, "kind = \"program\"\ncommand = [\"python3\"]"));
  EXPECT_EQ(std::get<ProgramConfig>(read_target(path)->kind).command[0], "python3");
  EXPECT_FALSE(read_target(folder + "/none.toml"));
  std::filesystem::remove_all(folder);
}

TEST(TargetConfig, TheManualsExamplesAreTargets) {
  std::string manual = *read_text(RANKVEIL_SOURCE_DIR "/docs/reference/targets.md");
  std::size_t examples = 0;
  const std::string opening = "```toml\n";
  for (std::size_t at = 0; (at = manual.find(opening, at)) != std::string::npos; ++examples) {
    at += opening.size();
    auto config = parse_target(manual.substr(at, manual.find("```", at) - at), "the manual");
    EXPECT_TRUE(config) << config.error().message;
  }
  EXPECT_GE(examples, 6U);
}

}  // namespace
}  // namespace rankveil::attack
