// The control: rows with known values that the audit plants and then attacks like any other. Where
// even these cannot be found in an unprotected ranking, finding nothing means nothing.
#pragma once

#include <cstdint>
#include <span>

#include "rankveil/audit/arena.h"
#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/campaign.h"

namespace rankveil::audit {

// Plants `count` rows, each in a fresh target, with values drawn by the seed, and attacks them with
// the methods in turn.
Result<Control> run_control(const Arena& arena, std::span<const attack::Method* const> methods,
                            std::uint32_t count, std::uint64_t seed,
                            const CampaignOptions& options);

}  // namespace rankveil::audit
