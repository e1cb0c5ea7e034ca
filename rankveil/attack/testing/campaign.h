// A small campaign for tests: the same attacks through any target, to be compared with those on an
// index in this process.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "rankveil/attack/index_target.h"
#include "rankveil/attack/method.h"
#include "rankveil/attack/targets/awkward_people.h"
#include "rankveil/attack/targets/live_target.h"
#include "rankveil/ranking/index.h"

namespace rankveil::attack::testing_support {

// A path that no other test uses, nor another run of the same.
inline std::string own_path(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return testing::TempDir() + "rankveil-" + std::to_string(::getpid()) + "-" + test->name() + "-" +
         name;
}

struct Campaign {
  Table table = awkward_table();
  std::uint32_t k = 8;
  std::vector<std::string> methods = {"q-point", "q-in", "qi-point", "qi-in"};
  std::uint32_t victims = 6;

  Index index() const { return Index::build(public_part(table), unprotected_profiles(table), {}); }
  Knowledge knowledge() const {
    Knowledge knowledge;
    knowledge.schema = table.schema();
    knowledge.public_columns = public_part(table).columns;
    knowledge.weights = weights_of(table.schema());
    knowledge.k = k;
    knowledge.belief.none_missing = true;
    return knowledge;
  }
};

inline Result<Report> attack_one(const Campaign& campaign, const Knowledge& knowledge,
                                 Target& target, std::uint32_t number) {
  const std::string& method = campaign.methods[number % campaign.methods.size()];
  return run(method, {.knowledge = knowledge, .target = target, .victim = number * 7 + 1});
}

// Reports of an index in this process: what every target should find.
inline std::vector<Report> expected_reports(const Campaign& campaign) {
  std::vector<Report> reports;
  Knowledge knowledge = campaign.knowledge();
  for (std::uint32_t number = 0; number < campaign.victims; ++number) {
    IndexTarget target(campaign.index(), campaign.k, unprotected_row(campaign.table.schema()));
    reports.push_back(*attack_one(campaign, knowledge, target, number));
  }
  return reports;
}

// Does something before each call goes through.
class WatchedTarget : public Target {
 public:
  WatchedTarget(Target& target, std::function<void()> before)
      : target_(target), before_(std::move(before)) {}

  Result<std::vector<std::uint32_t>> query(const Query& query) override {
    if (before_) before_();
    return target_.query(query);
  }
  Result<std::uint32_t> insert(std::span<const ValueId> values) override {
    if (before_) before_();
    return target_.insert(values);
  }
  bool takes_inserts() const override { return target_.takes_inserts(); }
  bool takes_sets() const override { return target_.takes_sets(); }

 private:
  Target& target_;
  std::function<void()> before_;
};

// The same through a live target. Ends at the first failure. `before` is called before each query
// and insert.
inline Result<std::vector<Report>> live_reports(const Campaign& campaign, LiveTarget& target,
                                                std::function<void()> before = {}) {
  std::vector<Report> reports;
  Knowledge knowledge = campaign.knowledge();
  WatchedTarget watched(target, std::move(before));
  for (std::uint32_t number = 0; number < campaign.victims; ++number) {
    auto report = attack_one(campaign, knowledge, watched, number);
    if (!report) return report.error();
    reports.push_back(std::move(*report));
    if (auto again = target.restart(); !again) return again.error();
  }
  return reports;
}

inline void expect_same(const Finding& left, const Finding& right) {
  EXPECT_EQ(left.outcome, right.outcome);
  EXPECT_EQ(left.verdicts, right.verdicts);
  EXPECT_EQ(left.soft, right.soft);
  EXPECT_EQ(left.queries, right.queries);
  EXPECT_EQ(left.inserts, right.inserts);
}

inline void expect_same(const std::vector<Report>& left, const std::vector<Report>& right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "attack " << i);
    EXPECT_EQ(left[i].queries, right[i].queries);
    EXPECT_EQ(left[i].inserts, right[i].inserts);
    ASSERT_EQ(left[i].findings.size(), right[i].findings.size());
    for (std::size_t j = 0; j < left[i].findings.size(); ++j) {
      expect_same(left[i].findings[j], right[i].findings[j]);
    }
  }
}

// The campaign through `target` finds what it finds in an index.
inline void expect_same_findings(const Campaign& campaign, LiveTarget& target,
                                 std::function<void()> before = {}) {
  auto reports = live_reports(campaign, target, std::move(before));
  ASSERT_TRUE(reports) << reports.error().message;
  expect_same(*reports, expected_reports(campaign));
}

}  // namespace rankveil::attack::testing_support
