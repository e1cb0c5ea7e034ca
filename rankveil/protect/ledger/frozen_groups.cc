#include "rankveil/protect/ledger/frozen_groups.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rankveil {

namespace {

using ValueTexts = std::vector<std::optional<std::string>>;

std::optional<std::string> value_text(const Task& task, RowId row, AttributeId column) {
  ValueId value = task.table.value(row, column);
  if (value == missing_value) return std::nullopt;
  return task.table.schema()[column].domain.text(value);
}

ValueTexts value_texts(const Task& task, RowId row, const std::vector<AttributeId>& columns) {
  ValueTexts texts;
  for (AttributeId column : columns) texts.push_back(value_text(task, row, column));
  return texts;
}

std::vector<std::string> column_names(const Task& task, const std::vector<AttributeId>& columns) {
  std::vector<std::string> names;
  for (AttributeId column : columns) names.push_back(task.table.schema()[column].name);
  return names;
}

// Ascending, each with how many rows have it.
std::vector<FrozenCount> frozen_counts(const std::vector<RowId>& rows, PrivateId attribute,
                                       const CountedValue& value) {
  std::vector<std::uint32_t> values;
  for (RowId row : rows) {
    ValueId own = value(attribute, row);
    if (own != missing_value) values.push_back(+own);
  }
  std::sort(values.begin(), values.end());
  std::vector<FrozenCount> counts;
  for (std::uint32_t own : values) {
    if (counts.empty() || counts.back().first != own) counts.emplace_back(own, 0);
    ++counts.back().second;
  }
  return counts;
}

// The places of a task's values in the ledger's list of an attribute; new ones go to its end.
std::vector<std::uint32_t> places_in(const Domain& domain, FrozenValues& list) {
  std::map<std::string_view, std::uint32_t> known;
  for (std::uint32_t i = 0; i < list.size(); ++i) known.emplace(list[i].first, i);
  std::vector<std::uint32_t> places;
  auto next = static_cast<std::uint32_t>(list.size());
  std::vector<std::string> more;
  for (const std::string& text : domain.values()) {
    auto found = known.find(text);
    places.push_back(found == known.end() ? next++ : found->second);
    if (found == known.end()) more.push_back(text);
  }
  for (std::string& text : more) list.emplace_back(std::move(text), 0);
  return places;
}

// The ledger's lists of values, by attribute of the task.
struct FrozenLists {
  std::vector<std::size_t> at;                     // in ledger.shares
  std::vector<std::vector<std::uint32_t>> places;  // per value of the task

  FrozenLists(const Task& task, Ledger& ledger) {
    for (std::uint32_t j = 0; j < task.private_count(); ++j) {
      const Attribute& attribute = task.attribute(PrivateId{j});
      auto list = std::find_if(ledger.shares.begin(), ledger.shares.end(),
                               [&](const auto& one) { return one.first == attribute.name; });
      if (list == ledger.shares.end()) {
        list = ledger.shares.insert(list, {attribute.name, FrozenValues()});
      }
      at.push_back(static_cast<std::size_t>(list - ledger.shares.begin()));
      places.push_back(places_in(attribute.domain, list->second));
    }
  }
};

FrozenRung& rung_with(std::vector<std::string> columns, std::vector<FrozenRung>& rungs) {
  for (FrozenRung& rung : rungs) {
    if (rung.columns == columns) return rung;
  }
  return rungs.emplace_back(FrozenRung{std::move(columns), {}});
}

void add_groups(const Task& task, const Climb& climb, const CountedValue& value,
                std::uint32_t first, const FrozenLists& lists, Ledger& ledger) {
  auto rungs = rungs_of(task);
  for (std::uint32_t g = 0; g < climb.groups.size(); ++g) {
    const auto& rows = climb.groups[g];
    const auto& columns = rungs[climb.rung_of[g]];
    FrozenRung& rung = rung_with(column_names(task, columns), *ledger.groups);
    FrozenGroup& group = rung.groups.emplace_back();
    group.values = value_texts(task, rows.front(), columns);
    group.rows = rows.size();
    group.number = first + g;
    group.counts.resize(ledger.shares.size());
    for (std::uint32_t j = 0; j < task.private_count(); ++j) {
      for (const auto& [own, count] : frozen_counts(rows, PrivateId{j}, value)) {
        group.counts[lists.at[j]].emplace_back(lists.places[j][own], count);
      }
    }
  }
}

}  // namespace

void freeze_shares(const Task& task, const Climb* climb, const std::vector<bool>& shown,
                   const CountedValue& value, Ledger& ledger) {
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < shown.size(); ++row) {
    if (shown[row]) rows.push_back(RowId{row});
  }
  if (rows.size() < task.demand.min_group) rows.clear();
  ledger.share_rows = rows.size();
  FrozenLists lists(task, ledger);
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    for (const auto& [own, count] : frozen_counts(rows, PrivateId{j}, value)) {
      ledger.shares[lists.at[j]].second[lists.places[j][own]].second += count;
    }
  }
  if (climb == nullptr) return;
  ledger.groups.emplace();
  add_groups(task, *climb, value, 0, lists, ledger);
}

void freeze_batch(const Task& task, const Climb& climb, const CountedValue& value,
                  std::uint32_t first, Ledger& ledger) {
  if (!ledger.groups) return;
  FrozenLists lists(task, ledger);
  add_groups(task, climb, value, first, lists, ledger);
}

// ---- What rows are served ----

namespace {

using FrozenParts = std::vector<const FrozenGroup*>;

// Where `columns` stand in those of a rung; nothing: it is coarser, or another one.
std::optional<std::vector<std::size_t>> places_of(const std::vector<std::string>& columns,
                                                  const FrozenRung& rung) {
  std::vector<std::size_t> places;
  for (const std::string& column : columns) {
    auto found = std::find(rung.columns.begin(), rung.columns.end(), column);
    if (found == rung.columns.end()) return std::nullopt;
    places.push_back(static_cast<std::size_t>(found - rung.columns.begin()));
  }
  return places;
}

// Groups made by at least these columns, by what they have there.
std::map<ValueTexts, FrozenParts> groups_like(const std::vector<std::string>& columns,
                                              const std::vector<FrozenRung>& rungs) {
  std::map<ValueTexts, FrozenParts> groups;
  for (const FrozenRung& rung : rungs) {
    auto places = places_of(columns, rung);
    if (!places) continue;
    for (const FrozenGroup& group : rung.groups) {
      ValueTexts texts;
      for (std::size_t place : *places) texts.push_back(group.values[place]);
      groups[std::move(texts)].push_back(&group);
    }
  }
  return groups;
}

// The values of the ledger's lists as the task numbers them.
class FrozenReader {
 public:
  FrozenReader(const Task& task, const Ledger& ledger) : ledger_(ledger) {
    for (const auto& [name, list] : ledger.shares) {
      auto& ids = ids_.emplace_back();
      auto found = task.table.schema().find(name);
      bool served = found && task.table.schema()[*found].is_private();
      attributes_.push_back(served ? +*found - task.table.schema().public_count() : 0);
      for (const auto& [text, count] : list) {
        ids.push_back(served ? task.table.schema()[*found].domain.find(text) : std::nullopt);
      }
    }
  }

  void add(const FrozenGroup& part, std::uint32_t group, GroupShares& shares) const {
    for (std::size_t i = 0; i < std::min(part.counts.size(), ids_.size()); ++i) {
      for (const auto& [place, count] : part.counts[i]) {
        if (place < ids_[i].size()) add(i, place, count, group, shares);
      }
    }
  }

  void add_everybody(std::uint32_t group, GroupShares& shares) const {
    auto rows = std::max<std::uint64_t>(1, ledger_.share_rows);
    shares.set_in_full(group);
    shares.set_size(group, static_cast<std::uint32_t>(rows));
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      for (std::size_t place = 0; place < ids_[i].size(); ++place) {
        add(i, place, ledger_.shares[i].second[place].second, group, shares);
      }
    }
  }

 private:
  void add(std::size_t list, std::size_t place, std::uint64_t count, std::uint32_t group,
           GroupShares& shares) const {
    if (!ids_[list][place]) return;
    PrivateId attribute{attributes_[list]};
    ValueId value = *ids_[list][place];
    std::uint64_t sum = shares.count(group, attribute, value) + count;
    shares.set_count(group, attribute, value,
                     static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, shares.size(group))));
  }

  const Ledger& ledger_;
  std::vector<std::uint32_t> attributes_;                 // per list
  std::vector<std::vector<std::optional<ValueId>>> ids_;  // [list][place]
};

// Numbers the groups that rows of `left` find on this rung, and keeps those that find none.
void find_groups_on_rung(const Task& task, const std::vector<AttributeId>& columns,
                         const std::map<ValueTexts, FrozenParts>& like, std::vector<RowId>& left,
                         FrozenShares& made, std::vector<FrozenParts>& parts) {
  std::map<ValueTexts, std::uint32_t> numbers;
  std::vector<RowId> still_left;
  for (RowId row : left) {
    ValueTexts texts = value_texts(task, row, columns);
    auto found = like.find(texts);
    if (found == like.end()) {
      still_left.push_back(row);
      continue;
    }
    auto [number, is_new] =
        numbers.try_emplace(std::move(texts), static_cast<std::uint32_t>(parts.size()));
    if (is_new) parts.push_back(found->second);
    made.group_of[+row] = number->second;
  }
  left = std::move(still_left);
}

void sum_parts(const FrozenReader& reader, const FrozenParts& parts, std::uint32_t group,
               GroupShares& shares) {
  std::uint64_t size = 0;
  for (const FrozenGroup* part : parts) size += part->rows;
  shares.set_in_full(group);
  shares.set_size(group, static_cast<std::uint32_t>(std::max<std::uint64_t>(1, size)));
  for (const FrozenGroup* part : parts) reader.add(*part, group, shares);
}

}  // namespace

FrozenShares frozen_shares(const Task& task, const Ledger& ledger, const std::vector<RowId>& rows) {
  FrozenShares made;
  made.group_of.assign(task.table.rows(), Climb::no_group);
  FrozenReader reader(task, ledger);
  made.everybody = GroupShares(1, task.private_domain_sizes());
  reader.add_everybody(0, made.everybody);
  std::vector<FrozenParts> parts;
  std::vector<RowId> left = rows;
  if (ledger.groups) {
    for (const auto& columns : rungs_of(task)) {
      if (left.empty()) break;
      auto like = groups_like(column_names(task, columns), *ledger.groups);
      find_groups_on_rung(task, columns, like, left, made, parts);
    }
  }
  auto groups = static_cast<std::uint32_t>(parts.size());
  made.shares = GroupShares(groups + (left.empty() ? 0 : 1), task.private_domain_sizes());
  for (std::uint32_t g = 0; g < groups; ++g) sum_parts(reader, parts[g], g, made.shares);
  for (RowId row : left) made.group_of[+row] = groups;
  if (!left.empty()) reader.add_everybody(groups, made.shares);
  return made;
}

}  // namespace rankveil
