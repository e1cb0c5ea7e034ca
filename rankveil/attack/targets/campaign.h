// A small campaign for tests: the same attacks through any target, to be compared with those on an
// index in this process.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "rankveil/attack/index_target.h"
#include "rankveil/attack/method.h"
#include "rankveil/attack/targets/live_target.h"
#include "rankveil/base/random.h"
#include "rankveil/ranking/index.h"

namespace rankveil::attack::testing_support {

// People whose names and values are awkward on purpose. Rows are called 100, 101, ...
inline Table awkward_table(std::uint32_t rows = 60) {
  Schema schema;
  schema.id_name = "id";
  schema.attributes = {
      {"city", Visibility::Public, 2, *Domain::of({"Oslo", "O'Hara", "a,b", "say \"hi\"", "{x}"})},
      {"age", Visibility::Public, 1, *Domain::of({"20", "30", "40"})},
      {"job title", Visibility::Public, 1, *Domain::of({"a&b=c", "50%", "z\\y", "Zürich / 日本"})},
      {"religion", Visibility::Private, 1, *Domain::of({"none", "';--", "$1", "NULL", "${k}"})},
      {"income", Visibility::Private, 2, *Domain::of({"low", "middle", "high", ""})},
  };
  Rng rng(7);
  std::vector<Column> columns;
  for (const Attribute& attribute : schema.attributes) {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < rows; ++row) {
      values.push_back(ValueId{static_cast<std::uint16_t>(rng.below(attribute.domain.size()))});
    }
    columns.emplace_back(attribute.domain.size(), values);
  }
  IntegerNames names;
  for (std::uint32_t row = 0; row < rows; ++row) names.values.push_back(100 + row);
  return Table(std::move(schema), std::move(columns), RowNames(std::move(names)));
}

struct Campaign {
  Table table = awkward_table();
  std::uint32_t k = 8;
  std::vector<std::string> methods = {"q-point", "q-in", "qi-point", "qi-in"};
  std::uint32_t victims = 6;

  Index index() const { return Index::build(public_part(table), unprotected_profiles(table), {}); }
  Knowledge knowledge() const {
    Knowledge knowledge;
    knowledge.schema = table.schema();
    knowledge.public_columns = public_part(table).columns;
    knowledge.weights = weights_of(table.schema());
    knowledge.k = k;
    knowledge.belief.none_missing = true;
    return knowledge;
  }
};

inline Result<Report> attack_one(const Campaign& campaign, const Knowledge& knowledge,
                                 Target& target, std::uint32_t number) {
  const std::string& method = campaign.methods[number % campaign.methods.size()];
  return run(method, {.knowledge = knowledge, .target = target, .victim = number * 7 + 1});
}

// Reports of an index in this process: what every target should find.
inline std::vector<Report> expected_reports(const Campaign& campaign) {
  std::vector<Report> reports;
  Knowledge knowledge = campaign.knowledge();
  for (std::uint32_t number = 0; number < campaign.victims; ++number) {
    IndexTarget target(campaign.index(), campaign.k, unprotected_row(campaign.table.schema()));
    reports.push_back(*attack_one(campaign, knowledge, target, number));
  }
  return reports;
}

// The same through a live target. Ends at the first failure.
inline Result<std::vector<Report>> live_reports(const Campaign& campaign, LiveTarget& target) {
  std::vector<Report> reports;
  Knowledge knowledge = campaign.knowledge();
  for (std::uint32_t number = 0; number < campaign.victims; ++number) {
    auto report = attack_one(campaign, knowledge, target, number);
    if (!report) return report.error();
    reports.push_back(std::move(*report));
    if (auto again = target.restart(); !again) return again.error();
  }
  return reports;
}

inline void expect_same(const Finding& left, const Finding& right) {
  EXPECT_EQ(left.outcome, right.outcome);
  EXPECT_EQ(left.verdicts, right.verdicts);
  EXPECT_EQ(left.soft, right.soft);
  EXPECT_EQ(left.queries, right.queries);
  EXPECT_EQ(left.inserts, right.inserts);
}

inline void expect_same(const std::vector<Report>& left, const std::vector<Report>& right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "attack " << i);
    EXPECT_EQ(left[i].queries, right[i].queries);
    EXPECT_EQ(left[i].inserts, right[i].inserts);
    ASSERT_EQ(left[i].findings.size(), right[i].findings.size());
    for (std::size_t j = 0; j < left[i].findings.size(); ++j) {
      expect_same(left[i].findings[j], right[i].findings[j]);
    }
  }
}

// The campaign through `target` finds what it finds in an index.
inline void expect_same_findings(const Campaign& campaign, LiveTarget& target) {
  auto reports = live_reports(campaign, target);
  ASSERT_TRUE(reports) << reports.error().message;
  expect_same(*reports, expected_reports(campaign));
}

}  // namespace rankveil::attack::testing_support
