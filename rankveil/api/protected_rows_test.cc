#include "rankveil/api/protected_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::api {
namespace {

using testing::ElementsAre;

Schema schema_of(std::uint32_t private_count) {
  Schema schema;
  schema.attributes.push_back({.name = "city", .domain = *Domain::of({"Oslo", "Rome"})});
  for (std::uint32_t i = 0; i < private_count; ++i) {
    schema.attributes.push_back({.name = "p" + std::to_string(i),
                                 .visibility = Visibility::Private,
                                 .domain = *Domain::of({"no", "yes"})});
  }
  return schema;
}

// Row r has the value r % 2, is of person r / 2 of ten, and its place is r % 2.
connect::LoadedTable twenty_rows() {
  std::vector<ValueId> values;
  IntegerNames names;
  connect::LoadedTable loaded;
  for (std::uint16_t row = 0; row < 20; ++row) {
    values.push_back(ValueId{static_cast<std::uint16_t>(row % 2)});
    names.values.push_back(row);
    loaded.established.push_back(static_cast<std::uint8_t>(row >= 5));
    loaded.consent.push_back(static_cast<std::uint8_t>(row % 3));
    loaded.person_of.push_back(row / 2U);
    loaded.place_of.push_back(row % 2U);
  }
  for (int person = 0; person < 10; ++person) {
    loaded.person_names.push_back("person " + std::to_string(person));
  }
  Column column(2, values);
  loaded.table = Table(schema_of(1), {column, column}, RowNames(std::move(names)));
  return loaded;
}

TEST(ArrangeAsServed, KeepsWhatIsKnownOfARowWithIt) {
  connect::LoadedTable loaded = twenty_rows();
  arrange_as_served(loaded, SecretKey::from_seed(9));
  std::uint32_t met = 0;
  bool moved = false;
  for (std::uint32_t row = 0; row < 20; ++row) {
    auto was = static_cast<std::uint32_t>(std::stoi(loaded.table.names().text(RowId{row})));
    moved = moved || was != row;
    EXPECT_EQ(+loaded.table.value(RowId{row}, AttributeId{1}), was % 2);
    EXPECT_EQ(loaded.established[row], was < 5 ? 0 : 1);
    EXPECT_EQ(loaded.consent[row], was % 3);
    EXPECT_EQ(loaded.place_of[row], was % 2);
    EXPECT_EQ(loaded.person_names[loaded.person_of[row]], "person " + std::to_string(was / 2));
    EXPECT_LE(loaded.person_of[row], met) << "persons are numbered as they come";
    met = std::max(met, loaded.person_of[row] + 1);
  }
  EXPECT_TRUE(moved);
}

TEST(TogetherOf, LeavesOutColumnsThatAreNotThere) {
  Policy policy;
  policy.together = {{"p0", "p2", "gone"}, {"p1", "gone"}, {"p1", "city", "p3"}};
  EXPECT_THAT(together_of(policy, schema_of(4)),
              ElementsAre(ElementsAre(PrivateId{0}, PrivateId{2}),
                          ElementsAre(PrivateId{1}, PrivateId{3})));
}

}  // namespace
}  // namespace rankveil::api
