#include "rankveil/table/draft/name_meaning.h"

#include <gtest/gtest.h>

#include "rankveil/table/draft/column_name.h"

namespace rankveil::draft {
namespace {

bool is_certain(std::string_view name) {
  auto meaning = sensitive_meaning(name);
  return meaning && meaning->certainty == Certainty::Certain;
}

TEST(ColumnNames, AreReadWordByWord) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of("bodyType"), (Words{"body", "type"}));
  EXPECT_EQ(words_of("BODY_TYPE"), (Words{"body", "type"}));
  EXPECT_EQ(words_of("StreamingTV"), (Words{"streaming", "tv"}));
  EXPECT_EQ(words_of("MSSubClass"), (Words{"ms", "sub", "class"}));
  EXPECT_EQ(words_of("diag_1"), (Words{"diag"}));
  EXPECT_EQ(words_of("Größe (cm)"), (Words{"grosse", "cm"}));
  EXPECT_TRUE(words_of("39").empty());
}

TEST(SensitiveNames, AreKnownInEightLanguages) {
  for (const char* name : {"religion",
                           "Religionszugehörigkeit",
                           "maladie_chronique",
                           "orientación sexual",
                           "reddito_annuo",
                           "vencimento_salario",
                           "inkomensklasse",
                           "wyznanie",
                           "race",
                           "diag_1",
                           "Hauptdiagnose",
                           "diabetesMed",
                           "GENHLTH",
                           "SMOKE100",
                           "_RACE",
                           "union_member",
                           "Gewerkschaftsmitglied",
                           "MonthlyIncome",
                           "Jahresgehalt",
                           "priors_count",
                           "sexual_orientation",
                           "blood_pressure",
                           "niepełnosprawność",
                           "filiação_partido"}) {
    EXPECT_TRUE(is_certain(name)) << name;
  }
}

TEST(SensitiveNames, AreDoubtfulWhereTablesDiffer) {
  for (const char* name :
       {"nationality", "marital", "weight_kg", "balance", "party", "native_country", "loan"}) {
    auto meaning = sensitive_meaning(name);
    ASSERT_TRUE(meaning) << name;
    EXPECT_EQ(meaning->certainty, Certainty::Doubtful) << name;
  }
}

TEST(SensitiveNames, DoNotTakeWordsThatOnlyLookLikeThem) {
  for (const char* name : {"terrace", "embrace", "party_size", "credit_hours", "mentality_vision",
                           "fertilizer", "screen_orientation", "diagonal"}) {
    EXPECT_FALSE(is_certain(name)) << name;
  }
}

TEST(IdentifyingNames, ConsistOfSuchWordsOnly) {
  EXPECT_TRUE(identifying_meaning("customer_name"));
  EXPECT_TRUE(identifying_meaning("E-Mail"));
  EXPECT_TRUE(identifying_meaning("Telefonnummer"));
  EXPECT_TRUE(identifying_meaning("lat"));
  EXPECT_TRUE(identifying_meaning("Comments"));
  EXPECT_FALSE(identifying_meaning("product_name"));
  EXPECT_FALSE(identifying_meaning("club_name"));
}

TEST(HarmlessNames, AreKnownToTheLastWord) {
  for (const char* name :
       {"age", "customer age group", "Geschlecht", "tranche_age", "municipio", "PaymentMethod",
        "dayofweek", "GrLivArea", "BsmtFinSF1", "preferred_foot", "JobRole", "YearsAtCompany",
        "Contract", "signup_date", "nr.employed", "Stadt", "wykształcenie", "product_size"}) {
    EXPECT_TRUE(has_harmless_name(name)) << name;
  }
  for (const char* name :
       {"partner_age", "age_of_child", "q0026", "group", "status", "x", "code", "tumor_size"}) {
    EXPECT_FALSE(has_harmless_name(name)) << name;
  }
}

TEST(HarmlessNames, AreKnownOfServicesOfficesAndDevicesInEightLanguages) {
  for (const char* name : {"waiting_time_min",
                           "Bearbeitungszeit (Tage)",
                           "délai_traitement",
                           "Tiempo de espera",
                           "tempo_espera",
                           "Canale vendita",
                           "kanaal",
                           "czas_oczekiwania",
                           "Kostenstelle",
                           "KOSTL",
                           "centre_de_coût",
                           "turno",
                           "ferie_residue",
                           "Überstunden",
                           "wachttijd",
                           "Augenfarbe",
                           "signo_zodiacal",
                           "sistema_operativo",
                           "Handymodell",
                           "tecnologia",
                           "marketing_consent",
                           "einwilligung_werbung",
                           "application_type",
                           "disbursement_method",
                           "Schulung_Std"}) {
    EXPECT_TRUE(has_harmless_name(name)) << name;
    EXPECT_FALSE(is_certain(name)) << name;
  }
}

TEST(HarmlessNames, AreKnownInPluralAndWithTheAffixesOfWarehouses) {
  for (const char* name : {"n_jobs", "years_exp", "computer_skills", "sg_uf", "tp_sexo", "nm_curso",
                           "dt_inscricao", "delivery_type_cd", "Regions", "age_ind",
                           "mode_paiement", "tempo_espera", "Espera_seg", "franja_horaria"}) {
    EXPECT_TRUE(has_harmless_name(name)) << name;
  }
  EXPECT_TRUE(is_certain("special_education"));
  EXPECT_FALSE(has_harmless_name("tp_dependencia"));
}

// Words of exports that are of a body, a court or a debt in the next one.
TEST(HarmlessNames, AreNotWhatMayBeOfABody) {
  for (const char* name : {"radius_mean", "primary_site", "cycle", "total_debit", "priority",
                           "intake", "sede", "case_status", "ABO", "app_used", "hair_type"}) {
    EXPECT_FALSE(has_harmless_name(name)) << name;
  }
}

TEST(SensitiveNames, AreDoubtfulWhereAnAbbreviationHasTwoMeanings) {
  EXPECT_TRUE(is_certain("std_test"));
  EXPECT_TRUE(sensitive_meaning("std"));
  EXPECT_FALSE(is_certain("std"));
  EXPECT_FALSE(sensitive_meaning("std_dev"));
}

TEST(IdentifyingNames, KnowBirthdaysAndNumbersOfPeople) {
  for (const char* name : {"dob", "Date of Birth", "Geburtsdatum", "dt_nais", "F_Nac",
                           "data_urodzenia", "Personalnummer", "num_adh", "NHC", "matricola"}) {
    EXPECT_TRUE(identifying_meaning(name)) << name;
  }
  EXPECT_FALSE(identifying_meaning("birth_weight"));
}

TEST(NamesOfPrograms, SayNothing) {
  for (const char* name : {"V1", "column12", "Unnamed: 0", "39", "_c3"})
    EXPECT_TRUE(says_nothing(name)) << name;
  for (const char* name : {"age", "q0026", "varicose"}) EXPECT_FALSE(says_nothing(name)) << name;
}

// No list of harmless heads may hold what a list of sensitive names is about.
TEST(HarmlessNames, AreNotCertainlySensitive) {
  for (const char* name :
       {"sex", "gender", "city", "education", "occupation", "product", "contract"}) {
    EXPECT_FALSE(sensitive_meaning(name)) << name;
  }
}

}  // namespace
}  // namespace rankveil::draft
