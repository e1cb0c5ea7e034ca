#include "rankveil/ranking/index_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <tuple>

#include "rankveil/base/checksum.h"
#include "rankveil/base/file.h"
#include "rankveil/base/parallel.h"
#include "rankveil/ranking/damaged_index.h"
#include "rankveil/ranking/store/index_description.h"
#include "rankveil/ranking/store/index_layout.h"

namespace rankveil {

using layout::Header;
using layout::Section;
using layout::SectionKind;

namespace {

// ---- writing ----

// A section and where its bytes lie now.
struct Piece {
  Section section;
  std::span<const std::byte> bytes;
};

class Pieces {
 public:
  template <typename T>
  void add(SectionKind kind, std::uint32_t segment, std::uint32_t attribute, std::uint32_t plane,
           std::span<const T> items) {
    Section section{kind, segment, attribute, plane, 0, items.size_bytes(), 0};
    pieces_.push_back({section, std::as_bytes(items)});
  }
  template <typename T>
  void add(SectionKind kind, std::uint32_t segment, std::uint32_t attribute,
           const Block<T>& block) {
    add(kind, segment, attribute, 0, block.items());
  }
  // A section of items that this object keeps.
  void add_made(SectionKind kind, std::uint32_t segment, std::vector<std::uint32_t> items) {
    made_.push_back(std::move(items));
    add(kind, segment, 0, 0, std::span<const std::uint32_t>(made_.back()));
  }
  std::vector<Piece>& all() { return pieces_; }

 private:
  std::vector<Piece> pieces_;
  std::list<std::vector<std::uint32_t>> made_;
};

// Kinds of sections that hold planes.
struct PlaneKinds {
  SectionKind bits;
  SectionKind rows;
};
constexpr PlaneKinds own_planes = {SectionKind::PlaneBits, SectionKind::PlaneRows};
constexpr PlaneKinds sample_planes_kinds = {SectionKind::SampleBits, SectionKind::SampleRows};
constexpr PlaneKinds reach_planes = {SectionKind::ReachBits, SectionKind::ReachRows};
constexpr PlaneKinds column_planes_kinds = {SectionKind::ColumnBits, SectionKind::ColumnRows};

void add_planes(std::span<const AttributePlanes> attributes, std::uint32_t rows, PlaneKinds kinds,
                std::uint32_t number, Pieces& pieces) {
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const auto& planes = attributes[a].planes;
    for (std::uint32_t p = 0; p < planes.size(); ++p) {
      if (planes[p].bits != nullptr) {
        pieces.add(kinds.bits, number, a, p, std::span(planes[p].bits, plane_stride(rows)));
      } else if (!planes[p].rows.empty()) {
        pieces.add(kinds.rows, number, a, p, planes[p].rows);
      }
    }
  }
}

void add_columns(const GroupColumns& columns, std::uint32_t number, Pieces& pieces) {
  std::uint32_t positions = columns.lines() * kernels::rows_per_line;
  add_planes(columns.attributes, positions, column_planes_kinds, number, pieces);
  pieces.add(SectionKind::ColumnOrder, number, 0, columns.order);
  pieces.add(SectionKind::ColumnLines, number, 0, 0,
             std::span<const std::uint32_t>(columns.first_line));
  std::vector<std::uint32_t> numbers;
  for (const GroupColumns::Group& group : columns.groups) numbers.push_back(group.number);
  pieces.add_made(SectionKind::ColumnGroups, number, std::move(numbers));
  pieces.add(SectionKind::ColumnCounts, number, 0, columns.counts);
}

void add_bounds(const StrengthBounds& bounds, std::uint32_t number, Pieces& pieces) {
  const StrengthBounds::Parts& all = bounds.all();
  std::size_t words = plane_stride(all.rows);
  for (std::uint32_t a = 0; a < all.attributes.size(); ++a) {
    const StrengthBounds::Attribute& attribute = all.attributes[a];
    for (std::uint32_t v = 0; v < attribute.bitmaps.size(); ++v) {
      if (attribute.bitmaps[v] == nullptr) continue;
      pieces.add(SectionKind::BoundBits, number, a, v, std::span(attribute.bitmaps[v], words));
    }
    pieces.add(SectionKind::BoundCuts, number, a, attribute.cuts);
    pieces.add(SectionKind::BoundExcess, number, a, attribute.excess);
  }
  for (std::uint32_t e = 0; e < all.extras.size(); ++e) {
    pieces.add(SectionKind::BoundBits, number, bounds.attributes(), e,
               std::span(all.extras[e].bitmap, words));
  }
  pieces.add(SectionKind::BoundCodes, number, 0, all.codes);
}

// The planes once more, in other shapes.
void add_shapes(const Segment& segment, std::uint32_t number, Pieces& pieces) {
  if (segment.sample) {
    add_planes(segment.sample->attributes, segment.sample->rows, sample_planes_kinds, number,
               pieces);
  }
  if (segment.reach) {
    add_planes(segment.reach->attributes, segment.reach->places, reach_planes, number, pieces);
  }
  if (segment.group_columns) add_columns(*segment.group_columns, number, pieces);
  if (segment.bounds) add_bounds(*segment.bounds, number, pieces);
}

void add_names(const Segment& segment, std::uint32_t number, Pieces& pieces) {
  if (const auto* offsets = std::get_if<OffsetNames>(&segment.names)) {
    pieces.add(SectionKind::NameOffsets, number, 0, offsets->offsets);
  } else if (const auto* text = std::get_if<StringNames>(&segment.names)) {
    pieces.add(SectionKind::NameBytes, number, 0, text->bytes);
    pieces.add(SectionKind::NameEnds, number, 0, text->ends);
  }
}

void add_segment(const SegmentSlot& slot, std::uint32_t number, Pieces& pieces) {
  const Segment& segment = *slot.segment;
  add_planes(segment.attributes, segment.rows, own_planes, number, pieces);
  for (std::uint32_t a = 0; a < segment.columns.size(); ++a) {
    std::visit([&](const auto& codes) { pieces.add(SectionKind::Codes, number, a, codes); },
               segment.columns[a].codes);
  }
  add_names(segment, number, pieces);
  if (segment.groups) {
    pieces.add(SectionKind::Order, number, 0, segment.groups->order);
    pieces.add(SectionKind::Runs, number, 0, segment.groups->runs);
  }
  add_shapes(segment, number, pieces);
}

void add_shares(const ShareTable& shares, Pieces& pieces) {
  pieces.add(SectionKind::ShareSizes, 0, 0, shares.sizes);
  pieces.add(SectionKind::ShareCounts, 0, 0, shares.counts);
  pieces.add(SectionKind::ShareInFull, 0, 0, shares.in_full);
}

// The bytes of a section with their filling, for the checksum and for the file.
std::uint64_t padded_checksum(std::span<const std::byte> bytes) {
  if (bytes.size() % layout::alignment == 0) return checksum(bytes);
  std::vector<std::byte> filled(bytes.begin(), bytes.end());
  filled.resize(layout::padded(bytes.size()));
  return checksum(filled);
}

void place(std::vector<Piece>& pieces) {
  std::uint64_t offset = sizeof(Header);
  for (Piece& piece : pieces) {
    piece.section.offset = offset;
    offset += layout::padded(piece.section.size);
  }
  parallel_for(pieces.size(), 0, [&](std::size_t i) {
    pieces[i].section.checksum = padded_checksum(pieces[i].bytes);
  });
}

Header header_for(const std::vector<Section>& directory) {
  Header header{};
  header.magic = layout::magic;
  header.version = index_format_version;
  header.revision = index_format_revision;
  header.byte_order = layout::byte_order;
  header.directory_offset = directory.back().offset + layout::padded(directory.back().size);
  header.section_count = directory.size();
  header.file_size = header.directory_offset + directory.size() * sizeof(Section);
  header.directory_checksum = checksum(std::as_bytes(std::span(directory)));
  header.checksum =
      checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
  return header;
}

Status write_pieces(const std::vector<Piece>& pieces, AtomicFile& file) {
  std::vector<Section> directory;
  directory.reserve(pieces.size());
  for (const Piece& piece : pieces) directory.push_back(piece.section);
  Header header = header_for(directory);
  if (auto done = file.write(std::as_bytes(std::span(&header, 1))); !done) return done;
  static constexpr std::array<std::byte, layout::alignment> zeros{};
  for (const Piece& piece : pieces) {
    if (auto done = file.write(piece.bytes); !done) return done;
    std::size_t filling = layout::padded(piece.bytes.size()) - piece.bytes.size();
    if (auto done = file.write(std::span(zeros).first(filling)); !done) return done;
  }
  return file.write(std::as_bytes(std::span(directory)));
}

}  // namespace

Status write_index(const Index& index, const std::string& path) {
  const Index::State& state = index.state();
  std::string description = to_json(describe(state)).dump(-1);
  Pieces pieces;
  pieces.add(SectionKind::Description, 0, 0, 0, std::span<const char>(description));
  for (std::uint32_t i = 0; i < state.slots.size(); ++i) add_segment(state.slots[i], i, pieces);
  if (state.kind.grouped) add_shares(state.kind.shares, pieces);
  place(pieces.all());
  // Whoever reads an unprotected index reads the private values.
  auto file = AtomicFile::create(path, index.info().unprotected() ? 0600 : 0644);
  if (!file) return file.error();
  if (auto written = write_pieces(pieces.all(), *file); !written) return written;
  return file->commit();
}

// ---- reading ----

namespace {

constexpr std::string_view build_again = "build it again with rankveil";

Error damaged(const std::string& what) {
  return bad_input(fmt::format("is damaged: {}; {}", what, build_again));
}

Result<Header> read_header(std::span<const std::byte> file) {
  Header header;
  if (file.size() < sizeof header)
    return bad_input("is no index file; make one of a table with rankveil protect");
  std::memcpy(&header, file.data(), sizeof header);
  if (header.magic != layout::magic) {
    return bad_input("is no index file; make one of a table with rankveil protect");
  }
  // First of all: another version may have its checksum elsewhere, or count it otherwise.
  if (header.byte_order != layout::byte_order) {
    return bad_input("was written on a machine with another byte order");
  }
  if (header.version != index_format_version) {
    return bad_input(
        fmt::format("has format version {}, this program reads version {}; build it again with "
                    "rankveil protect",
                    header.version, index_format_version));
  }
  if (header.revision != index_format_revision) {
    return bad_input(fmt::format(
        "has format version {}, revision {}, this program reads revision {}; make it again with "
        "rankveil protect, the ledger carries over",
        header.version, header.revision, index_format_revision));
  }
  if (header.checksum != checksum(file.first(offsetof(Header, checksum)))) {
    return damaged("its header does not match its checksum");
  }
  if (header.file_size != file.size()) {
    return damaged(
        fmt::format("it has {} bytes and should have {}", file.size(), header.file_size));
  }
  return header;
}

Result<std::vector<Section>> read_directory(std::span<const std::byte> file, const Header& header) {
  bool inside = header.directory_offset <= file.size() &&
                header.section_count <= file.size() / sizeof(Section) &&
                header.section_count * sizeof(Section) == file.size() - header.directory_offset;
  if (!inside) return damaged("its directory lies outside the file");
  auto bytes = file.subspan(header.directory_offset);
  if (checksum(bytes) != header.directory_checksum) {
    return damaged("its directory does not match its checksum");
  }
  std::vector<Section> directory(header.section_count);
  std::memcpy(directory.data(), bytes.data(), bytes.size());
  std::uint64_t offset = sizeof(Header);
  for (const Section& section : directory) {
    bool fits = section.offset == offset && section.size <= header.directory_offset - offset &&
                layout::padded(section.size) <= header.directory_offset - offset;
    if (!fits) return damaged("its sections do not follow each other");
    offset += layout::padded(section.size);
  }
  if (offset != header.directory_offset) return damaged("bytes stand between its sections");
  return directory;
}

Status verify(std::span<const std::byte> file, const std::vector<Section>& directory) {
  std::vector<std::uint8_t> good(directory.size(), 0);
  parallel_for(directory.size(), 0, [&](std::size_t i) {
    const Section& section = directory[i];
    auto bytes = file.subspan(section.offset, layout::padded(section.size));
    good[i] = checksum(bytes) == section.checksum ? 1 : 0;
  });
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (good[i] == 0) {
      return damaged(fmt::format("section {} (kind {}) does not match its checksum", i,
                                 static_cast<std::uint32_t>(directory[i].kind)));
    }
  }
  return {};
}

// The sections of a verified file, by what they are.
class Sections {
 public:
  Sections(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
           const std::vector<Section>& directory)
      : bytes_(bytes), owner_(std::move(owner)) {
    for (const Section& section : directory) {
      by_key_[{section.kind, section.segment, section.attribute, section.plane}] = section;
    }
  }

  // Keeps the bytes in memory.
  const std::shared_ptr<const void>& owner() const { return owner_; }

  bool has(SectionKind kind, std::uint32_t segment, std::uint32_t attribute = 0,
           std::uint32_t plane = 0) const {
    return by_key_.contains({kind, segment, attribute, plane});
  }

  // An absent section is an empty one; a size that is no multiple of T's is cut.
  template <typename T>
  std::span<const T> items(SectionKind kind, std::uint32_t segment, std::uint32_t attribute = 0,
                           std::uint32_t plane = 0) const {
    auto found = by_key_.find({kind, segment, attribute, plane});
    if (found == by_key_.end()) return {};
    const std::byte* start = bytes_.data() + found->second.offset;
    return {reinterpret_cast<const T*>(start), found->second.size / sizeof(T)};
  }

  template <typename T>
  Result<Block<T>> block(SectionKind kind, std::uint64_t count, std::uint32_t segment,
                         std::uint32_t attribute = 0) const {
    auto found = items<T>(kind, segment, attribute);
    if (found.size() != count) {
      return damaged(
          fmt::format("a section of kind {} has the wrong size", static_cast<std::uint32_t>(kind)));
    }
    return Block<T>(found, owner_);
  }

 private:
  using Key = std::tuple<SectionKind, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
  std::map<Key, Section> by_key_;
};

// No bit may be set behind the last row: counts and copies go over whole words.
bool padding_is_zero(std::span<const std::uint64_t> words, std::uint32_t rows) {
  std::size_t word = rows / 64;
  if (rows % 64 != 0 && (words[word] >> (rows % 64)) != 0) return false;
  std::size_t first = word + (rows % 64 != 0 ? 1 : 0);
  return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(),
                     [](std::uint64_t w) { return w == 0; });
}

// Null where there is no such section.
Result<const std::uint64_t*> read_bitmap(const Sections& sections, SectionKind kind,
                                         std::uint32_t segment, std::uint32_t attribute,
                                         std::uint32_t plane, std::uint32_t rows) {
  if (!sections.has(kind, segment, attribute, plane)) return nullptr;
  auto bits = sections.items<std::uint64_t>(kind, segment, attribute, plane);
  if (bits.size() != plane_stride(rows)) return damaged("a bitmap has the wrong size");
  if (!padding_is_zero(bits, rows)) return damaged("a bitmap has bits behind the last row");
  return bits.data();
}

Result<Plane> read_plane(const Sections& sections, PlaneKinds kinds, std::uint32_t segment,
                         std::uint32_t attribute, std::uint32_t plane, std::uint32_t rows) {
  auto bits = read_bitmap(sections, kinds.bits, segment, attribute, plane, rows);
  if (!bits) return bits.error();
  if (*bits != nullptr) return Plane{*bits, {}};
  auto listed = sections.items<std::uint32_t>(kinds.rows, segment, attribute, plane);
  bool ascending =
      std::adjacent_find(listed.begin(), listed.end(), std::greater_equal<>()) == listed.end();
  if (!ascending || (!listed.empty() && listed.back() >= rows)) {
    return damaged("a list of rows does not ascend");
  }
  return Plane{nullptr, listed};
}

// How many planes a segment's attributes have: public ones come first, with one bit a value.
struct PlaneShape {
  const SegmentDescription& described;
  std::uint32_t publics;
  std::uint32_t private_bits;
};

Result<std::vector<AttributePlanes>> read_planes(const Sections& sections, PlaneKinds kinds,
                                                 std::uint32_t segment, const PlaneShape& shape,
                                                 std::uint32_t rows, std::size_t count) {
  std::vector<AttributePlanes> all(count);
  for (std::uint32_t a = 0; a < count; ++a) {
    all[a].bits = a < shape.publics ? 1 : shape.private_bits;
    all[a].owners.push_back(sections.owner());
    for (std::uint32_t p = 0; p < shape.described.domains[a] * all[a].bits; ++p) {
      auto plane = read_plane(sections, kinds, segment, a, p, rows);
      if (!plane) return plane.error();
      all[a].planes.push_back(*plane);
    }
  }
  return all;
}

Result<CodeColumn> read_codes(const Sections& sections, std::uint32_t segment,
                              std::uint32_t attribute, const SegmentDescription& described) {
  CodeColumn column;
  column.domain_size = described.domains[attribute];
  auto bytes = sections.items<std::uint8_t>(SectionKind::Codes, segment, attribute);
  if (bytes.size() == described.rows) {
    column.codes = Block<std::uint8_t>(bytes, sections.owner());
    return column;
  }
  auto wide = sections.block<std::uint16_t>(SectionKind::Codes, described.rows, segment, attribute);
  if (!wide) return wide.error();
  column.codes = *wide;
  return column;
}

Result<SegmentNames> read_text_names(const Sections& sections, std::uint32_t segment,
                                     std::uint32_t rows) {
  auto bytes = sections.items<char>(SectionKind::NameBytes, segment);
  auto ends = sections.block<std::uint64_t>(SectionKind::NameEnds, rows, segment);
  if (!ends) return ends.error();
  auto items = ends->items();
  if (!std::is_sorted(items.begin(), items.end()) ||
      (!items.empty() && items.back() > bytes.size())) {
    return damaged("its names do not follow each other");
  }
  return SegmentNames(StringNames{Block<char>(bytes, sections.owner()), *ends});
}

Result<SegmentNames> read_names(const Sections& sections, std::uint32_t segment,
                                const SegmentDescription& described) {
  switch (described.names) {
    case NameKind::Counted:
      return SegmentNames(CountedNames{described.first_name});
    case NameKind::Offsets: {
      auto offsets =
          sections.block<std::uint32_t>(SectionKind::NameOffsets, described.rows, segment);
      if (!offsets) return offsets.error();
      return SegmentNames(OffsetNames{described.first_name, *offsets});
    }
    case NameKind::Text:
      break;
  }
  return read_text_names(sections, segment, described.rows);
}

bool runs_are_sound(std::span<const GroupRun> runs, std::uint32_t rows, std::uint32_t groups) {
  if (runs.empty()) return rows == 0;
  if (runs[0].begin != 0 || runs.back().begin >= rows) return false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].group >= groups) return false;
    if (i == 0) continue;
    if (runs[i].begin <= runs[i - 1].begin || runs[i].group <= runs[i - 1].group) return false;
  }
  return true;
}

// Every row once, ascending inside a run.
bool is_order_of_rows(std::span<const std::uint32_t> order, std::span<const GroupRun> runs) {
  std::vector<std::uint64_t> seen(order.size() / 64 + 1, 0);
  std::size_t run = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    std::uint32_t row = order[place];
    if (row >= order.size()) return false;
    while (run < runs.size() && runs[run].begin < place) ++run;
    bool starts = run < runs.size() && runs[run].begin == place;
    if (!starts && row <= order[place - 1]) return false;
    std::uint64_t bit = std::uint64_t{1} << (row % 64);
    if ((seen[row / 64] & bit) != 0) return false;
    seen[row / 64] |= bit;
  }
  return true;
}

Result<GroupLayout> read_groups(const Sections& sections, std::uint32_t segment, std::uint32_t rows,
                                std::uint32_t groups) {
  auto order = sections.block<std::uint32_t>(SectionKind::Order, rows, segment);
  if (!order) return order.error();
  auto runs = sections.items<GroupRun>(SectionKind::Runs, segment);
  if (!runs_are_sound(runs, rows, groups) || !is_order_of_rows(order->items(), runs)) {
    return damaged("its groups do not fit");
  }
  GroupLayout made;
  made.order = *order;
  made.runs = Block<GroupRun>(runs, sections.owner());
  made.first_run = first_runs(made.runs, rows);
  return made;
}

// ---- Other shapes of planes ----

// Every row once, among places that are nobody's.
bool has_every_row(std::span<const std::uint32_t> order, std::uint32_t rows) {
  std::vector<bool> seen(rows, false);
  std::uint32_t count = 0;
  for (std::uint32_t row : order) {
    if (row == GroupColumns::nobody) continue;
    if (row >= rows || seen[row]) return false;
    seen[row] = true;
    ++count;
  }
  return count == rows;
}

// From 0 on, one block after the other.
bool are_lines(std::span<const std::uint32_t> first_line) {
  return first_line.size() >= 2 && first_line[0] == 0 && first_line.back() > 0 &&
         first_line.back() <= max_rows / kernels::rows_per_line &&
         std::is_sorted(first_line.begin(), first_line.end());
}

// No row may stand where there is no group.
bool rows_have_groups(const GroupColumns& columns) {
  for (std::uint32_t block = 0; block < columns.blocks(); ++block) {
    std::size_t begin = std::size_t{columns.first_line[block]} * kernels::rows_per_line;
    std::size_t end = std::size_t{columns.first_line[block + 1]} * kernels::rows_per_line;
    std::size_t first_slot = std::size_t{block} * GroupColumns::slots_per_block;
    for (std::size_t place = begin; place < end; ++place) {
      if (columns.order[place] == GroupColumns::nobody) continue;
      const auto& group = columns.groups[first_slot + place % kernels::rows_per_line];
      if (group.number == GroupColumns::nobody) return false;
    }
  }
  return true;
}

Result<GroupColumns> read_columns(const Sections& sections, std::uint32_t number,
                                  const PlaneShape& shape, const ProfileKind& kind) {
  GroupColumns made;
  const SegmentDescription& own = shape.described;
  auto first_line = sections.items<std::uint32_t>(SectionKind::ColumnLines, number);
  auto order = sections.items<std::uint32_t>(SectionKind::ColumnOrder, number);
  auto groups = sections.items<std::uint32_t>(SectionKind::ColumnGroups, number);
  Error wrong = damaged("its groups side by side do not fit");
  if (!kind.grouped || !are_lines(first_line)) return wrong;
  made.first_line.assign(first_line.begin(), first_line.end());
  made.first_halved = *own.columns;
  std::uint32_t positions = made.lines() * kernels::rows_per_line;
  bool fits = order.size() == positions && has_every_row(order, own.rows) &&
              groups.size() == std::size_t{made.blocks()} * GroupColumns::slots_per_block &&
              made.first_halved <= made.blocks() &&
              std::all_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
                return group == GroupColumns::nobody || group < kind.shares.groups();
              });
  if (!fits) return wrong;
  made.order = Block<std::uint32_t>(order, sections.owner());
  made.set_groups(kind, groups);
  made.domain_sizes.assign(own.domains.begin() + shape.publics, own.domains.end());
  auto counts = sections.block<std::uint8_t>(SectionKind::ColumnCounts, made.count_bytes(), number);
  if (!counts) return counts.error();
  made.counts = *counts;
  if (made.largest_unit == 0 || !rows_have_groups(made)) return wrong;
  std::size_t read = kind.keep.numerator == 0 ? shape.publics : own.domains.size();
  auto planes = read_planes(sections, column_planes_kinds, number, shape, positions, read);
  if (!planes) return planes.error();
  made.attributes = std::move(*planes);
  made.attributes.resize(own.domains.size());
  return made;
}

Result<StrengthBounds::Attribute> read_bound_attribute(const Sections& sections,
                                                       std::uint32_t number, std::uint32_t j,
                                                       std::uint32_t values, std::uint32_t rows) {
  StrengthBounds::Attribute made;
  auto cuts = sections.block<StrengthBounds::Cut>(SectionKind::BoundCuts, values, number, j);
  if (!cuts) return cuts.error();
  made.cuts = *cuts;
  auto excess = sections.items<std::int16_t>(SectionKind::BoundExcess, number, j);
  if (values > 0 && excess.size() % values != 0) return damaged("its bounds do not fit");
  made.excess = Block<std::int16_t>(excess, sections.owner());
  for (std::uint32_t v = 0; v < values; ++v) {
    auto bitmap = read_bitmap(sections, SectionKind::BoundBits, number, j, v, rows);
    if (!bitmap) return bitmap.error();
    auto [low, step] = made.cuts[v];
    bool fits = low <= UINT16_MAX && step <= UINT16_MAX && (step > 0) == (*bitmap != nullptr);
    if (!fits) return damaged("its bounds do not fit");
    made.bitmaps.push_back(*bitmap);
  }
  return made;
}

// No code of a row may be behind what its attribute has.
bool codes_are_known(const StrengthBounds::Parts& all) {
  auto codes = all.codes.items();
  std::size_t stride = all.attributes.size() + 1;
  std::vector<std::uint16_t> largest(stride, 0);
  for (std::size_t row = 0; row < all.rows; ++row) {
    for (std::size_t j = 0; j < stride; ++j) {
      largest[j] = std::max(largest[j], codes[row * stride + j]);
    }
  }
  for (std::size_t j = 0; j < all.attributes.size(); ++j) {
    const StrengthBounds::Attribute& attribute = all.attributes[j];
    if (attribute.cuts.size() > 0 && largest[j] >= attribute.codes()) return false;
  }
  return true;
}

Result<StrengthBounds> read_bounds(const Sections& sections, std::uint32_t number,
                                   const PlaneShape& shape) {
  const SegmentDescription& own = shape.described;
  StrengthBounds::Parts all;
  all.rows = own.rows;
  all.owners.push_back(sections.owner());
  auto attributes = static_cast<std::uint32_t>(own.domains.size()) - shape.publics;
  for (std::uint32_t j = 0; j < attributes; ++j) {
    std::uint32_t values = own.domains[shape.publics + j];
    auto attribute = read_bound_attribute(sections, number, j, values, own.rows);
    if (!attribute) return attribute.error();
    all.attributes.push_back(std::move(*attribute));
  }
  for (std::uint32_t e = 0; e < own.bounds->size(); ++e) {
    auto bitmap = read_bitmap(sections, SectionKind::BoundBits, number, attributes, e, own.rows);
    if (!bitmap) return bitmap.error();
    if (*bitmap == nullptr) return damaged("its bounds do not fit");
    all.extras.push_back({*bitmap, (*own.bounds)[e]});
  }
  std::uint64_t numbers = (std::uint64_t{attributes} + 1) * own.rows;
  auto codes = sections.block<std::uint16_t>(SectionKind::BoundCodes, numbers, number);
  if (!codes) return codes.error();
  all.codes = *codes;
  if (!codes_are_known(all)) return damaged("its bounds do not fit");
  return StrengthBounds(std::move(all));
}

Status read_shapes(const Sections& sections, std::uint32_t number, const PlaneShape& shape,
                   const ProfileKind& kind, Segment& segment) {
  const SegmentDescription& own = shape.described;
  std::size_t count = own.domains.size();
  if (segment.groups && !segment.main_run()) {
    segment.sample = sample_of(own.rows);
    auto planes =
        read_planes(sections, sample_planes_kinds, number, shape, segment.sample->rows, count);
    if (!planes) return planes.error();
    segment.sample->attributes = std::move(*planes);
  }
  if (own.reach) {
    if (!segment.groups) return damaged("it has runs without groups");
    auto runs = static_cast<std::uint32_t>(segment.groups->runs.size());
    if (own.rows / GroupReach::min_rows_a_run < runs) return damaged("its runs are too small");
    auto planes = read_planes(sections, reach_planes, number, shape, runs, count);
    if (!planes) return planes.error();
    segment.reach = GroupReach{std::move(*planes), runs};
  }
  if (own.columns) {
    if (!segment.groups) return damaged("it has columns without groups");
    auto columns = read_columns(sections, number, shape, kind);
    if (!columns) return columns.error();
    segment.group_columns = std::move(*columns);
  }
  if (own.bounds) {
    if (segment.groups && !segment.main_run()) return damaged("it has bounds of several groups");
    auto bounds = read_bounds(sections, number, shape);
    if (!bounds) return bounds.error();
    segment.bounds = std::move(*bounds);
  }
  return {};
}

Result<Segment> read_segment(const Sections& sections, const IndexDescription& described,
                             const ProfileKind& kind, std::uint32_t number) {
  const SegmentDescription& own = described.segments[number];
  std::uint32_t publics = described.schema.public_count();
  auto private_bits = static_cast<std::uint32_t>(std::bit_width(described.levels));
  Segment segment;
  segment.rows = own.rows;
  PlaneShape shape{own, publics, private_bits};
  auto planes = read_planes(sections, own_planes, number, shape, own.rows, own.domains.size());
  if (!planes) return planes.error();
  segment.attributes = std::move(*planes);
  for (std::uint32_t a = 0; a < publics; ++a) {
    auto column = read_codes(sections, number, a, own);
    if (!column) return column.error();
    segment.columns.push_back(std::move(*column));
  }
  auto names = read_names(sections, number, own);
  if (!names) return names.error();
  segment.names = std::move(*names);
  if (described.grouped) {
    auto groups = read_groups(sections, number, own.rows, described.groups);
    if (!groups) return groups.error();
    segment.groups = std::move(*groups);
  }
  if (auto read = read_shapes(sections, number, shape, kind, segment); !read) return read.error();
  return segment;
}

Result<ShareTable> read_shares(const Sections& sections, const IndexDescription& described) {
  ShareTable shares;
  shares.domain_sizes = described.schema.private_domain_sizes();
  std::uint64_t planes = 0;
  for (std::uint32_t size : shares.domain_sizes) planes += size;
  auto sizes = sections.block<std::uint32_t>(SectionKind::ShareSizes, described.groups, 0);
  auto counts =
      sections.block<std::uint32_t>(SectionKind::ShareCounts, planes * described.groups, 0);
  auto in_full = sections.block<std::uint8_t>(SectionKind::ShareInFull, described.groups, 0);
  if (!sizes) return sizes.error();
  if (!counts) return counts.error();
  if (!in_full) return in_full.error();
  bool sound = std::all_of(sizes->items().begin(), sizes->items().end(),
                           [](auto size) { return size >= 1 && size <= INT32_MAX; });
  for (std::uint64_t i = 0; sound && i < counts->size(); ++i) {
    sound = (*counts)[i] <= (*sizes)[i % described.groups];
  }
  if (!sound) return damaged("its shares do not fit their groups");
  shares.sizes = *sizes;
  shares.counts = *counts;
  shares.in_full = *in_full;
  return shares;
}

Result<Index> assemble(const Sections& sections, IndexDescription described) {
  auto state = std::make_shared<Index::State>();
  if (described.grouped) {
    auto shares = read_shares(sections, described);
    if (!shares) return shares.error();
    state->kind = ProfileKind::with_shares(described.keep, described.levels, std::move(*shares));
  } else {
    state->kind = ProfileKind::with_levels(described.levels);
  }
  std::uint32_t first_row = 0;
  for (std::uint32_t i = 0; i < described.segments.size(); ++i) {
    auto segment = read_segment(sections, described, state->kind, i);
    if (!segment) return segment.error();
    SegmentSlot slot;
    slot.first_row = first_row;
    slot.segment = std::make_shared<const Segment>(std::move(*segment));
    first_row += slot.segment->rows;
    state->slots.push_back(std::move(slot));
  }
  state->weights = weights_of(described.schema);
  state->schema = std::move(described.schema);
  state->info = std::move(described.info);
  return Index(std::move(state));
}

}  // namespace

Result<Index> index_from_bytes(std::span<const std::byte> bytes,
                               std::shared_ptr<const void> owner) {
  auto header = read_header(bytes);
  if (!header) return header.error();
  auto directory = read_directory(bytes, *header);
  if (!directory) return directory.error();
  if (auto sound = verify(bytes, *directory); !sound) return sound.error();
  Sections sections(bytes, std::move(owner), *directory);
  auto text = sections.items<char>(SectionKind::Description, 0);
  auto json = parse_json({text.data(), text.size()});
  if (!json) return damaged("its description is no JSON");
  auto described = description_from_json(*json);
  if (!described) return damaged(described.error().message);
  return assemble(sections, std::move(*described));
}

Result<Index> open_index(const std::string& path) {
  if (is_missing(path))
    return no_such_file(path, "check its name, or make it with rankveil protect");
  auto file = MappedFile::open(path);
  if (!file) return file.error();
  auto index = index_from_bytes((*file)->bytes(), *file);
  if (!index) return Error{index.error().code, path + " " + index.error().message};
  return index;
}

std::optional<Json> notes_of_damaged(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return std::nullopt;
  auto bytes = (*file)->bytes();
  auto header = read_header(bytes);
  if (!header) return std::nullopt;
  auto directory = read_directory(bytes, *header);
  if (!directory) return std::nullopt;
  for (const Section& section : *directory) {
    if (section.kind != SectionKind::Description) continue;
    auto own = bytes.subspan(section.offset, layout::padded(section.size));
    if (checksum(own) != section.checksum) return std::nullopt;
    auto json = parse_json({reinterpret_cast<const char*>(own.data()), section.size});
    const Json* info = json ? json->find("info") : nullptr;
    const Json* notes = info == nullptr ? nullptr : info->find("notes");
    if (notes == nullptr) return std::nullopt;
    return *notes;
  }
  return std::nullopt;
}

bool looks_like_index(const std::string& path) {
  std::array<char, layout::magic.size()> start{};
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  std::size_t count = std::fread(start.data(), 1, start.size(), file);
  std::fclose(file);
  return count == start.size() && start == layout::magic;
}

}  // namespace rankveil
