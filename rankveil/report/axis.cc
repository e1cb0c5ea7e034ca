#include "rankveil/report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/format.h"

namespace rankveil::reports {
namespace {

constexpr int most_decades = 6;

double round_step(double rough) {
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough * 0.999) return factor * power;
  }
  return 10 * power;
}

std::vector<double> usable(const std::vector<double>& values, Scale scale) {
  std::vector<double> kept;
  for (double value : values) {
    if (std::isfinite(value) && (scale == Scale::Linear || value > 0)) kept.push_back(value);
  }
  return kept;
}

std::string short_count(double value) {
  if (std::abs(value) >= 1e6) return fmt::format("{:.3g}M", value / 1e6);
  if (std::abs(value) >= 1e4) return fmt::format("{:.3g}k", value / 1e3);
  return fmt::format("{:.6g}", value);
}

}  // namespace

Ruler::Ruler(const Axis& axis, const std::vector<double>& values)
    : unit_(axis.unit), scale_(axis.scale) {
  const std::vector<double> kept = usable(values, scale_);
  const bool none = kept.empty();
  const double least = none ? 0 : *std::ranges::min_element(kept);
  const double most = none ? 1 : *std::ranges::max_element(kept);
  if (scale_ == Scale::Log) {
    span_log(axis, none ? 1 : least, none ? 10 : most);
  } else {
    span_linear(axis, least, most);
  }
}

void Ruler::span_linear(const Axis& axis, double least, double most) {
  low_ = axis.low.value_or(std::min(0.0, least));
  high_ = axis.high.value_or(std::max(most, low_));
  if (high_ <= low_) high_ = low_ + 1;
  const double step = round_step((high_ - low_) / 4);
  if (!axis.low) low_ = step * std::floor(low_ / step + 1e-9);
  if (!axis.high) high_ = step * std::ceil(high_ / step - 1e-9);
  // No share is above 100%, whatever a round step says.
  if (!axis.high && unit_ == Unit::Share && most <= 1) high_ = std::min(high_, 1.0);
  const double first = std::ceil(low_ / step - 1e-9);
  for (int i = 0; (first + i) * step <= high_ + step * 1e-6; ++i) {
    ticks_.push_back((first + i) * step);
  }
}

void Ruler::span_log(const Axis& axis, double least, double most) {
  low_ = axis.low.value_or(least);
  high_ = axis.high.value_or(most);
  if (low_ <= 0) low_ = least;
  if (high_ <= low_) high_ = low_ * 10;
  const double decades = std::log10(high_ / low_);
  const double stride = std::ceil(decades / most_decades);
  for (double power = std::floor(std::log10(low_)); power <= std::log10(high_) + 1e-9;
       power += stride) {
    for (double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && decades > 2.5) continue;
      const double tick = factor * std::pow(10, power);
      if (tick >= low_ * (1 - 1e-9) && tick <= high_ * (1 + 1e-9)) ticks_.push_back(tick);
    }
  }
}

double Ruler::scaled(double value) const { return scale_ == Scale::Log ? std::log(value) : value; }

bool Ruler::holds(double value) const {
  return std::isfinite(value) && (scale_ == Scale::Linear || value > 0);
}

double Ruler::share(double value) const {
  if (!holds(value)) return 0;
  const double part = (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_));
  return std::clamp(part, 0.0, 1.0);
}

std::string Ruler::tick_text(double value) const {
  if (std::abs(value) < 1e-12) value = 0;  // no "-0"
  if (unit_ == Unit::Share) return fmt::format("{:.4g}%", value * 100);
  if (unit_ == Unit::Count) return short_count(value);
  return fmt::format("{:.6g}", value);
}

std::string number_text(double value, Unit unit) {
  if (!std::isfinite(value)) return "\xE2\x80\x93";
  if (unit == Unit::Share) return fmt::format("{:.1f}%", value * 100);
  if (unit == Unit::Count && value >= 0 && value < 1e15 && value == std::floor(value)) {
    return grouped(static_cast<std::uint64_t>(value));
  }
  if (unit == Unit::Count) return fmt::format("{:.1f}", value);
  return fmt::format("{:.3f}", value);
}

}  // namespace rankveil::reports
