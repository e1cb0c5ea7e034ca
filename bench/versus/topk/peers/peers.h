// Makes the contestants that need a library of their own; each is defined only where it was found.
#pragma once

#include "bench/versus/topk/contest.h"

namespace rankveil::versus {

std::unique_ptr<Contestant> make_roaring();
std::unique_ptr<Contestant> make_faiss_binary();
std::unique_ptr<Contestant> make_faiss_flat();
std::unique_ptr<Contestant> make_duckdb();

}  // namespace rankveil::versus
