// Values for own rows lie where questions expect them.
#include "rankveil/probe/values.h"

#include <gtest/gtest.h>

#include <set>

namespace rankveil::probe {
namespace {

long number_of(const Value& value) { return std::stol(value.text); }

TEST(Values, OfNumbersLieAtBothEnds) {
  ValueMaker maker(1);
  const Field income{"income", FieldType::Number};
  for (int i = 0; i < 200; ++i) {
    const auto top = maker.make(income, End::Top);
    ASSERT_TRUE(top);
    EXPECT_GT(number_of(top->a), 899'999'000);
    EXPECT_LT(number_of(top->b), -899'999'000);
    EXPECT_EQ(number_of(top->low), number_of(top->a) - 1);
    EXPECT_EQ(number_of(top->high), number_of(top->a) + 1);
    const auto bottom = maker.make(income, End::Bottom);
    EXPECT_LT(number_of(bottom->a), number_of(bottom->b));
  }
}

TEST(Values, OfTextsAreBracketedByText) {
  ValueMaker maker(2);
  for (const End end : {End::Top, End::Bottom}) {
    const auto values = maker.make({"note"}, end);
    ASSERT_TRUE(values);
    EXPECT_LT(values->low.text, values->a.text);
    EXPECT_LT(values->a.text, values->high.text);
    EXPECT_EQ(values->b.text < values->a.text, end == End::Top);
    const bool b_outside = values->b.text < values->low.text || values->b.text > values->high.text;
    EXPECT_TRUE(b_outside);
  }
}

TEST(Values, AreFresh) {
  ValueMaker maker(3);
  std::set<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.insert(maker.make({"note"}, End::Top)->a.text);
  EXPECT_EQ(texts.size(), 100U);
}

TEST(Values, KeepWithinWhatTheFieldTakes) {
  ValueMaker maker(4);
  Field mark{"mark", FieldType::Number, {}, "1", "6"};
  for (int i = 0; i < 100; ++i) {
    const auto values = maker.make(mark, End::Top);
    ASSERT_TRUE(values);
    for (const Value& value : {values->a, values->b, values->other_b}) {
      EXPECT_GE(number_of(value), 1);
      EXPECT_LE(number_of(value), 6);
    }
    EXPECT_GT(number_of(values->a), number_of(values->b));
  }
  EXPECT_EQ(maker.make(mark, End::Top, 1), std::nullopt);
}

TEST(Values, OfFewChoicesAreAmongThem) {
  ValueMaker maker(5);
  const Field religion{"religion", FieldType::Text, {"hindu", "jewish", "muslim"}};
  const auto values = maker.make(religion, End::Top);
  ASSERT_TRUE(values);
  EXPECT_EQ(values->a.text, "muslim");
  EXPECT_EQ(values->b.text, "hindu");
  const auto flag = maker.make({"vip", FieldType::Flag}, End::Bottom);
  ASSERT_TRUE(flag);
  EXPECT_EQ(flag->a, (Value{"false", false}));
  EXPECT_EQ(flag->b, (Value{"true", false}));
}

TEST(Values, OfDaysAreDays) {
  ValueMaker maker(6);
  const auto values = maker.make({"born", FieldType::Date}, End::Bottom);
  ASSERT_TRUE(values);
  EXPECT_EQ(values->a.text.substr(0, 3), "180");
  EXPECT_EQ(values->b.text.substr(0, 3), "219");
  EXPECT_LT(values->low.text, values->a.text);
  EXPECT_LT(values->a.text, values->high.text);
}

TEST(Values, ThatAreWrittenDifferentlyAreTheSame) {
  EXPECT_TRUE(same_value({"n", FieldType::Number}, {"7", false}, {"7.0"}));
  EXPECT_FALSE(same_value({"n", FieldType::Number}, {"7", false}, {"8"}));
  EXPECT_TRUE(same_value({"d", FieldType::Date}, {"2199-03-01"}, {"2199-03-01T00:00:00.000Z"}));
  EXPECT_FALSE(same_value({"t"}, {"7"}, {"7.0"}));
}

TEST(Values, ThatAreMoreModestComeAfterThoseAtTheEnds) {
  ValueMaker maker(7);
  const Field income{"income", FieldType::Number};
  EXPECT_GE(number_of(maker.make(income, End::Top, 1)->b), 0);
  EXPECT_LE(number_of(maker.make(income, End::Top, 4)->a), 5);
  EXPECT_EQ(maker.make(income, End::Top, 5), std::nullopt);
}

}  // namespace
}  // namespace rankveil::probe
