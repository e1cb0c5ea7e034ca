// The steps of a transcript in words, with what each answer says about the victim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rankveil/attack/target.h"
#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/recorded.h"
#include "rankveil/table/row_names.h"

namespace rankveil::audit {

// Step `at` of a record about `victim`. An answer is held against that to the same query without
// one private attribute, where that is among the steps: who gains more by the attribute passes, so
// a victim that passes somebody matches what is asked for, and one that is passed matches it less.
// `names` are those of the rows that were not inserted.
Step step_in_words(const attack::Knowledge& knowledge, const RowNames& names, std::uint32_t victim,
                   std::span<const RecordedStep> steps, std::size_t at);

}  // namespace rankveil::audit
