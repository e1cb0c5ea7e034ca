#include "rankveil/table/draft/draft_table.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "rankveil/table/draft/dependence.h"
#include "rankveil/table/testing/made_up_tables.h"

namespace rankveil::draft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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

// A clergyman's title, a class in a prison: names that people show, and values that they do not.
TEST(DraftTable, ValuesObjectToNamesThatSoundHarmless) {
  const MadeTable table = {"made",
                           {{"title", Truth::Sensitive, "Mr|Rabbi|Imam|Ms"},
                            {"course", Truth::Sensitive, "Maths|Quran reading|Bible study|Torah"},
                            {"residence type", Truth::Sensitive, "own home|prison|refugee camp"},
                            {"plan", Truth::Sensitive, "private|medicaid|none"},
                            {"city", Truth::Harmless, "Oslo|Bergen|Bodo"}}};
  TableDraft draft = drafted(table);
  for (const char* name : {"title", "course", "residence type", "plan"}) {
    EXPECT_NE(column_of(draft, name).role, Role::Public) << name;
  }
  EXPECT_EQ(column_of(draft, "city").role, Role::Public);
}

TEST(DraftTable, AsksAboutProductsThatTellOfTheirBuyers) {
  for (const char* goods :
       {"book|lamp|chair|pregnancy test|phone|cable|ink", "książki|wibrator|lampa|test ciążowy",
        "Buch|Rosenkranz|Lampe|Tisch", "lampe|livre|fauteuil roulant|chaise"}) {
    const MadeTable table = {"orders", {{"product", Truth::Sensitive, goods}}};
    EXPECT_EQ(column_of(drafted(table), "product").role, Role::Undecided) << goods;
  }
  const MadeTable plain = {"orders", {{"product", Truth::Harmless, "book|lamp|chair|ink"}}};
  EXPECT_EQ(column_of(drafted(plain), "product").role, Role::Public);
}

TEST(DraftTable, KnowsWhatValuesMeanThatNothingElseIsWrittenLike) {
  const MadeTable table = {"made",
                           {{"so", Truth::Harmless, "iOS|Android"},
                            {"civ", Truth::Harmless, "M.|Mme"},
                            {"tecn", Truth::Harmless, "FTTH|4G|n/a"},
                            {"zeichen", Truth::Harmless, "Widder|Stier|Krebs|Waage"},
                            {"krebs", Truth::Sensitive, "Widder|Stier"},
                            {"shade", Truth::Either, "black|white|brown"},
                            {"with", Truth::Sensitive, "m|w|beide"}}};
  TableDraft draft = drafted(table);
  for (const char* name : {"so", "civ", "tecn", "zeichen"}) {
    EXPECT_EQ(column_of(draft, name).role, Role::Public) << name;
  }
  EXPECT_EQ(column_of(draft, "krebs").role, Role::Private);
  EXPECT_EQ(column_of(draft, "shade").role, Role::Undecided);
  EXPECT_EQ(column_of(draft, "with").role, Role::Undecided);
}

ColumnFacts facts_of(std::string name, const std::function<std::string(int)>& value) {
  ColumnStudy made(std::move(name));
  std::vector<std::string> texts;
  for (int i = 0; i < 500; ++i) texts.push_back(value(i));
  std::vector<PackedText> packed(texts.begin(), texts.end());
  made.add(packed, Presence());
  return std::move(made).finish();
}

TEST(Ids, AreNotWhatTellsOfAPerson) {
  auto contact = [](int i) { return fmt::format("mother 0171{}", 1000000 + i * 7919); };
  auto insured = [](int i) {
    return fmt::format("12{:02}{:02}{:02}K{:03}", 1 + i % 28, 1 + i % 12, 40 + i % 60, i);
  };
  auto claim = [](int i) { return fmt::format("S{}-{}", 2021 + i % 3, 1000 + i); };
  EXPECT_EQ(id_likeness(facts_of("kont", contact), false), 0);
  EXPECT_EQ(id_likeness(facts_of("merkmal_nr", insured), false), 0);
  EXPECT_GT(id_likeness(facts_of("sinistre", claim), false), 0);
}

TEST(DraftTable, SaysOfAnIdOfPersonsThatItTellsWhoTheyAre) {
  auto patients = facts_of("patient_id", [](int i) { return fmt::format("{}", 4000 + i); });
  auto rows = facts_of("row_id", [](int i) { return fmt::format("{}", 1 + i); });
  EXPECT_THAT(draft_table({patients}, 0).comments[0], HasSubstr("tells who they are"));
  EXPECT_THAT(draft_table({rows}, 0).comments[0], Not(HasSubstr("tells who they are")));
}

TEST(DraftTable, TakesTheNumbersOfInsurersAndHospitalsForPersons) {
  for (const char* name : {"num_adh", "NHC", "Personalnummer", "bsn"}) {
    auto person = facts_of(name, [](int i) { return fmt::format("A{}", 1000 + i / 4); });
    auto session = facts_of("session_id", [](int i) { return fmt::format("S{}", 1000 + i / 4); });
    EXPECT_EQ(draft_table({session, person}, std::nullopt).policy.person, name);
  }
}

// What stays the same in all rows of a person tells of that person alone.
TEST(DraftTable, ComparesOneRowOfEachPerson) {
  auto person = facts_of("patient_id", [](int i) { return fmt::format("{}", 4000 + i / 4); });
  auto city = facts_of("city", [](int i) { return fmt::format("town {}", i / 4); });
  auto illness = facts_of("diagnosis", [](int i) {
    return std::string(1, static_cast<char>('a' + (i / 4 * 104729) % 13));
  });
  EXPECT_EQ(column_of(draft_table({person, city, illness}, std::nullopt), "city").role,
            Role::Public);
  EXPECT_EQ(column_of(draft_table({city, illness}, std::nullopt), "city").role, Role::Undecided);
}

// A value of one row or two foretells nothing; who goes by it is wrong more often than without it.
TEST(DraftTable, TakesNoChanceForTelling) {
  auto date = facts_of("order_date", [](int i) {
    return fmt::format("2024-{:02}-{:02}", 1 + i * 7 % 12, 1 + i * 11 % 28);
  });
  auto diet = facts_of("allergies", [](int i) {
    return i % 7 == 0 ? fmt::format("{}", "abcde"[(i * 7919 / 7) % 5]) : std::string();
  });
  EXPECT_EQ(column_of(draft_table({date, diet}, std::nullopt), "order_date").role, Role::Public);
}

// Cut words stand for what they begin, where nothing sensitive begins so.
TEST(DraftTable, ReadsWordsThatAreCut) {
  auto few = [](int i) { return fmt::format("v{}", i % 3); };
  for (const char* name : {"NO_MUNICIPIO_ESC", "subject_age", "birth_year"}) {
    EXPECT_EQ(column_of(draft_table({facts_of(name, few)}, std::nullopt), name).role, Role::Public)
        << name;
  }
  for (const char* name : {"city_rel", "MUNICIPIO_DIAG", "guest_country", "region_pat"}) {
    EXPECT_NE(column_of(draft_table({facts_of(name, few)}, std::nullopt), name).role, Role::Public)
        << name;
  }
}

TEST(DraftTable, TakesNumbersThatAreAllDifferentForIds) {
  auto number = facts_of("registration", [](int i) { return fmt::format("{}", 210000 + 13 * i); });
  EXPECT_EQ(column_of(draft_table({number}, std::nullopt), "registration").role, Role::Ignored);
  auto date = facts_of("registration", [](int i) { return fmt::format("2024-01-{:02}", i % 28); });
  EXPECT_EQ(column_of(draft_table({date}, std::nullopt), "registration").role, Role::Public);
}

// "patient" alone, where its values are numbers: a column of that name may as well hold words.
TEST(DraftTable, TakesNumbersCalledByTheWordForAPersonForPersons) {
  auto numbers = [](int i) { return fmt::format("A{}", 1000 + i / 4); };
  for (const char* name : {"patient", "Kunde", "CLIENTE"}) {
    EXPECT_EQ(draft_table({facts_of(name, numbers)}, std::nullopt).policy.person, name);
  }
  for (const char* name : {"people", "case", "site"}) {
    EXPECT_EQ(draft_table({facts_of(name, numbers)}, std::nullopt).policy.person, "") << name;
  }
  auto words = facts_of("customer", [](int i) {
    return std::string(1, static_cast<char>('a' + i / 90)) +
           std::string(1, static_cast<char>('a' + i / 4 % 26));
  });
  EXPECT_EQ(draft_table({words}, std::nullopt).policy.person, "");
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
