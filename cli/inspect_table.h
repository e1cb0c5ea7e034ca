// A table report as text.
#pragma once

#include <string>

#include "rankveil/api/inspect.h"

namespace rankveil::cli {

struct TableReportOptions {
  std::uint32_t top = 3;    // frequent values shown of each attribute
  bool all_values = false;  // every value of every attribute, with a bar
};

std::string show(const api::TableReport& report, const TableReportOptions& options);

}  // namespace rankveil::cli
