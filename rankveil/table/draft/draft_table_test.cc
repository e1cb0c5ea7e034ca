#include "rankveil/table/draft/draft_table.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/table/draft/dependence.h"
#include "rankveil/table/testing/made_up_tables.h"

namespace rankveil::draft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TableDraft drafted(const MadeTable& table, std::size_t rows = 2000) {
  auto facts = study_of(table, rows);
  std::optional<std::size_t> id;
  for (std::size_t i = 0; i < facts.size() && !id; ++i) {
    if (id_likeness(facts[i], i == 0) > 0) id = i;
  }
  return draft_table(facts, id);
}

const ColumnPolicy& column_of(const TableDraft& draft, std::string_view name) {
  const ColumnPolicy* found = draft.policy.find(name);
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

TEST(DraftTable, ShowsNothingSensitiveAndHidesNothingHarmless) {
  for (const MadeTable& table : made_up_tables()) {
    TableDraft draft = drafted(table);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      SCOPED_TRACE(table.name + ": " + table.columns[i].name + ": " + draft.comments[i]);
      Role role = draft.policy.columns[i].role;
      if (table.columns[i].truth == Truth::Sensitive) {
        EXPECT_NE(role, Role::Public);
      } else if (table.columns[i].truth == Truth::Harmless) {
        EXPECT_NE(role, Role::Private);
      }
    }
  }
}

TEST(DraftTable, ShowsAtLeastHalfOfWhatIsHarmless) {
  for (const MadeTable& table : made_up_tables()) {
    TableDraft draft = drafted(table);
    std::size_t harmless = 0, shown = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].truth != Truth::Harmless) continue;
      ++harmless;
      if (draft.policy.columns[i].role == Role::Public) ++shown;
    }
    EXPECT_GE(2 * shown, harmless) << table.name << ": " << shown << " of " << harmless;
  }
}

TEST(DraftTable, FindsWhatIsSensitiveByItsValuesWhereNamesSayNothing) {
  const MadeTable table = {
      "made",
      {{"x1", Truth::Sensitive, "Straight|Gay|Bisexual"},
       {"x2", Truth::Sensitive, "katholisch|evangelisch|konfessionslos"},
       {"x3", Truth::Sensitive, "E11.9|I10|J45.0|F32.1|M54.5|K21.0|E78.0|N18.3"},
       {"x4", Truth::Sensitive, "<=50K|50-75K|>75K"},
       {"x5", Truth::Sensitive, "Metformin|Ibuprofen|none|Sertraline"},
       {"x6", Truth::Sensitive, "a@b.org|c@d.com|e@f.net"},
       {"x7", Truth::Harmless, "Male|Female"},
       {"x8", Truth::Either, "alpha|beta|gamma"}}};
  TableDraft draft = drafted(table);
  for (const char* name : {"x1", "x2", "x3", "x4", "x5"}) {
    EXPECT_EQ(column_of(draft, name).role, Role::Private) << name;
  }
  EXPECT_EQ(column_of(draft, "x6").role, Role::Ignored);
  EXPECT_EQ(column_of(draft, "x7").role, Role::Public);
  EXPECT_EQ(column_of(draft, "x8").role, Role::Undecided);
}

TEST(DraftTable, TakesNumbersThatRepeatForPersons) {
  TableDraft draft = drafted(made_up_tables()[0]);
  EXPECT_EQ(draft.policy.person, "patient_nbr");
  EXPECT_EQ(column_of(draft, "patient_nbr").role, Role::Ignored);
}

TEST(DraftTable, ProposesWhatIsMissingAndWhatIsTheSame) {
  TableDraft hospital = drafted(made_up_tables()[0]);
  EXPECT_THAT(hospital.policy.missing, testing::Contains("?"));
  TableDraft telecom = drafted(made_up_tables()[2]);
  EXPECT_THAT(column_of(telecom, "InternetService").same, ElementsAre(ElementsAre("DSL", "dsl")));
}

TEST(DraftTable, BinsNoCodes) {
  TableDraft draft = drafted(made_up_tables()[3]);
  for (const char* name : {"PHYSHLTH", "ALCDAY5", "INCOME2"}) {
    EXPECT_EQ(column_of(draft, name).bins, Binning{}) << name;
  }
  const MadeTable codes = {
      "codes", {{"industry_code", Truth::Harmless, "#0..51"}, {"score", Truth::Either, "#0..51"}}};
  TableDraft coded = drafted(codes);
  EXPECT_EQ(column_of(coded, "industry_code").bins, Binning{});
  EXPECT_NE(column_of(coded, "score").bins, Binning{});
}

TEST(DraftTable, CutsCountsThatAreMostlyNothingIntoMoreThanTwoBins) {
  const MadeTable counts = {"counts", {{"calls", Truth::Either, "0|0|0|0|0|0|0|#1..60"}}};
  TableDraft draft = drafted(counts, 5000);
  const auto* edges = std::get_if<BinEdges>(&column_of(draft, "calls").bins);
  ASSERT_NE(edges, nullptr);
  EXPECT_GE(edges->edges.size(), 3u);
  EXPECT_EQ(edges->edges.front(), 1);
}

TEST(DraftTable, LeavesUndecidedWhatTellsAPrivateColumn) {
  std::vector<std::string> clinics, illnesses;
  for (int i = 0; i < 3000; ++i) {
    clinics.push_back(fmt::format("town{}", i % 6));
    illnesses.push_back(fmt::format("illness{}", i % 50 == 0 ? i % 3 : i % 6 / 2));
  }
  auto study = [](std::string name, const std::vector<std::string>& texts) {
    std::vector<PackedText> packed(texts.begin(), texts.end());
    ColumnStudy made(std::move(name));
    made.add(packed, Presence());
    return std::move(made).finish();
  };
  TableDraft draft =
      draft_table({study("city", clinics), study("diagnosis", illnesses)}, std::nullopt);
  EXPECT_EQ(column_of(draft, "city").role, Role::Undecided);
  EXPECT_THAT(draft.comments[0], HasSubstr("of diagnosis"));
}

TEST(DraftTable, AsksWhichOfTwoHeadersThatDifferInCaseIsMeant) {
  const MadeTable table = {
      "made", {{"City", Truth::Harmless, "Paris|Rome"}, {"city", Truth::Harmless, "Paris|Oslo"}}};
  TableDraft draft = drafted(table);
  EXPECT_EQ(draft.policy.columns[0].role, Role::Public);
  EXPECT_EQ(draft.policy.columns[1].role, Role::Undecided);
}

TEST(Telling, IsNotFooledByManyValues) {
  std::vector<std::uint16_t> seen, hidden;
  for (std::uint16_t i = 0; i < 3000; ++i) {
    seen.push_back(static_cast<std::uint16_t>(i % 1000));
    hidden.push_back(static_cast<std::uint16_t>((i * 7919U % 3001U) % 2));
  }
  EXPECT_FALSE(telling(seen, 1000, hidden, 2).gives_away());
  EXPECT_TRUE(telling(hidden, 2, hidden, 2).gives_away());
}

}  // namespace
}  // namespace rankveil::draft
