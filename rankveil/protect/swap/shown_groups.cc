#include "rankveil/protect/swap/shown_groups.h"

#include <algorithm>
#include <numeric>

#include "rankveil/base/parallel.h"
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

Json numbers_to_json(std::span<const std::int32_t> numbers) {
  Json::Array array;
  for (std::int32_t number : numbers) array.emplace_back(std::int64_t{number});
  return array;
}

Json counts_to_json_of(std::span<const std::uint32_t> counts) {
  Json::Array array;
  for (std::uint32_t number : counts) array.emplace_back(std::int64_t{number});
  return array;
}

Json attribute_to_json(const Attribute& attribute, std::uint32_t known) {
  std::vector<std::string> values(attribute.domain.values().begin(),
                                  attribute.domain.values().begin() + known);
  return Json().set("name", attribute.name).set("values", json_texts(values));
}

}  // namespace

Json ShownGroups::to_json(const Task& task) const {
  const Schema& schema = task.table.schema();
  Json::Array columns;
  for (std::uint32_t c = 0; c < tree_.weights.size(); ++c) {
    const Attribute& attribute = schema[AttributeId{c}];
    columns.push_back(attribute_to_json(attribute, attribute.domain.size())
                          .set("weights", numbers_to_json(tree_.weights[c])));
  }
  Json::Array nodes;
  for (const GroupNode& node : tree_.nodes) {
    std::vector<std::int32_t> numbers = {node.coordinate, node.threshold,
                                         static_cast<std::int32_t>(node.left),
                                         static_cast<std::int32_t>(node.right)};
    nodes.push_back(numbers_to_json(numbers));
  }
  Json::Array attributes;
  for (std::uint32_t j = 0; j < counts_.size(); ++j) {
    attributes.push_back(attribute_to_json(task.attribute(PrivateId{j}), domains_[j])
                             .set("counts", counts_to_json_of(counts_[j])));
  }
  return Json()
      .set("coordinates", tree_.coordinates)
      .set("columns", std::move(columns))
      .set("nodes", std::move(nodes))
      .set("sizes", counts_to_json_of(sizes_))
      .set("attributes", std::move(attributes));
}

// Reads what to_json wrote, and remembers whether all of it was there.
class GroupsReader {
 public:
  bool sound() const { return sound_; }

  const Json::Array& array(const Json& json, std::string_view name) {
    static const Json::Array none;
    const Json* found = json.find(name);
    if (found != nullptr && found->as_array() != nullptr) return *found->as_array();
    sound_ = false;
    return none;
  }

  template <typename Number>
  std::vector<Number> numbers(const Json::Array& array) {
    std::vector<Number> made;
    for (const Json& item : array) {
      const auto* number = item.as_integer();
      sound_ = sound_ && number != nullptr;
      made.push_back(number == nullptr ? Number{0} : static_cast<Number>(*number));
    }
    return made;
  }

  // The task's column of that name; nothing: it has none.
  std::optional<AttributeId> column(const Json& json, const Task& task) {
    const Json* name = json.find("name");
    if (name == nullptr || name->as_text() == nullptr) return fail(), std::nullopt;
    return task.table.schema().find(*name->as_text());
  }

  // Where the task has the values of a column; nowhere: it lacks one.
  std::vector<std::uint32_t> places(const Json& json, const Domain& domain) {
    std::vector<std::uint32_t> made;
    for (const Json& item : array(json, "values")) {
      auto found = item.as_text() == nullptr ? std::nullopt : domain.find(*item.as_text());
      made.push_back(found ? +*found : nowhere);
    }
    return made;
  }

  static constexpr std::uint32_t nowhere = UINT32_MAX;
  void fail() { sound_ = false; }

 private:
  bool sound_ = true;
};

namespace {

// A code's place among the task's values: a missing value stays one.
std::uint32_t place_of_code(const std::vector<std::uint32_t>& places, std::size_t code,
                            std::uint32_t domain) {
  return code < places.size() ? places[code] : domain;
}

}  // namespace

void ShownGroups::read_column(GroupsReader& reader, const Json& json, const Task& task) {
  auto column = reader.column(json, task);
  auto weights = reader.numbers<std::int32_t>(reader.array(json, "weights"));
  if (!column || +*column >= tree_.weights.size()) return;
  const Domain& domain = task.table.schema()[*column].domain;
  auto places = reader.places(json, domain);
  if (weights.size() != (places.size() + 1) * tree_.coordinates) return reader.fail();
  known_[+*column].assign(std::size_t{domain.size()} + 1, 0);
  known_[+*column].back() = 1;
  for (std::uint32_t place : places) {
    if (place != GroupsReader::nowhere) known_[+*column][place] = 1;
  }
  auto& own = tree_.weights[+*column];
  own.assign((std::size_t{domain.size()} + 1) * tree_.coordinates, 0);
  for (std::size_t code = 0; code <= places.size(); ++code) {
    std::uint32_t place = place_of_code(places, code, domain.size());
    if (place == GroupsReader::nowhere) continue;
    for (std::uint32_t i = 0; i < tree_.coordinates; ++i) {
      own[std::size_t{place} * tree_.coordinates + i] = weights[code * tree_.coordinates + i];
    }
  }
}

void ShownGroups::read_attribute(GroupsReader& reader, const Json& json, const Task& task) {
  auto column = reader.column(json, task);
  auto counts = reader.numbers<std::uint32_t>(reader.array(json, "counts"));
  if (!column || !task.table.schema()[*column].is_private()) return;
  std::uint32_t j = +*column - task.table.schema().public_count();
  auto places = reader.places(json, task.attribute(PrivateId{j}).domain);
  if (counts.size() != (places.size() + 1) * sizes_.size()) return reader.fail();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::size_t group = i / (places.size() + 1);
    std::uint32_t place = place_of_code(places, i % (places.size() + 1), domains_[j]);
    if (place == GroupsReader::nowhere) continue;
    counts_[j][group * (domains_[j] + 1) + place] = counts[i];
  }
}

bool ShownGroups::read_nodes(GroupsReader& reader, const Json& json) {
  for (const Json& item : reader.array(json, "nodes")) {
    if (item.as_array() == nullptr) return false;
    auto numbers = reader.numbers<std::int32_t>(*item.as_array());
    if (numbers.size() != 4) return false;
    tree_.nodes.push_back({numbers[0], numbers[1], static_cast<std::uint32_t>(numbers[2]),
                           static_cast<std::uint32_t>(numbers[3])});
  }
  // Nodes stand before those below them, so that every way down ends.
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
  GroupsReader reader;
  ShownGroups made;
  const Json* coordinates = json.find("coordinates");
  if (coordinates == nullptr || coordinates->as_integer() == nullptr) return std::nullopt;
  made.tree_.coordinates = static_cast<std::uint32_t>(*coordinates->as_integer());
  made.tree_.weights.resize(task.table.schema().public_count());
  made.known_.resize(task.table.schema().public_count());
  made.domains_ = task.private_domain_sizes();
  made.sizes_ = reader.numbers<std::uint32_t>(reader.array(json, "sizes"));
  for (std::uint32_t domain : made.domains_) {
    made.counts_.emplace_back(made.sizes_.size() * (std::size_t{domain} + 1), 0);
  }
  if (!made.read_nodes(reader, json)) return std::nullopt;
  for (const Json& column : reader.array(json, "columns")) made.read_column(reader, column, task);
  for (const Json& attribute : reader.array(json, "attributes")) {
    made.read_attribute(reader, attribute, task);
  }
  if (!reader.sound()) return std::nullopt;
  return made;
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
