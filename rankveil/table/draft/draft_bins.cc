#include "rankveil/table/draft/draft_bins.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rankveil/table/building/binning.h"
#include "rankveil/table/draft/value_judgement.h"

namespace rankveil::draft {

namespace {

constexpr std::uint64_t max_plain_numbers = 20;  // more different numbers than this are binned
constexpr std::uint32_t bins = 8;
constexpr std::size_t fewest_edges = 3;  // fewer, and most rows are in one bin

// Edges are somebody's numbers, so they are rounded.
std::vector<double> even_edges_of(const std::vector<double>& sorted) {
  std::vector<double> edges = quantile_edges(sorted, bins);
  if (edges.empty()) return edges;
  return coarse_edges(edges, sorted.front(), sorted.back(), usual_range(sorted));
}

// Where most rows have the least number: one bin for it, and even bins for the rest.
std::vector<double> edges_beside_least(const std::vector<double>& sorted) {
  auto rest = std::upper_bound(sorted.begin(), sorted.end(), sorted.front());
  std::vector<double> others(rest, sorted.end());
  if (others.size() < std::size_t{2} * bins || others.front() == others.back()) return {};
  std::vector<double> edges = quantile_edges(others, bins / 2);
  if (!edges.empty())
    edges = coarse_edges(edges, others.front(), others.back(), usual_range(others));
  double first =
      others.front() == std::floor(others.front()) ? others.front() : sorted.front() + 1e-9;
  if (others.front() > 0 && sorted.front() >= 0 && first > 1) first = 1;
  edges.insert(edges.begin(), first);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return std::is_sorted(edges.begin(), edges.end()) ? edges : std::vector<double>{};
}

}  // namespace

Binning drafted_bins(const ColumnFacts& facts) {
  if (!facts.is_numeric || facts.distinct <= max_plain_numbers || holds_codes(facts)) return {};
  std::vector<double> sorted;
  std::copy_if(facts.numbers.begin(), facts.numbers.end(), std::back_inserter(sorted),
               [](double number) { return std::isfinite(number); });
  if (sorted.empty()) return Quantiles{bins};
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> edges = even_edges_of(sorted);
  if (edges.size() < fewest_edges) {
    auto others = edges_beside_least(sorted);
    if (others.size() > edges.size()) edges = std::move(others);
  }
  return edges.empty() ? Binning(Quantiles{bins}) : Binning(BinEdges{std::move(edges)});
}

std::string bins_text(const Binning& binning) {
  const auto* edges = std::get_if<BinEdges>(&binning);
  if (edges != nullptr) return fmt::format("cut into {} bins", edges->edges.size() + 1);
  return std::holds_alternative<Quantiles>(binning) ? fmt::format("cut into {} bins", bins) : "";
}

}  // namespace rankveil::draft
