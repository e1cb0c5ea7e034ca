#include "rankveil/table/schema.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

Schema small_schema() {
  Schema schema;
  schema.attributes = {{"city", Visibility::Public, 1, *Domain::of({"Oslo", "Rome"})},
                       {"age", Visibility::Public, 2, *Domain::of({"<30", ">=30"})},
                       {"religion", Visibility::Private, 1, *Domain::of({"none", "other"})}};
  return schema;
}

TEST(Schema, CountsPublicAndPrivateAttributes) {
  EXPECT_EQ(small_schema().public_count(), 2U);
  EXPECT_EQ(small_schema().private_count(), 1U);
  EXPECT_EQ(Schema().private_count(), 0U);
}

TEST(Schema, FindsAttributesByTheirExactName) {
  Schema schema = small_schema();
  ASSERT_EQ(schema.find("age"), AttributeId{1});
  EXPECT_EQ(schema[*schema.find("age")].weight, 2);
  EXPECT_EQ(schema.find("Age"), std::nullopt);
  EXPECT_EQ(schema.find(""), std::nullopt);
}

}  // namespace
}  // namespace rankveil
