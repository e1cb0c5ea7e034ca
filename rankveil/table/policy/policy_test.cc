#include "rankveil/table/policy/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view example = R"(
l = 4
scheme = "pvst"
k = 25

[column.city]
role = "public"

[column.age]
role = "public"
weight = 2
bins = { edges = [18, 25, 35.5] }

[column."net income"]
role = "private"
weight = 0.25
bins.quantiles = 4

[column.account]
role = "id"

[column.religion]
role = "private"
domain = ["none", "christian", 3, 0.5, true]
not_sensitive = ["none", 3]
epsilon = 0.5
)";

std::string refusal(std::string_view text) {
  auto policy = parse_policy(text, "p.toml");
  EXPECT_FALSE(policy.has_value()) << text;
  if (policy) return "";
  EXPECT_EQ(policy.error().code, ErrorCode::BadInput);
  return policy.error().message;
}

std::string column_refusal(std::string_view content) {
  return refusal("[column.age]\nrole = \"public\"\n" + std::string(content));
}

TEST(ParsePolicy, ReadsEveryKey) {
  auto policy = parse_policy(example, "p.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->l, 4U);
  EXPECT_EQ(policy->scheme, "pvst");
  EXPECT_EQ(policy->k, 25U);
  ASSERT_EQ(policy->columns.size(), 5U);
  EXPECT_EQ(policy->find("age")->weight, 2);
  EXPECT_EQ(policy->find("age")->bins, Binning(BinEdges{{18, 25, 35.5}}));
  EXPECT_EQ(policy->find("net income")->bins, Binning(Quantiles{4}));
  EXPECT_EQ(policy->find("account")->role, Role::Id);
  EXPECT_THAT(policy->find("religion")->domain,
              ElementsAre("none", "christian", "3", "0.5", "true"));
  EXPECT_THAT(policy->find("religion")->not_sensitive, ElementsAre("none", "3"));
  EXPECT_EQ(policy->find("religion")->epsilon, 0.5);
  EXPECT_EQ(policy->find("net income")->epsilon, std::nullopt);
  EXPECT_EQ(policy->find("height"), nullptr);
}

TEST(ParsePolicy, KeepsColumnsInTheOrderOfTheFile) {
  auto names = [](std::string_view text) {
    auto policy = parse_policy(text, "p.toml");
    std::vector<std::string> list;
    for (const ColumnPolicy& column : policy->columns) list.push_back(column.name);
    return list;
  };
  EXPECT_THAT(names(example), ElementsAre("city", "age", "net income", "account", "religion"));
  EXPECT_THAT(names("column = { b = { role = 'public' }, a = { role = 'public' } }"),
              ElementsAre("b", "a"));
  EXPECT_THAT(names("column.b.role = 'public'\ncolumn.a.role = 'public'\ncolumn.b.weight = 2"),
              ElementsAre("b", "a"));
}

TEST(ParsePolicy, AnEmptyFileHasTheDefaults) {
  auto policy = parse_policy("", "p.toml");
  ASSERT_TRUE(policy);
  EXPECT_EQ(*policy, Policy());
}

TEST(ParsePolicy, RemembersWhetherTheSchemeWasWrittenDown) {
  auto silent = parse_policy("l = 3\n", "p.toml");
  auto named = parse_policy("scheme = \"swap\"\n", "p.toml");
  ASSERT_TRUE(silent && named);
  EXPECT_FALSE(silent->names_scheme);
  EXPECT_TRUE(named->names_scheme);
  EXPECT_EQ(*silent, *named) << "they say the same";
}

TEST(ParsePolicy, NamesUnknownKeysTheirLineAndTheKnownOnes) {
  EXPECT_EQ(
      refusal("l = 3\nkk = 4\n"),
      "p.toml, line 2: \"kk\" is not known here; known are l, scheme, k, ladder, established, "
      "missing, together, apart, ids, ids_tell, person, time, consent, population, batch_after, "
      "withdraw_after and column");
  EXPECT_EQ(column_refusal("wieght = 2"),
            "p.toml, line 3: \"wieght\" is not known in column \"age\"; known are role, weight, "
            "domain, bins, not_sensitive, epsilon, sensitive_sets, renamed, known_from, same and "
            "missing");
  EXPECT_THAT(column_refusal("bins = { width = 2 }"),
              HasSubstr("edges, equal_width and quantiles"));
  EXPECT_THAT(refusal("[column.a]\nrole = \"secret\""),
              HasSubstr("line 2: the role of column \"a\" must be \"id\", \"public\", \"private\", "
                        "\"ignored\" or \"?\", not \"secret\""));
}

TEST(ParsePolicy, RefusesNumbersOutOfRange) {
  for (auto text : {"l = 1", "l = 65536", "l = 2.5", "l = '3'", "l = -1", "k = 0", "k = 4294967296",
                    "k = 9223372036854775807", "scheme = ''", "scheme = 3"}) {
    EXPECT_THAT(refusal(text), HasSubstr("must be")) << text;
  }
  for (auto text : {"weight = 0", "weight = -1", "weight = nan", "weight = inf", "weight = 1000001",
                    "weight = 1e-7", "weight = '2'"}) {
    EXPECT_THAT(column_refusal(text), HasSubstr("0.000001 to 1000000")) << text;
  }
}

TEST(ParsePolicy, RefusesBinsThatMakeNoSense) {
  for (auto text :
       {"bins = 4", "bins = {}", "bins = { equal_width = 2, quantiles = 2 }",
        "bins = { quantiles = 1 }", "bins = { equal_width = 65536 }", "bins = { edges = [] }",
        "bins = { edges = [2, 2] }", "bins = { edges = [3, 2] }", "bins = { edges = [1, inf] }",
        "bins = { edges = [nan] }", "bins = { edges = ['1'] }", "bins = { edges = 18 }",
        "bins = { edges = [9007199254740992, 9007199254740993] }"}) {
    EXPECT_THAT(column_refusal(text), HasSubstr("line 3: ")) << text;
  }
  EXPECT_THAT(column_refusal("domain = ['a']\nbins = { quantiles = 2 }"), HasSubstr("keep one"));
}

TEST(ParsePolicy, RefusesDomainsThatMakeNoSense) {
  EXPECT_THAT(column_refusal("domain = ['a', 'b', 'a']"), HasSubstr("\"a\" stands twice"));
  EXPECT_THAT(column_refusal("domain = [1, '1']"), HasSubstr("\"1\" stands twice"));
  EXPECT_THAT(column_refusal("domain = []"), HasSubstr("leave it out"));
  EXPECT_THAT(column_refusal("domain = 'a'"), HasSubstr("list"));
  EXPECT_THAT(column_refusal("domain = [1979-05-27]"), HasSubstr("quotes"));
  EXPECT_THAT(column_refusal("domain = [['a']]"), HasSubstr("quotes"));
  EXPECT_THAT(column_refusal("domain = [nan]"), HasSubstr("quotes"));
}

TEST(ParsePolicy, DeclaresOnlyValuesOfPrivateColumnsNotSensitive) {
  auto private_refusal = [](std::string_view content) {
    return refusal("[column.smokes]\nrole = \"private\"\n" + std::string(content));
  };
  EXPECT_THAT(column_refusal("not_sensitive = ['a']"),
              HasSubstr("line 3: column \"age\" is public, and only private columns"));
  EXPECT_THAT(private_refusal("domain = ['no', 'yes']\nnot_sensitive = ['maybe']"),
              HasSubstr("line 4: smokes has no value \"maybe\", which its not_sensitive names"));
  EXPECT_THAT(private_refusal("domain = ['no', 'yes']\nnot_sensitive = ['yes', 'no']"),
              HasSubstr("not_sensitive of smokes names all of its values"));
  EXPECT_THAT(private_refusal("not_sensitive = ['no', 'no']"), HasSubstr("\"no\" stands twice"));
  EXPECT_THAT(private_refusal("not_sensitive = []"), HasSubstr("leave it out"));
  EXPECT_THAT(private_refusal("not_sensitive = 'no'"), HasSubstr("must be a list"));
  EXPECT_THAT(private_refusal("not_sensitive = [nan]"), HasSubstr("quotes"));
}

TEST(ParsePolicy, GivesOnlyPrivateColumnsABudget) {
  EXPECT_THAT(column_refusal("epsilon = 1"),
              HasSubstr("line 3: column \"age\" is public, and only private columns"));
  for (const char* epsilon : {"0", "-1", "nan", "inf", "101", "'much'", "[1]"}) {
    EXPECT_THAT(refusal("[column.a]\nrole = 'private'\nepsilon = " + std::string(epsilon)),
                HasSubstr("line 3: the epsilon of column \"a\" must be a number above 0"));
  }
}

TEST(ParsePolicy, RefusesColumnsThatMakeNoSense) {
  EXPECT_THAT(refusal("[column.a]\nrole = 'id'\n[column.b]\nrole = 'id'"),
              HasSubstr("columns \"a\" and \"b\" are both the id"));
  EXPECT_THAT(refusal("[column.a]\nrole = 'id'\ndomain = ['x']"), HasSubstr("is the id"));
  EXPECT_THAT(refusal("[column.'']\nrole = 'id'"), HasSubstr("needs a name"));
  EXPECT_THAT(refusal("[column.a]\nweight = 2"), HasSubstr("needs a role"));
  EXPECT_THAT(refusal("column = 3"), HasSubstr("[column.city]"));
  EXPECT_THAT(refusal("[column]\na = 3"), HasSubstr("needs a role"));
  EXPECT_THAT(refusal("[column.a]\nrole = 'id'\n[column.a]\nrole = 'id'"), HasSubstr("line 3"));
}

TEST(ParsePolicy, NamesTheLineOfBrokenToml) {
  EXPECT_THAT(refusal("l = 3\nk = = 4"), HasSubstr("p.toml, line 2: "));
  EXPECT_THAT(refusal("l = 3\n\xff = 4"), HasSubstr("p.toml, line 2: "));
  EXPECT_THAT(refusal(std::string_view("l = 3\0", 6)), HasSubstr("p.toml, line 1: "));
}

TEST(ParsePolicy, RefusesNestingThatWouldExhaustTheStack) {
  std::string dots = "a";
  for (int i = 0; i < 300'000; ++i) dots += ".a";
  EXPECT_THAT(refusal("l = 3\n" + dots + " = 1"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("[" + dots + "]"), HasSubstr("line 1"));
  std::string quoted = "'='";
  for (int i = 0; i < 300'000; ++i) quoted += R"( . "=\",")";
  EXPECT_THAT(refusal(quoted + " = 1"), HasSubstr("quotes"));
  refusal("a = " + std::string(300'000, '['));
  std::string tables;
  for (int i = 0; i < 100'000; ++i) tables += "a.a.a = {";
  refusal(tables);
}

TEST(ParsePolicy, RefusesWhatMakesTheLibraryStumble) {
  for (auto text : {"[=", "[&", "[", "=", "ѥ", "größe = 1", "l = ѥ", "[column.größe]"}) {
    EXPECT_THAT(refusal(text), HasSubstr("p.toml, line 1: ")) << text;
  }
  EXPECT_TRUE(parse_policy("scheme = \"\"\"\\\n§\"\"\"", "p.toml"));
}

TEST(ParsePolicy, TakesDotsThatAreNoKeys) {
  std::string domain = "'a.b.c.d.e.f.g.h.i.j.k.l'";
  for (int i = 0; i < 100; ++i) domain += ", " + std::to_string(i) + ".5";
  auto policy = parse_policy(
      "# . . . . . . . . . .\n[column.'a.b.c.d.e.f.g.h.i.j']\n"
      "role = \"public\"\ndomain = [" +
          domain + "]\n",
      "p.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->columns[0].domain.size(), 101U);
}

TEST(ParsePolicy, ReadsAHundredThousandColumns) {
  Policy policy;
  for (int i = 0; i < some_of(100'000); ++i) {
    policy.columns.push_back({.name = "column " + std::to_string(i), .role = Role::Public});
  }
  auto read = parse_policy(to_toml(policy), "p.toml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, policy);
}

TEST(ParsePolicy, ReadsWhoServesAsCover) {
  auto policy = parse_policy(R"(
ladder = [["city", "age"], ["city"]]
established = { column = "joined", before = "2026-01-01" }
[column.city]
role = "public"
[column.age]
role = "public"
)",
                             "p.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->ladder, (std::vector<std::vector<std::string>>{{"city", "age"}, {"city"}}));
  ASSERT_TRUE(policy->established);
  EXPECT_TRUE(policy->established->accepts("2025-12-31"));
  EXPECT_FALSE(policy->established->accepts("2026-01-01"));
  EXPECT_FALSE(policy->established->accepts(""));
}

TEST(ParsePolicy, RefusesCoverThatMakesNoSense) {
  EXPECT_THAT(refusal("ladder = \"city\""), HasSubstr("list of lists"));
  EXPECT_THAT(refusal("ladder = [[]]"), HasSubstr("list of public columns"));
  EXPECT_THAT(refusal("ladder = [[\"city\"]]"), HasSubstr("no section"));
  const std::string columns = "\n[column.a]\nrole = \"public\"\n[column.b]\nrole = \"public\"\n";
  EXPECT_THAT(refusal("ladder = [[\"a\"], [\"b\"]]" + columns), HasSubstr("rung 2"));
  EXPECT_THAT(refusal("ladder = [[\"a\"], [\"a\"]]" + columns), HasSubstr("rung 2"));
  EXPECT_THAT(refusal("established = { column = \"a\" }"), HasSubstr("established must be"));
  EXPECT_THAT(refusal("established = { column = \"a\", is = \"\" }"), HasSubstr("in quotes"));
  EXPECT_THAT(refusal("established = { column = \"a\", is = 1, when = 2 }"),
              HasSubstr("not known"));
}

TEST(EstablishedRule, ComparesNumbersBySize) {
  EstablishedRule rule{"id", {}, "100"};
  EXPECT_TRUE(rule.accepts("20"));
  EXPECT_FALSE(rule.accepts("200"));
  EXPECT_TRUE((EstablishedRule{"checked", "yes", {}}).accepts("yes"));
  EXPECT_FALSE((EstablishedRule{"checked", "yes", {}}).accepts("no"));
}

TEST(ToToml, ReadsLikeSomethingPeopleWrite) {
  Policy policy{.l = 3, .scheme = "swap", .k = 10, .columns = {}};
  policy.columns = {
      {.name = "city", .role = Role::Public},
      {.name = "net income", .role = Role::Private, .weight = 2.5, .bins = EqualWidth{8}}};
  EXPECT_EQ(
      to_toml(policy, {"12 values\nmost frequent: Oslo"}),
      R"(# the promise: nobody gains more than 1/l, or l values stay possible, as the scheme has it
l = 3
# how rankveil protect hides private values; of a ranking elsewhere, what protects it, if so
# scheme = "swap"
# rows a query returns unless it says otherwise
k = 10

# 12 values
# most frequent: Oslo
[column.city]
role = "public"

[column."net income"]
role = "private"
weight = 2.5
bins = { equal_width = 8 }
)");
}

// Of a ranking elsewhere a scheme is a claim, and the first two columns are no ladder.
TEST(ToToml, ClaimsNoSchemeAndNoLadderThatNobodyWrote) {
  Policy policy;
  for (const char* name : {"a", "b", "c"}) {
    policy.columns.push_back({.name = name, .role = Role::Public});
  }
  std::string text = to_toml(policy);
  EXPECT_FALSE(parse_policy(text, "p.toml")->names_scheme);
  EXPECT_EQ(text.find("ladder"), std::string::npos);
  policy.names_scheme = true;
  EXPECT_TRUE(parse_policy(to_toml(policy), "p.toml")->names_scheme);
}

TEST(ParsePolicy, TakesWordsForNothingAndValuesThatAreTheSame) {
  auto policy = parse_policy(
      "missing = [\"?\", \"NA\", -9]\n[column.net]\nrole = \"public\"\n"
      "same = [[\"DSL\", \"dsl\"], [\"Fibre\", \"fiber\"]]\nmissing = []\n"
      "[column.q]\nrole = \"?\"\n",
      "p.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->missing, (std::vector<std::string>{"?", "NA", "-9"}));
  EXPECT_EQ(policy->columns[0].same.size(), 2U);
  EXPECT_EQ(policy->columns[0].missing, std::vector<std::string>{});
  EXPECT_EQ(policy->undecided(), std::vector<std::string>{"q"});
  EXPECT_EQ(*parse_policy(to_toml(*policy), "again"), *policy);
  EXPECT_THAT(column_refusal("same = [[\"a\"]]"), HasSubstr("two values or more"));
  EXPECT_THAT(column_refusal("same = [[\"a\", \"b\"], [\"c\", \"b\"]]"),
              HasSubstr("stands in two lists"));
  EXPECT_THAT(refusal("missing = \"?\""), HasSubstr("missing here must be a list of texts"));
}

TEST(ToToml, CommentsCannotBreakOut) {
  Policy policy;
  policy.columns = {{.name = "a", .role = Role::Public}};
  const std::string comment = std::string("x\r[column.b]\nk = 7\x01\xff") + '\0' + "y";
  auto read = parse_policy(to_toml(policy, {comment}), "p.toml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, policy);
}

std::string random_text(Rng& rng) {
  static const std::vector<std::string> pieces = {
      "a",   "B",      "7",      "_",      "-",      ".",
      " ",   "\"",     "'",      "\\",     "\n",     "\r\n",
      "\t",  "\x01",   "\x7f",   "é",      "日本",   "\U0001F600",
      "[",   "]",      "=",      "#",      ",",      "\"\"\"",
      "\\u", "\u2028", "\uFEFF", "\u0085", "\uFFFE", std::string(1, '\0')};
  std::string text;
  for (std::uint64_t i = rng.below(6); i > 0; --i) text += pieces[rng.below(pieces.size())];
  return text;
}

double random_double(Rng& rng) {
  while (true) {
    auto bits = rng();
    double number;
    static_assert(sizeof bits == sizeof number);
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) return number;
  }
}

Binning random_bins(Rng& rng) {
  switch (rng.below(3)) {
    case 0: {
      std::set<double> edges = {random_double(rng), static_cast<double>(rng.below(50))};
      for (std::uint64_t i = rng.below(20); i > 0; --i) edges.insert(random_double(rng));
      return BinEdges{{edges.begin(), edges.end()}};
    }
    case 1:
      return EqualWidth{static_cast<std::uint32_t>(2 + rng.below(65534))};
    default:
      return Quantiles{static_cast<std::uint32_t>(2 + rng.below(65534))};
  }
}

void add_value_keys(Rng& rng, ColumnPolicy& column) {
  if (column.domain.empty()) {
    column.sensitive_sets = {{"a" + random_text(rng), "b"}, {"b", "c" + random_text(rng)}};
    column.renamed = {{"x" + random_text(rng), "y" + random_text(rng)}};
  } else if (column.domain.size() > 2 && !column.domain[0].empty()) {
    column.sensitive_sets = {{column.domain[0], column.domain[1]}};
    column.renamed = {
        {"no value is as long as this, is one? " + random_text(rng), column.domain[0]}};
  }
}

ColumnPolicy random_column(Rng& rng, std::string name) {
  ColumnPolicy column{.name = std::move(name)};
  column.role = std::array{Role::Public, Role::Private, Role::Ignored}[rng.below(3)];
  if (rng.below(2) == 0) column.weight = 1e-6 + rng.uniform() * (rng.below(2) == 0 ? 3 : 999999);
  if (rng.below(3) == 0) column.bins = random_bins(rng);
  if (std::holds_alternative<std::monostate>(column.bins)) {
    std::set<std::string> values;
    for (std::uint64_t i = rng.below(20); i > 0; --i) values.insert(random_text(rng));
    column.domain.assign(values.begin(), values.end());
  }
  if (column.role == Role::Private && rng.below(3) == 0) column.epsilon = 1e-9 + 99 * rng.uniform();
  if (column.role == Role::Private && rng.below(2) == 0) {
    for (std::size_t i = 1; i < column.domain.size(); i += 1 + rng.below(3)) {
      column.not_sensitive.push_back(column.domain[i]);
    }
    if (column.domain.empty()) column.not_sensitive = {random_text(rng)};
    add_value_keys(rng, column);
  }
  return column;
}

void add_people_keys(Rng& rng, Policy& policy) {
  std::vector<std::string> joined;
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role == Role::Private) joined.push_back(column.name);
    if (column.role == Role::Ignored) policy.population.fit_on.push_back(column.name);
  }
  if (joined.size() > 2) policy.apart = {{joined[0], joined[2]}, joined};
  if (joined.size() > 3) {
    policy.together.emplace_back(joined.begin() + 2, joined.end());
    joined.resize(2);
  }
  if (joined.size() > 1) policy.together.push_back(joined);
  policy.ids = std::array{IdForm::Plain, IdForm::Keyed, IdForm::None}[rng.below(3)];
  policy.ids_tell = rng.below(2) == 0;
  policy.person = "p" + random_text(rng);
  if (rng.below(2) == 0) policy.time = "t" + random_text(rng);
  if (rng.below(2) == 0) policy.consent = "c" + random_text(rng);
  policy.population.name = "a" + std::to_string(rng.below(1000)) + ".b-c_D";
  if (rng.below(2) == 0) policy.population.ledger = "/" + random_text(rng);
  if (rng.below(2) == 0) policy.batch_after_days = static_cast<std::uint32_t>(1 + rng.below(3650));
  policy.withdraw_after_days = static_cast<std::uint32_t>(1 + rng.below(3650));
}

Policy random_policy(Rng& rng) {
  Policy policy;
  policy.l = static_cast<std::uint32_t>(2 + rng.below(65534));
  policy.k = static_cast<std::uint32_t>(1 + rng.below(UINT32_MAX));
  policy.scheme = "s" + random_text(rng);
  std::set<std::string> names;
  for (std::uint64_t i = rng.below(12); i > 0; --i) names.insert("n" + random_text(rng));
  for (const std::string& name : names) policy.columns.push_back(random_column(rng, name));
  if (!policy.columns.empty() && rng.below(2) == 0) {
    policy.columns[0] = {.name = policy.columns[0].name, .role = Role::Id};
  }
  std::size_t width = policy.columns.size();
  while (width > 0 && rng.below(2) == 0) {
    auto& rung = policy.ladder.emplace_back();
    for (std::size_t i = 0; i < width; ++i) rung.push_back(policy.columns[i].name);
    width = rng.below(width);
  }
  if (rng.below(3) == 0) {
    policy.established = {"c" + random_text(rng), {}, {}};
    (rng.below(2) == 0 ? policy.established->is : policy.established->before) =
        "v" + random_text(rng);
  }
  if (rng.below(2) == 0) add_people_keys(rng, policy);
  if (rng.below(2) == 0) policy.missing = {"m" + random_text(rng), "?"};
  for (ColumnPolicy& column : policy.columns) {
    if (rng.below(4) == 0) column.same = {{"a" + random_text(rng), "b" + random_text(rng)}};
    if (rng.below(4) == 0) column.missing = {"c" + random_text(rng)};
  }
  return policy;
}

TEST(ToToml, ReadsBackToAnEqualPolicy) {
  for (std::uint64_t seed = 0; seed < some_of(3000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Policy policy = random_policy(rng);
    std::string text = to_toml(policy, {random_text(rng), random_text(rng)});
    auto read = parse_policy(text, "p.toml");
    ASSERT_TRUE(read) << read.error().message << "\n" << text;
    ASSERT_EQ(*read, policy) << text;
  }
}

TEST(RoleNames, AreReadBack) {
  for (Role role : {Role::Id, Role::Public, Role::Private, Role::Ignored, Role::Undecided}) {
    EXPECT_EQ(role_from_name(role_name(role)), role);
  }
  EXPECT_EQ(role_from_name("Public"), std::nullopt);
}

}  // namespace
}  // namespace rankveil
