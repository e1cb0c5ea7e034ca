#include "rankveil/probe/discover/found_fields.h"

#include <gtest/gtest.h>

namespace rankveil::probe {
namespace {

Json::Array rows_in(const char* text) { return *parse_json(text)->as_array(); }

// A service masks what it hides: nobody sees it, and it is there to be asked for.
TEST(FoundFields, WhatIsNullInAllRowsIsNotShown) {
  const auto rows = rows_in(R"([{"name": "a", "income": null, "city": null},
                                {"name": "b", "income": null, "city": "Oslo"}])");
  const FoundFields shown = fields_shown_in(rows);
  EXPECT_NE(field_called(shown, "city"), nullptr);
  EXPECT_EQ(field_called(shown, "income"), nullptr);
  const auto all = fields_in_rows(rows_in(R"([{"name": "a", "income": 5, "city": "Oslo"}])"));
  const FoundFields hidden = without(all, shown);
  ASSERT_EQ(hidden.size(), 1U);
  EXPECT_EQ(hidden.front().name, "income");
  EXPECT_EQ(hidden.front().type, FieldType::Number);
}

}  // namespace
}  // namespace rankveil::probe
