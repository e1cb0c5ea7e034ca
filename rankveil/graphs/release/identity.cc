#include "rankveil/graphs/release/identity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <span>

#include "rankveil/base/format.h"
#include "rankveil/base/random.h"
#include "rankveil/graphs/release/edit_degrees.h"
#include "rankveil/graphs/release/verify.h"

namespace rankveil::graph {

namespace {

// The degrees given to places of a falling list, and who stands where.
struct Plan {
  std::vector<Node> order;
  DegreeGroups groups;
  std::vector<std::uint32_t> given;
};

// A group of places whose given degree changes by one, and how many degrees that moves away from
// what they were, less those that it moves towards it.
struct Shift {
  std::uint32_t first = 0, end = 0;
  int by = 0;
  std::int64_t cost = std::numeric_limits<std::int64_t>::max();
};

std::int64_t cost_of(const Plan& plan, std::span<const std::uint32_t> falling, const Shift& shift) {
  std::int64_t cost = 0;
  for (std::uint32_t place = shift.first; place < shift.end; ++place) {
    const std::int64_t off = std::int64_t{plan.given[place]} - falling[place];
    cost += std::abs(off + shift.by) - std::abs(off);
  }
  return cost;
}

// An odd sum is no graph's. Groups of even size have even sums, so there is a group of odd size:
// the one for which that is cheapest takes one more for all, or one less where edges may go. Of
// equally cheap ones the one of lowest degree.
void make_even(Plan& plan, std::span<const std::uint32_t> falling, Editing editing) {
  std::uint64_t sum = std::accumulate(plan.given.begin(), plan.given.end(), std::uint64_t{0});
  if (sum % 2 == 0) return;
  Shift best;
  std::uint32_t first = 0;
  for (std::uint32_t end : plan.groups.ends) {
    const std::uint32_t given = plan.given[first];
    for (int by : {-1, 1}) {
      const bool can =
          by > 0 ? given + 1 < falling.size() : given > 0 && editing == Editing::AddAndDelete;
      Shift shift{first, end, by};
      shift.cost = cost_of(plan, falling, shift);
      if ((end - first) % 2 == 1 && can && shift.cost <= best.cost) best = shift;
    }
    first = end;
  }
  for (std::uint32_t place = best.first; place < best.end; ++place) plan.given[place] += best.by;
}

GroupDegree group_degree(Editing editing) {
  return editing == Editing::Supergraph ? GroupDegree::Highest : GroupDegree::Median;
}

// `degrees` of all nodes; probing has raised some.
Plan make_plan(const std::vector<std::uint32_t>& degrees, const IdentityOptions& options) {
  Plan plan;
  plan.order.resize(degrees.size());
  std::iota(plan.order.begin(), plan.order.end(), Node{0});
  std::stable_sort(plan.order.begin(), plan.order.end(),
                   [&](Node a, Node b) { return degrees[a] > degrees[b]; });
  std::vector<std::uint32_t> falling;
  falling.reserve(degrees.size());
  for (Node node : plan.order) falling.push_back(degrees[node]);
  GroupDegree degree = group_degree(options.editing);
  plan.groups = options.grouping == Grouping::Greedy ? greedy_groups(falling, options.k, degree)
                                                     : cheapest_groups(falling, options.k, degree);
  plan.given = given_degrees(falling, plan.groups, degree);
  make_even(plan, falling, options.editing);
  return plan;
}

EditedGraph carry_out(const Graph& graph, const Plan& plan, Editing editing) {
  std::vector<std::uint32_t> given(graph.nodes());
  for (Node place = 0; place < graph.nodes(); ++place) given[plan.order[place]] = plan.given[place];
  return editing == Editing::Supergraph ? grow_to_degrees(graph, given)
                                        : edit_to_degrees(graph, given);
}

CloakedSets sets_of(const Plan& plan) {
  std::vector<std::vector<Node>> sets;
  auto first = plan.order.begin();
  for (std::uint32_t end : plan.groups.ends) {
    auto last = plan.order.begin() + end;
    sets.emplace_back(first, last);
    first = last;
  }
  return {static_cast<Node>(plan.order.size()), sets};
}

// Raises some of the lowest degrees by one: those who then lack friends are partners for others.
void raise_some(std::vector<std::uint32_t>& degrees, std::uint64_t unmet, Rng& rng) {
  std::uint32_t least = *std::min_element(degrees.begin(), degrees.end());
  std::vector<Node> low;
  for (Node node = 0; node < degrees.size(); ++node) {
    if (degrees[node] <= least + 1 && degrees[node] + 1 < degrees.size()) low.push_back(node);
  }
  auto count = std::min<std::uint64_t>(low.size(), std::max<std::uint64_t>(2, 2 * unmet));
  for (std::uint64_t i = 0; i < count; ++i) {
    std::swap(low[i], low[i + rng.below(low.size() - i)]);
    ++degrees[low[i]];
  }
}

}  // namespace

Result<IdentityRelease> anonymize_identity(const Graph& graph, const IdentityOptions& options) {
  if (auto checked = check_k(options.k, graph.nodes()); !checked) return checked.error();
  Rng rng(options.seed);
  std::vector<std::uint32_t> degrees = degrees_of(graph);
  std::uint64_t unmet = 0;
  std::uint32_t most_probes = options.editing == Editing::Supergraph ? options.probes : 0;
  for (std::uint32_t probe = 0; probe <= most_probes; ++probe) {
    Plan plan = make_plan(degrees, options);
    EditedGraph edited = carry_out(graph, plan, options.editing);
    if (edited.unmet == 0 && every_degree_occurs(edited.graph, options.k)) {
      return IdentityRelease{std::move(edited.graph), sets_of(plan), plan.groups.cost, probe};
    }
    unmet = edited.unmet;
    raise_some(degrees, unmet, rng);
  }
  return bad_input(fmt::format(
      "no graph close to this one was found in which every degree occurs {} times: {} missing; {}",
      options.k, unmet == 1 ? "1 edge end is" : grouped(unmet) + " edge ends are",
      options.editing == Editing::Supergraph ? "let edges be deleted, too, or raise the probes"
                                             : "take another k"));
}

}  // namespace rankveil::graph
