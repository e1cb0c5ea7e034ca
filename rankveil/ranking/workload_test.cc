#include "rankveil/ranking/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Schema city_and_religion() {
  Schema schema;
  schema.attributes = {{"city", Visibility::Public, 1, *Domain::of({"Oslo", "Paris"})},
                       {"religion", Visibility::Private, 1, *Domain::of({"none", "other"})}};
  return schema;
}

std::string line_refusal(std::string_view text) {
  auto workload = parse_workload_lines(city_and_religion(), text, "w.jsonl");
  EXPECT_FALSE(workload.has_value()) << text;
  return workload ? "" : workload.error().message;
}

std::string cell_refusal(const std::vector<std::string>& columns,
                         const std::vector<std::string>& cells) {
  auto workload = workload_from_cells(city_and_religion(), columns, {cells}, "w.csv");
  EXPECT_FALSE(workload.has_value());
  return workload ? "" : workload.error().message;
}

TEST(WorkloadLines, AreQueriesWithCounts) {
  auto workload = parse_workload_lines(
      city_and_religion(), "{\"count\": 3, \"query\": {\"city\": \"Paris\"}}\r\n\n{\"query\": {}}",
      "w.jsonl");
  ASSERT_TRUE(workload) << workload.error().message;
  ASSERT_EQ(workload->entries.size(), 2U);
  EXPECT_EQ(workload->entries[0].count, 3U);
  EXPECT_THAT(workload->entries[0].query.wanted, ElementsAre(ElementsAre(ValueId{1}), IsEmpty()));
  EXPECT_EQ(workload->entries[1].count, 1U);
}

TEST(WorkloadLines, RefusalsNameTheLine) {
  EXPECT_THAT(line_refusal("{\"query\": {}}\n\n{\"query\": 3}"), HasSubstr("w.jsonl, line 3: "));
  EXPECT_THAT(line_refusal("{"), HasSubstr("line 1"));
  EXPECT_THAT(line_refusal("{\"city\": \"Oslo\"}"), HasSubstr("\"query\""));
  EXPECT_THAT(line_refusal("{\"query\": {}, \"weight\": 2}"), HasSubstr("\"weight\""));
  for (auto count : {"0", "-1", "1.5", "\"3\"", "null", "1e99", "9223372036854775807"}) {
    EXPECT_THAT(line_refusal("{\"query\": {}, \"count\": " + std::string(count) + "}"),
                HasSubstr("whole number"));
  }
}

TEST(WorkloadCells, AskForNothingWhereTheyAreEmpty) {
  auto workload = workload_from_cells(city_and_religion(), {"religion", "count", "city"},
                                      {{"none|other", "7", ""}, {"", "", "Oslo"}}, "w.csv");
  ASSERT_TRUE(workload) << workload.error().message;
  EXPECT_EQ(workload->entries[0].count, 7U);
  EXPECT_THAT(workload->entries[0].query.wanted,
              ElementsAre(IsEmpty(), ElementsAre(ValueId{0}, ValueId{1})));
  EXPECT_EQ(workload->entries[1].count, 1U);
  EXPECT_THAT(workload->entries[1].query.wanted, ElementsAre(ElementsAre(ValueId{0}), IsEmpty()));
}

TEST(WorkloadCells, RefusalsNameTheLineBelowTheHeader) {
  EXPECT_THAT(cell_refusal({"city"}, {"Rome"}), HasSubstr("w.csv, line 2: "));
  EXPECT_THAT(cell_refusal({"town"}, {"Oslo"}), HasSubstr("\"town\""));
  EXPECT_THAT(cell_refusal({"city=Oslo|"}, {"Paris"}), HasSubstr("\"city=Oslo|\""));
  EXPECT_THAT(cell_refusal({"count"}, {"many"}), HasSubstr("\"many\""));
  EXPECT_THAT(cell_refusal({"city", "count"}, {"Oslo"}), HasSubstr("1 cells do not fit 2 columns"));
}

}  // namespace
}  // namespace rankveil
