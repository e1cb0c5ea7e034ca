#include "rankveil/protect/cluster/cluster.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/caps.h"
#include "rankveil/protect/cluster/clustering.h"
#include "rankveil/protect/groups/silent_groups.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/sensitive_sets.h"

namespace rankveil {

namespace {

// Where the values of each attribute begin among all coordinates; the value behind the domain
// stands for a missing one. Behind all attributes stand the sets of values, each as one more
// attribute with two values: in it, and not in it.
struct Coordinates {
  std::vector<std::uint32_t> first;  // per attribute, then per set
  std::uint32_t count = 0;
  std::vector<std::uint8_t> spared;  // per coordinate, 1: declared not sensitive
  std::vector<CodedSet> sets;

  explicit Coordinates(const Task& task) {
    SparedValues values(task.table.schema(), task.demand.not_sensitive);
    for (std::uint32_t size : task.private_domain_sizes()) {
      PrivateId attribute{static_cast<std::uint32_t>(first.size())};
      first.push_back(count);
      count += size + 1;
      for (std::uint32_t v = 0; v <= size; ++v) spared.push_back(values.has(attribute, v) ? 1 : 0);
    }
    sets = coded_sets(task.table.schema(), sets_capped_by(task.demand));
    for (std::size_t s = 0; s < sets.size(); ++s) {
      first.push_back(count);
      count += 2;
      spared.insert(spared.end(), {0, 0});
    }
  }

  // Nobody asks about it, so it may be as common as it likes, and no choice is made for its sake.
  std::uint32_t outside(std::size_t set) const { return first[first.size() - sets.size() + set]; }
  std::uint32_t inside(std::size_t set) const { return outside(set) + 1; }
};

// A row on its way to a slot. Sorting brings vectors into an order that is theirs alone; rows that
// share one follow in a secret order.
struct Arrival {
  std::uint64_t vector_hash;
  std::uint64_t turn;
  std::uint32_t place;  // in the group
};

// One public group: its rows, their vectors, and clusters of them.
class GroupClusters {
 public:
  GroupClusters(const Task& task, const Coordinates& coordinates, const std::vector<RowId>& rows)
      : task_(task),
        rows_(rows),
        attributes_(task.private_count()),
        width_(attributes_ + static_cast<std::uint32_t>(coordinates.sets.size())) {
    read_vectors(coordinates);
    sort_rows();
    set_caps(coordinates);
  }

  std::vector<std::vector<RowId>> run(const KeyedStream& stream) const {
    if (width_ == 0) return {rows_};
    std::vector<std::vector<RowId>> clusters;
    for (const Cluster& cluster :
         cluster_vectors(vectors_, {.l = task_.demand.l}, SecretDraws(stream))) {
      auto& members = clusters.emplace_back();
      for (std::uint32_t slot : cluster) members.push_back(row_in_[slot]);
    }
    return clusters;
  }

 private:
  // In row order first.
  void read_vectors(const Coordinates& coordinates) {
    vectors_.attributes = width_;
    vectors_.coordinates.resize(rows_.size() * width_);
    for (std::uint32_t j = 0; j < attributes_; ++j) {
      const Column& column = task_.private_column(PrivateId{j});
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        ValueId value = column.value(rows_[i]);
        std::uint32_t code = value == missing_value ? column.domain_size() : +value;
        vectors_.coordinates[i * width_ + j] = coordinates.first[j] + code;
      }
    }
    for (std::size_t s = 0; s < coordinates.sets.size(); ++s) read_set(coordinates, s);
  }

  void read_set(const Coordinates& coordinates, std::size_t set) {
    const CodedSet& one = coordinates.sets[set];
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::uint32_t* vector = vectors_.coordinates.data() + i * width_;
      std::uint32_t code = vector[+one.attribute] - coordinates.first[+one.attribute];
      vector[attributes_ + set] =
          one.has(code) ? coordinates.inside(set) : coordinates.outside(set);
    }
  }

  std::uint64_t hash(std::uint32_t place) const {
    std::uint64_t hash = 0;
    for (std::uint32_t j = 0; j < width_; ++j) {
      hash = (hash ^ vectors_.vector(place)[j]) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return hash;
  }

  bool less(const Arrival& left, const Arrival& right) const {
    if (left.vector_hash != right.vector_hash) return left.vector_hash < right.vector_hash;
    const std::uint32_t* a = vectors_.vector(left.place);
    const std::uint32_t* b = vectors_.vector(right.place);
    for (std::uint32_t j = 0; j < width_; ++j) {
      if (a[j] != b[j]) return a[j] < b[j];
    }
    return std::pair(left.turn, left.place) < std::pair(right.turn, right.place);
  }

  void sort_rows() {
    KeyedStream turns(task_.key, "cluster turn");
    std::vector<Arrival> arrivals(rows_.size());
    RowNames::Digits digits;
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      arrivals[i] = {hash(i), turns.number(task_.table.names().text(rows_[i], digits)), i};
    }
    std::sort(arrivals.begin(), arrivals.end(),
              [this](const Arrival& left, const Arrival& right) { return less(left, right); });
    std::vector<std::uint32_t> sorted;
    sorted.reserve(vectors_.coordinates.size());
    for (const Arrival& arrival : arrivals) {
      const std::uint32_t* vector = vectors_.vector(arrival.place);
      sorted.insert(sorted.end(), vector, vector + width_);
      row_in_.push_back(rows_[arrival.place]);
    }
    vectors_.coordinates = std::move(sorted);
  }

  void set_caps(const Coordinates& coordinates) {
    std::vector<double> shares(coordinates.count, 0);
    for (std::uint32_t at : vectors_.coordinates) ++shares[at];
    for (double& share : shares) share /= static_cast<double>(rows_.size());
    vectors_.caps = caps_of(shares, task_.demand.l, gamma_of(task_.demand), coordinates.spared);
    for (std::size_t s = 0; s < coordinates.sets.size(); ++s) {
      vectors_.caps[coordinates.outside(s)] = std::numeric_limits<double>::infinity();
    }
  }

  const Task& task_;
  const std::vector<RowId>& rows_;
  std::uint32_t attributes_;
  std::uint32_t width_;  // attributes and sets
  VectorSet vectors_;
  std::vector<RowId> row_in_;  // per slot
};

// What a group's draws are named by: the public values it stands for, which stay what they are when
// other groups come and go.
std::string group_label(const Task& task, const std::vector<AttributeId>& columns, RowId row) {
  std::string label;
  for (AttributeId column : columns) {
    const Attribute& attribute = task.table.schema()[column];
    ValueId value = task.table.value(row, column);
    label.append(attribute.name).push_back('\0');
    if (value != missing_value) label.append(attribute.domain.text(value));
    label.append(value == missing_value ? "\1" : "\2");
  }
  return label;
}

// Clusters are numbered by their first rows: who has which vector leaves no trace in the order.
RowClusters numbered(std::size_t rows, const std::vector<std::vector<std::vector<RowId>>>& made) {
  RowClusters clusters{std::vector<std::uint32_t>(rows, Climb::no_group), 0};
  std::vector<std::uint32_t> of(rows, Climb::no_group);
  std::uint32_t count = 0;
  for (const auto& group : made) {
    for (const auto& cluster : group) {
      for (RowId row : cluster) of[+row] = count;
      ++count;
    }
  }
  std::vector<std::uint32_t> number(count, Climb::no_group);
  for (std::size_t row = 0; row < rows; ++row) {
    if (of[row] == Climb::no_group) continue;
    if (number[of[row]] == Climb::no_group) number[of[row]] = clusters.count++;
    clusters.cluster_of[row] = number[of[row]];
  }
  return clusters;
}

}  // namespace

RowClusters cluster_rows(const Task& task, const Climb& climb) {
  Coordinates coordinates(task);
  auto rungs = rungs_of(task);
  std::vector<std::vector<std::vector<RowId>>> made(climb.groups.size());
  parallel_for(climb.groups.size(), task.threads, [&](std::size_t g) {
    const auto& rows = climb.groups[g];
    std::string label = group_label(task, rungs[climb.rung_of[g]], rows.front());
    KeyedStream stream(task.key, "cluster draws", label);
    made[g] = GroupClusters(task, coordinates, rows).run(stream);
  });
  return numbered(task.table.rows(), made);
}

namespace {

using Counts = std::vector<std::uint32_t>;

struct CountsHash {
  std::size_t operator()(const Counts& counts) const {
    std::uint64_t hash = 0;
    for (std::uint32_t count : counts) {
      hash = (hash ^ count) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

// Size and counts of one cluster with their common factor taken out: its shares, and no more.
Counts reduced(const GroupShares& shares, std::uint32_t cluster) {
  Counts counts = {shares.size(cluster)};
  for (std::uint32_t j = 0; j < shares.domain_sizes().size(); ++j) {
    for (std::uint32_t v = 0; v < shares.domain_sizes()[j]; ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      counts.push_back(shares.count(cluster, PrivateId{j}, value));
    }
  }
  std::uint32_t factor = 0;
  for (std::uint32_t count : counts) factor = std::gcd(factor, count);
  for (std::uint32_t& count : counts) count /= factor;
  return counts;
}

void set_counts(const Counts& counts, std::uint32_t group, GroupShares& shares) {
  shares.set_size(group, counts[0]);
  auto count = counts.begin() + 1;
  for (std::uint32_t j = 0; j < shares.domain_sizes().size(); ++j) {
    for (std::uint32_t v = 0; v < shares.domain_sizes()[j]; ++v) {
      shares.set_count(group, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)}, *count++);
    }
  }
}

// Clusters with the same shares, as one group. What is served is a function of what would have been
// served without: it tells less, and has fewer groups.
struct AlikeClusters {
  std::vector<std::uint32_t> group_of;  // per cluster
  std::vector<Counts> counts;           // per group

  AlikeClusters(const Task& task, const RowClusters& clusters) : group_of(clusters.count) {
    GroupShares shares(clusters.count, task.private_domain_sizes());
    count_groups(task, clusters.cluster_of, clusters.count, shares);
    std::unordered_map<Counts, std::uint32_t, CountsHash> numbers;
    for (std::uint32_t c = 0; c < clusters.count; ++c) {
      Counts own = reduced(shares, c);
      auto [place, is_new] =
          numbers.try_emplace(std::move(own), static_cast<std::uint32_t>(counts.size()));
      if (is_new) counts.push_back(place->first);
      group_of[c] = place->second;
    }
  }
};

Profiles profiles_of(const Task& task, const Climb& climb, const SilentGroups& silent,
                     const RowClusters& clusters) {
  AlikeClusters alike(task, clusters);
  auto groups = static_cast<std::uint32_t>(alike.counts.size());
  GroupShares shares(groups + silent.count(), task.private_domain_sizes());
  for (std::uint32_t g = 0; g < groups; ++g) set_counts(alike.counts[g], g, shares);
  std::vector<std::uint32_t> group_of = clusters.cluster_of;
  for (std::uint32_t& group : group_of) {
    if (group != Climb::no_group) group = alike.group_of[group];
  }
  auto climbed = static_cast<std::uint32_t>(climb.groups.size());
  GroupShares climb_shares(silent.count() > 0 ? climbed : 0, task.private_domain_sizes());
  if (silent.count() > 0) count_groups(task, climb.group_of, climbed, climb_shares);
  add_silent_groups(silent, climb_shares, groups, group_of, shares);
  return GroupedProfiles{{0, 1},
                         LevelProfiles(task.table.rows(), task.private_domain_sizes(), 1),
                         std::move(group_of),
                         std::move(shares)};
}

// [size]: clusters of that size.
std::vector<std::uint64_t> cluster_sizes(const RowClusters& clusters) {
  std::vector<std::uint32_t> sizes(clusters.count, 0);
  for (std::uint32_t cluster : clusters.cluster_of) {
    if (cluster != Climb::no_group) ++sizes[cluster];
  }
  std::uint32_t largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  std::vector<std::uint64_t> counts(largest + 1, 0);
  for (std::uint32_t size : sizes) ++counts[size];
  return counts;
}

}  // namespace

Result<Protection> protect_cluster(const Task& task) {
  if (auto checked = check_gamma(task.demand); !checked) return checked.error();
  report(task.progress, "forming groups", 0);
  Climb groups = climb(task);
  SilentGroups silent = silent_groups(task, groups);
  report(task.progress, "clustering", 0.1);
  RowClusters clusters = cluster_rows(task, groups);
  report(task.progress, "counting shares", 0.8);
  ProtectionReport made;
  made.rungs = describe(task, groups);
  made.rows_without_signal = silent.rows;
  made.set_sizes = cluster_sizes(clusters);
  Profiles profiles = profiles_of(task, groups, silent, clusters);
  report(task.progress, "clustering", 1);
  return Protection{std::move(profiles), std::move(made)};
}

}  // namespace rankveil
