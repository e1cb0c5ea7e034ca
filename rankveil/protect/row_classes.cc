#include "rankveil/protect/row_classes.h"

#include <fmt/core.h>

namespace rankveil {

namespace {

using OldRows = std::unordered_map<std::string, std::uint32_t>;

OldRows live_rows(const Index& index) {
  OldRows rows;
  std::uint32_t number = 0;
  for (std::uint32_t row = 0; row < index.rows(); ++row) {
    if (index.is_live(RowId{row})) rows.emplace(index.name(RowId{row}), number++);
  }
  return rows;
}

// Decides one row: its entry, whether it is a candidate, and where its old profile is.
class Classifier {
 public:
  Classifier(const Task& task, const Ledger& ledger, const OldRows& old_rows, bool release_changed)
      : task_(task), ledger_(ledger), old_rows_(old_rows), release_changed_(release_changed) {
    made_.old_row.assign(task.table.rows(), RowClasses::nowhere);
    made_.candidates.assign(task.table.rows(), 0);
    made_.entries.resize(task.table.rows());
  }

  Status add(std::uint32_t row, const std::string& name, const VectorHash& hash) {
    LedgerEntry& entry = made_.entries[row];
    auto known = ledger_.rows.find(name);
    if (known == ledger_.rows.end()) {
      entry.values = hash;
      entry.status = RowStatus::Waiting;
    } else {
      bool same = known->second.values == hash;
      entry = known->second;
      entry.values = hash;
      bool stays = entry.status == RowStatus::Waiting || (entry.status == RowStatus::Shown && same);
      bool anew = release_changed_ || entry.releases == 0;
      if (!stays) entry.status = anew ? RowStatus::Waiting : RowStatus::Withdrawn;
    }
    if (entry.status == RowStatus::Waiting)
      made_.candidates[row] = task_.takes_part(RowId{row}) ? 1 : 0;
    return keep_old(row, name, known == ledger_.rows.end() ? nullptr : &known->second);
  }

  void count_gone(const std::unordered_map<std::string, std::uint32_t>& names) {
    for (const auto& [name, entry] : ledger_.rows) {
      if (entry.status != RowStatus::Gone && !names.contains(name)) ++made_.gone;
    }
  }

  RowClasses take() { return std::move(made_); }

 private:
  // A row in the same state as before is served what it was served.
  Status keep_old(std::uint32_t row, const std::string& name, const LedgerEntry* before) {
    if (before == nullptr || before->status != made_.entries[row].status) return {};
    auto old = old_rows_.find(name);
    if (old != old_rows_.end()) {
      made_.old_row[row] = old->second;
    } else if (before->status == RowStatus::Shown) {
      return bad_input(fmt::format(
          "row {} shows something by the ledger and is not in the index, so the two do not belong "
          "together; put back the pair that does, or start over with --new-release",
          name));
    }
    return {};
  }

  const Task& task_;
  const Ledger& ledger_;
  const OldRows& old_rows_;
  bool release_changed_;
  RowClasses made_;
};

}  // namespace

Result<RowClasses> classify_rows(const Task& task, const std::vector<VectorHash>& hashes,
                                 const Index& old, const Ledger& ledger, bool release_changed) {
  OldRows old_rows = live_rows(old);
  Classifier classifier(task, ledger, old_rows, release_changed);
  std::unordered_map<std::string, std::uint32_t> names;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    std::string name = task.table.names().text(RowId{row});
    if (auto added = classifier.add(row, name, hashes[row]); !added) return added.error();
    names.emplace(std::move(name), row);
  }
  classifier.count_gone(names);
  return classifier.take();
}

}  // namespace rankveil
