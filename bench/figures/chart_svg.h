// A chart as inline SVG that takes its colours from the page: classes s1, s2, ... are the series.
#pragma once

#include <string>

#include "bench/figures/figure.h"

namespace rankveil::figures {

// Text as it stands in HTML.
std::string html_text(const std::string& text);

// `top` is the upper end of the value axis, the same for all charts of a figure. `id` is unique on
// the page.
std::string chart_svg(const Figure& figure, const Chart& chart, double top, const std::string& id);

// An upper end that holds all values of the figure, margins too, and is a round number.
double value_top(const Figure& figure);

// "100k" for 100000.
std::string tick_text(double number);

}  // namespace rankveil::figures
