// Fitted swap: every block of private columns is exchanged among those who move, by a law that fits
// public columns and what earlier blocks show. See docs/concepts/swap.md for what that promises.
//
//   FittedSwap swap(task);
//   swap.run();
//   swap.shown()[j][row] ...
//
// Rows that show something from earlier builds are looked at and left alone. Large tables are cut
// into parts by a keyed hash of the name; models then come from one rehearsal, whose outcome is
// thrown away.
// Cost: models some passes over at most 300,000 rows, exchanges 60 tries a row and block.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "rankveil/protect/report.h"
#include "rankveil/protect/swap/fitted/alike.h"
#include "rankveil/protect/swap/fitted/block_model.h"
#include "rankveil/protect/swap/fitted/blocks.h"
#include "rankveil/protect/swap/fitted/units.h"
#include "rankveil/protect/task.h"

namespace rankveil::fitted {

// Models are fitted to so many persons at most.
inline constexpr std::uint32_t max_fitted = 300'000;
// From two parts of this size on there are parts.
inline constexpr std::uint32_t part_size = 200'000;

class FittedSwap {
 public:
  explicit FittedSwap(const Task& task);

  void run();

  const Persons& units() const { return units_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  // Per unit: it gets something to show now.
  const std::vector<std::uint8_t>& released() const { return released_; }
  // Per row: it shows something, from now on or since earlier builds.
  const std::vector<std::uint8_t>& shows() const { return shows_; }
  // [private attribute][row]: the code shown, the domain's size for a missing value. Means
  // something where a row shows something.
  const std::vector<std::vector<std::uint16_t>>& shown() const { return shown_; }
  // What models were fitted on, public columns first.
  const Sight& sight() const { return *sight_; }

  const std::vector<BlockReport>& reports() const { return reports_; }
  std::uint32_t parts() const { return parts_; }
  std::uint64_t rows_in_classes() const { return rows_in_classes_; }

 private:
  using Members = std::vector<std::uint32_t>;  // units
  struct PartCounts;

  void remember_earlier();
  Members sample() const;
  void choose_sight();
  std::vector<Members> cut_into_parts() const;
  std::vector<std::uint16_t> codes_held(const Block& block, PrivateId attribute) const;
  BlockModel fit(const Block& block) const;
  void run_part(const Members& members, bool fits, PartCounts& counts);
  void show(const Block& block, const Members& members, const Members& from);
  void count_classes(const Members& members, const Alike& alike, PartCounts& counts);
  void add_counts(const PartCounts& counts);
  void tell_progress(double more);

  const Task& task_;
  Persons units_;
  std::vector<Block> blocks_;
  std::vector<std::uint8_t> released_;
  std::vector<std::uint8_t> shows_;
  std::vector<std::vector<std::uint16_t>> shown_;
  std::unique_ptr<Sight> sight_;
  std::vector<BlockModel> models_;
  std::vector<BlockReport> reports_;
  std::uint32_t parts_ = 0;
  std::uint64_t rows_in_classes_ = 0;
  std::mutex telling_;
  double work_ = 0;
  double work_done_ = 0;
};

}  // namespace rankveil::fitted
