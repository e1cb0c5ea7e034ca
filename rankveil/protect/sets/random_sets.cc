#include "rankveil/protect/sets/random_sets.h"

#include <algorithm>
#include <string_view>

#include "rankveil/protect/groups/pieces.h"
#include "rankveil/protect/groups/profile_maker.h"
#include "rankveil/protect/sets/value_sets.h"

namespace rankveil {

namespace {

// Draws distinct numbers below `bound`, each set alike: number i is drawn among those that are left
// and counted past the ones already taken, which `taken` keeps ascending.
void draw_distinct(const KeyedStream& stream, std::string_view name, std::uint32_t bound,
                   std::uint32_t count, std::vector<std::uint32_t>& taken) {
  taken.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    auto drawn = static_cast<std::uint32_t>(stream.below(bound - i, name, i));
    auto place = taken.begin();
    for (; place != taken.end() && *place <= drawn; ++place) ++drawn;
    taken.insert(place, drawn);
  }
}

class Filler {
 public:
  Filler(const Task& task, PrivateId attribute, LevelProfiles& profiles)
      : task_(task),
        writer_(profiles, attribute),
        column_(task.private_column(attribute)),
        stream_(task.key, "random sets", task.attribute(attribute).name) {}

  void fill(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t row = begin; row < end; ++row) {
      if (task_.takes_part(RowId{row})) fill_row(RowId{row});
    }
  }

 private:
  // Decoys are numbers among the other values: those from the own value on stand one place higher.
  void fill_row(RowId row) {
    ValueId own = column_.value(row);
    bool has_value = own != missing_value;
    std::uint32_t others = column_.domain_size() - (has_value ? 1 : 0);
    std::uint32_t decoys = std::min(task_.demand.l - (has_value ? 1 : 0), others);
    draw_distinct(stream_, task_.table.names().text(row, digits_), others, decoys, drawn_);
    if (has_value) writer_.add(row, own);
    for (std::uint32_t decoy : drawn_) {
      std::uint32_t value = has_value && decoy >= +own ? decoy + 1 : decoy;
      writer_.add(row, ValueId{static_cast<std::uint16_t>(value)});
    }
  }

  const Task& task_;
  SetWriter writer_;
  const Column& column_;
  KeyedStream stream_;
  RowNames::Digits digits_;
  std::vector<std::uint32_t> drawn_;
};

std::vector<std::vector<std::uint64_t>> sizes_of_sets(const Task& task) {
  std::uint64_t rows = 0;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) rows += task.takes_part(RowId{row});
  std::vector<std::vector<std::uint64_t>> sizes;
  for (std::uint32_t domain : task.private_domain_sizes()) {
    std::uint32_t size = std::min(task.demand.l, domain);
    sizes.emplace_back(size + 1, 0)[size] = rows;
  }
  return sizes;
}

}  // namespace

Result<Protection> protect_random_sets(const Task& task) {
  ProfileMaker maker(task, 1);
  fill_in_pieces(maker.signals(), task.threads, [&](const Piece& piece) {
    Filler(task, piece.attribute, maker.signals()).fill(piece.begin, piece.end);
  });
  return Protection{std::move(maker).finish(), report_sets(task, sizes_of_sets(task))};
}

}  // namespace rankveil
