#include "rankveil/table/draft/value_forms.h"

#include <gtest/gtest.h>

namespace rankveil::draft {
namespace {

TEST(ValueForms, KnowWhatSaysWhoSomebodyIs) {
  EXPECT_TRUE(looks_like_email("anna.k@example.org"));
  EXPECT_FALSE(looks_like_email("5 @ 3.20"));
  EXPECT_TRUE(looks_like_ip("192.168.0.1"));
  EXPECT_TRUE(looks_like_ip("2001:db8::1:0"));
  EXPECT_FALSE(looks_like_ip("12:30:15"));
  EXPECT_TRUE(looks_like_phone("+49 221 123456"));
  EXPECT_FALSE(looks_like_phone("2024-01-31"));
  EXPECT_FALSE(looks_like_phone("1234567"));
  EXPECT_TRUE(looks_like_full_name("Braund, Mr. Owen Harris"));
  EXPECT_TRUE(looks_like_full_name("Zofia Nowak"));
  EXPECT_FALSE(looks_like_full_name("Fiber optic"));
  EXPECT_TRUE(looks_like_own_words("I would rather not say why I left"));
  EXPECT_FALSE(looks_like_own_words("Month-to-month"));
  EXPECT_TRUE(looks_like_coordinates("47.5112"));
  EXPECT_TRUE(looks_like_coordinates("(47.5112, -122.257)"));
  EXPECT_TRUE(looks_like_hash("550e8400-e29b-41d4-a716-446655440000"));
}

TEST(ValueForms, KnowDiagnosesAndIncomes) {
  EXPECT_TRUE(looks_like_icd10("E11.9"));
  EXPECT_TRUE(looks_like_icd10("I10"));
  EXPECT_FALSE(looks_like_icd10("q12"));
  EXPECT_FALSE(is_detailed_icd10("B12"));
  EXPECT_TRUE(looks_like_income_bracket("<=50K"));
  EXPECT_TRUE(looks_like_income_bracket("$40,000 - $59,999"));
  EXPECT_TRUE(looks_like_income_bracket("75-125k"));
  EXPECT_FALSE(looks_like_income_bracket("18-29"));
  EXPECT_FALSE(looks_like_income_bracket("$5"));
}

}  // namespace
}  // namespace rankveil::draft
