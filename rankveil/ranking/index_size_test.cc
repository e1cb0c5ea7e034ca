#include "rankveil/ranking/index_size.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

enum class IdKind { None, Counted, Scattered, Wide, Text };
constexpr std::array id_kinds = {IdKind::None, IdKind::Counted, IdKind::Scattered, IdKind::Wide,
                                 IdKind::Text};

std::int64_t integer_id(IdKind kind, std::uint32_t row) {
  if (kind == IdKind::Counted) return 1'000'000 + std::int64_t{row};
  return kind == IdKind::Wide ? INT64_MAX - 7 * (std::int64_t{row} << 32) : 3 * std::int64_t{row};
}

RowNames ids_of_kind(IdKind kind, std::uint32_t rows) {
  if (kind == IdKind::None) return RowNames(RowNumbers{rows});
  if (kind == IdKind::Text) {
    TextNames names;
    for (std::uint32_t row = 0; row < rows; ++row) {
      names.bytes += "8c1f-44a0-" + std::to_string(row * 7);
      names.ends.push_back(names.bytes.size());
    }
    return RowNames(std::move(names));
  }
  IntegerNames names;
  for (std::uint32_t row = 0; row < rows; ++row) names.values.push_back(integer_id(kind, row));
  return RowNames(std::move(names));
}

Table table_with_ids(Rng& rng, const RandomShape& shape, IdKind kind) {
  Table table = random_table(rng, shape);
  Schema schema = table.schema();
  if (kind != IdKind::None) schema.id_name = "the \"id\"";
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) columns.push_back(table.column(AttributeId{i}));
  return Table(std::move(schema), std::move(columns), ids_of_kind(kind, shape.rows));
}

std::uint64_t written_bytes(const Table& table, std::uint32_t k) {
  TemporaryFolder folder("rankveil-index-size");
  std::string path = folder.path("x.rankveil");
  IndexInfo info{.scheme = "unprotected", .l = 0, .default_k = k, .notes = {}};
  Index index = Index::build(public_part(table), unprotected_profiles(table), info);
  EXPECT_TRUE(write_index(index, path));
  return std::filesystem::file_size(path);
}

void expect_size_of_file(const RandomShape& shape, IdKind kind, std::uint64_t seed) {
  SCOPED_TRACE(::testing::Message() << "seed " << seed << ", rows " << shape.rows << ", id kind "
                                    << static_cast<int>(kind));
  Rng rng(seed);
  Table table = table_with_ids(rng, shape, kind);
  EXPECT_EQ(unprotected_index_bytes(table, summarize(table), 17), written_bytes(table, 17));
}

TEST(UnprotectedIndexBytes, AreThoseOfTheFileForEveryKindOfId) {
  for (IdKind kind : id_kinds) {
    expect_size_of_file({1'000, 3, 3, 6}, kind, 1);
    expect_size_of_file({40'000, 2, 2, 12}, kind, 2);
  }
}

TEST(UnprotectedIndexBytes, AreThoseOfTheFileForEverySizeOfTable) {
  for (std::uint32_t rows : {1U, 2U, 511U, 512U, 513U, 32'767U, 32'769U}) {
    expect_size_of_file({rows, 2, 2, 9}, IdKind::Counted, rows);
    expect_size_of_file({rows, 2, 2, 300}, IdKind::Text, rows);
  }
}

TEST(UnprotectedIndexBytes, AreThoseOfTheFileForLargeDomains) {
  for (std::uint64_t seed = 0; seed < some_of(16U); ++seed) {
    expect_size_of_file({5'000, 2, 2, 100}, IdKind::None, seed);
    expect_size_of_file({5'000, 1, 2, 5'000}, IdKind::Scattered, seed);
  }
  expect_size_of_file({some_of(80'000U), 1, 1, largest_domain}, IdKind::None, 99);
}

}  // namespace
}  // namespace rankveil
