#include "rankveil/protect/pvst/cover/shortlist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/pvst/cover/search.h"
#include "rankveil/protect/testing/set_tasks.h"

namespace rankveil::cover {
namespace {

using testing_support::OwnTask;
using testing_support::skewed_task;

// All rows of a table as one group.
struct OneGroup {
  explicit OneGroup(const Task& task) : vectors(*vectors_of(task)), group(vectors) {
    std::vector<RowId> rows;
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) rows.push_back(RowId{row});
    group.build(rows, 1);
  }
  // Attributes whose sets are to grow after a choice that was new to all.
  std::vector<std::uint32_t> open_after_one(std::uint32_t l) const {
    std::vector<std::uint32_t> open;
    for (std::uint32_t j = 0; j < vectors.attributes(); ++j) {
      if (std::min(l, group.values(j)) > 2) open.push_back(j);
    }
    return open;
  }
  std::uint32_t position_of(RowId row) const {
    for (std::uint32_t p = 0; p < group.size(); ++p) {
      if (group.row(p) == +row) return p;
    }
    return group.size();
  }

  Vectors vectors;
  Group group;
};

// Two values, few, rare ones, and more codes than a byte holds.
const std::vector<std::vector<std::uint32_t>> shapes = {
    {5, 6, 8, 12, 15, 9}, {2, 9, 8, 2, 7, 6}, {200, 5, 90, 4}, {300, 6, 5}, {2, 2}};

bool is_unlike(const OneGroup& of, const std::vector<std::uint32_t>& attributes, std::uint32_t p,
               std::uint32_t first) {
  for (std::uint32_t j : attributes) {
    std::uint32_t code = of.group.code(p, j);
    if (code == of.vectors.domain(j) || code == of.group.code(first, j)) return false;
  }
  return true;
}

TEST(Shortlist, HasWhoIsUnlikeTheFirstUpToALine) {
  for (std::uint32_t seed = 0; seed < some_of(10U); ++seed) {
    Rng rng(seed);
    OwnTask own = skewed_task(rng, 8000, 0, shapes[seed % shapes.size()]);
    OneGroup of(own.task());
    std::vector<std::uint32_t> attributes(of.vectors.attributes() - seed % 2);
    std::iota(attributes.begin(), attributes.end(), 0U);
    for (std::uint32_t i = 0; i < 20; ++i) {
      auto first = static_cast<std::uint32_t>(rng.below(of.group.size()));
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", first " << first);
      std::uint32_t enough = 1 + seed * 150;
      Shortlist list(of.group, attributes, first, enough);
      std::uint32_t end = std::min(of.group.size(), list.next_line() * positions_per_line);
      std::uint32_t at = 0, before_last_line = 0;
      for (std::uint32_t p = 0; p < end; ++p) {
        if (!is_unlike(of, attributes, p, first)) continue;
        ASSERT_LT(at, list.lines() * positions_per_line);
        ASSERT_EQ(list.position(at), p);
        for (std::uint32_t j = 0; j < of.vectors.attributes(); ++j) {
          const std::uint64_t* plane = list.plane(j, of.group.code(p, j));
          ASSERT_NE(plane, nullptr);
          ASSERT_NE(plane[at / 64] >> (at % 64) & 1, 0U);
        }
        ++at;
        before_last_line += p + positions_per_line < list.next_line() * positions_per_line ? 1 : 0;
      }
      EXPECT_TRUE(at >= enough || list.next_line() == of.group.lines());
      EXPECT_LT(before_last_line, enough);  // it ends with the line that filled it
      // Bits of the last line count up to the last candidate.
      std::uint32_t in_last = 0;
      for (std::uint32_t w = 0; w < words_per_line; ++w) {
        in_last += static_cast<std::uint32_t>(std::popcount(list.last_line()[w]));
      }
      EXPECT_EQ(at, list.lines() == 0 ? 0 : (list.lines() - 1) * positions_per_line + in_last);
    }
  }
}

// How many first choices had a list.
std::uint32_t expect_same_choices(const OneGroup& of, std::uint32_t l, ShortlistUse use) {
  Shortlists shortlists(of.group, l, use);
  Search with(of.vectors, l);
  Search without(of.vectors, l);
  with.use(of.group, &shortlists);
  without.use(of.group);
  std::set<std::uint32_t> first_choices;
  for (std::uint32_t p = 0; p < of.group.size(); ++p) {
    std::vector<RowId> chosen, expected;
    with.run(p, chosen);
    without.run(p, expected);
    EXPECT_EQ(chosen, expected) << "position " << p;
    if (testing::Test::HasFailure()) return 0;
    if (!chosen.empty()) first_choices.insert(of.position_of(chosen[0]));
  }
  return static_cast<std::uint32_t>(
      std::count_if(first_choices.begin(), first_choices.end(), [&](std::uint32_t first) {
        return shortlists.find(first, of.open_after_one(l)) != nullptr;
      }));
}

TEST(Shortlists, ChangeNoChoice) {
  std::uint32_t lists = 0;
  for (std::uint32_t seed = 0; seed < some_of(2 * shapes.size()); ++seed) {
    Rng rng(seed);
    OwnTask own = skewed_task(rng, 6000, 0, shapes[seed % shapes.size()]);
    OneGroup of(own.task());
    for (std::uint32_t l : {2U, 3U, 5U}) {
      for (std::uint32_t enough : {1U, of.group.size()}) {  // lists that end early, and whole ones
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", l " << l << ", " << enough);
        lists += expect_same_choices(of, l, {enough, 8});
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(lists, 20U);  // so that there was something to compare
}

TEST(Shortlists, AreNotForWideDomains) {
  Rng rng(1);
  OwnTask own = skewed_task(rng, 2000, 0, {3000, 5, 6});
  OneGroup of(own.task());
  std::vector<std::uint32_t> open = of.open_after_one(3);
  Shortlists shortlists(of.group, 3, {1, 0});
  EXPECT_EQ(shortlists.find(0, open), nullptr);
}

TEST(Shortlists, AreForFirstChoicesThatAreAskedForOften) {
  Rng rng(1);
  OwnTask own = skewed_task(rng, 6000, 0, {5, 6, 8, 12});
  OneGroup of(own.task());
  std::vector<std::uint32_t> open = of.open_after_one(3);
  Shortlists shortlists(of.group, 3);
  EXPECT_EQ(shortlists.find(0, open), nullptr);
  for (std::uint32_t i = 0; i < 1000; ++i) shortlists.find(0, open);
  EXPECT_NE(shortlists.find(0, open), nullptr);
  EXPECT_EQ(shortlists.find(1, open), nullptr);
  EXPECT_EQ(shortlists.find(0xFFFFFFFF, open), nullptr);  // no first choice yet
  open.pop_back();
  EXPECT_EQ(shortlists.find(0, open), nullptr);
}

}  // namespace
}  // namespace rankveil::cover
