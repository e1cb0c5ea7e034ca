// What worth predicts is what the attacks need; figures are printed.
#include "rankveil/probe/worth.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "rankveil/probe/demonstrate.h"
#include "rankveil/probe/testing/stand_in.h"

namespace rankveil::probe {
namespace {

// Everybody in one answer; incomes spread evenly over `values` numbers from 0.
class Spread {
 public:
  Spread(std::uint64_t values, std::size_t rows, const std::set<std::string>& leaks)
      : service_({.seed = values, .rows = rows, .page = rows + 5, .leaks = leaks}, clock_),
        most_(static_cast<std::int64_t>(values) - 1) {
    Rng rng(values + rows);
    for (Person& person : service_.people()) {
      person.values["income"] = {std::to_string(rng.below(values)), false};
    }
  }
  StandIn& service() { return service_; }
  NumberRange range() const { return {0, most_}; }
  std::map<std::string, std::int64_t> truth() {
    std::map<std::string, std::int64_t> truth;
    for (Person& person : service_.people()) {
      truth[person.id] = std::stol(person.values["income"].text);
    }
    return truth;
  }

 private:
  FakeClock clock_;
  StandIn service_;
  std::int64_t most_;
};

const Field income{"income", FieldType::Number};

void expect_near(const char* what, double predicted, double real) {
  fmt::print("{}: predicted {:.1f}, real {:.1f}\n", what, predicted, real);
  EXPECT_NEAR(predicted, real, 0.1 * real) << what;
}

TEST(Worth, OfOneNumberByACondition) {
  for (const std::uint64_t values : {200'000U, 1'000U, 37U}) {
    Spread spread(values, 200, {"greater"});
    double requests = 0;
    for (const auto& [row, value] : spread.truth()) {
      const auto got =
          recover_by_condition(spread.service(), "greater", income, row, spread.range());
      ASSERT_TRUE(got);
      EXPECT_EQ(got->values.at(row), value);
      requests += static_cast<double>(got->requests);
    }
    const Worth worth = worth_of({.kind = Kind::Filter, .rows = 200, .values = values});
    expect_near(fmt::format("one of {} numbers, by a condition", values).c_str(), worth.one_value,
                requests / 200);
  }
}

TEST(Worth, OfEverybodysNumberByACondition) {
  for (const std::uint64_t values : {200'000U, 1'000U, 37U}) {
    Spread spread(values, 200, {"between"});
    const auto got = recover_all_by_condition(spread.service(), "between", income, spread.range());
    ASSERT_TRUE(got);
    EXPECT_EQ(got->values, spread.truth());
    const Worth worth = worth_of({.kind = Kind::Filter, .rows = 200, .values = values});
    expect_near(fmt::format("200 rows of {} numbers, by a condition", values).c_str(),
                worth.everybody, static_cast<double>(got->requests));
  }
}

TEST(Worth, OfOneNumberByAnOrder) {
  for (const std::uint64_t values : {200'000U, 1'000U}) {
    Spread spread(values, 60, {"sort"});
    double requests = 0;
    for (const auto& [row, value] : spread.truth()) {
      const auto got = recover_by_order(spread.service(), spread.service(), "sort", income, row,
                                        spread.range(), "mark");
      ASSERT_TRUE(got);
      EXPECT_EQ(got->values.at(row), value);
      requests += static_cast<double>(got->requests);
    }
    const Worth worth = worth_of({.kind = Kind::Sort, .rows = 60, .values = values, .page = 65});
    expect_near(fmt::format("one of {} numbers, by an order", values).c_str(), worth.one_value,
                requests / 60);
    EXPECT_EQ(worth.ranks, 1);
    EXPECT_EQ(spread.service().people().size(), 60U);
  }
}

TEST(Worth, OfValuesThatCanOnlyBeToldApart) {
  const Worth worth = worth_of({.kind = Kind::Filter, .values = 5, .ordered = false});
  // Guessed in one order: 1, 2, 3, 4 and 4 guesses.
  EXPECT_DOUBLE_EQ(worth.one_value, (1 + 2 + 3 + 4 + 4) / 5.0);
  EXPECT_DOUBLE_EQ(worth.everybody, 4);
}

// Rows of one religion come in the order of ids; each step back begins another.
TEST(Worth, OfAnOrderIsTheGroupsThatTiesShow) {
  FakeClock clock;
  StandIn service({.seed = 41, .page = 300, .leaks = {"sort"}, .order = DefaultOrder::Slot}, clock);
  const auto ties = service.ask({.way = "sort", .field = "nothing"}).rows;
  const auto listing = service.ask({.way = "sort", .field = "religion"}).rows;
  std::map<std::string, std::set<std::string>> by_religion;
  for (Person& person : service.people()) {
    by_religion[person.values["religion"].text].insert(person.id);
  }
  const TieGroups found = groups_by_ties(listing, ties);
  fmt::print("groups by ties: {} of {} religions, in 2 requests\n", found.groups.size(),
             by_religion.size());
  ASSERT_EQ(found.groups.size(), by_religion.size());
  auto religion = by_religion.begin();
  for (const auto& group : found.groups) {
    EXPECT_EQ(std::set<std::string>(group.begin(), group.end()), (religion++)->second);
  }
}

}  // namespace
}  // namespace rankveil::probe
