#include "rankveil/ranking/index_file.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "rankveil/base/aligned_words.h"
#include "rankveil/base/checksum.h"
#include "rankveil/base/file.h"
#include "rankveil/ranking/store/index_layout.h"
#include "rankveil/ranking/store/state.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

std::string temporary(const std::string& name) {
  return (std::filesystem::path(::testing::TempDir()) / ("index_file_test_" + name)).string();
}

Profiles profiles_of_kind(Rng& rng, const Table& table, int kind) {
  if (kind == 0) return unprotected_profiles(table);
  if (kind == 1) return random_levels(rng, table, 3);
  return random_grouped(rng, table, 5, {1, 3});
}

// An index with two segments, erased rows, a large domain and text names.
Index sample_index(std::uint64_t seed, int kind) {
  Rng rng(seed);
  RandomShape shape{700, 3, 3, seed % 2 == 0 ? 6U : 200U};
  Table table = random_table(rng, shape);
  PublicTable rows = public_part(table);
  TextNames names;
  for (int i = 0; i < 700; ++i) {
    names.bytes += "row" + std::to_string(i * 7);
    names.ends.push_back(names.bytes.size());
  }
  if (seed % 3 == 0) rows.names = RowNames(std::move(names));
  Index index = Index::build(rows, profiles_of_kind(rng, table, kind), {"test", 2, 10, Json("n")});
  index = index.erase(std::vector<RowId>{RowId{3}, RowId{699}});
  auto grown = index.append(rows, profiles_of_kind(rng, table, kind));
  EXPECT_TRUE(grown);
  return *grown;
}

void expect_same_answers(const Index& left, const Index& right, std::uint64_t seed) {
  Rng rng(seed);
  ASSERT_EQ(left.rows(), right.rows());
  for (int i = 0; i < 20; ++i) {
    Query query = random_query(rng, left.schema());
    EXPECT_EQ(left.rank(query, {25, 1, nullptr}).hits, right.rank(query, {25, 1, nullptr}).hits);
  }
  for (std::uint32_t row = 0; row < left.rows(); row += 13) {
    EXPECT_EQ(left.name(RowId{row}), right.name(RowId{row}));
    for (std::uint32_t a = 0; a < left.schema().public_count(); ++a) {
      EXPECT_EQ(left.public_value(RowId{row}, AttributeId{a}),
                right.public_value(RowId{row}, AttributeId{a}));
    }
  }
}

TEST(IndexFile, ReadsBackWhatWasWritten) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (int kind = 0; kind < 3; ++kind) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " kind " << kind);
      Index index = sample_index(seed, kind);
      std::string path = temporary("round_trip");
      ASSERT_TRUE(write_index(index, path));
      ASSERT_TRUE(looks_like_index(path));
      auto back = open_index(path);
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(back->info().scheme, kind == 0 ? "unprotected" : "test");
      EXPECT_EQ(back->info().l, 2U);
      expect_same_answers(index, *back, seed);
      std::vector<RowId> gone = {RowId{5}, RowId{1100}};
      expect_same_answers(index.erase(gone), back->erase(gone), seed);
    }
  }
}

// Every row has values of its group only, half of the strengths above that.
Profiles grouped_by_row(const Table& table, std::uint32_t groups) {
  std::vector<std::uint32_t> domains = table.schema().private_domain_sizes();
  GroupedProfiles made{
      {1, 2}, LevelProfiles(table.rows(), domains, 1), {}, GroupShares(groups, domains)};
  for (std::uint32_t g = 0; g < groups; ++g) {
    made.shares.set_size(g, 5);
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      made.shares.set_count(g, PrivateId{j}, ValueId{static_cast<std::uint16_t>(g % domains[j])},
                            5);
    }
  }
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    std::uint32_t group = row % groups;
    made.group_of.push_back(group);
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      made.signals.set(RowId{row}, PrivateId{j},
                       ValueId{static_cast<std::uint16_t>(group % domains[j])});
    }
  }
  return made;
}

// About two levels of fifteen, as posteriors lie.
Profiles strengths_about_two_levels(Rng& rng, const Table& table) {
  LevelProfiles made(table.rows(), table.schema().private_domain_sizes(), 15);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    for (std::uint32_t j = 0; j < made.domain_sizes().size(); ++j) {
      ValueId shown = skewed_value(rng, made.domain_sizes()[j]);
      for (std::uint16_t v = 0; v < made.domain_sizes()[j]; ++v) {
        auto rare = static_cast<std::uint32_t>(rng.below(150) == 0 ? rng.below(16) : 0);
        std::uint32_t usual =
            (ValueId{v} == shown ? 9 : 1) + static_cast<std::uint32_t>(rng.below(2));
        made.set(RowId{row}, PrivateId{j}, ValueId{v}, rare > 0 ? rare : usual);
      }
    }
  }
  return made;
}

Index written_and_opened(const Index& index) {
  std::string path = temporary("shapes");
  EXPECT_TRUE(write_index(index, path));
  // Serving needs what the file has: planes, codes, counts, in all their shapes.
  EXPECT_GT(static_cast<double>(index.bytes()),
            0.9 * static_cast<double>(std::filesystem::file_size(path)));
  auto back = open_index(path);
  EXPECT_TRUE(back) << back.error().message;
  return *back;
}

TEST(IndexFile, KeepsGroupsSideBySide) {
  Rng rng(3);
  Table table = random_table(rng, {9000, 3, 4});
  for (Fraction keep : {Fraction{1, 3}, Fraction{0, 1}}) {
    Index index = Index::build(public_part(table), random_grouped(rng, table, 1500, keep), {});
    auto grown = index.append(public_part(table), random_grouped(rng, table, 1500, keep));
    ASSERT_TRUE(grown);
    Index back = written_and_opened(*grown);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& made = grown->state().slots[i].segment->group_columns;
      const auto& read = back.state().slots[i].segment->group_columns;
      ASSERT_TRUE(made);
      ASSERT_TRUE(read);
      EXPECT_EQ(read->units, made->units);
      EXPECT_EQ(read->largest_unit, made->largest_unit);
      EXPECT_EQ(read->largest_factor, made->largest_factor);
      for (std::size_t slot = 0; slot < made->groups.size(); ++slot) {
        ASSERT_EQ(read->groups[slot].number, made->groups[slot].number);
        ASSERT_EQ(read->groups[slot].size, made->groups[slot].size);
        ASSERT_EQ(read->groups[slot].factor, made->groups[slot].factor);
      }
    }
    EXPECT_EQ(back.bytes(), grown->bytes());
    expect_same_answers(*grown, back, 5);
  }
}

TEST(IndexFile, KeepsWhatRunsReach) {
  Rng rng(4);
  Table table = random_table(rng, {9000, 1, 3, 5, 0.0});
  Index index = Index::build(public_part(table), grouped_by_row(table, 60), {});
  Index back = written_and_opened(index);
  ASSERT_TRUE(index.state().slots[0].segment->reach);
  ASSERT_TRUE(back.state().slots[0].segment->reach);
  ASSERT_TRUE(back.state().slots[0].segment->sample);
  EXPECT_EQ(back.bytes(), index.bytes());
  expect_same_answers(index, back, 6);
}

TEST(IndexFile, KeepsBoundsOfStrengths) {
  Rng rng(5);
  Table table = random_table(rng, {3000, 2, 3});
  Index index = build_index(public_part(table), strengths_about_two_levels(rng, table), {},
                            {.far_bytes = 0, .look_bytes = 0});
  Index back = written_and_opened(index);
  const auto& made = index.state().slots[0].segment->bounds;
  const auto& read = back.state().slots[0].segment->bounds;
  ASSERT_TRUE(made);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->extras().size(), made->extras().size());
  ASSERT_EQ(read->attributes(), made->attributes());
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    for (std::uint32_t j = 0; j <= made->attributes(); ++j) {
      ASSERT_EQ(read->codes(row)[j], made->codes(row)[j]);
    }
  }
  for (std::uint32_t j = 0; j < made->attributes(); ++j) {
    for (std::uint32_t v = 0; v < made->domain_size(j); ++v) {
      StrengthBounds::Bound one = made->bound(j, v);
      StrengthBounds::Bound other = read->bound(j, v);
      ASSERT_EQ(one.low, other.low);
      ASSERT_EQ(one.step, other.step);
      ASSERT_EQ(one.bitmap == nullptr, other.bitmap == nullptr);
      ASSERT_TRUE(
          std::equal(one.excess, one.excess + made->all().attributes[j].codes(), other.excess));
    }
  }
  EXPECT_EQ(back.bytes(), index.bytes());
  expect_same_answers(index, back, 7);
}

TEST(IndexFile, IsTheSameForTheSameIndex) {
  for (int kind = 0; kind < 3; ++kind) {
    ASSERT_TRUE(write_index(sample_index(1, kind), temporary("a")));
    ASSERT_TRUE(write_index(sample_index(1, kind), temporary("b")));
    EXPECT_EQ(*read_text(temporary("a")), *read_text(temporary("b")));
  }
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<layout::Section> sections_of(const std::string& bytes) {
  layout::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::vector<layout::Section> sections(header.section_count);
  std::memcpy(sections.data(), bytes.data() + header.directory_offset,
              sections.size() * sizeof(layout::Section));
  return sections;
}

TEST(IndexFile, FindsAFlippedBitInEverySection) {
  for (int kind = 0; kind < 3; ++kind) {
    std::string path = temporary("flip");
    ASSERT_TRUE(write_index(sample_index(6, kind), path));
    const std::string good = *read_text(path);
    auto words = std::make_shared<AlignedWords>(good.size() / 8 + 1);
    std::span file(reinterpret_cast<std::byte*>(words->data()), good.size());
    std::memcpy(file.data(), good.data(), good.size());
    ASSERT_TRUE(index_from_bytes(file, words));
    Rng rng(7);
    std::vector<std::size_t> places = {0, 9, 13, 20, 30, 40, 50, 58, good.size() - 1};
    for (const auto& section : sections_of(good)) {
      std::uint64_t size = layout::padded(section.size);
      places.push_back(section.offset);
      places.push_back(section.offset + size - 1);
      places.push_back(section.offset + rng.below(size));
    }
    for (std::size_t place : places) {
      std::uint8_t bit = static_cast<std::uint8_t>(1U << rng.below(8));
      file[place] ^= std::byte{bit};
      auto index = index_from_bytes(file, words);
      file[place] ^= std::byte{bit};
      ASSERT_FALSE(index) << "byte " << place;
      EXPECT_EQ(index.error().code, ErrorCode::BadInput);
    }
  }
}

TEST(IndexFile, RefusesATruncatedFile) {
  std::string path = temporary("short");
  ASSERT_TRUE(write_index(sample_index(0, 2), path));
  const std::string good = *read_text(path);
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 16) {
    write_bytes(path, good.substr(0, size));
    EXPECT_FALSE(open_index(path)) << size;
  }
  write_bytes(path, good + "x");
  EXPECT_FALSE(open_index(path));
}

TEST(IndexFile, RefusesForeignFilesInASentence) {
  std::string path = temporary("foreign");
  write_bytes(path, "id,city\n1,Paris\n" + std::string(100, ' '));
  auto index = open_index(path);
  ASSERT_FALSE(index);
  EXPECT_NE(index.error().message.find("is no index file"), std::string::npos);
  EXPECT_FALSE(looks_like_index(path));
  auto missing = open_index(temporary("not-there"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::Io);
}

TEST(IndexFile, RefusesOtherVersionsAndRevisions) {
  std::string path = temporary("version");
  ASSERT_TRUE(write_index(sample_index(4, 1), path));
  const std::string good = *read_text(path);
  auto refusal = [&](auto change) {
    layout::Header header;
    std::memcpy(&header, good.data(), sizeof header);
    change(header);
    header.checksum =
        checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(layout::Header, checksum)));
    std::string bytes = good;
    std::memcpy(bytes.data(), &header, sizeof header);
    write_bytes(path, bytes);
    auto index = open_index(path);
    return index ? "opened" : index.error().message;
  };
  EXPECT_NE(refusal([](layout::Header& h) { h.version = 1; }).find("rankveil protect"),
            std::string::npos);
  for (std::uint64_t older : {1, 2, 3}) {
    std::string said = refusal([&](layout::Header& h) { h.revision = older; });
    EXPECT_NE(said.find("revision " + std::to_string(older)), std::string::npos) << said;
    EXPECT_NE(said.find("rankveil protect, the ledger carries over"), std::string::npos) << said;
  }
  EXPECT_NE(refusal([](layout::Header& h) { ++h.revision; }).find("revision 5"), std::string::npos);
  EXPECT_EQ(refusal([](layout::Header&) {}), "opened");
}

// Its header may be of another form, so nothing of it is believed before.
TEST(IndexFile, NamesAnotherVersionBeforeItsChecksum) {
  std::string path = temporary("other");
  ASSERT_TRUE(write_index(sample_index(0, 0), path));
  std::string bytes = *read_text(path);
  bytes[offsetof(layout::Header, version)] = 9;
  write_bytes(path, bytes);
  auto index = open_index(path);
  ASSERT_FALSE(index);
  EXPECT_NE(index.error().message.find("has format version 9, this program reads version"),
            std::string::npos)
      << index.error().message;
}

TEST(IndexFile, LeavesNothingBehindWhenItCannotWrite) {
  std::filesystem::path folder = temporary("folder");
  std::filesystem::create_directories(folder / "taken");
  auto done = write_index(sample_index(0, 0), (folder / "taken").string());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Io);
  EXPECT_FALSE(write_index(sample_index(0, 0), (folder / "nowhere" / "x.rankveil").string()));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"taken"}));
}

TEST(IndexFile, OnlyOwnersReadUnprotectedOnes) {
  Rng rng(1);
  Table table = random_table(rng, {20, 1, 1});
  std::string path = temporary("mode");
  ASSERT_TRUE(write_index(Index::build(public_part(table), unprotected_profiles(table), {}), path));
  EXPECT_EQ(std::filesystem::status(path).permissions() & std::filesystem::perms::others_read,
            std::filesystem::perms::none);
  EXPECT_EQ(open_index(path)->info().scheme, "unprotected");
}

TEST(IndexFile, KeepsNamesAtTheEdgesOfTheirRange) {
  Rng rng(1);
  Table table = random_table(rng, {2, 1, 1});
  for (auto names : {std::vector<std::int64_t>{INT64_MAX - 1, INT64_MAX},
                     std::vector<std::int64_t>{INT64_MIN, INT64_MAX},
                     std::vector<std::int64_t>{INT64_MAX, INT64_MAX - 5}}) {
    PublicTable rows = public_part(table);
    rows.names = RowNames(IntegerNames{names});
    std::string path = temporary("edge");
    ASSERT_TRUE(write_index(Index::build(rows, unprotected_profiles(table), {}), path));
    auto back = open_index(path);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->name(RowId{0}), std::to_string(names[0]));
    EXPECT_EQ(back->name(RowId{1}), std::to_string(names[1]));
  }
}

// Signals that differ must show in the planes of private attributes and nowhere else: not in
// the order of rows, in sizes, or in the description.
TEST(IndexFile, SignalsStandInTheirPlanesAlone) {
  Rng rng(5);
  Table table = random_table(rng, {9000, 2, 3});
  Rng draws(9);
  GroupedProfiles first =
      std::get<GroupedProfiles>(random_grouped(draws, table, 4, {1, 3}).kinds());
  GroupedProfiles changed = first;
  std::vector<std::uint32_t> domains = table.schema().private_domain_sizes();
  for (GroupedProfiles* profiles : {&first, &changed}) {  // every group has every value
    profiles->signals = LevelProfiles(9000, domains, 1);
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      profiles->signals.set_column(PrivateId{j}, random_column(rng, 9000, domains[j], 0));
    }
  }
  ASSERT_TRUE(write_index(Index::build(public_part(table), first, {}), temporary("one")));
  ASSERT_TRUE(write_index(Index::build(public_part(table), changed, {}), temporary("two")));
  std::string one = *read_text(temporary("one"));
  std::string two = *read_text(temporary("two"));
  ASSERT_EQ(one.size(), two.size());
  auto sections = sections_of(one);
  int differing = 0;
  for (const auto& section : sections) {
    bool same = one.compare(section.offset, section.size, two, section.offset, section.size) == 0;
    bool of_planes = section.kind == layout::SectionKind::PlaneBits ||
                     section.kind == layout::SectionKind::SampleBits;
    bool may_differ = of_planes && section.attribute >= 2;
    EXPECT_TRUE(same || may_differ) << static_cast<std::uint32_t>(section.kind);
    differing += same ? 0 : 1;
  }
  EXPECT_GT(differing, 0);
}

}  // namespace
}  // namespace rankveil
