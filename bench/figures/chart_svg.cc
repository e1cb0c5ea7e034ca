#include "bench/figures/chart_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace rankveil::figures {
namespace {

struct Box {
  double left, right, top, bottom;
};

constexpr double width = 360;
constexpr std::size_t series_styles = 6;

std::size_t style_of(std::size_t series) { return series % series_styles + 1; }

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const char* style = "tick") {
  return fmt::format(R"(<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", style,
                     x, y, anchor, html_text(text));
}

std::string line_at(const char* style, double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)", style,
                     x1, y1, x2, y2);
}

// Series differ in shape as well as in colour.
std::string mark(std::size_t series, double x, double y, const std::string& told) {
  constexpr std::array shapes = {"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
                                 "M-4,-4h8v8h-8z",
                                 "M0,-5.5L5,4H-5z",
                                 "M0,-5.5L5.5,0L0,5.5L-5.5,0z",
                                 "M0,5.5L5,-4H-5z",
                                 "M-1.5,-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z"};
  return fmt::format(
      R"svg(<path class="mark s{}" transform="translate({:.1f},{:.1f})" d="{}"><title>{}</title></path>)svg",
      style_of(series), x, y, shapes[series % series_styles], html_text(told));
}

std::string told(const Series& series, std::size_t i, const std::string& x) {
  return fmt::format("{} at {}: {}", series.name, x, value_text(series, i));
}

struct Ends {
  double low, high;
};

// None: no interval is known.
std::optional<Ends> ends_of(const Series& series, std::size_t i) {
  if (i < series.lows.size() && i < series.highs.size())
    return Ends{series.lows[i], series.highs[i]};
  if (i >= series.margins.size() || series.margins[i] <= 0) return {};
  return Ends{series.ys[i] - series.margins[i], series.ys[i] + series.margins[i]};
}

std::string whisker(const Series& series, std::size_t series_index, std::size_t i, double x,
                    const auto& place) {
  auto ends = ends_of(series, i);
  if (!ends) return "";
  return line_at(fmt::format("whisker s{}", style_of(series_index)).c_str(), x, place(ends->low), x,
                 place(ends->high));
}

double step_of(double top) {
  double rough = top / 4;
  double power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough * 0.999) return factor * power;
  }
  return 10 * power;
}

std::set<double> all_xs(const Chart& chart) {
  std::set<double> xs;
  for (const Series& series : chart.series) xs.insert(series.xs.begin(), series.xs.end());
  return xs;
}

std::string opening(const Figure& figure, const Chart& chart, const std::string& id,
                    double height) {
  std::string names;
  for (const Series& series : chart.series) names += (names.empty() ? "" : ", ") + series.name;
  return fmt::format(
      R"(<svg viewBox="0 0 {:.0f} {:.0f}" role="img" aria-labelledby="{}-t {}-d">)"
      R"(<title id="{}-t">{} on {}</title><desc id="{}-d">{} by {}: {}. The numbers are in the table below.</desc>)",
      width, height, id, id, id, html_text(figure.title), html_text(chart.bed), id,
      html_text(figure.y_label), html_text(figure.x_label), html_text(names));
}

// Values upward: lines and bars.
class Upright {
 public:
  Upright(const Figure& figure, const Chart& chart, double top)
      : figure_(figure), chart_(chart), top_(top), xs_(all_xs(chart)) {}

  static constexpr double height = 236;

  std::string draw() const {
    std::string text = value_axis() + x_axis();
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      text += figure_.look == Look::Bars ? bars(s) : line(s);
    }
    return text;
  }

 private:
  double y_at(double value) const {
    double share = std::clamp(value / top_, 0.0, 1.0);
    return box_.bottom - share * (box_.bottom - box_.top);
  }

  double x_at(double x) const {
    if (figure_.look == Look::Bars) {
      auto place = static_cast<double>(std::distance(xs_.begin(), xs_.find(x)));
      return box_.left + (place + 0.5) * slot();
    }
    double low = scaled(*xs_.begin()), high = scaled(*xs_.rbegin());
    double share = high > low ? (scaled(x) - low) / (high - low) : 0.5;
    return box_.left + 12 + share * (box_.right - box_.left - 24);
  }

  double scaled(double x) const { return figure_.look == Look::LogLines ? std::log(x) : x; }
  double slot() const { return (box_.right - box_.left) / static_cast<double>(xs_.size()); }

  std::string value_axis() const {
    std::string text;
    double step = step_of(top_);
    for (double value = 0; value <= top_ * 1.0001; value += step) {
      text +=
          line_at(value == 0 ? "axis" : "grid", box_.left, y_at(value), box_.right, y_at(value));
      text += text_at(box_.left - 6, y_at(value) + 4, "end", number_text(value));
    }
    return text + text_at(box_.left - 38, 12, "start", figure_.y_label, "label");
  }

  std::string x_axis() const {
    std::string text;
    double free_from = 0;  // a number that would touch the one before is left out
    for (double x : xs_) {
      double half = 3.5 * static_cast<double>(tick_text(x).size());
      if (x_at(x) - half < free_from) continue;
      free_from = x_at(x) + half + 4;
      text += text_at(x_at(x), box_.bottom + 17, "middle", tick_text(x));
    }
    return text + text_at(box_.right, box_.bottom + 35, "end", figure_.x_label, "label");
  }

  std::string line(std::size_t s) const {
    const Series& series = chart_.series[s];
    std::string points, rest;
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      double x = x_at(series.xs[i]);
      points += fmt::format("{:.1f},{:.1f} ", x, y_at(series.ys[i]));
      rest += whisker(series, s, i, x, [&](double value) { return y_at(value); });
      rest += mark(s, x, y_at(series.ys[i]), told(series, i, number_text(series.xs[i])));
    }
    return fmt::format(R"(<polyline class="line s{}" points="{}"/>)", style_of(s), points) + rest;
  }

  std::string bars(std::size_t s) const {
    const Series& series = chart_.series[s];
    std::string text;
    double broad = slot() * 0.7 / static_cast<double>(chart_.series.size());
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      double left = x_at(series.xs[i]) - slot() * 0.35 + broad * static_cast<double>(s);
      text += fmt::format(
          R"(<rect class="bar s{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}</title></rect>)",
          style_of(s), left, y_at(series.ys[i]), broad, box_.bottom - y_at(series.ys[i]),
          html_text(told(series, i, number_text(series.xs[i]))));
    }
    return text;
  }

  const Figure& figure_;
  const Chart& chart_;
  double top_;
  std::set<double> xs_;
  Box box_{44, 352, 22, 190};
};

// Values to the right, a line per category.
class Sideways {
 public:
  Sideways(const Figure& figure, const Chart& chart, double top)
      : figure_(figure), chart_(chart), top_(top) {}

  double height() const { return bottom() + 38; }

  std::string draw() const {
    std::string text = axis();
    for (std::size_t i = 0; i < figure_.categories.size(); ++i) {
      text += line_at("grid", left, y_at(i), right, y_at(i));
      text += text_at(left - 8, y_at(i) + 4, "end", figure_.categories[i]);
    }
    for (std::size_t s = 0; s < chart_.series.size(); ++s) text += dots(s);
    return text;
  }

 private:
  static constexpr double left = 162, right = 348, step_down = 7;

  // Rates of one line are often alike: each series has a height of its own.
  double spread() const {
    if (figure_.look != Look::Rates || chart_.series.empty()) return 0;
    return step_down * static_cast<double>(chart_.series.size() - 1);
  }
  double row() const { return 21 + spread(); }
  double first() const { return 14 + spread() / 2; }
  double bottom() const { return 14 + row() * static_cast<double>(figure_.categories.size()); }
  double y_at(std::size_t category) const {
    return first() + row() * static_cast<double>(category);
  }
  double offset(std::size_t s) const {
    return spread() == 0 ? 0 : step_down * static_cast<double>(s) - spread() / 2;
  }
  double x_at(double value) const {
    return left + std::clamp(value / top_, 0.0, 1.0) * (right - left);
  }

  std::string axis() const {
    std::string text = line_at("axis", left, bottom(), right, bottom());
    double step = step_of(top_);
    for (double value = 0; value <= top_ * 1.0001; value += step) {
      text += text_at(x_at(value), bottom() + 16, "middle", number_text(value));
    }
    return text + text_at(right, bottom() + 33, "end", figure_.x_label, "label");
  }

  std::string dots(std::size_t s) const {
    const Series& series = chart_.series[s];
    std::string text;
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      auto category = static_cast<std::size_t>(series.xs[i]) - 1;
      double y = y_at(category) + offset(s);
      if (auto ends = ends_of(series, i)) {
        text += line_at(fmt::format("whisker s{}", style_of(s)).c_str(), x_at(ends->low), y,
                        x_at(ends->high), y);
      }
      text += mark(s, x_at(series.ys[i]), y, told(series, i, figure_.categories[category]));
    }
    return text;
  }

  const Figure& figure_;
  const Chart& chart_;
  double top_;
};

}  // namespace

std::string html_text(const std::string& text) {
  std::string out;
  for (char c : text) {
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  }
  return out;
}

std::string tick_text(double number) {
  if (number >= 10'000) return fmt::format("{:.3g}k", number / 1000);
  return number_text(number);
}

double value_top(const Figure& figure) {
  double most = 0, most_with_margin = 0;
  for (const Chart& chart : figure.charts) {
    for (const Series& series : chart.series) {
      for (std::size_t i = 0; i < series.ys.size(); ++i) {
        auto ends = ends_of(series, i);
        most = std::max(most, series.ys[i]);
        most_with_margin = std::max(most_with_margin, ends ? ends->high : series.ys[i]);
      }
    }
  }
  // Nearly all measures end at 1.
  most = most <= 1 ? std::min(1.0, most_with_margin) : most_with_margin;
  if (most <= 0) return 1;
  double step = step_of(most);
  return step * std::ceil(most / step - 1e-9);
}

std::string chart_svg(const Figure& figure, const Chart& chart, double top, const std::string& id) {
  if (figure.has_categories()) {
    Sideways drawing(figure, chart, top);
    return opening(figure, chart, id, drawing.height()) + drawing.draw() + "</svg>";
  }
  if (all_xs(chart).empty()) return "";
  return opening(figure, chart, id, Upright::height) + Upright(figure, chart, top).draw() +
         "</svg>";
}

}  // namespace rankveil::figures
