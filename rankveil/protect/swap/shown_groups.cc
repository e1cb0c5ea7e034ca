#include "rankveil/protect/swap/shown_groups.h"

#include <algorithm>
#include <numeric>

#include "rankveil/base/parallel.h"
#include "rankveil/base/text/json_values.h"
#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil {

namespace {

constexpr std::size_t rows_per_piece_of_groups = 16'384;

std::uint32_t public_code(const Task& task, std::uint32_t column, RowId row) {
  ValueId value = task.table.value(row, AttributeId{column});
  return value == missing_value ? task.table.schema()[AttributeId{column}].domain.size() : +value;
}

}  // namespace

// Values that came after the groups were made weigh nothing.
std::int32_t ShownGroups::place(const Task& task, RowId row, std::uint32_t coordinate) const {
  std::int32_t sum = 0;
  for (std::uint32_t c = 0; c < tree_.weights.size(); ++c) {
    std::size_t at = std::size_t{public_code(task, c, row)} * tree_.coordinates + coordinate;
    if (at < tree_.weights[c].size()) sum += tree_.weights[c][at];
  }
  return sum;
}

std::uint32_t ShownGroups::group_of(const Task& task, RowId row) const {
  std::uint32_t at = 0;
  while (tree_.nodes[at].coordinate >= 0) {
    const GroupNode& node = tree_.nodes[at];
    bool lower = place(task, row, static_cast<std::uint32_t>(node.coordinate)) < node.threshold;
    at = lower ? node.left : node.right;
  }
  return tree_.nodes[at].left;
}

bool ShownGroups::knows_values_of(const Task& task, RowId row) const {
  for (std::uint32_t c = 0; c < known_.size(); ++c) {
    if (!known_[c].empty() && known_[c][public_code(task, c, row)] == 0) return false;
  }
  return true;
}

std::vector<std::uint32_t> ShownGroups::groups_of_rows(const Task& task) const {
  std::vector<std::uint32_t> groups(task.table.rows());
  std::size_t pieces = (groups.size() + rows_per_piece_of_groups - 1) / rows_per_piece_of_groups;
  parallel_for(pieces, task.threads, [&](std::size_t piece) {
    std::size_t end = std::min(groups.size(), (piece + 1) * rows_per_piece_of_groups);
    for (std::size_t row = piece * rows_per_piece_of_groups; row < end; ++row) {
      groups[row] = group_of(task, RowId{static_cast<std::uint32_t>(row)});
    }
  });
  return groups;
}

ShownGroups ShownGroups::of(const Task& task, const fitted::FittedSwap& swap) {
  ShownGroups made;
  made.tree_ = grow_group_tree(task, swap);
  made.count_shown(task, swap);
  made.mix_in_table();
  return made;
}

void ShownGroups::count_shown(const Task& task, const fitted::FittedSwap& swap) {
  domains_ = task.private_domain_sizes();
  std::uint32_t groups = 0;
  for (const GroupNode& node : tree_.nodes) groups += node.coordinate < 0 ? 1 : 0;
  std::vector<std::uint32_t> group_of = groups_of_rows(task);
  sizes_.assign(groups, 0);
  for (std::uint32_t row = 0; row < group_of.size(); ++row) {
    if (swap.shows()[row] != 0) ++sizes_[group_of[row]];
  }
  counts_.resize(task.private_count());
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    std::uint32_t domain = task.attribute(PrivateId{static_cast<std::uint32_t>(j)}).domain.size();
    counts_[j].assign(std::size_t{groups} * (domain + 1), 0);
    for (std::uint32_t row = 0; row < group_of.size(); ++row) {
      if (swap.shows()[row] == 0) continue;
      ++counts_[j][std::size_t{group_of[row]} * (domain + 1) + swap.shown()[j][row]];
    }
  });
}

namespace {

// `rows` handed out by shares, the largest remainders first, then the first values.
std::vector<std::uint32_t> handed_out(const std::vector<std::uint64_t>& counts,
                                      std::uint32_t rows) {
  std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<std::uint32_t> given(counts.size(), 0);
  if (all == 0) return given;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> rests;
  std::uint32_t left = rows;
  for (std::uint32_t v = 0; v < counts.size(); ++v) {
    given[v] = static_cast<std::uint32_t>(counts[v] * rows / all);
    left -= given[v];
    rests.emplace_back(counts[v] * rows % all, v);
  }
  std::stable_sort(rests.begin(), rests.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::uint32_t i = 0; i < left; ++i) ++given[rests[i].second];
  return given;
}

}  // namespace

void ShownGroups::mix_in_table() {
  std::uint32_t mix = GroupSizes::in_use().base_mix;
  for (std::uint32_t j = 0; j < counts_.size(); ++j) {
    std::vector<std::uint64_t> of_table(domains_[j] + std::size_t{1}, 0);
    for (std::size_t i = 0; i < counts_[j].size(); ++i)
      of_table[i % of_table.size()] += counts_[j][i];
    std::vector<std::uint32_t> more = handed_out(of_table, mix);
    for (std::size_t i = 0; i < counts_[j].size(); ++i) counts_[j][i] += more[i % more.size()];
  }
  for (std::uint32_t& size : sizes_) size += mix;
}

void ShownGroups::fill(std::uint32_t from, std::uint32_t to, GroupShares& shares) const {
  shares.set_size(to, std::max(1U, sizes_[from]));
  for (std::uint32_t j = 0; j < counts_.size(); ++j) {
    std::uint32_t known = std::min(domains_[j], shares.domain_sizes()[j]);
    for (std::uint32_t v = 0; v < known; ++v) {
      shares.set_count(to, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)},
                       count_of(from, j, v));
    }
  }
}

// ---- For later builds ----

namespace {

// What the ledger keeps.
struct KeptWeights : KeptColumn {
  static void fields(auto& self, auto visit) {
    visit("name", self.name);
    visit("values", self.values);
    visit("weights", self.numbers);
  }
};

struct KeptCounts : KeptColumn {
  static void fields(auto& self, auto visit) {
    visit("name", self.name);
    visit("values", self.values);
    visit("counts", self.numbers);
  }
};

struct KeptGroups {
  std::uint32_t coordinates = 0;
  std::vector<KeptWeights> columns;
  std::vector<GroupNode> nodes;
  std::vector<std::uint32_t> sizes;
  std::vector<KeptCounts> attributes;

  static void fields(auto& self, auto visit) {
    visit("coordinates", self.coordinates);
    visit("columns", self.columns);
    visit("nodes", self.nodes);
    visit("sizes", self.sizes);
    visit("attributes", self.attributes);
  }
};

// `known`: how many values of the domain numbers are of.
template <typename Number>
KeptColumn kept_column(const Attribute& attribute, std::uint32_t known,
                       const std::vector<Number>& numbers) {
  const auto& values = attribute.domain.values();
  return {
      attribute.name, {values.begin(), values.begin() + known}, {numbers.begin(), numbers.end()}};
}

}  // namespace

Json ShownGroups::to_json(const Task& task) const {
  KeptGroups kept{tree_.coordinates, {}, tree_.nodes, sizes_, {}};
  for (std::uint32_t c = 0; c < tree_.weights.size(); ++c) {
    const Attribute& attribute = task.table.schema()[AttributeId{c}];
    kept.columns.push_back({kept_column(attribute, attribute.domain.size(), tree_.weights[c])});
  }
  for (std::uint32_t j = 0; j < counts_.size(); ++j) {
    const Attribute& attribute = task.attribute(PrivateId{j});
    kept.attributes.push_back({kept_column(attribute, domains_[j], counts_[j])});
  }
  return json_of(kept);
}

namespace {

constexpr std::uint32_t no_place = UINT32_MAX;

// Where a domain has the values that were kept, no_place for those it lacks, and the missing one.
std::vector<std::uint32_t> kept_places(const KeptColumn& kept, const Domain& domain,
                                       std::uint32_t missing) {
  std::vector<std::uint32_t> places;
  for (const std::string& value : kept.values) {
    auto found = domain.find(value);
    places.push_back(found ? +*found : no_place);
  }
  places.push_back(missing);
  return places;
}

}  // namespace

bool ShownGroups::take_weights(const KeptColumn& kept, const Task& task) {
  auto column = task.table.schema().find(kept.name);
  if (!column || +*column >= tree_.weights.size()) return true;
  const Domain& domain = task.table.schema()[*column].domain;
  auto places = kept_places(kept, domain, domain.size());
  if (kept.numbers.size() != places.size() * tree_.coordinates) return false;
  auto& known = known_[+*column];
  auto& own = tree_.weights[+*column];
  known.assign(std::size_t{domain.size()} + 1, 0);
  own.assign(known.size() * tree_.coordinates, 0);
  for (std::size_t code = 0; code < places.size(); ++code) {
    if (places[code] == no_place) continue;
    known[places[code]] = 1;
    auto from = kept.numbers.begin() + static_cast<std::ptrdiff_t>(code * tree_.coordinates);
    std::copy_n(from, tree_.coordinates,
                own.begin() + std::ptrdiff_t{places[code]} * tree_.coordinates);
  }
  return true;
}

bool ShownGroups::take_counts(const KeptColumn& kept, const Task& task) {
  auto column = task.table.schema().find(kept.name);
  if (!column || !task.table.schema()[*column].is_private()) return true;
  std::uint32_t j = +*column - task.table.schema().public_count();
  auto places = kept_places(kept, task.table.schema()[*column].domain, domains_[j]);
  if (kept.numbers.size() != places.size() * sizes_.size()) return false;
  for (std::size_t i = 0; i < kept.numbers.size(); ++i) {
    std::size_t group = i / places.size();
    std::uint32_t place = places[i % places.size()];
    if (place == no_place) continue;
    counts_[j][group * (domains_[j] + 1) + place] = static_cast<std::uint32_t>(kept.numbers[i]);
  }
  return true;
}

// Nodes stand before those below them, so that every way down ends.
bool ShownGroups::ends_in_leaves() const {
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    const GroupNode& node = tree_.nodes[i];
    if (node.coordinate < 0 && node.left >= sizes_.size()) return false;
    if (node.coordinate < 0) continue;
    bool below = node.left > i && node.right > i && node.left < tree_.nodes.size() &&
                 node.right < tree_.nodes.size() &&
                 static_cast<std::uint32_t>(node.coordinate) < tree_.coordinates;
    if (!below) return false;
  }
  return !tree_.nodes.empty();
}

std::optional<ShownGroups> ShownGroups::from_json(const Json& json, const Task& task) {
  KeptGroups kept;
  if (!read_json(json, kept)) return std::nullopt;
  ShownGroups made;
  std::uint32_t publics = task.table.schema().public_count();
  made.tree_ = {kept.coordinates, {}, std::move(kept.nodes)};
  made.tree_.weights.resize(publics);
  made.known_.resize(publics);
  made.domains_ = task.private_domain_sizes();
  made.sizes_ = std::move(kept.sizes);
  for (std::uint32_t domain : made.domains_) {
    made.counts_.emplace_back(made.sizes_.size() * (std::size_t{domain} + 1), 0);
  }
  bool sound = made.ends_in_leaves();
  for (const auto& column : kept.columns) sound = sound && made.take_weights(column, task);
  for (const auto& column : kept.attributes) sound = sound && made.take_counts(column, task);
  return sound ? std::optional(std::move(made)) : std::nullopt;
}

Result<std::optional<ShownGroups>> kept_groups(const Json* state, const Task& task) {
  const Json* groups = state == nullptr ? nullptr : state->find("groups");
  if (groups == nullptr || groups->is_null()) return std::optional<ShownGroups>();
  auto made = ShownGroups::from_json(*groups, task);
  if (!made) {
    return bad_input(
        "the ledger's base groups cannot be read; put back the ledger of the last build, or start "
        "over with --new-release");
  }
  return made;
}

Result<FrozenShares> base_shares(const Task& task, const Json& state,
                                 const std::vector<RowId>& rows) {
  auto groups = kept_groups(&state, task);
  if (!groups) return groups.error();
  FrozenShares made;
  made.group_of.assign(task.table.rows(), Climb::no_group);
  std::uint32_t count = *groups ? (*groups)->count() : 1;
  made.shares = GroupShares(count, task.private_domain_sizes());
  made.everybody = GroupShares(1, task.private_domain_sizes());
  made.everybody.set_size(0, 1);
  for (std::uint32_t g = 0; g < count; ++g) {
    made.shares.set_in_full(g);
    made.shares.set_size(g, 1);
    if (*groups) (*groups)->fill(g, g, made.shares);
  }
  for (RowId row : rows) made.group_of[+row] = *groups ? (*groups)->group_of(task, row) : 0;
  return made;
}

}  // namespace rankveil
