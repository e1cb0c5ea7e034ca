#include "rankveil/audit/group_runs.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "rankveil/base/parallel.h"

namespace rankveil::audit {

namespace {

constexpr std::size_t large_group = 20'000;

}  // namespace

void for_each_group(const KnownGroups& groups, std::uint32_t threads,
                    const std::function<void(std::uint32_t, std::uint32_t)>& body,
                    const std::function<void(double)>& finished) {
  std::vector<std::uint32_t> small, large;
  for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
    (groups.groups[g].rows.size() < large_group ? small : large).push_back(g);
  }
  // The largest first: a long one at the end would keep all others waiting.
  std::stable_sort(small.begin(), small.end(), [&](std::uint32_t a, std::uint32_t b) {
    return groups.groups[a].rows.size() > groups.groups[b].rows.size();
  });
  std::mutex telling;
  std::size_t done = 0, told = 0;
  auto run = [&](std::uint32_t g, std::uint32_t inner) {
    body(g, inner);
    if (!finished) return;
    std::lock_guard lock(telling);
    done += groups.groups[g].rows.size();
    std::size_t percent = 100 * done / std::max<std::size_t>(1, groups.group_of.size());
    if (percent == told) return;
    told = percent;
    finished(static_cast<double>(percent) / 100);
  };
  for (std::uint32_t g : large) run(g, threads);
  parallel_for(small.size(), threads, [&](std::size_t i) { run(small[i], 1); });
}

}  // namespace rankveil::audit
