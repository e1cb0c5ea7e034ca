// Keys about people, their choices, and what their values are called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/table/policy/policy.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view patients = R"(
person = "patient_nbr"
time = "visit_date"
consent = "choice"
together = [["race", "birth_country"], ["marital", "tax_filer"]]
ids = "keyed"
ids_tell = true
batch_after = "30d"
withdraw_after = "7d"

[population]
name = "clinic-1.A"
fit_on = ["zip", "age"]
ledger = "/secrets/clinic.ledger"

[column.age]
role = "public"
[column.zip]
role = "ignored"
[column.race]
role = "private"
[column.birth_country]
role = "private"
[column.marital]
role = "private"
[column.tax_filer]
role = "private"
[column.illness]
role = "private"
domain = ["none", "cancer", "hiv", "asthma"]
sensitive_sets = [["cancer", "hiv"], ["hiv", "asthma"]]
[column.illness.renamed]
"AIDS" = "hiv"
crab = "cancer"
)";

// The line of `columns` below an illness is 1.
constexpr std::string_view columns = R"([column.age]
role = "public"
[column.race]
role = "private"
[column.pay]
role = "private"
[column.nr]
role = "id"
)";

std::string people_refusal(const std::string& keys) {
  auto policy = parse_policy(keys + "\n" + std::string(columns), "p.toml");
  EXPECT_FALSE(policy.has_value()) << keys;
  if (policy) return "";
  EXPECT_EQ(policy.error().code, ErrorCode::BadInput);
  return policy.error().message;
}

std::string illness_refusal(const std::string& keys) {
  return people_refusal("[column.illness]\nrole = 'private'\ndomain = ['no', 'hiv', 'flu']\n" +
                        keys);
}

TEST(PeopleKeys, AreReadAsTheyStand) {
  auto policy = parse_policy(patients, "p.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->person, "patient_nbr");
  EXPECT_EQ(policy->time, "visit_date");
  EXPECT_EQ(policy->consent, "choice");
  EXPECT_THAT(policy->together, ElementsAre(ElementsAre("race", "birth_country"),
                                            ElementsAre("marital", "tax_filer")));
  EXPECT_EQ(policy->ids, IdForm::Keyed);
  EXPECT_TRUE(policy->ids_tell);
  EXPECT_EQ(policy->batch_after_days, 30U);
  EXPECT_EQ(policy->withdraw_after_days, 7U);
  EXPECT_EQ(policy->population,
            (PopulationRule{"clinic-1.A", {"zip", "age"}, "/secrets/clinic.ledger"}));
  const ColumnPolicy* illness = policy->find("illness");
  EXPECT_THAT(illness->sensitive_sets,
              ElementsAre(ElementsAre("cancer", "hiv"), ElementsAre("hiv", "asthma")));
  using Names = std::pair<std::string, std::string>;
  EXPECT_THAT(illness->renamed, ElementsAre(Names{"AIDS", "hiv"}, Names{"crab", "cancer"}));
  auto again = parse_policy(to_toml(*policy), "printed.toml");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, *policy);
}

TEST(PeopleKeys, MayKeepPrivateColumnsApartOnPurpose) {
  auto policy = parse_policy("apart = [['race', 'pay'], ['pay', 'illness']]\n" +
                                 std::string(columns) + "\n[column.illness]\nrole = 'private'\n",
                             "p.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_THAT(policy->apart, ElementsAre(ElementsAre("race", "pay"), ElementsAre("pay", "illness")))
      << "one column in two lists says who of them may be apart";
  EXPECT_EQ(people_refusal("apart = [\n['race', 'pay'],\n['age', 'race']]"),
            "p.toml, line 3: apart names \"age\", which is public; it lists private columns, as "
            "only those have coins, so leave it out");
  EXPECT_THAT(people_refusal("apart = [['race', 'rase']]"),
              HasSubstr("apart names a column \"rase\", which has no section; did you mean"));
  EXPECT_THAT(people_refusal("apart = [['race']]"),
              HasSubstr("a list of apart must name two private columns or more"));
  EXPECT_THAT(people_refusal("apart = ['race']"), HasSubstr("line 1: "));
}

TEST(PeopleKeys, HaveDefaultsThatChangeNothing) {
  auto policy = parse_policy("", "p.toml");
  ASSERT_TRUE(policy);
  EXPECT_TRUE(policy->together.empty() && policy->person.empty() && policy->consent.empty());
  EXPECT_EQ(policy->ids, IdForm::Plain);
  EXPECT_EQ(policy->population.name, "default");
  EXPECT_EQ(policy->batch_after_days, std::nullopt);
  EXPECT_EQ(policy->withdraw_after_days, 30U);
}

TEST(PeopleKeys, JoinOnlyPrivateColumnsAndEachOnce) {
  EXPECT_EQ(people_refusal("together = [['race', 'rase']]"),
            "p.toml, line 1: together names a column \"rase\", which has no section; did you mean "
            "\"race\"?");
  EXPECT_THAT(people_refusal("together = [['race', 'xylophone']]"),
              HasSubstr("which has no section; give it one with a role"));
  EXPECT_EQ(people_refusal("together = [\n['race', 'pay'],\n['age', 'nr']]"),
            "p.toml, line 3: together names \"age\", which is public; it joins private columns, as "
            "only those have coins, so leave it out");
  EXPECT_THAT(people_refusal("together = [['race', 'race']]"),
              HasSubstr("\"race\" stands twice in one list of together"));
  EXPECT_THAT(people_refusal("together = [['race', 'pay'], ['pay', 'race']]"),
              HasSubstr("\"pay\" stands in two lists of together"));
  for (const char* text :
       {"'race'", "['race']", "[['race']]", "[['race', 3]]", "[[]]", "[['', 'race']]"}) {
    EXPECT_THAT(people_refusal("together = " + std::string(text)), HasSubstr("line 1: ")) << text;
  }
}

TEST(PeopleKeys, AreNoPrivateColumns) {
  EXPECT_EQ(people_refusal("person = 'race'"),
            "p.toml, line 1: person goes by \"race\", which is private: rows that change together "
            "would tell who shares a value; choose a column that may be known");
  EXPECT_THAT(people_refusal("person = 'nr'"), HasSubstr("leave person out"));
  EXPECT_THAT(people_refusal("person = 'who'\ntime = 'race'"),
              HasSubstr("line 2: time goes by \"race\", which is private"));
  EXPECT_THAT(people_refusal("time = 'visit'"), HasSubstr("add person = \"COLUMN\""));
  EXPECT_THAT(people_refusal("consent = 'pay'"), HasSubstr("consent goes by \"pay\""));
  EXPECT_THAT(people_refusal("consent = ''"), HasSubstr("must be a name in quotes"));
}

TEST(PeopleKeys, SayInWhichFormIdsAreServed) {
  EXPECT_EQ(people_refusal("ids = 'hashed'"),
            "p.toml, line 1: ids must be \"plain\", \"keyed\" or \"none\", not \"hashed\"");
  EXPECT_THAT(people_refusal("ids = 3"), HasSubstr("ids must be"));
  EXPECT_THAT(people_refusal("ids_tell = 'true'"), HasSubstr("true or false, without quotes"));
  for (IdForm form : {IdForm::Plain, IdForm::Keyed, IdForm::None}) {
    EXPECT_EQ(id_form_from_name(id_form_name(form)), form);
  }
}

TEST(PeopleKeys, NameAPopulationLikeAFile) {
  for (const char* name : {"a/b", "../x", ".hidden", "a b", "é"}) {
    EXPECT_THAT(people_refusal("[population]\nname = '" + std::string(name) + "'"),
                HasSubstr("line 2: \"" + std::string(name) + "\" cannot name a population"));
  }
  EXPECT_THAT(people_refusal("[population]\nname = '" + std::string(65, 'a') + "'"),
              HasSubstr("up to 64"));
  EXPECT_THAT(people_refusal("[population]\nfit_on = ['race']"),
              HasSubstr("line 2: fit_on names \"race\", whose role is \"private\""));
  EXPECT_THAT(people_refusal("[population]\nfit_on = ['zip']"), HasSubstr("has no section"));
  EXPECT_THAT(people_refusal("[population]\nfit_on = 'age'"), HasSubstr("a list of columns"));
  EXPECT_THAT(people_refusal("[population]\npath = 'x'"),
              HasSubstr("known are name, fit_on and ledger"));
  EXPECT_THAT(people_refusal("population = 'x'"), HasSubstr("[population]"));
}

TEST(PeopleKeys, CountDays) {
  for (const char* days : {"'30'", "30", "'0d'", "'3651d'", "'-1d'", "'d'", "'1.5d'", "'30 d'",
                           "'99999999999d'", "'30days'"}) {
    EXPECT_THAT(people_refusal("batch_after = " + std::string(days)),
                HasSubstr("line 1: batch_after must be days in quotes, from \"1d\" to \"3650d\""))
        << days;
  }
  EXPECT_THAT(people_refusal("withdraw_after = '1h'"), HasSubstr("not \"1h\""));
}

TEST(PeopleKeys, AreLookedAtAgainWhenRolesHaveChanged) {
  auto policy = parse_policy(patients, "p.toml");
  ASSERT_TRUE(policy);
  EXPECT_EQ(column_use_problem(*policy), "");
  policy->columns.push_back({.name = "choice", .role = Role::Private});
  EXPECT_THAT(column_use_problem(*policy),
              HasSubstr("consent goes by \"choice\", which is private"));
  policy->columns.back().name = "patient_nbr";
  EXPECT_THAT(column_use_problem(*policy), HasSubstr("person goes by"));
}

TEST(KnownFrom, NamesPublicColumnsOfAPrivateOne) {
  const std::string text =
      "[column.q26]\nrole = 'public'\n[column.faith]\nrole = 'private'\nknown_from = ";
  auto policy = parse_policy(text + "['q26']", "p.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->columns[1].known_from, std::vector<std::string>{"q26"});
  EXPECT_EQ(*parse_policy(to_toml(*policy), "again.toml"), *policy);
  EXPECT_EQ(column_use_problem(*policy), "");
  policy->columns[0].role = Role::Ignored;
  EXPECT_THAT(column_use_problem(*policy), HasSubstr("known_from names \"q26\", whose role is"));
  EXPECT_THAT(people_refusal(text + "[]"), HasSubstr("line 5: known_from of column \"faith\""));
  EXPECT_THAT(people_refusal("[column.a]\nrole = 'public'\nknown_from = ['b']"),
              HasSubstr("only private columns protect values"));
}

TEST(SensitiveSets, HoldTwoValuesOfTheDomainOrMoreAndNotAll) {
  EXPECT_EQ(
      illness_refusal("sensitive_sets = [['hiv', 'aids']]"),
      "p.toml, line 4: illness has no value \"aids\", which its sensitive_sets names; correct "
      "it, or add it to the domain");
  EXPECT_THAT(illness_refusal("sensitive_sets = [['hiv', 'flu', 'no']]"),
              HasSubstr("everybody knows that one of them holds"));
  EXPECT_THAT(illness_refusal("sensitive_sets = [['hiv']]"), HasSubstr("two values or more"));
  EXPECT_THAT(illness_refusal("sensitive_sets = ['hiv', 'flu']"), HasSubstr("two values or more"));
  EXPECT_THAT(illness_refusal("sensitive_sets = []"), HasSubstr("list of lists"));
  EXPECT_THAT(illness_refusal("sensitive_sets = [['hiv', 'hiv']]"), HasSubstr("stands twice"));
  EXPECT_THAT(illness_refusal("sensitive_sets = [['hiv', 'flu'], ['flu', 'hiv']]"),
              HasSubstr("the same set stands twice"));
  EXPECT_THAT(people_refusal("[column.a]\nrole = 'public'\nsensitive_sets = [['x', 'y']]"),
              HasSubstr("line 3: column \"a\" is public, and only private columns protect values"));
}

TEST(RenamedValues, AreOldNamesThatNobodyUsesAnyMore) {
  auto renamed = [](const std::string& lines) {
    return illness_refusal("[column.illness.renamed]\n" + lines);
  };
  EXPECT_EQ(renamed("'aids' = 'HIV'"),
            "p.toml, line 4: illness has no value \"HIV\", which its renamed names; correct it, or "
            "add it to the domain");
  EXPECT_THAT(renamed("'hiv' = 'flu'"), HasSubstr("illness still has the value \"hiv\""));
  EXPECT_THAT(renamed("'flu' = 'flu'"), HasSubstr("line 5: in renamed of column \"illness\", "
                                                  "\"flu\" is renamed to itself"));
  EXPECT_THAT(renamed("'a' = 'flu'\n'b' = 'flu'"), HasSubstr("merges two values"));
  EXPECT_THAT(renamed("'a' = 'b'\n'b' = 'flu'"), HasSubstr("rename in two builds"));
  EXPECT_THAT(renamed("'' = 'flu'"), HasSubstr("missing value"));
  EXPECT_THAT(renamed("'a' = ['flu']"), HasSubstr("put it in quotes"));
  EXPECT_THAT(illness_refusal("renamed = 'a'"), HasSubstr("[column.illness.renamed]"));
}

}  // namespace
}  // namespace rankveil
