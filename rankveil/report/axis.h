// From numbers to places on an axis, and round numbers to write beside it. Used by the charts.
#pragma once

#include <string>
#include <vector>

#include "rankveil/report/chart.h"

namespace rankveil::reports {

// An axis with ends decided.
class Ruler {
 public:
  // Ends that hold all finite `values`, unless the axis names its own.
  Ruler(const Axis& axis, const std::vector<double>& values);

  bool holds(double value) const;    // finite, and above 0 on a Log axis
  double share(double value) const;  // 0 at the low end, 1 at the high end, never outside
  const std::vector<double>& ticks() const { return ticks_; }
  std::string tick_text(double value) const;  // "25%", "10k"

 private:
  void span_linear(const Axis& axis, double least, double most);
  void span_log(const Axis& axis, double least, double most);
  double scaled(double value) const;

  Unit unit_;
  Scale scale_;
  double low_ = 0;
  double high_ = 1;
  std::vector<double> ticks_;
};

}  // namespace rankveil::reports
