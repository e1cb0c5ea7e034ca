#include "rankveil/utility/same_queries.h"

#include <gtest/gtest.h>

namespace rankveil::utility {
namespace {

Attribute attribute(const std::string& name, Visibility visibility,
                    std::vector<std::string> values) {
  return {name, visibility, 1, *Domain::of(std::move(values))};
}

Schema schema_of(std::vector<Attribute> attributes) { return {std::move(attributes), ""}; }

std::string refusal(const Schema& truth, const Schema& served) {
  auto same = SameQueries::between(truth, served);
  return same ? "" : same.error().message;
}

const Attribute city = attribute("city", Visibility::Public, {"Oslo", "Paris", "Rome"});
const Attribute job = attribute("job", Visibility::Public, {"cook", "smith"});

TEST(SameQueries, AgreeByNamesOfAttributesAndValues) {
  Schema truth = schema_of({city, job});
  Schema served = schema_of({job, attribute("city", Visibility::Public, {"Rome", "Lima", "Oslo"})});
  auto same = SameQueries::between(truth, served);
  ASSERT_TRUE(same) << same.error().message;
  Query query = *query_from_json(truth, *parse_json(R"({"city": ["Oslo", "Paris", "Rome"]})"));
  EXPECT_EQ(query_to_json(served, same->to_served(query)).dump(-1), R"({"city":["Rome","Oslo"]})");
  query = *query_from_json(truth, *parse_json(R"({"city": "Paris", "job": "smith"})"));
  EXPECT_EQ(query_to_json(served, same->to_served(query)).dump(-1), R"({"job":"smith"})");
  EXPECT_EQ(same->to_served(Weights{{3, 5}, 1}).units, (std::vector<std::int64_t>{5, 3}));
}

TEST(SameQueries, AreRefusedForOtherAttributes) {
  EXPECT_EQ(refusal(schema_of({city}), schema_of({city, job})),
            "the index has an attribute job and the table has none of that name; measure with the "
            "table and policy that the index was made of");
  EXPECT_NE(refusal(schema_of({city, job}), schema_of({city})), "");
  Attribute secret = city;
  secret.visibility = Visibility::Private;
  EXPECT_EQ(refusal(schema_of({city}), schema_of({secret})).substr(0, 61),
            "attribute city is public in the table and private in the inde");
}

TEST(SameWeights, AreRefusedWhereOneDiffers) {
  Attribute heavy = job;
  heavy.weight = 2.5;
  EXPECT_TRUE(check_same_weights(schema_of({city, job}), schema_of({job, city})));
  auto checked = check_same_weights(schema_of({city, job}), schema_of({city, heavy}));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message.substr(0, 58),
            "attribute job weighs 1 in the table and 2.5 in the index, ");
}

}  // namespace
}  // namespace rankveil::utility
