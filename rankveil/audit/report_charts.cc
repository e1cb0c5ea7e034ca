#include "rankveil/audit/report_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rankveil/audit/check.h"
#include "rankveil/audit/report_words.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {
namespace {

using reports::Bar;
using reports::BarChart;
using reports::Guide;
using reports::LineChart;
using reports::Scale;
using reports::Unit;

constexpr std::array order = {Verdict::Broken, Verdict::NotTested, Verdict::Undecidable,
                              Verdict::Kept, Verdict::NotPromised};

using Chosen = std::vector<const Finding*>;

template <typename Keep>
Chosen findings_of(const AuditReport& report, const std::string& attribute, Keep keep) {
  Chosen chosen;
  for (const Finding& finding : report.findings) {
    if (finding.attribute == attribute && !is_baseline(finding) && keep(finding)) {
      chosen.push_back(&finding);
    }
  }
  return chosen;
}

// A series for each verdict, so that the legend explains the colours.
std::vector<reports::BarSeries> by_verdict(const Chosen& chosen, auto bar_of) {
  std::vector<reports::BarSeries> all;
  for (Verdict verdict : order) {
    reports::BarSeries series{std::string(verdict_phrase(verdict)), {}, verdict_tone(verdict)};
    for (const Finding* finding : chosen) {
      series.bars.push_back(finding->verdict == verdict ? std::optional<Bar>(bar_of(*finding))
                                                        : std::nullopt);
    }
    all.push_back(std::move(series));
  }
  return all;
}

std::vector<std::optional<double>> marks(const Chosen& chosen, auto value_of) {
  std::vector<std::optional<double>> values;
  for (const Finding* finding : chosen) values.push_back(value_of(*finding));
  return values;
}

std::optional<double> promised_rate(const Finding& finding) {
  if (finding.promise.kind == PromiseKind::None) return std::nullopt;
  return allowed_rate(finding.promise, finding.prior);
}

// The promise about coins is over R, which the gain is not over.
std::optional<double> promised_gain(const Finding& finding) {
  if (finding.promise.kind == PromiseKind::None || finding.coins) return std::nullopt;
  return allowed_gain(finding.promise);
}

BarChart rate_chart(const Chosen& chosen, std::string title, std::string category_label,
                    auto name_of) {
  BarChart chart{.title = std::move(title),
                 .category_label = std::move(category_label),
                 .value = {"guessed right", Unit::Share, Scale::Linear, 0, 1},
                 .overlaid = true};
  for (const Finding* finding : chosen) chart.categories.push_back(name_of(*finding));
  chart.series = by_verdict(chosen, [](const Finding& f) {
    return Bar{f.rate, {{f.low, f.high}}};
  });
  chart.marks = {{"before the release", Guide::Kind::Baseline,
                  marks(chosen, [](const Finding& f) { return std::optional(f.prior); })},
                 {"allowed by the promise", Guide::Kind::Bound, marks(chosen, promised_rate)}};
  return chart;
}

BarChart gain_chart(const Chosen& chosen, std::string title) {
  BarChart chart{.title = std::move(title),
                 .category_label = "level",
                 .value = {"largest gain of a row over what was believed before", Unit::Number,
                           Scale::Linear, 0, 1},
                 .overlaid = true};
  for (const Finding* finding : chosen) chart.categories.push_back(finding->level);
  chart.series = by_verdict(chosen, [](const Finding& f) { return Bar{f.gain, {}}; });
  chart.marks = {{"allowed by the promise", Guide::Kind::Bound, marks(chosen, promised_gain)}};
  return chart;
}

std::vector<std::string> methods_with_curves(const AuditReport& report) {
  std::vector<std::string> methods;
  for (const Curve& curve : report.curves) {
    if (std::ranges::find(methods, curve.method) == methods.end()) methods.push_back(curve.method);
  }
  return methods;
}

// `queries`: as far as the other lines go. Where nothing was proven that is what the line says.
reports::Line line_of(const Curve& curve, double queries) {
  const bool is_before = curve.name == "before";
  reports::Line line{is_before ? "before: no protection" : curve.name + ": this target",
                     {},
                     is_before ? reports::Tone::Quiet : reports::Tone::Plain};
  for (const CurvePoint& point : curve.points) line.points.push_back({point.queries, point.share});
  if (!line.points.empty()) return line;
  line.name += ", nothing proven";
  line.points = {{1, 0}, {std::max(queries, 10.0), 0}};
  return line;
}

double most_queries(const AuditReport& report, const std::string& method) {
  double most = 0;
  for (const Curve& curve : report.curves) {
    if (curve.method == method && !curve.points.empty()) {
      most = std::max(most, curve.points.back().queries);
    }
  }
  return most;
}

}  // namespace

std::vector<reports::Chart> attribute_charts(const AuditReport& report,
                                             const std::string& attribute) {
  const std::string name = attribute_title(attribute);
  const Chosen read = findings_of(report, attribute, [](const Finding& f) {
    return !is_black_box(f) && f.method != check_method;
  });
  const Chosen attacked = findings_of(report, attribute, is_black_box);
  std::vector<reports::Chart> charts;
  if (!read.empty()) {
    const bool recovered = read.front()->method == recovered_method;
    const std::string how = recovered ? "profiles recovered" : "profiles read";
    charts.emplace_back(rate_chart(read, fmt::format("{}: right guesses, {}", name, how), "level",
                                   [](const Finding& f) { return f.level; }));
    charts.emplace_back(gain_chart(read, fmt::format("{}: largest gain, {}", name, how)));
  }
  if (!attacked.empty()) {
    BarChart chart =
        rate_chart(attacked, name + ": right guesses by black-box attacks", "attack and level",
                   [](const Finding& f) { return f.method + ", " + f.level; });
    chart.wide = true;
    charts.emplace_back(std::move(chart));
  }
  return charts;
}

std::vector<reports::Chart> recovery_charts(const AuditReport& report) {
  std::vector<reports::Chart> charts;
  for (const std::string& method : methods_with_curves(report)) {
    LineChart chart{.title = fmt::format("Values proven by {}", method),
                    .x = {"queries a victim", Unit::Count, Scale::Log},
                    .y = {"values proven", Unit::Share, Scale::Linear, 0, 1}};
    const double queries = most_queries(report, method);
    for (const Curve& curve : report.curves) {
      if (curve.method == method) chart.lines.push_back(line_of(curve, queries));
    }
    // What the audit is about comes first.
    std::stable_partition(chart.lines.begin(), chart.lines.end(), [](const reports::Line& line) {
      return line.tone == reports::Tone::Plain;
    });
    charts.emplace_back(std::move(chart));
  }
  return charts;
}

std::vector<reports::Chart> informed_charts(const AuditReport& report) {
  if (report.informed.empty()) return {};
  reports::Line most{"most affected row", {}}, mean{"mean of all rows", {}};
  reports::Line same{"no change", {}, reports::Tone::Quiet};
  for (const InformedPoint& point : report.informed) {
    most.points.push_back({point.belief, point.largest});
    mean.points.push_back({point.belief, point.mean});
    same.points.push_back({point.belief, point.belief});
  }
  return {LineChart{.title = "What an informed adversary believes afterwards",
                    .x = {"belief in the true value before", Unit::Share, Scale::Linear, 0, 1},
                    .y = {"belief after the release", Unit::Share, Scale::Linear, 0, 1},
                    .lines = {std::move(most), std::move(mean), std::move(same)},
                    .wide = true}};
}

}  // namespace rankveil::audit
