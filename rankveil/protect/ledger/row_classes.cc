#include "rankveil/protect/ledger/row_classes.h"

#include <algorithm>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/ledger/sealed_values.h"

namespace rankveil {

namespace {

template <typename Visit>
void for_each_person(const Persons& persons, std::uint32_t threads, Visit visit) {
  constexpr std::uint32_t piece = 4096;
  std::uint32_t count = persons.count();
  parallel_for((count + piece - 1) / piece, threads, [&](std::size_t i) {
    auto begin = static_cast<std::uint32_t>(i * piece);
    for (std::uint32_t p = begin; p < std::min(count, begin + piece); ++p) visit(p);
  });
}

// What sealed values say, for all who are still there.
std::vector<std::uint16_t> open_values(const Task& task, const Persons& persons,
                                       const Ledger& ledger,
                                       const std::vector<const LedgerEntry*>& before) {
  ValueSeal seal(task.key, ledger.columns);
  std::size_t columns = ledger.columns.size();
  std::vector<std::uint16_t> codes = ledger.codes;
  for_each_person(persons, task.threads, [&](std::uint32_t p) {
    if (before[p] == nullptr || !shows(before[p]->status)) return;
    const LedgerEntry& entry = *before[p];
    std::string name = persons.name(p);
    std::size_t first = entry.at + ledger.public_columns.size();
    for (std::size_t i = 0; i < entry.rows * columns; ++i) {
      ValueSeal::Place place{entry.releases, static_cast<std::uint32_t>(i / columns)};
      codes[first + i] = seal.open(codes[first + i], i % columns, name, place);
    }
  });
  return codes;
}

// Decides one person: the entry, and whether it is a candidate.
class Classifier {
 public:
  Classifier(const Task& task, const Persons& persons, const Ledger& ledger,
             const BuildRules& rules, PersonClasses& made)
      : task_(task), persons_(persons), ledger_(ledger), rules_(rules), made_(made) {}

  void add(std::uint32_t person) {
    const LedgerEntry* before = made_.before[person];
    LedgerEntry& entry = made_.entries[person];
    if (before == nullptr) {
      begin(person, entry);
    } else {
      entry = *before;
      go_on(person, *before, entry);
    }
    if (chose_otherwise(person) && entry.releases > 0) entry.status = RowStatus::Withdrawn;
    entry.rows = persons_.row_count(person);
    bool waits = entry.status == RowStatus::Waiting;
    made_.candidates[person] = waits && persons_.takes_part(person) ? 1 : 0;
  }

 private:
  // Somebody who showed something, left and came back shows nothing: it would be the second time.
  void begin(std::uint32_t person, LedgerEntry& entry) const {
    entry.since = rules_.today;
    bool known = !ledger_.gone.empty() &&
                 ledger_.gone.contains(hash_of_name(task_.key, persons_.name(person)));
    if (!known) return;
    entry.releases = 1;
    entry.status = rules_.release_changed ? RowStatus::Waiting : RowStatus::Withdrawn;
  }

  void go_on(std::uint32_t person, const LedgerEntry& before, LedgerEntry& entry) const {
    if (shows(before.status)) {
      RowStatus now = has_same_values(person, before) ? RowStatus::Shown : RowStatus::Changed;
      if (now != before.status) entry.since = rules_.today;
      entry.status = now;
    } else if (before.status == RowStatus::Withdrawn && rules_.release_changed) {
      entry.status = RowStatus::Waiting;
      entry.since = rules_.today;
    }
  }

  bool has_same_values(std::uint32_t person, const LedgerEntry& before) const {
    if (before.rows != persons_.row_count(person)) return false;
    std::size_t columns = ledger_.columns.size();
    const std::uint16_t* code =
        made_.released_values.data() + before.at + ledger_.public_columns.size();
    for (std::uint32_t i = 0; i < before.rows; ++i) {
      RowId row = persons_.row(person, i);
      for (std::uint32_t j = 0; j < columns; ++j) {
        if (*code++ != code_of(task_.private_column(PrivateId{j}).value(row))) return false;
      }
    }
    return true;
  }

  // To show nothing, or everything: either way nothing that the scheme gave.
  bool chose_otherwise(std::uint32_t person) const {
    std::uint32_t row = +persons_.row(person, 0);
    return (!rules_.hidden.empty() && rules_.hidden[row] != 0) ||
           (!rules_.open.empty() && rules_.open[row] != 0);
  }

  const Task& task_;
  const Persons& persons_;
  const Ledger& ledger_;
  const BuildRules& rules_;
  PersonClasses& made_;
};

}  // namespace

bool PersonClasses::stays(std::uint32_t person) const {
  if (before[person] == nullptr) return false;
  RowStatus was = before[person]->status, is = entries[person].status;
  return was == is || (shows(was) && shows(is));
}

PersonClasses classify(const Task& task, const Persons& persons, const Ledger& ledger,
                       const BuildRules& rules) {
  PersonClasses made;
  made.before.resize(persons.count());
  made.entries.resize(persons.count());
  made.candidates.resize(persons.count());
  for_each_person(persons, task.threads, [&](std::uint32_t p) {
    auto found = ledger.rows.find(persons.name(p));
    if (found != ledger.rows.end()) made.before[p] = &found->second;
  });
  auto unknown = std::count(made.before.begin(), made.before.end(), nullptr);
  made.gone = ledger.rows.size() - (persons.count() - static_cast<std::uint64_t>(unknown));
  made.released_values = open_values(task, persons, ledger, made.before);
  Classifier classifier(task, persons, ledger, rules, made);
  for_each_person(persons, task.threads, [&](std::uint32_t p) { classifier.add(p); });
  return made;
}

}  // namespace rankveil
