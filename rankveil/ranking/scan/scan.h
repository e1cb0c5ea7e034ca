// Finding the best k rows of one segment.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankveil/ranking/scan/query_plan.h"
#include "rankveil/ranking/scan/summing.h"

namespace rankveil {

class UnitScan;

// Goes over the lines of a segment once, from low to high, and keeps what may be among the best k.
class Scan {
 public:
  virtual ~Scan() = default;
  virtual void advance(std::uint32_t begin_line, std::uint32_t end_line) = 0;
  // Best first, by scores without constants. Fewer than k when the start was too high or there are
  // no more rows.
  virtual std::vector<Hit> take() = 0;
  // This scan, if it is one; else null.
  virtual UnitScan* as_unit() { return nullptr; }
};

// A scan whose planes all count 1. Several can go over the same lines at once: see ScanGroup.
class UnitScan : public Scan {
 public:
  virtual std::span<const std::uint64_t* const> planes() const = 0;
  virtual std::uint8_t threshold() const = 0;
  // Returns the threshold, which rises as rows are collected.
  virtual std::uint8_t collect(const kernels::HitLine& hit) = 0;
};

// Chooses how to scan, once for each query and segment; then makes as many scans as there are
// threads.
class ScanPlan {
 public:
  // Only rows that score at least `floor` are wanted. `alone`: no other scan reads the same planes
  // at the same time, so they have to be fetched by this one.
  ScanPlan(const SegmentPlan& segment, std::uint32_t k, std::int64_t floor, bool alone);
  ~ScanPlan();
  ScanPlan(ScanPlan&&) noexcept;

  // A scan that starts at a guessed score. A guess may be too high: when all scans, and what is
  // exceptional, have fewer than k rows together, scan again with the next attempt, until the last,
  // which starts at the floor.
  std::unique_ptr<Scan> start(std::size_t attempt) const;
  std::size_t attempts() const;
  // Scans count without what all rows have alike: puts it on their hits.
  std::vector<Hit> with_constant(std::vector<Hit> hits) const;
  // The best k of the rows that scans leave out, from the same score on as start(attempt) has them.
  std::vector<Hit> exceptional(std::size_t attempt) const;
  // Whether it adds up bounds of strengths, rather than all their planes.
  bool bounded() const;
  // Whether it goes over groups in columns.
  bool by_columns() const;
  // Whether it passes over groups that cannot reach enough (group_reach.h).
  bool passes_over_groups() const;
  // How many lines there are to scan.
  std::uint32_t lines() const;

  struct Choice;

 private:
  std::unique_ptr<const Choice> choice_;
};

// The best k of a segment: plans, scans, and scans again if need be.
std::vector<Hit> best_of_segment(const SegmentPlan& segment, std::uint32_t k, std::int64_t floor,
                                 std::uint32_t threads);

// Merges two lists that are best first; keeps k.
std::vector<Hit> merge_best(std::vector<Hit> left, std::vector<Hit> right, std::uint32_t k);

}  // namespace rankveil
