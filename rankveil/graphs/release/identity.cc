#include "rankveil/graphs/release/identity.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

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

// An odd sum is no graph's. Groups of even size have even sums, so there is a group of odd size;
// the one of lowest degree takes one more for all.
void make_even(Plan& plan, Node nodes) {
  std::uint64_t sum = std::accumulate(plan.given.begin(), plan.given.end(), std::uint64_t{0});
  if (sum % 2 == 0) return;
  for (std::size_t i = plan.groups.ends.size(); i > 0; --i) {
    std::uint32_t end = plan.groups.ends[i - 1];
    std::uint32_t first = i > 1 ? plan.groups.ends[i - 2] : 0;
    if ((end - first) % 2 == 0 || plan.given[first] + 1 >= nodes) continue;
    for (std::uint32_t place = first; place < end; ++place) ++plan.given[place];
    return;
  }
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
  make_even(plan, static_cast<Node>(degrees.size()));
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
