// Requests against an index.
//
//   auto bound = bind_request(index.schema(), attribute_weights(index.schema()), request);
//   auto found = ask(index, *bound, 1);
//   for (const Found& each : found->rows) show(index.name(each.row), each.score * found->unit);
//
// An answer is a function of public values and profiles, as those to queries are
// (docs/concepts/asking.md). Any number of threads may ask one index.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/ranking/asking/bound_request.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

struct Found {
  RowId row;
  std::int64_t score;   // what the wishes give, in Page::unit
  std::int64_t digits;  // of the sort keys (sort_keys.h)

  bool operator==(const Found&) const = default;
};

struct Page {
  std::vector<Found> rows;  // best first
  double unit = 1;
  std::uint32_t passing = 0;  // rows that pass `where`
  // By facet: how many of those have each value, and at the end none.
  std::vector<std::vector<std::uint32_t>> facets;
};

// REQUIRES: a request bound to the index's schema. Refuses sort keys that do not fit, and an offset
// past the end. Without sort keys it costs a scan; a key costs a look at the bitmaps of its best
// values, or, where strengths are graded, at every row that passes.
Result<Page> ask(const Index& index, const BoundRequest& request, std::uint32_t threads);

// The same for several: threads take whole requests, or the rows of each where requests are fewer.
std::vector<Result<Page>> ask_all(const Index& index, std::span<const BoundRequest> requests,
                                  std::uint32_t threads);

// Where a row stands in the answer to a request, whatever its page; nothing where it does not pass.
struct RequestRank {
  std::int64_t score;
  double unit;
  std::uint32_t ordinal;      // from 1; ties by row order
  std::uint32_t competition;  // 1 + rows that are better
};
Result<std::optional<RequestRank>> rank_in(const Index& index, const BoundRequest& request,
                                           RowId row);

// For each of the rows what each wish gives it, in real scores.
std::vector<std::vector<double>> explain(const Index& index, const BoundRequest& request,
                                         std::span<const RowId> rows);

}  // namespace rankveil
