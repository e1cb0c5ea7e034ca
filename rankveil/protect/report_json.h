// What was said of released rows, as the ledger keeps it for the next build.
#pragma once

#include <optional>

#include "rankveil/base/json.h"
#include "rankveil/protect/report.h"

namespace rankveil {

Json to_json(const BaseReport& base);
Json rungs_to_json(const std::vector<RungReport>& rungs);
Json report_to_json(const ReportSoFar& told);
// Nothing: it is not of this kind.
std::optional<ReportSoFar> report_from_json(const Json& json);

}  // namespace rankveil
