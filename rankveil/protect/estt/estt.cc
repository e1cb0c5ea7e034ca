#include "rankveil/protect/estt/estt.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/estt/obfuscation.h"
#include "rankveil/protect/estt/pairing.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/groups/profile_maker.h"
#include "rankveil/table/row_groups.h"

namespace rankveil {

namespace {

// Groups above this are cut one after the other, each by all threads; the others side by side.
constexpr std::uint32_t max_rows_side_by_side = 5000;
constexpr std::size_t rows_per_chunk = 2048;

std::uint32_t set_size(const Demand& demand) {
  return demand.set_size == 0 ? demand.l : demand.set_size;
}

struct KeyedRow {
  std::uint64_t secret;  // the row's place in its group
  RowId row;
};

// Rows that take part, by public group; set by set once they are cut.
struct GroupList {
  std::vector<KeyedRow> rows;
  std::vector<std::size_t> begin;  // [group + 1]

  std::size_t count() const { return begin.size() - 1; }
  std::span<KeyedRow> group(std::size_t g) {
    return std::span(rows).subspan(begin[g], begin[g + 1] - begin[g]);
  }
};

void key_rows(const Task& task, std::vector<KeyedRow>& rows) {
  KeyedStream stream(task.key, "estt", "order");
  std::size_t chunks = (rows.size() + rows_per_chunk - 1) / rows_per_chunk;
  parallel_for(chunks, task.threads, [&](std::size_t chunk) {
    std::size_t end = std::min(rows.size(), (chunk + 1) * rows_per_chunk);
    for (std::size_t i = chunk * rows_per_chunk; i < end; ++i) {
      rows[i].secret = stream.number(task.table.names().text(rows[i].row));
    }
  });
}

// Calls body(g) for small groups in parallel, then for large ones in turn.
template <typename Body>
void for_each_group(const GroupList& groups, std::uint32_t threads, const Body& body) {
  std::vector<std::size_t> chunks = {0};
  for (std::size_t g = 0; g < groups.count(); ++g) {
    if (groups.begin[g + 1] - groups.begin[chunks.back()] >= rows_per_chunk)
      chunks.push_back(g + 1);
  }
  if (chunks.back() != groups.count()) chunks.push_back(groups.count());
  auto is_large = [&](std::size_t g) {
    return groups.begin[g + 1] - groups.begin[g] > max_rows_side_by_side;
  };
  parallel_for(chunks.size() - 1, threads, [&](std::size_t chunk) {
    for (std::size_t g = chunks[chunk]; g < chunks[chunk + 1]; ++g) {
      if (!is_large(g)) body(g, 1);
    }
  });
  for (std::size_t g = 0; g < groups.count(); ++g) {
    if (is_large(g)) body(g, threads);
  }
}

GroupList list_groups(const Task& task) {
  RowGroups all = group_rows(task.table, rungs_of(task).front());
  std::vector<std::size_t> sizes(all.count(), 0);
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (task.takes_part(RowId{row})) ++sizes[all.group_of[row]];
  }
  GroupList groups;
  std::vector<std::size_t> next(all.count());
  groups.begin = {0};
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    next[g] = groups.begin.back();
    if (sizes[g] > 0) groups.begin.push_back(groups.begin.back() + sizes[g]);
  }
  groups.rows.resize(groups.begin.back());
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (task.takes_part(RowId{row})) groups.rows[next[all.group_of[row]]++].row = RowId{row};
  }
  key_rows(task, groups.rows);
  for_each_group(groups, task.threads, [&](std::size_t g, std::uint32_t) {
    auto rows = groups.group(g);
    std::sort(rows.begin(), rows.end(), [](const KeyedRow& a, const KeyedRow& b) {
      return a.secret != b.secret ? a.secret < b.secret : a.row < b.row;
    });
  });
  return groups;
}

struct GroupCost {
  std::uint64_t cost = 0;
  std::uint64_t bound = 0;
};

// Brings the rows of every group in the order of their sets.
std::vector<GroupCost> cut_groups(const Task& task, GroupList& groups) {
  std::vector<GroupCost> costs(groups.count());
  for_each_group(groups, task.threads, [&](std::size_t g, std::uint32_t threads) {
    auto rows = groups.group(g);
    std::vector<RowId> ids;
    ids.reserve(rows.size());
    for (const KeyedRow& row : rows) ids.push_back(row.row);
    EquivalentSets sets = cut_into_sets(CodeRows(task, ids), {.pairing = task.demand.pairing,
                                                              .l = task.demand.l,
                                                              .set_size = set_size(task.demand),
                                                              .seed = rows.front().secret,
                                                              .threads = threads});
    std::vector<KeyedRow> ordered;
    ordered.reserve(rows.size());
    for (std::uint32_t row : sets.rows) ordered.push_back(rows[row]);
    std::copy(ordered.begin(), ordered.end(), rows.begin());
    costs[g] = {sets.cost, sets.bound};
  });
  return costs;
}

// All sets of all groups.
struct SetList {
  struct Set {
    std::size_t begin;        // in GroupList::rows
    std::uint32_t rows;       // how many
    std::uint32_t members;    // at least l
    std::size_t first_value;  // of its members
  };
  std::vector<Set> sets;
  std::vector<std::size_t> first_set;  // [group + 1]
  std::vector<std::uint32_t> set_of;   // per row of the table; none for rows that take no part
  std::size_t members = 0;

  static constexpr std::uint32_t none = 0xFFFFFFFF;
};

SetList list_sets(const Task& task, const GroupList& groups) {
  SetList list;
  list.set_of.assign(task.table.rows(), SetList::none);
  std::uint32_t size = set_size(task.demand);
  for (std::size_t g = 0; g < groups.count(); ++g) {
    list.first_set.push_back(list.sets.size());
    std::size_t begin = groups.begin[g];
    auto left = static_cast<std::uint32_t>(groups.begin[g + 1] - begin);
    for (std::uint32_t i = EquivalentSets::set_count(left, size); i > 0; --i) {
      std::uint32_t rows = i == 1 ? left : size;
      std::uint32_t members = std::max(rows, task.demand.l);
      for (std::size_t r = begin; r < begin + rows; ++r) {
        list.set_of[+groups.rows[r].row] = static_cast<std::uint32_t>(list.sets.size());
      }
      list.sets.push_back({begin, rows, members, list.members});
      list.members += members;
      begin += rows;
      left -= rows;
    }
  }
  list.first_set.push_back(list.sets.size());
  return list;
}

// The values that sets show in one attribute, and whose values gave way for them.
struct ShownValues {
  std::vector<ValueId> values;        // set by set, ascending inside
  std::vector<std::uint8_t> changed;  // per row of the GroupList
  std::uint64_t new_values = 0;
};

ShownValues show_values(const Task& task, const GroupList& groups, const SetList& list,
                        PrivateId attribute) {
  const Column& column = task.private_column(attribute);
  KeyedStream stream(task.key, "estt", "value of " + task.attribute(attribute).name);
  Obfuscator obfuscator(task.demand.l, column.domain_size());
  ShownValues shown;
  shown.values.reserve(list.members);
  shown.changed.assign(groups.rows.size(), 0);
  std::vector<ValueId> own;
  own.reserve(groups.rows.size());
  for (const KeyedRow& row : groups.rows) own.push_back(column.value(row.row));
  std::vector<ValueId> values;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    std::size_t begin = groups.begin[g];
    obfuscator.start_group(std::span(own).subspan(begin, groups.begin[g + 1] - begin));
    for (std::size_t s = list.first_set[g]; s < list.first_set[g + 1]; ++s) {
      const SetList::Set& set = list.sets[s];
      values.assign(own.begin() + static_cast<std::ptrdiff_t>(set.begin),
                    own.begin() + static_cast<std::ptrdiff_t>(set.begin + set.rows));
      std::uint32_t lacking = obfuscator.lacking(values);
      shown.new_values += lacking;
      if (lacking > 0) {
        RowId first = groups.rows[set.begin].row;
        obfuscator.obfuscate(stream.number(task.table.names().text(first)), values,
                             std::span(shown.changed).subspan(set.begin, set.rows));
      }
      std::sort(values.begin(), values.end());
      shown.values.insert(shown.values.end(), values.begin(), values.end());
    }
  }
  return shown;
}

// Levels that hold shares of as many set sizes as possible, the usual one first.
std::uint32_t levels_for(const SetList& list, std::uint32_t usual) {
  std::map<std::uint32_t, std::uint64_t> sizes;
  for (const SetList::Set& set : list.sets) ++sizes[set.members];
  std::uint32_t levels = usual;
  for (const auto& [size, count] : sizes) {
    std::uint64_t common = std::lcm(std::uint64_t{levels}, std::uint64_t{size});
    if (common <= max_steps) levels = static_cast<std::uint32_t>(common);
  }
  return levels;
}

// Gives every row the shares of its set.
class ShareWriter {
 public:
  ShareWriter(const GroupList& groups, const SetList& list, ProfileMaker& maker,
              std::uint32_t levels)
      : list_(list), maker_(maker), levels_(levels), group_of_(list.sets.size(), SetList::none) {
    // Sets of a size that levels cannot hold become groups of their own.
    for (std::size_t s = 0; s < list.sets.size(); ++s) {
      const SetList::Set& set = list.sets[s];
      if (levels % set.members == 0) continue;
      group_of_[s] = maker.add_group(set.members);
      for (std::size_t i = set.begin; i < set.begin + set.rows; ++i) {
        maker.join_group(groups.rows[i].row, group_of_[s]);
      }
    }
  }

  void write(PrivateId attribute, const std::vector<ValueId>& values) {
    for (std::size_t s = 0; s < list_.sets.size(); ++s) {
      if (group_of_[s] == SetList::none) continue;
      for (ValueId value : values_of(list_.sets[s], values)) {
        if (value != missing_value) maker_.count_member(group_of_[s], attribute, value);
      }
    }
    // Rows ascending: large domains are kept as lists by row.
    for (std::uint32_t row = 0; row < list_.set_of.size(); ++row) {
      std::uint32_t s = list_.set_of[row];
      if (s == SetList::none || group_of_[s] != SetList::none) continue;
      write_row(RowId{row}, attribute, values_of(list_.sets[s], values));
    }
  }

 private:
  static std::span<const ValueId> values_of(const SetList::Set& set,
                                            const std::vector<ValueId>& values) {
    return std::span(values).subspan(set.first_value, set.members);
  }

  void write_row(RowId row, PrivateId attribute, std::span<const ValueId> values) {
    auto each = levels_ / static_cast<std::uint32_t>(values.size());
    for (std::size_t i = 0; i < values.size();) {
      std::size_t end = i + 1;
      while (end < values.size() && values[end] == values[i]) ++end;
      if (values[i] != missing_value) {
        maker_.signals().set(row, attribute, values[i], each * static_cast<std::uint32_t>(end - i));
      }
      i = end;
    }
  }

  const SetList& list_;
  ProfileMaker& maker_;
  std::uint32_t levels_;
  std::vector<std::uint32_t> group_of_;  // per set
};

void report_costs(const std::vector<GroupCost>& costs, ProtectionReport& made) {
  made.obfuscation_bound.emplace();
  for (const GroupCost& group : costs) {
    made.obfuscation_bound->value += group.cost;
    made.obfuscation_bound->bound += group.bound;
    ++made.solved;
    made.proven += group.cost == group.bound ? 1 : 0;
  }
}

void report_sets(const SetList& list, ProtectionReport& made) {
  for (const SetList::Set& set : list.sets) {
    if (made.set_sizes.size() <= set.rows) made.set_sizes.resize(set.rows + 1, 0);
    ++made.set_sizes[set.rows];
  }
  made.rows_without_signal =
      static_cast<std::uint64_t>(std::count(list.set_of.begin(), list.set_of.end(), SetList::none));
}

void report_obfuscation(const std::vector<ShownValues>& shown, ProtectionReport& made) {
  std::vector<std::uint8_t> touched(shown.empty() ? 0 : shown.front().changed.size(), 0);
  for (const ShownValues& one : shown) {
    made.obfuscated_values += one.new_values;
    for (std::size_t i = 0; i < touched.size(); ++i) touched[i] |= one.changed[i];
  }
  made.rows_with_obfuscation =
      static_cast<std::uint64_t>(std::count(touched.begin(), touched.end(), 1));
}

}  // namespace

Result<Protection> protect_estt(const Task& task) {
  std::uint32_t size = set_size(task.demand);
  report(task.progress, "pairing rows", 0);
  GroupList groups = list_groups(task);
  std::vector<GroupCost> costs = cut_groups(task, groups);
  SetList list = list_sets(task, groups);
  report(task.progress, "writing profiles", 0.5);

  std::uint32_t levels = levels_for(list, size);
  ProfileMaker maker(task, levels);
  ShareWriter writer(groups, list, maker, levels);
  std::vector<ShownValues> shown(task.private_count());
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    shown[j] = show_values(task, groups, list, attribute);
    writer.write(attribute, shown[j].values);
  });

  ProtectionReport made;
  report_costs(costs, made);
  report_sets(list, made);
  report_obfuscation(shown, made);
  made.unique_rows = unique_rows(task.table);
  return Protection{std::move(maker).finish(), std::move(made)};
}

}  // namespace rankveil
