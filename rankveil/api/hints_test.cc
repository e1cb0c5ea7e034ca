#include "rankveil/api/hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::api {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::StartsWith;

AttributeSummary religion(std::vector<ValueCount> values) {
  auto size = static_cast<std::uint32_t>(values.size());
  return {.name = "religion",
          .is_private = true,
          .weight = 1,
          .values = std::move(values),
          .missing = 0,
          .largest_l = size};
}

TableSummary calm_summary() {
  return {.rows = 1000,
          .attributes = {religion({{"a", 400}, {"b", 300}, {"c", 300}})},
          .public_groups = {.groups = 10,
                            .smallest = 50,
                            .median = 100,
                            .largest = 150,
                            .unique_rows = 0,
                            .rows_below_21 = 0,
                            .sizes = {}},
          .repeated_rows = 0,
          .table_bytes = 1000};
}

TEST(Hints, SayNothingAboutACalmTable) { EXPECT_THAT(hints(calm_summary(), {}), IsEmpty()); }

TEST(Hints, CountRowsThatStandAlone) {
  TableSummary summary = calm_summary();
  summary.public_groups.unique_rows = 64;
  summary.public_groups.rows_below_21 = 200;
  EXPECT_THAT(hints(summary, {}),
              testing::ElementsAre(
                  "64 rows (6.4%) are alone with their public values: no ranking can hide them "
                  "from somebody who knows the table.",
                  StartsWith("200 rows (20.0%) share their public values with fewer than 20")));
}

TEST(Hints, NameDomainsTooSmallForL) {
  EXPECT_THAT(
      hints(calm_summary(), {.l = 5}),
      Contains("religion has 3 values: schemes that keep l = 5 values possible refuse it, up to "
               "l = 3 they take it; swap and cluster take any."));
}

TEST(Hints, NameValuesThatAnybodyWouldGuess) {
  TableSummary summary = calm_summary();
  summary.attributes = {religion({{"a", 950}, {"b", 30}, {"c", 20}})};
  EXPECT_THAT(hints(summary, {}), Contains(StartsWith("95.0% of religion is a: guessing it")));
}

TEST(Hints, NameAttributesThatAreMostlyMissing) {
  TableSummary summary = calm_summary();
  summary.attributes[0].missing = 501;
  EXPECT_THAT(hints(summary, {}), Contains(StartsWith("Mostly missing: religion")));
}

TEST(Hints, SayWhenNothingIsPrivate) {
  TableSummary summary = calm_summary();
  summary.attributes[0].is_private = false;
  EXPECT_THAT(hints(summary, {}), Contains(StartsWith("No attribute is private")));
}

}  // namespace
}  // namespace rankveil::api
