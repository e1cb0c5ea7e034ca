// NumPy in a Python process of its own (numpy_peer.py).
#pragma once

#include "bench/versus/topk/contest.h"

namespace rankveil::versus {

enum class Threshold {
  Bincount,  // the k-th score from np.bincount
  Search,    // by binary search with np.count_nonzero: bincount widens every byte to eight first
};
std::unique_ptr<Contestant> make_numpy(Threshold threshold);

}  // namespace rankveil::versus
