#include "rankveil/table/telling/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/table/row_groups.h"

namespace rankveil {
namespace {

Domain numbered_domain(std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t i = 0; i < size; ++i) values.push_back("v" + std::to_string(i));
  return *Domain::of(std::move(values));
}

// Few rows differ, some values are missing, and some domains need two bytes.
Table random_table(Rng& rng) {
  auto rows = static_cast<std::uint32_t>(rng.below(120));
  auto attributes = static_cast<std::uint32_t>(rng.below(9));
  auto publics = static_cast<std::uint32_t>(rng.below(attributes + 1));
  Schema schema;
  std::vector<Column> columns;
  for (std::uint32_t a = 0; a < attributes; ++a) {
    std::uint32_t size = std::array{1U, 2U, 3U, 70U, 300U}[rng.below(5)];
    if (rng.below(40) == 0) size = largest_domain;
    std::vector<ValueId> values(rows);
    for (ValueId& value : values) {
      value = ValueId{static_cast<std::uint16_t>(size - 1 - rng.below(std::min(size, 3U)))};
      if (rng.below(8) == 0) value = missing_value;
    }
    auto visibility = a < publics ? Visibility::Public : Visibility::Private;
    schema.attributes.push_back({"a" + std::to_string(a), visibility, 1, numbered_domain(size)});
    columns.emplace_back(size, values);
  }
  return Table(std::move(schema), std::move(columns), RowNames(RowNumbers{rows}));
}

bool alike(const Table& table, std::uint32_t left, std::uint32_t right, std::uint32_t attributes) {
  for (std::uint32_t a = 0; a < attributes; ++a) {
    if (table.value(RowId{left}, AttributeId{a}) != table.value(RowId{right}, AttributeId{a})) {
      return false;
    }
  }
  return true;
}

std::vector<std::uint64_t> sizes_by_comparing(const Table& table, std::uint32_t attributes) {
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    std::uint64_t earlier = 0, all = 0;
    for (std::uint32_t other = 0; other < table.rows(); ++other) {
      bool same = alike(table, row, other, attributes);
      earlier += same && other < row ? 1 : 0;
      all += same ? 1 : 0;
    }
    if (earlier == 0) sizes.push_back(all);
  }
  return sizes;
}

// Every class there could be, counted on its own.
std::vector<GroupSizeClass> classes_by_counting(const std::vector<std::uint64_t>& sizes) {
  std::vector<GroupSizeClass> classes = {{1, 1, 0, 0},       {2, 5, 0, 0},
                                         {6, 20, 0, 0},      {21, 100, 0, 0},
                                         {101, 1'000, 0, 0}, {1'001, UINT64_MAX, 0, 0}};
  std::vector<GroupSizeClass> there;
  for (GroupSizeClass& one : classes) {
    for (std::uint64_t size : sizes) {
      if (size < one.least || size > one.most) continue;
      ++one.groups;
      one.rows += size;
    }
    if (one.groups > 0) there.push_back(one);
  }
  return there;
}

void expect_classes(const std::vector<GroupSizeClass>& classes,
                    const std::vector<GroupSizeClass>& expected) {
  ASSERT_EQ(classes.size(), expected.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    EXPECT_EQ(classes[i].least, expected[i].least);
    EXPECT_EQ(classes[i].most, expected[i].most);
    EXPECT_EQ(classes[i].groups, expected[i].groups);
    EXPECT_EQ(classes[i].rows, expected[i].rows);
  }
}

void expect_groups(const GroupSummary& groups, std::vector<std::uint64_t> sizes) {
  std::sort(sizes.begin(), sizes.end());
  ASSERT_EQ(groups.groups, sizes.size());
  if (sizes.empty()) return;
  EXPECT_EQ(groups.smallest, sizes.front());
  EXPECT_EQ(groups.largest, sizes.back());
  EXPECT_EQ(groups.median, sizes[sizes.size() / 2]);
  std::uint64_t below = 0;
  for (std::uint64_t size : sizes) below += size < 21 ? size : 0;
  EXPECT_EQ(groups.rows_below_21, below);
  EXPECT_EQ(static_cast<std::ptrdiff_t>(groups.unique_rows),
            std::count(sizes.begin(), sizes.end(), 1U));
  expect_classes(groups.sizes, classes_by_counting(sizes));
}

TEST(Summarize, AgreesWithComparingAllRows) {
  for (std::uint64_t seed = 0; seed < some_of(200U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng);
    TableSummary summary = summarize(table);
    ASSERT_EQ(summary.rows, table.rows());
    expect_groups(summary.public_groups, sizes_by_comparing(table, table.schema().public_count()));
    auto distinct = sizes_by_comparing(table, table.schema().size()).size();
    ASSERT_EQ(summary.repeated_rows, table.rows() - distinct);
  }
}

TEST(Summarize, CountsEveryValueAndTheMissingOnes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng);
    TableSummary summary = summarize(table);
    ASSERT_EQ(summary.attributes.size(), table.schema().size());
    for (std::uint32_t a = 0; a < table.schema().size(); ++a) {
      const AttributeSummary& attribute = summary.attributes[a];
      const Domain& domain = table.schema().attributes[a].domain;
      ASSERT_EQ(attribute.values.size(), domain.size());
      ASSERT_EQ(attribute.largest_l, attribute.is_private ? domain.size() : 0);
      std::vector<std::uint64_t> counts(domain.size());
      std::uint64_t missing = 0;
      for (std::uint32_t row = 0; row < table.rows(); ++row) {
        ValueId value = table.value(RowId{row}, AttributeId{a});
        ++(value == missing_value ? missing : counts[+value]);
      }
      ASSERT_EQ(attribute.missing, missing);
      for (std::uint32_t i = 0; i < domain.size(); ++i) {
        ASSERT_EQ(attribute.values[i].value, domain.values()[i]);
        ASSERT_EQ(attribute.values[i].rows, counts[i]);
      }
    }
  }
}

// One public attribute, and groups of just these sizes.
Table table_of_groups(const std::vector<std::uint64_t>& sizes) {
  auto domain = static_cast<std::uint32_t>(sizes.size());
  std::vector<ValueId> values;
  for (std::size_t group = 0; group < sizes.size(); ++group) {
    values.insert(values.end(), sizes[group], ValueId{static_cast<std::uint16_t>(group)});
  }
  auto rows = static_cast<std::uint32_t>(values.size());
  Schema schema;
  schema.attributes = {{"city", Visibility::Public, 1, numbered_domain(domain)}};
  return Table(schema, {Column(domain, values)}, RowNames(RowNumbers{rows}));
}

TEST(Summarize, CountsGroupsByTheirSize) {
  std::vector<std::uint64_t> sizes = {1, 2, 5, 6, 20, 21, 100, 101, 1'000, 1'001, 4'000, 1, 20};
  TableSummary summary = summarize(table_of_groups(sizes));
  expect_groups(summary.public_groups, sizes);
  ASSERT_EQ(summary.public_groups.sizes.size(), 6U);
  EXPECT_EQ(summary.public_groups.sizes[2].groups, 3U);
  EXPECT_EQ(summary.public_groups.sizes[2].rows, 46U);
  EXPECT_TRUE(summary.public_groups.sizes[5].has_no_end());
}

TEST(Summarize, LeavesOutSizesThatNoGroupHas) {
  TableSummary summary = summarize(table_of_groups({1, 1, 1'000}));
  expect_classes(summary.public_groups.sizes, {{1, 1, 2, 2}, {101, 1'000, 1, 1'000}});
}

TEST(Summarize, SaysWhatCodesTakeInMemory) {
  Schema schema;
  schema.attributes = {{"city", Visibility::Public, 1, numbered_domain(10)},
                       {"job", Visibility::Private, 1, numbered_domain(100)}};
  std::vector<ValueId> values(80, ValueId{3});
  Table table(schema, {Column(10, values), Column(100, values)}, RowNames(RowNumbers{80}));
  EXPECT_EQ(summarize(table).table_bytes, 160U);
}

TEST(Summarize, AnEmptyTableHasNoGroups) {
  TableSummary summary = summarize(Table());
  EXPECT_EQ(summary.rows, 0U);
  EXPECT_EQ(summary.public_groups.groups, 0U);
  EXPECT_EQ(summary.repeated_rows, 0U);
}

TEST(GroupSizes, SurviveManyGroups) {
  constexpr std::uint32_t rows = 50'000;
  std::vector<ValueId> high(rows), low(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t group = row % 20'000;
    high[row] = ValueId{static_cast<std::uint16_t>(group / 200)};
    low[row] = ValueId{static_cast<std::uint16_t>(group % 200)};
  }
  Schema schema;
  schema.attributes = {{"high", Visibility::Public, 1, numbered_domain(100)},
                       {"low", Visibility::Public, 1, numbered_domain(200)}};
  Table table(schema, {Column(100, high), Column(200, low)}, RowNames(RowNumbers{rows}));
  auto sizes = group_sizes(table, std::vector{AttributeId{0}, AttributeId{1}});
  ASSERT_EQ(sizes.size(), 20'000U);
  EXPECT_THAT(std::span(sizes).first(10'000), testing::Each(3U));
  EXPECT_THAT(std::span(sizes).subspan(10'000), testing::Each(2U));
  EXPECT_THAT(group_sizes(table, {}), testing::ElementsAre(rows));
}

}  // namespace
}  // namespace rankveil
