#include "rankveil/protect/scheme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/protect/option_names.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing::HasSubstr;
using testing_support::coded_table;
using testing_support::OwnTask;

OwnTask small_task(const std::string& scheme, std::uint32_t l) {
  OwnTask own{coded_table({{0, 0, 0}, {0, 1, 2}, {1, 0, 1}}, 1, {2, 2, 3})};
  own.demand.scheme = scheme;
  own.demand.l = l;
  return own;
}

std::string refusal(const OwnTask& own) {
  auto checked = check_demand(own.table.schema(), own.demand);
  return checked ? "nothing was refused" : checked.error().message;
}

TEST(Schemes, HaveNamesOfTheirOwnAndSayWhatTheyPromise) {
  for (const Scheme& scheme : schemes()) {
    EXPECT_EQ(find_scheme(scheme.name), &scheme);
    EXPECT_FALSE(scheme.summary.empty()) << scheme.name;
    bool promises = scheme.promise != PromiseKind::None;
    EXPECT_EQ(promises, !scheme.holds_against.empty()) << scheme.name;
    for (std::string_view option : scheme.options) {
      EXPECT_THAT(option_names(), testing::Contains(option)) << scheme.name;
    }
    if (!scheme.broken_by) continue;
    EXPECT_THAT(scheme.holds_against, testing::Not(testing::Contains(*scheme.broken_by)));
  }
}

TEST(Schemes, ServeEveryRowWhateverTheDemand) {
  for (const Scheme& scheme : schemes()) {
    OwnTask own = small_task(std::string(scheme.name), 2);
    auto made = protect(own.task());
    ASSERT_TRUE(made) << scheme.name << ": " << made.error().message;
    EXPECT_EQ(made->profiles.rows(), 3U) << scheme.name;
    EXPECT_FALSE(made->profiles.unprotected());
  }
}

TEST(CheckDemand, RefusesMoreBitmapsThanThereAre) {
  OwnTask own = small_task("ldp", 2);
  own.demand.bitmaps = 9;
  EXPECT_THAT(refusal(own), HasSubstr("bitmaps is 9; a strength has at most 8"));
  own.demand.bitmaps = 8;
  EXPECT_EQ(refusal(own), "nothing was refused");
}

TEST(CheckDemand, NamesTheAttributeItsDomainAndTheLargestL) {
  for (const Scheme& scheme : schemes()) {
    if (!scheme.needs_l_values) continue;
    std::string message = refusal(small_task(std::string(scheme.name), 3));
    EXPECT_THAT(message, HasSubstr("b1 has 2 values"));
    EXPECT_THAT(message, HasSubstr("the largest l that works is 2"));
  }
}

TEST(CheckDemand, RefusesWhatMakesNoSense) {
  EXPECT_THAT(refusal(small_task("swpa", 2)), HasSubstr("did you mean swap?"));
  EXPECT_THAT(refusal(small_task("swap", 1)), HasSubstr("at least 2"));
  OwnTask own = small_task("swap", 3);
  own.demand.set_size = 2;
  EXPECT_THAT(refusal(own), HasSubstr("set of 2 rows"));
  own.demand.set_size = 0;
  own.demand.gamma = 0.5;
  EXPECT_THAT(refusal(own), HasSubstr("gamma"));
  own.demand.gamma = 0;
  own.table = coded_table({{0}}, 1, {2});
  EXPECT_THAT(refusal(own), HasSubstr("nothing to protect"));
}

TEST(OptionNames, AreReadBack) {
  for (Pairing pairing : {Pairing::Random, Pairing::SortedWeight, Pairing::Optimal}) {
    EXPECT_EQ(pairing_from_name(pairing_name(pairing)), pairing);
  }
  for (Fallback fallback : {Fallback::Shares, Fallback::Suppress, Fallback::WholeDomain}) {
    EXPECT_EQ(fallback_from_name(fallback_name(fallback)), fallback);
  }
  EXPECT_EQ(pairing_from_name("best"), std::nullopt);
}

}  // namespace
}  // namespace rankveil
