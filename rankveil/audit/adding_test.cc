#include "rankveil/audit/adding.h"

#include <gtest/gtest.h>

#include "rankveil/audit/verdict.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {
namespace {

constexpr std::uint32_t religions = 8, persons = 400, visits = 12;

Attribute attribute_of(const std::string& name, Visibility visibility, std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t v = 0; v < size; ++v) values.push_back(name + std::to_string(v));
  return {.name = name, .visibility = visibility, .domain = *Domain::of(values)};
}

// Visits of persons who have one religion each; patient_nbr is served.
Table visits_of_persons(Rng& rng) {
  Schema schema;
  schema.attributes = {attribute_of("ward", Visibility::Public, 4),
                       attribute_of("patient_nbr", Visibility::Public, persons),
                       attribute_of("religion", Visibility::Private, religions)};
  std::vector<ValueId> columns[3];
  for (std::uint32_t person = 0; person < persons; ++person) {
    ValueId religion{static_cast<std::uint16_t>(rng.below(religions))};
    for (std::uint32_t visit = 0; visit < visits; ++visit) {
      columns[0].push_back(ValueId{static_cast<std::uint16_t>(rng.below(4))});
      columns[1].push_back(ValueId{static_cast<std::uint16_t>(person)});
      columns[2].push_back(religion);
    }
  }
  return Table(schema,
               {Column(4, columns[0]), Column(persons, columns[1]), Column(religions, columns[2])},
               RowNames(RowNumbers{persons * visits}));
}

// Every unit of so many rows tosses a coin of 1/3: it shows its own value, or another's.
Profiles shown(const Table& table, std::uint32_t unit, Rng& rng) {
  GroupedProfiles profiles{{1, 3}, LevelProfiles(table.rows(), {religions}, 1), {}, {}};
  profiles.group_of.assign(table.rows(), 0);
  profiles.shares = GroupShares(1, {religions});
  for (std::uint32_t row = 0; row < table.rows(); row += unit) {
    bool own = rng.below(3) == 0;
    auto other = ValueId{static_cast<std::uint16_t>(rng.below(religions))};
    for (std::uint32_t i = row; i < row + unit; ++i) {
      profiles.signals.set(RowId{i}, PrivateId{0},
                           own ? table.value(RowId{i}, AttributeId{2}) : other);
    }
  }
  return Profiles(std::move(profiles));
}

Finding judged_alone(Finding finding) {
  finding.promise = {.kind = PromiseKind::GainAtMost, .bound = 1.0 / 3};
  judge(finding, {.comparisons = 10});
  return finding;
}

TEST(Adding, ReadsOffWhatAPersonsRowsShowTogether) {
  Rng rng(1);
  Table table = visits_of_persons(rng);
  Profiles apart = shown(table, 1, rng);
  auto found = judge_adding({.table = table, .profiles = apart}, {}, 1, 1);
  ASSERT_EQ(found.size(), 1U);
  Finding finding = judged_alone(found[0]);
  EXPECT_EQ(finding.attribute, "religion");
  EXPECT_EQ(finding.method, "rows alike in patient_nbr");  // and not in ward: crowds
  EXPECT_EQ(finding.verdict, Verdict::Broken);
  EXPECT_GT(finding.rate, 0.9);
  EXPECT_NEAR(finding.prior, 1.0 / religions, 0.02);
}

TEST(Adding, FindsNothingWhereAPersonIsAUnit) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    Table table = visits_of_persons(rng);
    Profiles together = shown(table, visits, rng);
    auto found = judge_adding({.table = table, .profiles = together}, {}, seed, 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(judged_alone(found[0]).verdict, Verdict::Kept) << seed;
    EXPECT_NEAR(found[0].rate, 1.0 / 3 + 2.0 / 3 / religions, 0.12);
  }
}

TEST(Adding, DoesNotAskWhatIsKnown) {
  Rng rng(1);
  Table table = visits_of_persons(rng);
  Profiles apart = shown(table, 1, rng);
  EXPECT_TRUE(judge_adding({.table = table, .profiles = apart}, {{AttributeId{1}}}, 1, 1).empty());
}

}  // namespace
}  // namespace rankveil::audit
