// What each kind of chart knows to do; chart.cc puts it together.
#pragma once

#include <string>
#include <vector>

#include "rankveil/report/axis.h"
#include "rankveil/report/chart.h"
#include "rankveil/report/svg.h"

namespace rankveil::reports {

// The numbers behind a chart.
struct Numbers {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

// A whole <svg> of this width.
std::string draw(const LineChart& chart, const std::string& id, double width);
std::string draw(const BarChart& chart, const std::string& id, double width);
std::string draw(const ScatterChart& chart, const std::string& id, double width);

// Items of the legend.
std::string legend(const LineChart& chart);
std::string legend(const BarChart& chart);
std::string legend(const ScatterChart& chart);

Numbers numbers(const LineChart& chart);
Numbers numbers(const BarChart& chart);
Numbers numbers(const ScatterChart& chart);

// Shared by charts with two axes.
svg::Box plot_box(double width);
double plot_height(double width);
std::string draw_y_axis(const Ruler& ruler, const svg::Box& box, const std::string& label);
// `ticks` of the ruler, or others; one that would touch its neighbour gets no number.
std::string draw_x_axis(const Ruler& ruler, const svg::Box& box, const std::string& label,
                        const std::vector<double>& ticks);
std::string draw_guides(const std::vector<Guide>& guides, const Ruler& x, const Ruler& y,
                        const svg::Box& box);
std::string guide_legend(const std::vector<Guide>& guides);
// What a screen reader is told when the chart has no summary of its own.
std::string description(const std::string& summary, const std::string& y, const std::string& x,
                        const std::vector<std::string>& names);

}  // namespace rankveil::reports
