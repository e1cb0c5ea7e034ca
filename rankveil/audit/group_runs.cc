#include "rankveil/audit/group_runs.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "rankveil/base/parallel.h"

namespace rankveil::audit {

namespace {

constexpr std::size_t large_group = 20'000;
constexpr std::size_t rows_per_batch = 4096;

}  // namespace

std::vector<GroupBatch> batches_of(const KnownGroups& groups) {
  std::vector<GroupBatch> batches;
  for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
    std::size_t rows = groups.groups[g].rows.size();
    bool joins = !batches.empty() && batches.back().rows + rows <= rows_per_batch;
    if (!joins) batches.push_back({g, g, 0});
    batches.back().end = g + 1;
    batches.back().rows += rows;
  }
  return batches;
}

void for_each_group(const KnownGroups& groups, const std::vector<GroupBatch>& batches,
                    std::uint32_t threads, const GroupBody& body,
                    const std::function<void(double)>& finished) {
  std::vector<std::size_t> order(batches.size());
  std::iota(order.begin(), order.end(), 0);
  // The largest first: a long one at the end would keep all others waiting.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return batches[a].rows > batches[b].rows; });
  std::mutex telling;
  std::size_t done = 0, told = 0;
  auto run = [&](std::size_t b) {
    std::uint32_t inner = batches[b].rows < large_group ? 1 : threads;
    for (std::uint32_t g = batches[b].begin; g < batches[b].end; ++g) body(b, g, inner);
    if (!finished) return;
    std::lock_guard lock(telling);
    done += batches[b].rows;
    std::size_t percent = 100 * done / std::max<std::size_t>(1, groups.group_of.size());
    if (percent == told) return;
    told = percent;
    finished(static_cast<double>(percent) / 100);
  };
  parallel_for(order.size(), threads, [&](std::size_t i) { run(order[i]); });
}

}  // namespace rankveil::audit
