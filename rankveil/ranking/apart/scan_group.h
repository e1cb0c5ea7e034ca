// Scans of several queries over the same lines, in one go where that is quicker.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/ranking/scan/scan.h"

namespace rankveil {

// Lines of planes that will be needed later.
struct Fetch {
  const std::uint64_t* const* planes;
  std::size_t plane_count;
  std::uint32_t begin;
  std::uint32_t end;
};

class ScanGroup {
 public:
  // Every scan in one group. The scans have to outlive the groups. `near`: the planes are in some
  // cache. Planes that come from memory are better read by one scan after the other, each of which
  // asks for them ahead of time.
  static std::vector<ScanGroup> of(std::span<Scan* const> scans, bool near);

  // How far to go before it is the next group's turn: far enough to make up for the change, not so
  // far that lines fall out of the cache.
  std::uint32_t lines_at_once() const;
  // One scan alone asks for the lines of `fetch` meanwhile; what several scans read together is
  // near.
  void advance(std::uint32_t begin_line, std::uint32_t end_line, const Fetch& fetch);

 private:
  explicit ScanGroup(Scan& single) : single_(&single) {}
  explicit ScanGroup(std::vector<UnitScan*> scans);

  Scan* single_ = nullptr;        // or
  std::vector<UnitScan*> scans_;  // all with the same number of planes
  std::vector<const std::uint64_t* const*> planes_;
  std::vector<std::uint8_t> thresholds_;
};

}  // namespace rankveil
