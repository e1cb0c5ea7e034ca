// A table report as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rankveil/api/inspect.h"

namespace rankveil::cli {

// Of the reports on tables and indexes.
struct InspectReportOptions {
  std::optional<std::uint32_t> top;  // values shown of each attribute; none: as many as suit
  bool all_values = false;           // every value of every attribute
};

std::string show(const api::TableReport& report, const InspectReportOptions& options);

}  // namespace rankveil::cli
