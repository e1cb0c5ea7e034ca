// How fast this machine reads memory: the ceiling any scan meets.
#pragma once

namespace rankveil::versus {

// GB/s of one thread that xors all words of a buffer much larger than the caches; the best of a few
// passes. `streams`: 1 reads from front to back, 20 reads as many parts of the buffer side by side.
double read_bandwidth(int streams);

}  // namespace rankveil::versus
