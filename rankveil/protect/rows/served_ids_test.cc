#include "rankveil/protect/rows/served_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "rankveil/protect/rows/keyed_order.h"
#include "rankveil/table/arranged.h"

namespace rankveil {
namespace {

using testing::HasSubstr;

const SecretKey key = SecretKey::from_seed(77);

Table rows_called(std::int64_t first, std::int64_t count) {
  Schema schema;
  schema.id_name = "id";
  schema.attributes.push_back({.name = "city", .domain = *Domain::of({"Oslo", "Rome", "Kiel"})});
  schema.attributes.push_back(
      {.name = "pay", .visibility = Visibility::Private, .domain = *Domain::of({"low", "high"})});
  IntegerNames names;
  std::vector<ValueId> city, pay;
  for (std::int64_t id = first; id < first + count; ++id) {
    names.values.push_back(id);
    city.push_back(ValueId{static_cast<std::uint16_t>(id % 3)});
    pay.push_back(ValueId{static_cast<std::uint16_t>(id % 2)});
  }
  return Table(schema, {Column(3, city), Column(2, pay)}, RowNames(std::move(names)));
}

Index index_of(const Table& table, const ServedIds& ids) {
  Table rows = arranged(table, keyed_order(table.names(), key));
  PublicTable part = public_part(rows);
  part.names = *served_names(rows.names(), ids, key);
  Json notes;
  notes.set("ids", to_json(ids));
  return Index::build(std::move(part), unprotected_profiles(rows), {.notes = std::move(notes)});
}

TEST(ServedNames, HideIdsBehindSixteenDigits) {
  RowNames ids(IntegerNames{{1, 2, 3}});
  RowNames names = *served_names(ids, {IdForm::Keyed, "a.rankveil"}, key);
  std::set<std::string> met;
  for (std::uint32_t row = 0; row < 3; ++row) {
    std::string name = names.text(RowId{row});
    EXPECT_EQ(name.size(), 16U);
    EXPECT_EQ(name.find_first_not_of("0123456789abcdef"), std::string::npos) << name;
    met.insert(name);
  }
  EXPECT_EQ(met.size(), 3U);
}

TEST(ServedNames, AreThoseOfOneOutputAndKey) {
  RowNames ids(IntegerNames{{1}});
  auto name = [&](const std::string& output, std::uint64_t seed) {
    return served_names(ids, {IdForm::Keyed, output}, SecretKey::from_seed(seed))->text(RowId{0});
  };
  EXPECT_EQ(name("a", 1), name("a", 1));
  EXPECT_NE(name("a", 1), name("b", 1)) << "two outputs cannot be joined by names";
  EXPECT_NE(name("a", 1), name("a", 2));
}

TEST(ServedNames, MayBeIdsOrPlacesAlone) {
  RowNames ids(IntegerNames{{30, 10}});
  EXPECT_EQ(served_names(ids, {}, key)->text(RowId{0}), "30");
  EXPECT_EQ(served_names(ids, {IdForm::None, ""}, key)->text(RowId{0}), "0");
}

TEST(ServedIds, AreReadBackFromNotes) {
  for (const ServedIds& ids :
       {ServedIds{}, ServedIds{IdForm::Keyed, "x y"}, ServedIds{IdForm::None, ""}}) {
    EXPECT_EQ(served_ids_of(index_of(rows_called(1, 9), ids).info()), ids);
  }
  EXPECT_EQ(served_ids_of(IndexInfo{}), ServedIds{}) << "an index that says nothing";
}

// The owner joins table and index whatever the index calls its rows.
TEST(CalledAsIn, GivesTheTableTheNamesOfTheIndex) {
  Table table = rows_called(100, 50);
  for (IdForm form : {IdForm::Plain, IdForm::Keyed, IdForm::None}) {
    Index index = index_of(table, {form, "o"});
    auto called = called_as_in(index, table, &key);
    ASSERT_TRUE(called) << called.error().message;
    for (std::uint32_t row = 0; row < 50; ++row) {
      auto found = index.find_row(called->names().text(RowId{row}));
      ASSERT_TRUE(found);
      for (std::uint32_t a : {0U}) {
        EXPECT_EQ(index.public_value(*found, AttributeId{a}),
                  called->value(RowId{row}, AttributeId{a}));
      }
      ValueId pay = called->value(RowId{row}, AttributeId{1});
      EXPECT_EQ(index.match(*found, PrivateId{0}, pay), 1);
    }
  }
}

TEST(CalledAsIn, AsksForTheKeyAndTheSameRows) {
  Table table = rows_called(100, 50);
  Index keyed = index_of(table, {IdForm::Keyed, "o"}), none = index_of(table, {IdForm::None, ""});
  EXPECT_TRUE(called_as_in(index_of(table, {}), table, nullptr)) << "plain ids need no key";
  EXPECT_THAT(called_as_in(keyed, table, nullptr).error().message,
              HasSubstr("by keyed names, so only the key tells"));
  EXPECT_THAT(called_as_in(none, rows_called(100, 51), &key).error().message,
              HasSubstr("has 50 rows and no names for them, and the table has 51"));
}

TEST(CalledByIds, FindsTheRowsOfALaterTable) {
  Index index = index_of(rows_called(0, 40), {IdForm::Keyed, "o"});
  auto made = called_by_ids(index, rows_called(20, 40).names(), key);  // 0 to 19 have left
  ASSERT_TRUE(made);
  const Index& named = *made;
  EXPECT_EQ(named.rows(), 40U);
  for (int id = 20; id < 40; ++id) {
    auto row = named.find_row(std::to_string(id));
    ASSERT_TRUE(row) << id;
    EXPECT_EQ(+named.public_value(*row, AttributeId{0}), static_cast<unsigned>(id % 3));
    EXPECT_EQ(named.match(*row, PrivateId{0}, ValueId{static_cast<std::uint16_t>(id % 2)}), 1);
  }
  EXPECT_FALSE(named.find_row("5"));
}

TEST(CalledByIds, NeedsAllIdsWhereRowsHaveNoNames) {
  Index index = index_of(rows_called(0, 40), {IdForm::None, ""});
  auto named = called_by_ids(index, rows_called(0, 40).names(), key);
  ASSERT_TRUE(named);
  for (int id = 0; id < 40; ++id) {
    auto row = named->find_row(std::to_string(id));
    ASSERT_TRUE(row) << id;
    EXPECT_EQ(named->match(*row, PrivateId{0}, ValueId{static_cast<std::uint16_t>(id % 2)}), 1);
  }
  EXPECT_THAT(called_by_ids(index, rows_called(0, 39).names(), key).error().message,
              HasSubstr("40 rows without names"));
}

}  // namespace
}  // namespace rankveil
