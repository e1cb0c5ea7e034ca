// `rankveil probe` as a user runs it, against services that the test runs: each kind of leak is
// found and nothing else, and what was written is taken back whatever happens.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "rankveil/api/probe.h"
#include "rankveil/base/file.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "tests/audit/command.h"
#include "tests/probe/stand_in.h"

namespace rankveil::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAreArray;

class ProbeCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RANKVEIL_TEST_OWNER", StandIn::owner_token, 1);
    ::setenv("RANKVEIL_TEST_ADMIN", StandIn::admin_token, 1);
  }

  ProbeCommand() : folder_("rankveil-probe") {
    EXPECT_TRUE(write_text(path("stand-in.toml"), StandIn::dialect()));
  }

  std::string path(const std::string& name) const { return folder_.path(name); }

  std::string target_file(const StandIn& service, const std::string& fields,
                          const std::string& more = "") const {
    EXPECT_TRUE(write_text(path("people.toml"),
                           fmt::format("url = \"{}\"\ndialect = \"stand-in.toml\"\nfields = [{}]\n"
                                       "public = \"city\"\nmark = \"name\"\n"
                                       "[row]\nname = \"${{mark}}\"\ncity = \"Oslo\"\n"
                                       "[headers.user]\n"
                                       "Authorization = \"Bearer ${{env:RANKVEIL_TEST_OWNER}}\"\n"
                                       "{}",
                                       service.url(), fields, more)));
    return path("people.toml");
  }

  api::ProbeRequest request(const StandIn& service, const std::string& fields,
                            const std::string& more = "") const {
    api::ProbeRequest request;
    request.target = target_file(service, fields, more);
    request.write = true;
    request.seed = 7;
    request.journal = path("probe.journal");
    request.patience = 0;
    return request;
  }

  static std::vector<std::string> leaks(const probe::ProbeResult& result) {
    std::vector<std::string> ways;
    for (const probe::Finding& finding : result.findings) {
      if (finding.verdict == probe::Verdict::Leak) ways.push_back(finding.way.name);
    }
    return ways;
  }
  static std::string told(const probe::ProbeResult& result) {
    std::string text;
    for (const probe::Finding& finding : result.findings) {
      text +=
          fmt::format("{}: {} {}\n", name_of(finding), to_text(finding.verdict), finding.reason);
    }
    return text;
  }

  Command run(std::vector<std::string> words) const {
    words.insert(words.begin(), {RANKVEIL_COMMAND, "probe"});
    return Command(words, folder_.path(""));
  }

  std::size_t journals() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path(""))) {
      count += static_cast<std::size_t>(entry.path().extension() == ".journal");
    }
    return count;
  }

  TemporaryFolder folder_;
};

// ---- Each kind of leak alone ----

struct Leak {
  std::string what;
  std::string field;
  std::vector<std::string> ways;  // that give it away
};

class EachLeak : public ProbeCommand, public testing::WithParamInterface<Leak> {};

TEST_P(EachLeak, IsFoundAndNothingElse) {
  const Leak& leak = GetParam();
  StandIn service({.leaks = {leak.what}});
  const std::string linked =
      leak.what == "relation" ? "[linked]\npath = \"/api/posts\"\nby = \"author\"\n" : "";
  auto result = api::run_probe(request(service, "\"" + leak.field + "\"", linked));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(leaks(*result), UnorderedElementsAreArray(leak.ways)) << told(*result);
  EXPECT_EQ(exit_code_of(*result, false), 1);
  EXPECT_EQ(service.people(), 300) << "the own row is removed";
  EXPECT_EQ(service.posts(), 300);
  EXPECT_EQ(service.questions_with_secrets(), 0) << "questions are a stranger's";
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EachLeak,
    testing::Values(Leak{"sort", "religion:text", {"sort", "cursor"}},
                    Leak{"sort", "income:number", {"sort", "cursor"}},
                    Leak{"eq", "religion:text", {"eq"}}, Leak{"eq", "income:number", {"eq"}},
                    Leak{"ne", "religion:text", {"ne"}}, Leak{"gt", "income:number", {"gt"}},
                    Leak{"gte", "income:number", {"gte"}}, Leak{"lt", "income:number", {"lt"}},
                    Leak{"lte", "religion:text", {"lte"}}, Leak{"like", "note:text", {"like"}},
                    Leak{"in", "religion:text", {"in"}}, Leak{"regex", "note:text", {"regex"}},
                    Leak{"or", "religion:text", {"or"}}, Leak{"and", "religion:text", {"and"}},
                    Leak{"nor", "religion:text", {"nor"}}, Leak{"search", "note:text", {"search"}},
                    Leak{"count", "religion:text", {"count"}},
                    Leak{"aggregate", "income:number", {"aggregate"}},
                    Leak{"group_by", "religion:text", {"group_by"}},
                    Leak{"cursor", "religion:text", {"cursor"}},
                    Leak{"column", "religion:text", {"column"}},
                    Leak{"relation", "religion:text", {"relation"}}),
    [](const testing::TestParamInfo<Leak>& leak) {
      return leak.param.what + "_" + leak.param.field.substr(0, leak.param.field.find(':'));
    });

TEST_F(ProbeCommand, DottedNamesAreFoundWhereTheyAreTheOnlyWay) {
  StandIn service({.leaks = {"dotted"}});
  auto result = api::run_probe(request(service, "\"profile.religion:text\", \"religion:text\""));
  ASSERT_TRUE(result) << result.error().message;
  for (const probe::Finding& finding : result->findings) {
    EXPECT_TRUE(finding.verdict != probe::Verdict::Leak || finding.field == "profile.religion")
        << name_of(finding);
  }
  EXPECT_THAT(leaks(*result), testing::Contains("eq")) << told(*result);
}

TEST_F(ProbeCommand, ACleanServiceIsRefusedOrInert) {
  for (bool ignores : {false, true}) {
    StandIn service({.ignores = ignores});
    auto result = api::run_probe(request(service, "\"religion:text\", \"income:number\""));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_THAT(leaks(*result), testing::IsEmpty()) << told(*result);
    EXPECT_EQ(exit_code_of(*result, false), 0) << told(*result);
    EXPECT_EQ(overall(*result), ignores ? probe::Verdict::Inert : probe::Verdict::Refused)
        << told(*result);
  }
}

TEST_F(ProbeCommand, NoiseIsNoLeak) {
  for (const char* noise : {"ties", "updated", "random"}) {
    StandIn service({.noise = {noise}});
    auto result = api::run_probe(request(service, "\"religion:text\""));
    ASSERT_TRUE(result) << noise << result.error().message;
    EXPECT_THAT(leaks(*result), testing::IsEmpty()) << noise << "\n" << told(*result);
    EXPECT_EQ(service.people(), 300);
  }
}

TEST_F(ProbeCommand, AShownFieldIsCalledShown) {
  StandIn service({});
  auto result = api::run_probe(request(service, "\"age:number\""));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(overall(*result), probe::Verdict::Shown) << told(*result);
  EXPECT_EQ(exit_code_of(*result, true), 3);  // whoever named it holds it for hidden
  result->fields.front().is_guess = true;
  EXPECT_EQ(exit_code_of(*result, true), 0);
}

// ---- What is written ----

TEST_F(ProbeCommand, WritesNothingUnlessTold) {
  StandIn service({.leaks = {"sort", "gte"}});
  api::ProbeRequest reads = request(service, "\"religion:text\"");
  reads.write = false;
  auto result = api::run_probe(reads);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(service.writes(), 0);
  EXPECT_EQ(journals(), 0);
  EXPECT_THAT(leaks(*result), testing::Contains("sort")) << told(*result);
  EXPECT_FALSE(result->wrote);
}

TEST_F(ProbeCommand, ReadingAloudNeverCallsACleanServiceLeaky) {
  for (bool ignores : {false, true}) {
    StandIn service({.ignores = ignores});
    api::ProbeRequest reads = request(service, "\"religion:text\", \"income:number\"");
    reads.write = false;
    auto result = api::run_probe(reads);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_THAT(leaks(*result), testing::IsEmpty()) << told(*result);
  }
}

// A misspelt name is refused as a hidden field is.
TEST_F(ProbeCommand, ReadingAloneDoesNotClearAFieldThatNobodyElseKnows) {
  StandIn service({});
  api::ProbeRequest reads = request(service, "\"religon:text\"");
  reads.write = false;
  auto result = api::run_probe(reads);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(overall(*result), probe::Verdict::Blind) << told(*result);
  EXPECT_EQ(exit_code_of(*result, false), 3);
  result->findings.erase(
      std::remove_if(result->findings.begin(), result->findings.end(),
                     [](const auto& one) { return one.verdict == probe::Verdict::Blind; }),
      result->findings.end());
  ASSERT_FALSE(result->findings.empty());
  EXPECT_EQ(overall(*result), probe::Verdict::Blind) << told(*result);
  EXPECT_THAT(sentence_of(*result, "religon"), HasSubstr("a misspelt one looks the same"));
  const std::size_t asked = result->findings.size();
  EXPECT_THAT(to_junit(*result), HasSubstr(fmt::format("skipped=\"{}\"", asked)));
  result->fields.front().is_unheard_of = false;
  EXPECT_THAT(to_junit(*result), testing::Not(HasSubstr(fmt::format("skipped=\"{}\"", asked))));
  EXPECT_EQ(overall(*result), probe::Verdict::Refused) << told(*result);
}

TEST_F(ProbeCommand, TheBudgetHolds) {
  for (std::uint64_t budget : {60U, 100U, 200U}) {
    StandIn service({.leaks = {"sort"}});
    api::ProbeRequest small = request(service, "\"religion:text\"");
    small.budget = budget;
    small.journal = path(fmt::format("{}.journal", budget));
    auto result = api::run_probe(small);
    EXPECT_LE(service.requests(), budget);
    EXPECT_EQ(service.people(), 300) << "what was written is removed all the same";
    EXPECT_TRUE(!result || exit_code_of(*result, false) != 0)
        << "what was not asked is no all-clear";
  }
}

TEST_F(ProbeCommand, AnErrorInTheMiddleTakesTheRowBack) {
  StandIn service({.leaks = {"sort"}});
  std::atomic<int> changes = 0;
  service.before_each([&](const std::string& method, const std::string&) {
    // From the tenth change on nobody may write any more than remove.
    if (method == "PATCH") ++changes;
  });
  api::ProbeRequest told = request(service, "\"religion:text\", \"nothing_like_it:number\"");
  auto result = api::run_probe(told);
  EXPECT_EQ(service.people(), 300);
  EXPECT_GT(changes, 3);
  EXPECT_TRUE(!result || result->left_behind.empty());
}

// Runs the command until it has changed its row a few times, then does something to it.
template <typename Act>
void interrupt(StandIn& service, const Command& command, const Act& act) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (service.writes() < 6 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_GE(service.writes(), 6);
  act(command);
}

TEST_F(ProbeCommand, CtrlCTakesTheRowBack) {
  StandIn service({.leaks = {"sort"}});
  service.before_each([](const std::string&, const std::string&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  });
  Command command = run({target_file(service, "\"religion:text\", \"income:number\""), "--write"});
  interrupt(service, command, [](const Command& it) { ::kill(it.process(), SIGINT); });
  EXPECT_EQ(command.wait(), 130) << command.err();
  EXPECT_EQ(service.people(), 300);
  EXPECT_EQ(journals(), 0);
}

TEST_F(ProbeCommand, AfterAKillTheJournalTakesTheRowBack) {
  StandIn service({.leaks = {"sort"}});
  service.before_each([](const std::string&, const std::string&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  });
  const std::string target = target_file(service, "\"religion:text\"",
                                         "[linked]\npath = \"/api/posts\"\nby = \"author\"\n");
  Command command = run({target, "--write", "--journal", path("killed.journal")});
  interrupt(service, command, [](const Command& it) { it.kill(); });
  EXPECT_EQ(command.wait(), -1);
  EXPECT_EQ(service.people(), 301);
  EXPECT_EQ(service.posts(), 301);
  Command clean = run({target, "--clean", path("killed.journal")});
  EXPECT_EQ(clean.wait(), 0) << clean.err();
  EXPECT_THAT(clean.out(), HasSubstr("1 row removed"));
  EXPECT_EQ(service.people(), 300);
  EXPECT_EQ(service.posts(), 300);
}

// ---- The command ----

TEST_F(ProbeCommand, SaysLeakWithTheRequestsAndEndsWithOne) {
  StandIn service({.leaks = {"sort"}});
  Command command = run({target_file(service, "\"religion:text\""), "--write", "-o",
                         path("report.json"), "--junit", path("junit.xml"), "--sarif",
                         path("probe.sarif"), "--html", path("probe.html")});
  EXPECT_EQ(command.wait(), 1) << command.err();
  EXPECT_THAT(command.out(), HasSubstr("LEAK"));
  EXPECT_THAT(command.out(), HasSubstr("GET /api/people?sort=-religion&limit=50"));
  for (const char* file : {"report.json", "junit.xml", "probe.sarif", "probe.html"}) {
    auto text = read_text(path(file));
    ASSERT_TRUE(text) << file;
    EXPECT_THAT(*text, HasSubstr("religion")) << file;
    EXPECT_THAT(*text, Not(HasSubstr(StandIn::owner_token))) << file;
    EXPECT_THAT(*text, Not(HasSubstr("person "))) << file << " tells of other rows";
  }
  EXPECT_THAT(*read_text(path("probe.sarif")), HasSubstr("CWE-863"));
  EXPECT_EQ(journals(), 0);

  // What is known does not fail again.
  Command first = run({path("people.toml"), "--write", "--write-baseline", path("known.json")});
  EXPECT_EQ(first.wait(), 1);
  Command second = run({path("people.toml"), "--write", "--baseline", path("known.json")});
  EXPECT_EQ(second.wait(), 0) << second.out();

  // The report is a regression test.
  Command leaks(std::vector<std::string>{RANKVEIL_COMMAND, "replay", path("report.json"),
                                         "--target", path("people.toml")},
                folder_.path(""));
  EXPECT_EQ(leaks.wait(), 1) << leaks.err();
  EXPECT_THAT(leaks.out(), HasSubstr("STILL LEAKS"));
  service.change([](StandInSettings& settings) { settings.leaks.clear(); });
  Command repaired(std::vector<std::string>{RANKVEIL_COMMAND, "replay", path("report.json"),
                                            "--target", path("people.toml")},
                   folder_.path(""));
  EXPECT_EQ(repaired.wait(), 0) << repaired.out() << repaired.err();
}

TEST_F(ProbeCommand, TheAdminsListingNamesWhatIsHidden) {
  StandIn service({.leaks = {"sort"}});
  Command command = run({service.url(), "--kind", path("stand-in.toml"), "--as-admin",
                         "Authorization: Bearer ${RANKVEIL_TEST_ADMIN}", "--as-user",
                         "Authorization: Bearer ${RANKVEIL_TEST_OWNER}", "--write", "--json"});
  EXPECT_EQ(command.wait(), 1) << command.err();
  auto json = parse_json(command.out());
  ASSERT_TRUE(json);
  std::vector<std::string> specs;
  for (const Json& field : *json->find("fields")->as_array()) {
    specs.push_back(*field.find("spec")->as_text());
  }
  EXPECT_THAT(specs, ElementsAre("religion:text", "note:text", "income:number"));
  EXPECT_EQ(service.people(), 300);
}

TEST_F(ProbeCommand, RefusesWithASentence) {
  struct Case {
    std::vector<std::string> words;
    std::string says;
    int code;
  };
  StandIn service({});
  for (const Case& mistake :
       {Case{{"http://192.0.2.7/people", "--field", "x"}, "--allow-remote", 2},
        Case{{service.url(), "--as-user", "Authorization: Bearer abc"}, "single quotes", 2},
        Case{{service.url(), "--kind", "paylaod"}, "did you mean payload?", 2},
        Case{{service.url(), "--field", "income:numbr"}, "text, number, date, flag", 2},
        Case{{service.url(), "--row", "[1]"}, "a row as a JSON object", 2},
        Case{{service.url(), "--budget", "10"}, "at least 40", 2},
        Case{{service.origin() + "/nothing", "--field", "x"}, "404", 4},
        Case{{path("none.toml")}, "none.toml", 4}}) {
    Command command = run(mistake.words);
    EXPECT_EQ(command.wait(), mistake.code) << command.err();
    EXPECT_THAT(command.err(), HasSubstr(mistake.says));
  }
}

TEST_F(ProbeCommand, APasswordInAConnectionIsRefused) {
  for (const char* connection : {"postgres://app:hunter2@127.0.0.1/shop",
                                 "postgresql://app@127.0.0.1/shop?password=hunter2"}) {
    auto refused = run({connection});
    EXPECT_EQ(refused.wait(), 2);
    EXPECT_THAT(refused.err(), HasSubstr("PGPASSWORD"));
    EXPECT_THAT(refused.err(), HasSubstr(".pgpass"));
    EXPECT_THAT(refused.err(), Not(HasSubstr("hunter2")));
  }
}

// Passwords have what they should not have in them, and people mistype addresses.
TEST_F(ProbeCommand, APasswordIsRefusedByEveryCommandAndNeverRepeated) {
  for (const char* connection :
       {"postgres://app:hunter2@127.0.0.1/shop", "POSTGRES://app:hunter2@127.0.0.1/shop",
        "postgres://app:hunter2@[::1/shop", "postgres://app:hunter2%zz@127.0.0.1/shop",
        "postgres://app:hunter2/7@127.0.0.1/shop", "postgres://app:hunter2?7@127.0.0.1/shop",
        "postgres://app:hunter2@127.0.0.1/shop?bogus=1", "host=127.0.0.1 password = hunter2",
        "postgresql://127.0.0.1/shop?user=app&password=hunter2"}) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"probe", connection},
          {"audit", connection},
          {"inspect", connection},
          {"index", connection},
          {"query", connection},
          {"probe", "postgres://app@127.0.0.1/shop", "--as-owner", connection},
          {"replay", "report.json", std::string("--target=") + connection},
          {"audit", "--json", "target.toml", "--table", connection}}) {
      std::vector<std::string> line = {RANKVEIL_COMMAND};
      line.insert(line.end(), words.begin(), words.end());
      Command command(line, folder_.path(""));
      EXPECT_EQ(command.wait(), 2) << words.front() << " " << connection;
      const std::string told = command.out() + command.err();
      EXPECT_THAT(told, HasSubstr("PGPASSWORD")) << words.front() << " " << connection;
      EXPECT_THAT(told, HasSubstr(".pgpass"));
      EXPECT_THAT(told, Not(HasSubstr("hunter2"))) << words.front() << " " << connection;
    }
  }
  for (const char* connection : {"postgres://app@127.0.0.1:1/shop", "postgres://127.0.0.1:1/shop",
                                 "postgres://app@[::1]:1/shop"}) {
    Command without = run({connection});
    EXPECT_NE(without.wait(), 0);
    EXPECT_THAT(without.err(), Not(HasSubstr("PGPASSWORD"))) << connection;
  }
}

TEST_F(ProbeCommand, ADemonstrationRecoversWhatPeopleHave) {
  StandIn service({.leaks = {"sort"}, .people = 40});
  auto asked = request(service, "\"income:number\"");
  asked.demonstrate = true;
  auto result = api::run_probe(asked);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->demonstrated.size(), 1U);
  ASSERT_FALSE(result->worth.empty());
  EXPECT_GT(result->worth.front().worth.one_value, 30);
  EXPECT_EQ(service.people(), 40U);
  EXPECT_EQ(journals(), 0U);
  asked.told.allow_remote = true;
  auto refused = api::run_probe(asked);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("--allow-remote"));
}

TEST_F(ProbeCommand, ADeclaredFieldNeedsItsAudit) {
  StandIn service({.leaks = {"sort"}});
  const std::string file = target_file(service, "\"religion:text\"",
                                       "[declared]\nreligion = \"ranked by swap, gain 1/3\"\n");
  // The cursor way sorts, too, and a promise covers ranking only.
  std::string dialect = StandIn::dialect();
  dialect.erase(
      dialect.find("[[way]]\nname = \"cursor\""),
      dialect.find("[[way]]\nname = \"column\"") - dialect.find("[[way]]\nname = \"cursor\""));
  ASSERT_TRUE(write_text(path("stand-in.toml"), dialect));
  Command open = run({file, "--write"});
  EXPECT_EQ(open.wait(), 3) << open.out();
  EXPECT_THAT(open.out(), HasSubstr("DECLARED"));
  EXPECT_THAT(open.err(), HasSubstr("rankveil audit"));
  Command protected_one = run({file, "--write", "--protected"});
  EXPECT_EQ(protected_one.wait(), 0) << protected_one.out();
}

}  // namespace
}  // namespace rankveil::tests
