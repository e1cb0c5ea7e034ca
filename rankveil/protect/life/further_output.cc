#include "rankveil/protect/life/further_output.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/persons.h"
#include "rankveil/protect/swap/fitted/fitted_swap.h"

namespace rankveil {

namespace {

// The value that each row shows, by attribute.
std::vector<Column> columns_shown(const LevelProfiles& signals) {
  std::vector<Column> columns;
  for (std::uint32_t j = 0; j < signals.domain_sizes().size(); ++j) {
    std::uint32_t domain = signals.domain_sizes()[j];
    std::vector<std::uint16_t> codes(signals.rows(), static_cast<std::uint16_t>(domain));
    signals.for_each_bit(PrivateId{j}, [&](RowId row, ValueId value, std::uint32_t) {
      codes[+row] = static_cast<std::uint16_t>(+value);
    });
    columns.emplace_back(domain, std::move(codes));
  }
  return columns;
}

// The served table with what is shown in the place of what is true.
Table table_shown(const Table& served, const LevelProfiles& signals) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < served.schema().public_count(); ++i) {
    columns.push_back(served.column(AttributeId{i}));
  }
  for (Column& column : columns_shown(signals)) columns.push_back(std::move(column));
  return Table(served.schema(), std::move(columns), served.names());
}

// What the last such output says of rows, by name.
class LastOutput {
 public:
  explicit LastOutput(const Index* index) : index_(index) {
    if (index == nullptr) return;
    profiles_ = index->profiles();
    for (std::uint32_t row = 0; row < index->rows(); ++row) {
      at_.emplace(index->name(RowId{row}), row);
    }
    columns_ = columns_shown(groups()->signals);
  }

  bool there() const { return index_ != nullptr; }

  // Where the row is that shows something; nothing: none of this name does.
  std::optional<RowId> row_of(const std::string& name) const {
    auto found = at_.find(name);
    if (found == at_.end()) return std::nullopt;
    if (groups()->shares.in_full(groups()->group_of[found->second])) return std::nullopt;
    return RowId{found->second};
  }

  // A value's code is the ledger's, for good; its name may be another by now.
  ValueId value(RowId row, const Attribute& attribute) const {
    auto column = index_->schema().find(attribute.name);
    return columns_[+*column - index_->schema().public_count()].value(row);
  }

 private:
  const GroupedProfiles* groups() const {
    return std::get_if<GroupedProfiles>(&profiles_->kinds());
  }
  const Index* index_;
  std::optional<Profiles> profiles_;
  std::unordered_map<std::string, std::uint32_t> at_;
  std::vector<Column> columns_;
};

class FurtherSwap {
 public:
  FurtherSwap(const Task& task, const GroupedProfiles& shown, const Ledger& ledger,
              const FurtherOutput& further)
      : task_(task),
        shown_(shown),
        ledger_(ledger),
        l_(further.l),
        last_(further.last),
        persons_(task),
        table_(table_shown(task.table, shown.signals)) {}

  FurtherExchange run() {
    remember_and_choose();
    Demand demand = task_.demand;
    demand.l = l_;
    Task again{.table = table_,
               .workload = task_.workload,
               .demand = demand,
               .key = task_.key,
               .taking_part = candidates_,
               .shown_before = std::vector<std::uint32_t>(task_.table.rows(), further_draw),
               .together = task_.together,
               .person_of = task_.person_of,
               .person_names = task_.person_names,
               .place_of = task_.place_of,
               .shown = last_.there() ? &earlier_ : nullptr,
               .l_before = task_.demand.l,
               .threads = task_.threads,
               .progress = task_.progress};
    if (last_.there()) let_few_wait(again);
    fitted::FittedSwap swap(again);
    swap.run();
    return made_of(swap);
  }

 private:
  // The coins of another exchange than the first. Those of all larger l are one: who moves under
  // 4 moves under 5.
  static constexpr std::uint32_t further_draw = 1U << 24;

  void remember_and_choose() {
    std::uint32_t rows = task_.table.rows();
    candidates_.assign(rows, 0);
    earlier_.rows.assign(rows, 0);
    std::vector<std::vector<ValueId>> values(task_.private_count(),
                                             std::vector<ValueId>(rows, missing_value));
    for (std::uint32_t row = 0; row < rows; ++row) {
      const LedgerEntry& entry = ledger_.rows.at(persons_.name(persons_.of(RowId{row})));
      bool once = shows(entry.status) && entry.releases == 1;
      if (!once || shown_.shares.in_full(shown_.group_of[row])) continue;
      auto before = row_before(RowId{row});
      earlier_.rows[row] = before ? 1 : 0;
      candidates_[row] = before || was_renamed(RowId{row}) ? 0 : 1;
      for (std::uint32_t j = 0; before && j < values.size(); ++j) {
        values[j][row] = last_.value(*before, task_.attribute(PrivateId{j}));
      }
    }
    for (std::uint32_t j = 0; j < values.size(); ++j) {
      earlier_.values.emplace_back(task_.private_domain_sizes()[j], values[j]);
    }
  }

  std::optional<RowId> row_before(RowId row) const {
    if (!last_.there()) return std::nullopt;
    std::string name = task_.table.names().text(row);
    if (auto found = last_.row_of(name)) return found;
    auto first = ledger_.first_names.find(name);
    return first == ledger_.first_names.end() ? std::nullopt : last_.row_of(first->second);
  }

  // Then the last output may have it under a name that nobody knows any more.
  bool was_renamed(RowId row) const {
    return last_.there() && ledger_.first_names.contains(persons_.name(persons_.of(row)));
  }

  static void let_few_wait(Task& task) {
    Persons units(task);
    auto released = fitted::units_to_release(task, units);
    auto count = static_cast<std::uint32_t>(std::count(released.begin(), released.end(), 1));
    if (count < GroupSizes::in_use().batch) task.taking_part.assign(task.taking_part.size(), 0);
  }

  FurtherExchange made_of(const fitted::FittedSwap& swap) const {
    FurtherExchange made{{{1, l_}, signals_of_rows(swap), shown_.group_of, groups_twice()},
                         swap.reports()};
    for (std::uint32_t row = 0; row < swap.shows().size(); ++row) {
      if (swap.shows()[row] != 0) {
        ++(earlier_.rows[row] != 0 ? made.kept : made.released);
      } else if (!shown_.shares.in_full(shown_.group_of[row])) {
        made.profiles.group_of[row] += shown_.shares.groups();
      }
    }
    return made;
  }

  LevelProfiles signals_of_rows(const fitted::FittedSwap& swap) const {
    LevelProfiles signals(task_.table.rows(), task_.private_domain_sizes(), 1);
    for (std::uint32_t j = 0; j < task_.private_count(); ++j) {
      std::uint32_t missing = task_.attribute(PrivateId{j}).domain.size();
      for (std::uint32_t row = 0; row < swap.shows().size(); ++row) {
        std::uint16_t code = swap.shown()[j][row];
        if (swap.shows()[row] == 0 || code == missing) continue;
        signals.set(RowId{row}, PrivateId{j}, ValueId{code});
      }
    }
    return signals;
  }

  // The release's groups, and behind them the same in full, for rows that show nothing here.
  GroupShares groups_twice() const {
    const GroupShares& from = shown_.shares;
    GroupShares to(2 * from.groups(), from.domain_sizes());
    for (std::uint32_t g = 0; g < to.groups(); ++g) {
      std::uint32_t own = g % from.groups();
      to.set_sum(g, from, {&own, 1});
      if (g >= from.groups() || from.in_full(own)) to.set_in_full(g);
    }
    return to;
  }

  const Task& task_;
  const GroupedProfiles& shown_;
  const Ledger& ledger_;
  std::uint32_t l_;
  LastOutput last_;
  Persons persons_;
  Table table_;
  std::vector<std::uint8_t> candidates_;
  ShownEarlier earlier_;
};

}  // namespace

FurtherExchange exchange_further(const Task& task, const GroupedProfiles& shown,
                                 const Ledger& ledger, const FurtherOutput& further) {
  return FurtherSwap(task, shown, ledger, further).run();
}

}  // namespace rankveil
