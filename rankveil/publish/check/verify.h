// Whether a publication says the truth about a table and keeps its promises: an independent check,
// that shares no code with what forms groups. Boxes are recounted row by row, scores are sorted,
// and the tests of diversity are worked out anew.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rankveil/connect/columns.h"
#include "rankveil/publish/release/hierarchy.h"
#include "rankveil/publish/release/publication.h"

namespace rankveil::publish {

// The table that was published from.
struct Truth {
  std::vector<std::vector<double>> ranking = {};  // in the order of Publication::columns
  std::vector<double> scores = {};                // minus infinity: comes last, in no box
  std::vector<connect::TextColumn> texts = {};    // quasi-identifiers and sensitive columns
  std::map<std::string, Hierarchy> hierarchies = {};
};

struct Recounted {
  std::uint64_t members = 0;
  std::uint64_t true_positives = 0;
  std::vector<std::uint32_t> rows = {};  // the members; for the owner alone

  double precision() const {
    return members == 0 ? 0 : static_cast<double>(true_positives) / static_cast<double>(members);
  }
};

struct Verification {
  std::vector<Recounted> groups;
  std::uint64_t top_rows = 0;
  std::uint64_t covered = 0;              // true positives in all groups
  double precision = 0;                   // over all groups
  std::vector<std::string> problems;      // sentences; empty: all is as stated, and demands are met
  std::vector<std::string> notes;         // what could not be checked
  std::vector<std::uint8_t> in_top = {};  // by row

  bool passed() const { return problems.empty(); }
};

// REQUIRES: as many ranking columns as the publication has, all as long as `scores`.
Verification verify(const Publication& publication, const Truth& truth);

}  // namespace rankveil::publish
