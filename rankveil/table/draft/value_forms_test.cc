#include "rankveil/table/draft/value_forms.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

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

TEST(ValueForms, KnowNumbersOfPeopleAndAccounts) {
  for (const char* text :
       {"536-22-8871", "12345678Z", "X1234567L", "QQ123456C", "RSSMRA70A01F205X", "529.982.247-25",
        "DE89 3704 0044 0532 0130 00", "2 85 05 78 006 084 36"}) {
    EXPECT_TRUE(looks_like_national_number(text)) << text;
  }
  for (const char* text : {"2024-01-31", "INV-00017", "5821345", "AB12", "12345678", "M54.5"}) {
    EXPECT_FALSE(looks_like_national_number(text)) << text;
  }
}

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

TEST(ValueForms, FindBirthdaysInLongerNumbers) {
  std::vector<std::string> insured, orders, days, counted;
  for (int i = 0; i < 500; ++i) {
    int day = 1 + i % 28, month = 1 + i / 28 % 12, year = 40 + i * 7 % 60;
    insured.push_back(fmt::format("12 {:02}{:02}{:02} K {:03}", day, month, year, i * 37 % 1000));
    orders.push_back(fmt::format("2024{:02}{:02}-{:04}", month, day, i));
    days.push_back(fmt::format("19{:02}-{:02}-{:02}", year, month, day));
    counted.push_back(fmt::format("{:010}", 7123450000 + i));
  }
  EXPECT_TRUE(hold_birthdays(views_of(insured)));
  EXPECT_FALSE(hold_birthdays(views_of(orders)));
  EXPECT_FALSE(hold_birthdays(views_of(days)));
  EXPECT_FALSE(hold_birthdays(views_of(counted)));
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
