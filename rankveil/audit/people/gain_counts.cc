#include "rankveil/audit/people/gain_counts.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/audit/people/figures_reader.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

double gain_limit(double bound, std::size_t i) {
  const std::array limits = {bound, bound + 0.03, bound + 0.2, 0.7};
  return limits[i];
}

void GainCounts::add(double gain, bool inside) {
  ++cases_;
  inside_ += inside ? 1 : 0;
  largest_ = std::max(largest_, gain);
  for (std::size_t i = 0; i < gain_limits; ++i) {
    bool is_above = gain > gain_limit(bound_, i) + 1e-9;
    above_[i] += is_above ? 1 : 0;
    inside_above_[i] += is_above && inside ? 1 : 0;
  }
}

void GainCounts::add(const GainCounts& other) {
  bound_ = other.bound_;
  cases_ += other.cases_;
  inside_ += other.inside_;
  largest_ = std::max(largest_, other.largest_);
  for (std::size_t i = 0; i < gain_limits; ++i) {
    above_[i] += other.above_[i];
    inside_above_[i] += other.inside_above_[i];
  }
}

double GainCounts::share_above(std::size_t i) const {
  return cases_ == 0 ? 0 : static_cast<double>(above_[i]) / static_cast<double>(cases_);
}

double GainCounts::share_above_elsewhere(std::size_t i) const {
  if (cases_ == inside_) return 0;
  return static_cast<double>(above_[i] - inside_above_[i]) / static_cast<double>(cases_ - inside_);
}

std::string GainCounts::text() const {
  std::string text = fmt::format(
      "a gain above {:.3g} in {} of {}, above 0.7 in {}, the largest {:.2f}", bound_,
      percent(above_[0], cases_), counted(cases_, "case"), percent(above_[3], cases_), largest_);
  if (inside_ == 0) return text;
  return text + fmt::format("; of the {} in other blocks than what is known, above 0.7 in {}",
                            grouped(cases_ - inside_),
                            percent(above_[3] - inside_above_[3], cases_ - inside_));
}

namespace {

Json list_json(const std::array<std::uint64_t, gain_limits>& counts) {
  Json::Array list;
  for (std::uint64_t count : counts) list.emplace_back(count);
  return list;
}

}  // namespace

Json to_json(const GainCounts& counts) {
  return Json()
      .set("bound", counts.bound_)
      .set("cases", counts.cases_)
      .set("above", list_json(counts.above_))
      .set("inside", counts.inside_)
      .set("inside_above", list_json(counts.inside_above_))
      .set("largest", counts.largest_);
}

std::optional<GainCounts> gain_counts_from_json(const Json& json) {
  FiguresReader reader;
  GainCounts counts(reader.number(json, "bound"));
  counts.cases_ = reader.count(json, "cases");
  counts.inside_ = reader.count(json, "inside");
  counts.largest_ = reader.number(json, "largest");
  auto whole = [&](const Json& one) { return reader.whole(one); };
  reader.each(json, "above", counts.above_, whole);
  reader.each(json, "inside_above", counts.inside_above_, whole);
  return reader.sound() ? std::optional(counts) : std::nullopt;
}

}  // namespace rankveil::audit
