#include "rankveil/report/sarif.h"

#include <gtest/gtest.h>

namespace rankveil::reports {
namespace {

SarifRun run() {
  return {.tool = "rankveil",
          .version = "0.1.0",
          .rules = {{"ignorant", "Ignorant", "All values are equally likely."},
                    {"joint", "Joint", "Knows the vectors of a group.", "Use swap."}},
          .results = {{.rule = "joint",
                       .message = "income is guessed in 71% of cases",
                       .file = "my tables/people#1?.csv",
                       .part = "income",
                       .properties = {{"rate", 0.71}}},
                      {.rule = "ignorant",
                       .severity = Severity::Warning,
                       .message = "m",
                       .file = "/data/p.csv"}},
          .properties = {{"seed", 1}}};
}

// The value at a path of member names and places in arrays; null when there is none.
const Json* at(const Json& json, const std::vector<std::string>& path) {
  const Json* here = &json;
  for (const std::string& step : path) {
    if (here == nullptr) return nullptr;
    const Json::Array* array = here->as_array();
    if (array == nullptr) {
      here = here->find(step);
    } else {
      const std::size_t place = std::stoul(step);
      here = place < array->size() ? &(*array)[place] : nullptr;
    }
  }
  return here;
}

std::string text_at(const Json& json, const std::vector<std::string>& path) {
  const Json* found = at(json, path);
  return found != nullptr && found->as_text() != nullptr ? *found->as_text() : "(no text)";
}

TEST(Sarif, HasWhatTheSchemaRequires) {
  const Json log = to_sarif(run());
  EXPECT_EQ(text_at(log, {"version"}), "2.1.0");
  EXPECT_NE(text_at(log, {"$schema"}).find("sarif-schema-2.1.0.json"), std::string::npos);
  EXPECT_EQ(text_at(log, {"runs", "0", "tool", "driver", "name"}), "rankveil");
  for (const char* rule : {"0", "1"}) {
    EXPECT_NE(text_at(log, {"runs", "0", "tool", "driver", "rules", rule, "id"}), "(no text)");
    EXPECT_NE(
        text_at(log, {"runs", "0", "tool", "driver", "rules", rule, "shortDescription", "text"}),
        "(no text)");
    EXPECT_NE(text_at(log, {"runs", "0", "results", rule, "message", "text"}), "(no text)");
  }
}

TEST(Sarif, ResultsPointToTheirRules) {
  const Json log = to_sarif(run());
  for (const char* result : {"0", "1"}) {
    const std::int64_t index =
        *at(log, {"runs", "0", "results", result, "ruleIndex"})->as_integer();
    EXPECT_EQ(text_at(log, {"runs", "0", "results", result, "ruleId"}),
              text_at(log, {"runs", "0", "tool", "driver", "rules", std::to_string(index), "id"}));
  }
  EXPECT_EQ(text_at(log, {"runs", "0", "results", "0", "level"}), "error");
  EXPECT_EQ(text_at(log, {"runs", "0", "results", "1", "level"}), "warning");
}

TEST(Sarif, PathsBecomeUris) {
  const Json log = to_sarif(run());
  auto uri = [&](const char* result) {
    return text_at(log, {"runs", "0", "results", result, "locations", "0", "physicalLocation",
                         "artifactLocation", "uri"});
  };
  EXPECT_EQ(uri("0"), "my%20tables/people%231%3F.csv");
  EXPECT_EQ(uri("1"), "file:///data/p.csv");
}

TEST(Sarif, TheSameFindingKeepsItsFingerprint) {
  SarifRun later = run();
  later.results[0].message = "income is guessed in 72% of cases";
  later.results[1].identity = "mine";
  const std::vector<std::string> first = {"runs",       "0", "results", "0", "partialFingerprints",
                                          "rankveil/v1"};
  EXPECT_EQ(text_at(to_sarif(run()), first), text_at(to_sarif(later), first));
  EXPECT_EQ(
      text_at(to_sarif(later), {"runs", "0", "results", "1", "partialFingerprints", "rankveil/v1"}),
      "mine");
}

TEST(Sarif, CarriesPropertiesAndNamesTheAttribute) {
  const Json log = to_sarif(run());
  EXPECT_EQ(at(log, {"runs", "0", "results", "0", "properties", "rate"})->as_number(), 0.71);
  EXPECT_EQ(at(log, {"runs", "0", "properties", "seed"})->as_number(), 1);
  EXPECT_EQ(text_at(log, {"runs", "0", "results", "0", "locations", "0", "logicalLocations", "0",
                          "name"}),
            "income");
}

TEST(Sarif, SurvivesItsOwnText) {
  SarifRun bad = run();
  bad.results[0].message = "\"}]\xFF\x01\n";
  auto again = parse_json(to_sarif(bad).dump());
  ASSERT_TRUE(again);
  EXPECT_EQ(text_at(*again, {"runs", "0", "results", "0", "ruleId"}), "joint");
}

TEST(Sarif, WithoutResultsHasAnEmptyList) {
  SarifRun none = run();
  none.results.clear();
  const Json log = to_sarif(none);
  const Json* results = at(log, {"runs", "0", "results"});
  ASSERT_NE(results, nullptr);
  EXPECT_TRUE(results->as_array()->empty());
}

}  // namespace
}  // namespace rankveil::reports
