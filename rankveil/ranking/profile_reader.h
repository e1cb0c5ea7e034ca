// The profiles an index serves, row by row: what Index::match says, for whole rows and many of
// them.
//
//   ProfileReader reader(index);
//   std::vector<Match> profile;
//   for (row ...) for (attribute ...) { reader.read(row, attribute, profile); show(profile); }
#pragma once

#include <vector>

#include "rankveil/ranking/index.h"

namespace rankveil {

struct Segment;

struct Match {
  ValueId value;
  double strength;  // in (0, 1]

  bool operator==(const Match&) const = default;
};

// Holds what the planes of an index are slow to tell: where each row of a grouped index stands, the
// values of each group, and the lists of rare values turned around. That is 4 bytes a row of a
// grouped index, and 8 bytes for every entry of a list. Several threads may read from one reader.
class ProfileReader {
 public:
  explicit ProfileReader(const Index& index);

  // Every value with a strength above 0, in the order of the domain. The strengths are exactly
  // those of Index::match. Cost: the values with a bitmap, plus the entries that come out.
  void read(RowId row, PrivateId attribute, std::vector<Match>& profile) const;

 private:
  struct Signal {
    ValueId value;
    std::uint16_t strength;
  };
  struct RareEntry {
    std::uint32_t position;
    Signal signal;
  };
  // One private attribute of one segment.
  struct Planes {
    std::vector<ValueId> with_bitmaps;
    std::vector<RareEntry> rare;  // by position
  };
  struct SegmentPart {
    std::vector<std::uint32_t> position_of;  // by row; empty: the row itself
    std::vector<Planes> attributes;
  };
  struct ShareEntry {
    ValueId value;
    std::uint32_t count;
  };
  // One private attribute of all groups: group g has entries [begins[g], begins[g + 1]).
  struct Shares {
    std::vector<std::size_t> begins;
    std::vector<ShareEntry> entries;
  };

  void add_segment(const Segment& segment);
  void add_shares(std::uint32_t attribute);
  static Planes turn_around(const AttributePlanes& planes);
  static void read_signals(const AttributePlanes& planes, const Planes& turned,
                           std::uint32_t position, std::vector<Signal>& signals);
  void merge(const std::vector<Signal>& signals, std::uint32_t attribute, std::uint32_t group,
             std::vector<Match>& profile) const;

  Index index_;
  std::vector<SegmentPart> segments_;
  std::vector<Shares> shares_;  // by private attribute; empty unless grouped
};

}  // namespace rankveil
