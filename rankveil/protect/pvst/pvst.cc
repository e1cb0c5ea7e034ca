#include "rankveil/protect/pvst/pvst.h"

#include <algorithm>
#include <deque>
#include <span>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/groups/pieces.h"
#include "rankveil/protect/groups/profile_maker.h"
#include "rankveil/protect/pvst/cover/group.h"
#include "rankveil/protect/pvst/cover/search.h"
#include "rankveil/protect/pvst/cover/vectors.h"
#include "rankveil/table/row_groups.h"

namespace rankveil {

namespace {

// Groups from this many rows on are searched by all threads together, smaller ones by one each.
constexpr std::size_t min_rows_together = 4096;
// Different vectors one thread searches for at a time, in large groups.
constexpr std::uint32_t chunk_size = 64;

// The rows that take part, by public group, ascending inside.
struct Grouping {
  RowGroups groups;
  std::vector<RowId> rows;
  std::vector<std::size_t> begin;  // per group, and one more

  std::span<const RowId> group(std::size_t g) const {
    return std::span(rows).subspan(begin[g], begin[g + 1] - begin[g]);
  }
};

Grouping group_by_public_values(const Task& task) {
  Grouping made{group_rows(task.table, public_attributes(task.table.schema())), {}, {}};
  made.begin.assign(made.groups.count() + 1, 0);
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (task.takes_part(RowId{row})) ++made.begin[made.groups.group_of[row] + 1];
  }
  for (std::size_t g = 1; g < made.begin.size(); ++g) made.begin[g] += made.begin[g - 1];
  made.rows.resize(made.begin.back());
  std::vector<std::size_t> next(made.begin.begin(), made.begin.end() - 1);
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (task.takes_part(RowId{row})) made.rows[next[made.groups.group_of[row]]++] = RowId{row};
  }
  return made;
}

// Rows chosen by one job, for one row after the other.
struct Chosen {
  std::vector<RowId> rows;
  std::vector<std::uint64_t> set_sizes;

  void count_size(std::size_t size, std::uint64_t times) {
    if (size >= set_sizes.size()) set_sizes.resize(size + 1);
    set_sizes[size] += times;
  }
};

// Where a row's cover stands.
struct Cover {
  std::uint32_t job = 0;
  std::uint32_t begin = 0;
  std::uint32_t count = 0;
};

class Pvst {
 public:
  Pvst(const Task& task, const cover::Vectors& vectors)
      : task_(task),
        vectors_(vectors),
        width_(task.private_count()),
        grouping_(group_by_public_values(task)),
        covers_(task.table.rows()),
        short_(std::size_t{grouping_.groups.count()} * width_, 1) {}

  void search();
  Protection serve() const;

 private:
  struct Batch {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Batch> batches_of_small_groups() const;
  bool is_worth_a_search(std::size_t group, const cover::Group& built);
  void search_batch(const Batch& batch, std::uint32_t job);
  void search_large(std::size_t group, cover::Group& built);
  void search_positions(cover::Search& search, const std::vector<std::uint32_t>& rows_at,
                        std::uint32_t begin, std::uint32_t end, std::uint32_t job, Cover* covers);
  void give_covers(std::size_t group, const cover::Group& built, const std::vector<Cover>& covers);
  bool is_short(std::size_t group, std::uint32_t j) const {
    return short_[group * width_ + j] != 0;
  }
  void fill(const WidePiece& piece, ProfileMaker& maker) const;
  void fill_set(std::uint32_t row, SetWriter& writer) const;
  void fill_domain(std::uint32_t row, SetWriter& writer) const;
  ProtectionReport report() const;

  const Task& task_;
  const cover::Vectors& vectors_;
  std::uint32_t width_;
  Grouping grouping_;
  std::vector<Cover> covers_;        // per row
  std::vector<std::uint8_t> short_;  // [group][attribute]
  std::vector<Chosen> jobs_;
};

std::vector<Pvst::Batch> Pvst::batches_of_small_groups() const {
  constexpr std::size_t max_batches = 64;
  std::size_t rows_a_batch = std::max(min_rows_together, grouping_.rows.size() / max_batches);
  std::vector<Batch> batches;
  std::size_t groups = grouping_.groups.count();
  for (std::size_t begin = 0, end = 0; begin < groups; begin = end) {
    while (end < groups && grouping_.begin[end] - grouping_.begin[begin] < rows_a_batch) ++end;
    batches.push_back({begin, end});
  }
  return batches;
}

// Marks the attributes of which the group has enough values; false if there is none.
bool Pvst::is_worth_a_search(std::size_t group, const cover::Group& built) {
  bool any = false;
  for (std::uint32_t j = 0; j < width_; ++j) {
    bool enough = built.values(j) >= task_.demand.l;
    short_[group * width_ + j] = enough ? 0 : 1;
    any |= enough;
  }
  return any;
}

void Pvst::search() {
  std::vector<Batch> batches = batches_of_small_groups();
  jobs_.resize(batches.size());
  parallel_for(batches.size(), task_.threads,
               [&](std::size_t i) { search_batch(batches[i], static_cast<std::uint32_t>(i)); });
  cover::Group built(vectors_);
  for (std::size_t g = 0; g < grouping_.groups.count(); ++g) {
    if (grouping_.group(g).size() >= min_rows_together) search_large(g, built);
  }
}

// How many rows stand behind each position.
std::vector<std::uint32_t> rows_at_positions(const cover::Group& built, std::size_t rows) {
  std::vector<std::uint32_t> counts(built.size(), 0);
  for (std::size_t i = 0; i < rows; ++i) ++counts[built.position(i)];
  return counts;
}

void Pvst::search_batch(const Batch& batch, std::uint32_t job) {
  cover::Group built(vectors_);
  cover::Search search(vectors_, task_.demand.l);
  std::vector<Cover> covers;
  for (std::size_t g = batch.begin; g < batch.end; ++g) {
    std::size_t rows = grouping_.group(g).size();
    // Fewer than l rows have fewer than l values.
    if (rows < task_.demand.l || rows >= min_rows_together) continue;
    built.build(grouping_.group(g), 1);
    if (!is_worth_a_search(g, built)) continue;
    covers.resize(built.size());
    search.use(built);
    search_positions(search, rows_at_positions(built, rows), 0, built.size(), job, covers.data());
    give_covers(g, built, covers);
  }
}

void Pvst::search_large(std::size_t group, cover::Group& built) {
  std::size_t rows = grouping_.group(group).size();
  built.build(grouping_.group(group), task_.threads);
  if (!is_worth_a_search(group, built)) return;
  auto first_job = static_cast<std::uint32_t>(jobs_.size());
  std::uint32_t chunks = (built.size() + chunk_size - 1) / chunk_size;
  jobs_.resize(first_job + chunks);
  std::vector<Cover> covers(built.size());
  std::vector<std::uint32_t> rows_at = rows_at_positions(built, rows);
  cover::Shortlists shortlists(built, task_.demand.l);
  parallel_for(chunks, task_.threads, [&](std::size_t i) {
    auto chunk = static_cast<std::uint32_t>(i);
    cover::Search search(vectors_, task_.demand.l);
    search.use(built, &shortlists);
    std::uint32_t end = std::min(built.size(), (chunk + 1) * chunk_size);
    search_positions(search, rows_at, chunk * chunk_size, end, first_job + chunk, covers.data());
  });
  give_covers(group, built, covers);
}

void Pvst::search_positions(cover::Search& search, const std::vector<std::uint32_t>& rows_at,
                            std::uint32_t begin, std::uint32_t end, std::uint32_t job,
                            Cover* covers) {
  Chosen& chosen = jobs_[job];
  for (std::uint32_t position = begin; position < end; ++position) {
    auto first = static_cast<std::uint32_t>(chosen.rows.size());
    search.run(position, chosen.rows);
    covers[position] = {job, first, static_cast<std::uint32_t>(chosen.rows.size()) - first};
    for (std::uint32_t j = 0; j < width_; ++j) {
      bool is_full = search.set_size(j) >= task_.demand.l;
      if (is_full) chosen.count_size(search.set_size(j), rows_at[position]);
    }
  }
}

void Pvst::give_covers(std::size_t group, const cover::Group& built,
                       const std::vector<Cover>& covers) {
  std::span<const RowId> rows = grouping_.group(group);
  for (std::size_t i = 0; i < rows.size(); ++i) covers_[+rows[i]] = covers[built.position(i)];
}

Protection Pvst::serve() const {
  ProfileMaker maker(task_, 1);
  fill_in_wide_pieces(maker.signals(), task_.threads,
                      [&](const WidePiece& piece) { fill(piece, maker); });
  return {std::move(maker).finish(), report()};
}

void Pvst::fill(const WidePiece& piece, ProfileMaker& maker) const {
  std::deque<SetWriter> writers;
  for (PrivateId attribute : piece.attributes) writers.emplace_back(maker.signals(), attribute);
  for (std::uint32_t row = piece.begin; row < piece.end; ++row) {
    if (!task_.takes_part(RowId{row})) continue;
    for (SetWriter& writer : writers) {
      if (!is_short(grouping_.groups.group_of[row], +writer.attribute())) {
        fill_set(row, writer);
      } else if (task_.demand.fallback == Fallback::Shares) {
        maker.use_shares(RowId{row}, writer.attribute());
      } else if (task_.demand.fallback == Fallback::WholeDomain) {
        fill_domain(row, writer);
      }
    }
  }
}

void Pvst::fill_set(std::uint32_t row, SetWriter& writer) const {
  std::uint32_t j = +writer.attribute();
  auto add = [&](std::uint32_t of) {
    std::uint32_t code = vectors_.code(of, j);
    if (code != vectors_.domain(j)) {
      writer.add(RowId{row}, ValueId{static_cast<std::uint16_t>(code)});
    }
  };
  add(row);
  const Cover& cover = covers_[row];
  const RowId* chosen = jobs_[cover.job].rows.data() + cover.begin;
  for (std::uint32_t i = 0; i < cover.count; ++i) add(+chosen[i]);
}

void Pvst::fill_domain(std::uint32_t row, SetWriter& writer) const {
  for (std::uint32_t v = 0; v < vectors_.domain(+writer.attribute()); ++v) {
    writer.add(RowId{row}, ValueId{static_cast<std::uint16_t>(v)});
  }
}

ProtectionReport Pvst::report() const {
  ProtectionReport made;
  made.short_sets.assign(width_, 0);
  made.rows_without_signal = task_.table.rows() - grouping_.rows.size();
  for (std::size_t g = 0; g < grouping_.groups.count(); ++g) {
    made.unique_rows += grouping_.groups.sizes[g] == 1 ? 1 : 0;
    std::size_t rows = grouping_.group(g).size();
    std::uint32_t too_few = 0;
    for (std::uint32_t j = 0; j < width_; ++j) {
      if (!is_short(g, j)) continue;
      made.short_sets[j] += rows;
      ++too_few;
    }
    if (too_few > 0) made.rows_with_short_sets += rows;
    bool all_shares = too_few == width_ && task_.demand.fallback == Fallback::Shares;
    if (all_shares) made.rows_without_signal += rows;
  }
  for (const Chosen& job : jobs_) {
    made.set_sizes.resize(std::max(made.set_sizes.size(), job.set_sizes.size()));
    for (std::size_t size = 0; size < job.set_sizes.size(); ++size) {
      made.set_sizes[size] += job.set_sizes[size];
    }
  }
  return made;
}

}  // namespace

Result<Protection> protect_pvst(const Task& task) {
  auto vectors = cover::vectors_of(task);
  if (!vectors) return vectors.error();
  Pvst pvst(task, *vectors);
  pvst.search();
  return pvst.serve();
}

}  // namespace rankveil
