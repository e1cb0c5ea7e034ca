#include "rankveil/ranking/index_size.h"

#include "rankveil/ranking/store/index_description.h"
#include "rankveil/ranking/store/index_layout.h"

namespace rankveil {

namespace {

// Adds up sections: what they hold, their filling and their line in the directory.
class SectionBytes {
 public:
  void add(std::uint64_t size) { total_ += layout::padded(size) + sizeof(layout::Section); }
  std::uint64_t total() const { return total_; }

 private:
  std::uint64_t total_ = 0;
};

// Segments keep all bitmaps of small public domains, and of private ones those that have a row.
bool has_bitmap(const AttributeSummary& attribute, std::uint64_t rows_with_value,
                std::uint64_t rows) {
  if (attribute.values.size() > dense_domain) {
    return rows_with_value > 0 && rows_with_value * sparse_share >= rows;
  }
  return rows_with_value > 0 || !attribute.is_private;
}

void add_plane_sizes(const AttributeSummary& attribute, std::uint32_t rows, SectionBytes& bytes) {
  for (const ValueCount& value : attribute.values) {
    if (has_bitmap(attribute, value.rows, rows)) {
      bytes.add(plane_stride(rows) * sizeof(std::uint64_t));
    } else if (value.rows > 0) {
      bytes.add(value.rows * sizeof(std::uint32_t));
    }
  }
}

// As a segment keeps them, but for texts, which stay where they are.
SegmentNames names_in_place(const RowNames& names) {
  const auto* text = std::get_if<TextNames>(&names.kinds());
  if (text == nullptr) return segment_names(names);
  return StringNames{Block<char>(text->bytes, nullptr), Block<std::uint64_t>(text->ends, nullptr)};
}

struct AddNameSizes {
  SectionBytes& bytes;
  void operator()(const CountedNames&) const {}
  void operator()(const OffsetNames& names) const { bytes.add(names.offsets.bytes()); }
  void operator()(const WideNames& names) const { bytes.add(names.values.bytes()); }
  void operator()(const StringNames& names) const {
    bytes.add(names.bytes.bytes());
    bytes.add(names.ends.bytes());
  }
};

std::uint64_t description_size(const Table& table, const SegmentNames& names,
                               std::uint32_t default_k) {
  SegmentDescription segment{table.rows(), 0, name_kind(names), first_name(names), {}};
  for (const Attribute& attribute : table.schema().attributes) {
    segment.domains.push_back(attribute.domain.size());
  }
  IndexInfo info{.scheme = unprotected_scheme, .l = 0, .default_k = default_k, .notes = {}};
  return to_json(IndexDescription{table.schema(), info, false, 1, {1, 1}, 0, {segment}})
      .dump(-1)
      .size();
}

}  // namespace

std::uint64_t unprotected_index_bytes(const Table& table, const TableSummary& summary,
                                      std::uint32_t default_k) {
  SegmentNames names = names_in_place(table.names());
  SectionBytes bytes;
  bytes.add(description_size(table, names, default_k));
  for (const AttributeSummary& attribute : summary.attributes) {
    add_plane_sizes(attribute, table.rows(), bytes);
  }
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    bytes.add(table.column(AttributeId{i}).bytes());
  }
  std::visit(AddNameSizes{bytes}, names);
  return sizeof(layout::Header) + bytes.total();
}

}  // namespace rankveil
