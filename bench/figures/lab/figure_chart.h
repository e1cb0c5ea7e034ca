// A figure's numbers as a chart of a page.
#pragma once

#include <string>

#include "bench/figures/lab/figure.h"
#include "rankveil/report/chart.h"

namespace rankveil::figures {

// One table's part of the figure. All charts of a figure have the same value axis.
reports::Chart to_chart(const Figure& figure, const Chart& chart, const std::string& title);

}  // namespace rankveil::figures
