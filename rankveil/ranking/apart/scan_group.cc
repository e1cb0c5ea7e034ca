#include "rankveil/ranking/apart/scan_group.h"

#include <algorithm>
#include <cassert>

namespace rankveil {

namespace {

constexpr std::size_t most_scans = 64;
constexpr std::uint32_t lines_together = 8;
constexpr std::uint32_t lines_alone = 32;

// One for each thread, so that it stays cached.
kernels::HitLine* hit_buffer() {
  thread_local kernels::HitLine buffer[most_scans * lines_together];
  return buffer;
}

void ask_for(const Fetch& fetch) {
  for (std::size_t p = 0; p < fetch.plane_count; ++p) {
    for (std::uint32_t line = fetch.begin; line < fetch.end; ++line) {
      __builtin_prefetch(fetch.planes[p] + std::size_t{line} * kernels::words_per_line, 0, 2);
    }
  }
}

}  // namespace

ScanGroup::ScanGroup(std::vector<UnitScan*> scans) : scans_(std::move(scans)) {
  for (const UnitScan* scan : scans_) {
    planes_.push_back(scan->planes().data());
    thresholds_.push_back(scan->threshold());
  }
}

std::vector<ScanGroup> ScanGroup::of(std::span<Scan* const> scans, bool near) {
  std::vector<ScanGroup> groups;
  std::vector<UnitScan*> units;
  for (Scan* scan : scans) {
    UnitScan* unit = near ? scan->as_unit() : nullptr;
    if (unit != nullptr) {
      units.push_back(unit);
    } else {
      groups.push_back(ScanGroup(*scan));
    }
  }
  auto planes = [](const UnitScan* scan) { return scan->planes().size(); };
  std::stable_sort(units.begin(), units.end(), [&](const UnitScan* left, const UnitScan* right) {
    return planes(left) < planes(right);
  });
  for (std::size_t first = 0, end = 0; first < units.size(); first = end) {
    while (end < units.size() && end - first < most_scans &&
           planes(units[end]) == planes(units[first])) {
      ++end;
    }
    auto begin = units.begin() + static_cast<std::ptrdiff_t>(first);
    groups.push_back(
        ScanGroup(std::vector(begin, begin + static_cast<std::ptrdiff_t>(end - first))));
  }
  return groups;
}

std::uint32_t ScanGroup::lines_at_once() const {
  return single_ != nullptr ? lines_alone : lines_together;
}

void ScanGroup::advance(std::uint32_t begin, std::uint32_t end, const Fetch& fetch) {
  assert(end - begin <= lines_at_once() && "there is room for the hits of as many lines");
  if (single_ != nullptr) {
    ask_for(fetch);
    return single_->advance(begin, end);
  }
  kernels::HitLine* hits = hit_buffer();
  std::size_t found = kernels::kernel_in_use().find_each(
      {planes_.data(), thresholds_.data(), static_cast<std::uint32_t>(scans_.size()),
       static_cast<std::uint32_t>(scans_[0]->planes().size())},
      begin, end, hits);
  for (std::size_t i = 0; i < found; ++i) {
    std::uint32_t query = hits[i].query;
    thresholds_[query] = scans_[query]->collect(hits[i]);
  }
}

}  // namespace rankveil
