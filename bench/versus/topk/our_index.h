// The benchmark's data and questions in our own words.
#pragma once

#include "bench/versus/topk/data.h"
#include "rankveil/ranking/index.h"

namespace rankveil::versus {

Index build_index(const Data& data);
Query query_of(const Question& question);

}  // namespace rankveil::versus
