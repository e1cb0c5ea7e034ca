// Any bytes are an index file or a refusal. Checksums are repaired first, so that damage reaches
// the code behind them; what opens can be queried, taken apart and rewritten.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "rankveil/base/aligned_words.h"
#include "rankveil/base/checksum.h"
#include "rankveil/base/random.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/store/index_layout.h"
#include "tests/fuzz/check.h"

namespace {

using rankveil::check;
using rankveil::checksum;
using rankveil::layout::Header;
using rankveil::layout::Section;

void repair_sections(std::span<std::byte> file, const Header& header) {
  for (std::uint64_t i = 0; i < header.section_count; ++i) {
    std::byte* place = file.data() + header.directory_offset + i * sizeof(Section);
    Section section;
    std::memcpy(&section, place, sizeof section);
    if (section.offset > file.size() || section.size > file.size() - section.offset) continue;
    std::uint64_t size = rankveil::layout::padded(section.size);
    if (size > file.size() - section.offset) continue;
    section.checksum = checksum(file.subspan(section.offset, size));
    std::memcpy(place, &section, sizeof section);
  }
}

void repair(std::span<std::byte> file) {
  Header header;
  if (file.size() < sizeof header) return;
  std::memcpy(&header, file.data(), sizeof header);
  header.file_size = file.size();
  bool inside = header.directory_offset <= file.size() &&
                header.section_count <= (file.size() - header.directory_offset) / sizeof(Section);
  if (inside) {
    repair_sections(file, header);
    header.directory_checksum = checksum(file.subspan(header.directory_offset));
  }
  std::memcpy(file.data(), &header, sizeof header);
  header.checksum = checksum(file.first(offsetof(Header, checksum)));
  std::memcpy(file.data(), &header, sizeof header);
}

rankveil::Query some_query(const rankveil::Schema& schema, rankveil::Rng& rng) {
  rankveil::Query query = rankveil::empty_query(schema);
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    std::uint32_t domain = schema.attributes[i].domain.size();
    if (domain == 0 || rng.below(4) == 0) continue;
    auto value = static_cast<std::uint16_t>(rng.below(domain));
    query.wanted[i].push_back(rankveil::ValueId{value});
  }
  return query;
}

void use(const rankveil::Index& index) {
  if (index.rows() > 100'000 || index.schema().size() > 200) return;  // honest, but slow to walk
  rankveil::Rng rng(index.rows());
  for (int i = 0; i < 3; ++i) {
    rankveil::Query query = some_query(index.schema(), rng);
    auto answer = index.rank(query, {5, 1, nullptr});
    check(answer.hits.size() == std::min<std::size_t>(5, index.live_rows()), "k rows, or all");
    for (const auto& hit : answer.hits) {
      check(+hit.row < index.rows(), "a row of the index");
      (void)index.name(hit.row);
      for (std::uint32_t a = 0; a < index.schema().public_count(); ++a) {
        (void)index.public_value(hit.row, rankveil::AttributeId{a});
      }
    }
    (void)index.ranks(query, rankveil::RankKind::Ordinal);
  }
  check(index.compact().rows() == index.live_rows(), "compaction drops deleted rows only");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto words = std::make_shared<rankveil::AlignedWords>(size / 8 + 8);
  std::span<std::byte> file(reinterpret_cast<std::byte*>(words->data()), size);
  std::memcpy(file.data(), data, size);
  auto as_is = rankveil::index_from_bytes(file, words);
  if (as_is) use(*as_is);
  repair(file);
  auto repaired = rankveil::index_from_bytes(file, words);
  if (repaired) use(*repaired);
  return 0;
}
