// Cuts a multiset of vectors into small clusters in which no value is more common than its cap.
//
// There are no rows in here: clusters depend on the vectors and on secret draws, nothing else. That
// is what makes a cluster's members look alike to everybody (docs/concepts/cluster.md).
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/keys/keyed.h"

namespace rankveil {

// Vectors over one set of coordinates: a vector has one of them for each attribute, and no two
// attributes share one. The order of the vectors must be a function of the multiset.
struct VectorSet {
  std::uint32_t attributes = 0;
  std::vector<double> caps;                // per coordinate; infinity: it counts for nothing
  std::vector<std::uint32_t> coordinates;  // [vector][attribute]

  std::uint32_t size() const {
    return attributes == 0 ? 0 : static_cast<std::uint32_t>(coordinates.size() / attributes);
  }
  const std::uint32_t* vector(std::uint32_t i) const {
    return coordinates.data() + std::size_t{i} * attributes;
  }
};

struct ClusterOptions {
  std::uint32_t l = 3;
  std::uint32_t sample = 48;  // vectors, or clusters, looked at for each choice
  std::uint32_t limit = 80;   // a cluster that is not done at this size is taken apart
};

// Numbers that only the key's holder can make, one after another.
class SecretDraws {
 public:
  explicit SecretDraws(const KeyedStream& stream) : stream_(stream) {}
  std::uint64_t below(std::uint64_t bound) { return stream_.below(bound, {}, next_++); }

 private:
  KeyedStream stream_;
  std::uint32_t next_ = 0;
};

using Cluster = std::vector<std::uint32_t>;  // positions in the VectorSet

// Every vector is in one cluster; every cluster has at least l vectors and keeps the caps, or is
// the whole set. Greedy: values that are hard to place are spent first.
// Cost: O(size x sample x attributes).
// REQUIRES: caps that the set as a whole keeps.
std::vector<Cluster> cluster_vectors(const VectorSet& vectors, const ClusterOptions& options,
                                     const SecretDraws& draws);

}  // namespace rankveil
