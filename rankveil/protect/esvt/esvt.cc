#include "rankveil/protect/esvt/esvt.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "rankveil/base/parallel.h"
#include "rankveil/base/random.h"
#include "rankveil/protect/esvt/virtual_tuple.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/groups/profile_maker.h"
#include "rankveil/ranking/kernels/kernel.h"
#include "rankveil/table/row_groups.h"

namespace rankveil {

namespace {

constexpr std::size_t tuples_per_batch = 256;
constexpr std::size_t batches_per_report = 64;

// Rows whose values the workload cannot tell apart, attribute by attribute, are one tuple.
struct Tuples {
  std::vector<std::uint32_t> tuple_of;  // per row; none for rows that take no part
  std::vector<std::uint16_t> own;       // [tuple][attribute]; classes

  static constexpr std::uint32_t none = 0xFFFFFFFF;
};

std::uint16_t class_of(const AttributeView& attribute, ValueId value) {
  return value == missing_value ? TupleFinder::no_class : attribute.class_of[+value];
}

Column class_column(const AttributeView& attribute, const Column& column) {
  auto classes = static_cast<std::uint16_t>(attribute.values.size());
  std::vector<std::uint16_t> codes(column.size(), classes);
  column.for_each(
      [&](std::size_t row, std::uint32_t value) { codes[row] = attribute.class_of[value]; });
  return Column(classes, std::move(codes));
}

// The private attributes as the workload sees them.
Table class_table(const Task& task, const QueryView& view) {
  Schema schema;
  std::vector<Column> columns(task.private_count());
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    schema.attributes.emplace_back().name = task.attribute(PrivateId{j}).name;
  }
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    columns[j] = class_column(view.attributes[j], task.private_column(attribute));
  });
  return Table(std::move(schema), std::move(columns), RowNames(RowNumbers{task.table.rows()}));
}

Tuples find_tuples(const Task& task, const QueryView& view) {
  std::vector<AttributeId> all(task.private_count());
  for (std::uint32_t j = 0; j < all.size(); ++j) all[j] = AttributeId{j};
  RowGroups groups = group_rows(class_table(task, view), all);
  std::vector<std::uint32_t> number(groups.count(), Tuples::none);
  Tuples tuples{std::vector<std::uint32_t>(task.table.rows(), Tuples::none), {}};
  std::uint32_t next = 0;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (!task.takes_part(RowId{row})) continue;
    std::uint32_t& tuple = number[groups.group_of[row]];
    if (tuple == Tuples::none) {
      tuple = next++;
      for (std::uint32_t j = 0; j < all.size(); ++j) {
        ValueId value = task.private_column(PrivateId{j}).value(RowId{row});
        tuples.own.push_back(class_of(view.attributes[j], value));
      }
    }
    tuples.tuple_of[row] = tuple;
  }
  return tuples;
}

struct Virtuals {
  std::vector<std::uint16_t> classes;  // [tuple][virtual][attribute]
  std::vector<std::uint8_t> proven;    // [tuple]
};

Virtuals find_virtuals(const Task& task, const TupleFinder& finder, const Tuples& tuples) {
  std::size_t width = task.private_count();
  std::size_t wide = width * (task.demand.l - 1);
  std::size_t count = width == 0 ? 0 : tuples.own.size() / width;
  Virtuals found{std::vector<std::uint16_t>(count * wide), std::vector<std::uint8_t>(count)};
  std::size_t batches = (count + tuples_per_batch - 1) / tuples_per_batch;
  for (std::size_t begin = 0; begin < batches; begin += batches_per_report) {
    report(task.progress, "finding virtual tuples",
           static_cast<double>(begin) / static_cast<double>(batches));
    std::size_t some = std::min(batches_per_report, batches - begin);
    parallel_for(some, task.threads, [&](std::size_t batch) {
      std::size_t from = (begin + batch) * tuples_per_batch;
      std::size_t size = std::min(tuples_per_batch, count - from);
      finder.find(std::span(tuples.own).subspan(from * width, size * width),
                  std::span(found.classes).subspan(from * wide, size * wide),
                  std::span(found.proven).subspan(from, size));
    });
  }
  return found;
}

// Turns classes into values, for one attribute.
class ValueChooser {
 public:
  ValueChooser(const Task& task, const AttributeView& view, PrivateId attribute)
      : task_(task), view_(view), stream_(task.key, "esvt", task.attribute(attribute).name) {}

  // Calls use(value) for the row's own value and one value of each class.
  template <typename Classes, typename Use>
  void choose(RowId row, ValueId own, std::uint32_t count, const Classes& classes, const Use& use) {
    used_.clear();
    hashed_ = false;
    if (own != missing_value) used_.push_back(own);
    for (std::uint32_t i = 0; i < count; ++i) used_.push_back(free_value(row, classes(i)));
    for (ValueId value : used_) use(value);
  }

 private:
  bool is_used(ValueId value) const {
    return std::find(used_.begin(), used_.end(), value) != used_.end();
  }

  ValueId free_value(RowId row, std::uint16_t number) {
    const auto& values = view_.values[number];
    if (values.size() == 1) return values.front();
    if (!hashed_) {
      secret_ = stream_.number(task_.table.names().text(row));
      hashed_ = true;
    }
    const ValueId* best = nullptr;
    std::uint64_t highest = 0;
    for (const ValueId& value : values) {
      std::uint64_t rank = Rng(secret_ ^ +value)();
      if (is_used(value) || (best != nullptr && rank <= highest)) continue;
      best = &value;
      highest = rank;
    }
    assert(best != nullptr && "the search uses no class more often than it has values");
    return *best;
  }

  const Task& task_;
  const AttributeView& view_;
  KeyedStream stream_;
  std::vector<ValueId> used_;
  std::uint64_t secret_ = 0;  // the row's, for this attribute
  bool hashed_ = false;
};

// The signals of one attribute, of all rows.
void set_signals(const Task& task, const QueryView& view, PrivateId attribute, const Tuples& tuples,
                 const Virtuals& found, LevelProfiles& signals) {
  ValueChooser chooser(task, view.attributes[+attribute], attribute);
  const Column& column = task.private_column(attribute);
  std::size_t width = task.private_count();
  std::uint32_t others = task.demand.l - 1;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    std::uint32_t tuple = tuples.tuple_of[row];
    if (tuple == Tuples::none) continue;
    const std::uint16_t* classes = found.classes.data() + tuple * width * others + +attribute;
    chooser.choose(
        RowId{row}, column.value(RowId{row}), others,
        [&](std::uint32_t i) { return classes[i * width]; },
        [&](ValueId value) { signals.set(RowId{row}, attribute, value); });
  }
}

void fill_report(const Task& task, const Tuples& tuples, const Virtuals& found,
                 ProtectionReport& made) {
  made.set_sizes.assign(task.demand.l + 1, 0);
  for (std::uint32_t tuple : tuples.tuple_of) {
    if (tuple == Tuples::none) {
      ++made.rows_without_signal;
      continue;
    }
    ++made.set_sizes[task.demand.l];
    ++made.solved;
    made.proven += found.proven[tuple];
  }
  made.unique_rows = unique_rows(task.table);
}

}  // namespace

Result<Protection> protect_esvt(const Task& task) {
  if (task.demand.l > max_steps) {
    return wrong_use(fmt::format(
        "esvt serves sets of up to {} members, and l = {} asks for more; use an l of at most {}",
        max_steps, task.demand.l, max_steps));
  }
  QueryView view = view_queries(task.table.schema(), task.workload);
  auto finder = TupleFinder::make(view, {.l = task.demand.l,
                                         .node_budget = task.demand.node_budget,
                                         .isa = kernels::kernel_in_use().isa});
  if (!finder) return finder.error();
  Tuples tuples = find_tuples(task, view);
  Virtuals found = find_virtuals(task, **finder, tuples);
  ProfileMaker maker(task, task.demand.l);
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    set_signals(task, view, attribute, tuples, found, maker.signals());
  });
  ProtectionReport made;
  fill_report(task, tuples, found, made);
  return Protection{std::move(maker).finish(), std::move(made)};
}

}  // namespace rankveil
