// Makes the contestants of fast_scan.cc.
#pragma once

#include "bench/versus/topk/contest.h"

namespace rankveil::versus {

enum class Form { NibblesAvx2, NibblesAvx512, PackedVbmi };
std::unique_ptr<Contestant> make_fast_scan(Form form);

}  // namespace rankveil::versus
