#include "rankveil/table/people/people.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "rankveil/table/people/people_model.h"

namespace rankveil {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

Table people(std::uint32_t rows, std::uint32_t attributes = 20, std::uint64_t seed = 1) {
  auto table = generate_people({.rows = rows, .attributes = attributes, .seed = seed});
  EXPECT_TRUE(table.has_value());
  return *table;
}

const Table& many_people() {
  static const Table table = people(60'000);
  return table;
}

// Missing is counted behind the values.
std::vector<double> shares(const Table& table, AttributeId attribute) {
  std::uint32_t size = table.schema()[attribute].domain.size();
  std::vector<double> shares(size + 1);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    ValueId value = table.value(RowId{row}, attribute);
    shares[value == missing_value ? size : +value] += 1.0 / table.rows();
  }
  return shares;
}

// In bits; 0 for independent attributes.
double mutual_information(const Table& table, std::string_view left, std::string_view right) {
  auto a = *table.schema().find(left);
  auto b = *table.schema().find(right);
  std::map<std::pair<ValueId, ValueId>, double> both;
  std::map<ValueId, double> one, other;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    auto x = table.value(RowId{row}, a);
    auto y = table.value(RowId{row}, b);
    both[{x, y}] += 1.0 / table.rows();
    one[x] += 1.0 / table.rows();
    other[y] += 1.0 / table.rows();
  }
  double information = 0;
  for (const auto& [pair, share] : both) {
    information += share * std::log2(share / (one[pair.first] * other[pair.second]));
  }
  return information;
}

std::uint64_t fingerprint(const Table& table) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::uint32_t a = 0; a < table.schema().size(); ++a) {
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      hash = (hash ^ +table.value(RowId{row}, AttributeId{a})) * 0x100000001b3U;
    }
  }
  return hash;
}

TEST(GeneratePeople, NeverChangesSilently) {
  EXPECT_EQ(fingerprint(people(1000, 20, 1)), 8265277197749111891U);
  EXPECT_EQ(fingerprint(people(1000, 20, 2)), 6275090547465233911U);
}

TEST(GeneratePeople, BiggerTablesBeginWithTheSmallerOnes) {
  Table small = people(500);
  Table large = people(2000);
  for (std::uint32_t a = 0; a < 20; ++a) {
    for (std::uint32_t row = 0; row < 500; ++row) {
      ASSERT_EQ(small.value(RowId{row}, AttributeId{a}), large.value(RowId{row}, AttributeId{a}));
    }
  }
}

TEST(GeneratePeople, FewerAttributesAreAPartOfTheWholeTable) {
  Table all = people(300);
  for (std::uint32_t count = 4; count <= 20; ++count) {
    SCOPED_TRACE(testing::Message() << count << " attributes");
    Table some = people(300, count);
    ASSERT_EQ(some.schema().size(), count);
    ASSERT_EQ(some.schema().public_count(), (count + 1) / 2);
    for (std::uint32_t a = 0; a < count; ++a) {
      auto same = all.schema().find(some.schema().attributes[a].name);
      ASSERT_TRUE(same);
      for (std::uint32_t row = 0; row < 300; ++row) {
        ASSERT_EQ(some.value(RowId{row}, AttributeId{a}), all.value(RowId{row}, *same));
      }
    }
  }
}

TEST(GeneratePeople, RefusesAttributeCountsItHasNoNamesFor) {
  for (std::uint32_t count : {0U, 3U, 21U}) {
    auto table = generate_people({.rows = 10, .attributes = count});
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, ErrorCode::WrongUse);
    EXPECT_THAT(table.error().message, HasSubstr("4 to 20"));
  }
}

TEST(GeneratePeople, NamesRowsFromOne) {
  Table table = people(3);
  EXPECT_EQ(table.schema().id_name, "id");
  EXPECT_EQ(table.names().text(RowId{0}), "1");
  EXPECT_EQ(table.names().text(RowId{2}), "3");
  EXPECT_EQ(people(0).rows(), 0U);
}

TEST(GeneratePeople, DomainsHaveTwoToFifteenValuesThatAllOccur) {
  const Schema& schema = many_people().schema();
  for (std::uint32_t a = 0; a < schema.size(); ++a) {
    SCOPED_TRACE(schema.attributes[a].name);
    EXPECT_THAT(schema.attributes[a].domain.size(), AllOf(Ge(2U), Le(15U)));
    auto share = shares(many_people(), AttributeId{a});
    share.pop_back();
    EXPECT_THAT(share, testing::Each(testing::Gt(0.0)));
  }
}

TEST(GeneratePeople, PrivateAttributesHaveSomethingToHideBehind) {
  const Schema& schema = many_people().schema();
  for (std::uint32_t a = schema.public_count(); a < schema.size(); ++a) {
    auto share = shares(many_people(), AttributeId{a});
    share.pop_back();
    auto common = std::count_if(share.begin(), share.end(), [](double s) { return s > 0.01; });
    EXPECT_GE(common, 2) << schema.attributes[a].name;
  }
}

TEST(GeneratePeople, AFewValuesAreMissing) {
  const Schema& schema = many_people().schema();
  int with_gaps = 0;
  for (std::uint32_t a = 0; a < schema.size(); ++a) {
    double missing = shares(many_people(), AttributeId{a}).back();
    EXPECT_LT(missing, 0.035) << schema.attributes[a].name;
    if (missing > 0.008) ++with_gaps;
  }
  EXPECT_GE(with_gaps, 5);
  EXPECT_LE(with_gaps, 12);
}

TEST(GeneratePeople, ValuesAreSkewed) {
  for (auto name : {"city", "religion", "income", "orientation", "occupation"}) {
    auto share = shares(many_people(), *many_people().schema().find(name));
    share.pop_back();
    auto [least, most] = std::minmax_element(share.begin(), share.end());
    EXPECT_GT(*most, 3 * *least) << name;
  }
}

TEST(GeneratePeople, AttributesHangTogether) {
  struct Pair {
    const char* left;
    const char* right;
    double bits;
  };
  for (auto [left, right, bits] :
       {Pair{"age_band", "has_kids", 0.1}, Pair{"age_band", "occupation", 0.1},
        Pair{"city", "religion", 0.1}, Pair{"occupation", "income", 0.1},
        Pair{"occupation", "industry", 0.3}, Pair{"gender", "height", 0.1},
        Pair{"education", "income", 0.02}, Pair{"religion", "politics", 0.02},
        Pair{"smokes", "drugs", 0.02}}) {
    EXPECT_GT(mutual_information(many_people(), left, right), bits) << left << " " << right;
  }
}

TEST(GeneratePeople, UnrelatedAttributesStayUnrelated) {
  EXPECT_LT(mutual_information(many_people(), "gender", "city"), 0.002);
}

TEST(GeneratePeople, GenderAndAgeMakeGroupsToHideIn) {
  std::map<std::pair<ValueId, ValueId>, int> groups;
  Table table = people(300'000, 4);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    ++groups[{table.value(RowId{row}, AttributeId{0}), table.value(RowId{row}, AttributeId{1})}];
  }
  EXPECT_EQ(groups.size(), 21U);
  for (const auto& [values, size] : groups) EXPECT_THAT(size, AllOf(Ge(200), Le(60'000)));
}

TEST(GeneratePeople, SeedsGiveDifferentPeople) {
  Table one = people(1000, 20, 1);
  Table two = people(1000, 20, 2);
  int equal = 0;
  for (std::uint32_t row = 0; row < 1000; ++row) {
    bool same = true;
    for (std::uint32_t a = 0; a < 20; ++a) {
      same = same && one.value(RowId{row}, AttributeId{a}) == two.value(RowId{row}, AttributeId{a});
    }
    equal += same ? 1 : 0;
  }
  EXPECT_LT(equal, 3);
}

TEST(PeopleModel, EveryInfluenceNamesValuesThatExist) {
  std::map<std::string_view, std::set<std::string_view>> known;
  auto all_known = [&](std::string_view list, std::string_view attribute) {
    while (!list.empty()) {
      auto name = list.substr(0, list.find('|'));
      if (!known[attribute].contains(name)) return false;
      list.remove_prefix(std::min(list.size(), name.size() + 1));
    }
    return true;
  };
  for (const PeopleAttribute& attribute : people_attributes()) {
    for (const Share& share : attribute.shares) known[attribute.name].insert(share.value);
    EXPECT_EQ(known[attribute.name].size(), attribute.shares.size()) << attribute.name;
    for (const Influence& influence : attribute.influences) {
      for (const Tilt& tilt : influence.tilts) {
        EXPECT_TRUE(all_known(tilt.given, influence.parent))
            << attribute.name << ": " << tilt.given;
        EXPECT_TRUE(all_known(tilt.values, attribute.name))
            << attribute.name << ": " << tilt.values;
      }
    }
  }
}

TEST(PeoplePolicy, FitsTheTable) {
  Policy policy = people_policy(many_people().schema());
  EXPECT_EQ(policy.l, 3U);
  EXPECT_EQ(policy.scheme, "swap");
  EXPECT_EQ(policy.k, 10U);
  ASSERT_EQ(policy.columns.size(), 21U);
  EXPECT_EQ(policy.columns[0].name, "id");
  EXPECT_EQ(policy.columns[0].role, Role::Id);
  EXPECT_EQ(policy.find("city")->role, Role::Public);
  EXPECT_EQ(policy.find("religion")->role, Role::Private);
  EXPECT_EQ(policy.find("religion")->domain.front(), "none");
  auto read = parse_policy(to_toml(policy), "people.toml");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, policy);
}

}  // namespace
}  // namespace rankveil
