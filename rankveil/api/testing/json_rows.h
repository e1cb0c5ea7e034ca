// Whether a section of docs/reference/json.md is what a description says, no more and no less.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "rankveil/api/json_schema_texts.h"
#include "rankveil/base/text/described.h"

namespace rankveil::api::testing_support {

// The rows of the section "## rankveil HEADING" are those of T; else the failure shows what belongs
// there.
template <typename T>
void expect_rows_of_page(const std::string& heading) {
  const std::string page = "\n" + std::string(json_page_text()) + "\n## ";
  const std::string rule = "|---|---|---|\n";
  const auto section = page.find("\n## rankveil " + heading + "\n");
  ASSERT_NE(section, std::string::npos) << heading;
  const auto first = page.find(rule, section) + rule.size();
  EXPECT_EQ(page.substr(first, page.find("\n\n## ", first) + 1 - first), page_rows<T>()) << heading;
}

}  // namespace rankveil::api::testing_support
