// Requests answered one row at a time, word for word as docs/reference/asking.md has them. Slow and
// obvious; the tests hold the engine against it.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/asking/bound_request.h"
#include "rankveil/ranking/testing/plain_ranking.h"

namespace rankveil::plain {

bool passes(const PublicTable& rows, const BoundCondition& condition, std::uint32_t row);
// What the wishes give a row.
ExactScore wished(const PublicTable& rows, const Profiles& profiles, const BoundRequest& request,
                  std::uint32_t row);
// What one of them does.
ExactScore wished(const PublicTable& rows, const Profiles& profiles, const BoundRequest& request,
                  std::size_t wish, std::uint32_t row);
// The digits of the sort keys as one integer.
std::int64_t sorted_by(const PublicTable& rows, const Profiles& profiles,
                       const BoundRequest& request, std::uint32_t row);

struct Page {
  std::vector<std::uint32_t> rows;
  std::uint32_t passing = 0;
  // By facet: how many rows that pass have each value, and at the end none.
  std::vector<std::vector<std::uint32_t>> facets;
};

// `live[row]` false: left out.
Page page(const PublicTable& rows, const Profiles& profiles, const BoundRequest& request,
          const std::vector<bool>& live);

}  // namespace rankveil::plain
