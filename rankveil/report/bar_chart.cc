#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rankveil/report/drawing.h"
#include "rankveil/report/markup.h"

namespace rankveil::reports {
namespace {

using svg::Anchor;

std::vector<double> all_values(const BarChart& chart) {
  std::vector<double> values;
  for (const BarSeries& series : chart.series) {
    for (const auto& bar : series.bars) {
      if (!bar) continue;
      values.push_back(bar->value);
      if (bar->interval) values.push_back(bar->interval->high);
    }
  }
  for (const BarMark& mark : chart.marks) {
    for (const auto& value : mark.values) {
      if (value) values.push_back(*value);
    }
  }
  return values;
}

// The bar of a series for a category, if it has one that can be drawn.
const Bar* bar_of(const BarChart& chart, std::size_t series, std::size_t category) {
  const auto& bars = chart.series[series].bars;
  if (category >= bars.size() || !bars[category]) return nullptr;
  return std::isfinite(bars[category]->value) ? &*bars[category] : nullptr;
}

std::string told(const BarChart& chart, std::size_t series, std::size_t category, const Bar& bar) {
  return fmt::format("{}, {}: {}", chart.categories[category], chart.series[series].name,
                     svg::value_text(bar.value, bar.interval, chart.value.unit));
}

std::size_t rows_per_category(const BarChart& chart) {
  const bool share = chart.overlaid || (chart.look == BarChart::Look::Dot && !chart.spread);
  return share ? 1 : std::max<std::size_t>(1, chart.series.size());
}

// Values to the right, a band for each category with its name in front.
class Sideways {
 public:
  Sideways(const BarChart& chart, double width)
      : chart_(chart),
        ruler_(chart.value, all_values(chart)),
        shows_numbers_(chart.look == BarChart::Look::Bar),
        box_{label_width(chart, width), width - (shows_numbers_ ? 54 : 12), 8, 0} {
    box_.bottom = box_.top + band() * static_cast<double>(chart.categories.size());
  }

  double height() const { return box_.bottom + 44; }

  std::string draw() const {
    std::string out = axis();
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      out += name(c);
      for (std::size_t s = 0; s < chart_.series.size(); ++s) {
        if (const Bar* bar = bar_of(chart_, s, c)) out += draw_bar(s, c, *bar);
      }
      for (const BarMark& mark : chart_.marks) out += draw_mark(mark, c);
    }
    return out;
  }

 private:
  static double label_width(const BarChart& chart, double width) {
    std::size_t most = 4;
    for (const std::string& category : chart.categories) {
      most = std::max(most, character_count(category));
    }
    return std::min(svg::letter_width * static_cast<double>(most) + 12, width * 0.4);
  }

  double slot() const {
    if (rows_per_category(chart_) == 1) return 16;
    return chart_.look == BarChart::Look::Dot ? 8 : 13;
  }
  double band() const { return slot() * static_cast<double>(rows_per_category(chart_)) + 12; }
  double band_top(std::size_t category) const {
    return box_.top + band() * static_cast<double>(category);
  }
  double x_at(double value) const { return box_.x(ruler_.share(value)); }

  std::string axis() const {
    std::string out;
    double free_from = 0;
    for (double tick : ruler_.ticks()) {
      const std::string text = ruler_.tick_text(tick);
      const double half = svg::letter_width / 2 * static_cast<double>(character_count(text));
      const double x = x_at(tick);
      out += svg::line("grid", x, box_.top, x, box_.bottom);
      if (x - half < free_from) continue;
      free_from = x + half + 6;
      out += svg::text(x, box_.bottom + 17, Anchor::Middle, text);
    }
    out += svg::line("axis", box_.left, box_.top, box_.left, box_.bottom);
    return out + svg::text(box_.right, box_.bottom + 36, Anchor::End, chart_.value.label, "label");
  }

  std::string name(std::size_t category) const {
    const auto room = static_cast<std::size_t>(std::lround((box_.left - 10) / svg::letter_width));
    return svg::text(box_.left - 8, band_top(category) + band() / 2 + 4, Anchor::End,
                     shortened(chart_.categories[category], room), "name");
  }

  double slot_top(std::size_t series, std::size_t category) const {
    const std::size_t row = rows_per_category(chart_) > 1 ? series : 0;
    return band_top(category) + 6 + slot() * static_cast<double>(row);
  }

  std::string draw_bar(std::size_t series, std::size_t category, const Bar& bar) const {
    const Tone tone = chart_.series[series].tone;
    const std::string style = svg::series_class(series, tone);
    const double top = slot_top(series, category), middle = top + slot() / 2;
    const bool is_dot = chart_.look == BarChart::Look::Dot;
    std::string out;
    if (is_dot) {
      out += whisker(bar, middle, style);
      return out +
             svg::mark(series, tone, x_at(bar.value), middle, told(chart_, series, category, bar));
    }
    out += svg::rect("bar " + style, box_.left, top + 1, std::max(1.0, x_at(bar.value) - box_.left),
                     slot() - 2, told(chart_, series, category, bar));
    out += whisker(bar, middle, "over");
    return out + svg::text(box_.right + 50, middle + 4, Anchor::End,
                           number_text(bar.value, chart_.value.unit), "value " + style);
  }

  std::string whisker(const Bar& bar, double y, const std::string& style) const {
    if (!bar.interval) return "";
    const double low = x_at(bar.interval->low), high = x_at(bar.interval->high);
    const std::string full = "whisker " + style;
    return svg::line(full, low, y, high, y) + svg::line(full, low, y - 3, low, y + 3) +
           svg::line(full, high, y - 3, high, y + 3);
  }

  std::string draw_mark(const BarMark& mark, std::size_t category) const {
    if (category >= mark.values.size() || !mark.values[category]) return "";
    const double value = *mark.values[category];
    if (!ruler_.holds(value)) return "";
    const std::string words = fmt::format("{}, {}: {}", chart_.categories[category], mark.name,
                                          number_text(value, chart_.value.unit));
    const double top = band_top(category) + 3;
    return svg::line(svg::guide_class(mark.kind), x_at(value), top, x_at(value), top + band() - 6,
                     words);
  }

  const BarChart& chart_;
  Ruler ruler_;
  bool shows_numbers_;
  svg::Box box_;
};

// Values upward, categories side by side.
class Upright {
 public:
  Upright(const BarChart& chart, double width)
      : chart_(chart), ruler_(chart.value, all_values(chart)), box_(plot_box(width)) {}

  std::string draw() const {
    std::string out = draw_y_axis(ruler_, box_, chart_.value.label) + names();
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      for (std::size_t s = 0; s < chart_.series.size(); ++s) {
        if (const Bar* bar = bar_of(chart_, s, c)) out += draw_bar(s, c, *bar);
      }
      for (const BarMark& mark : chart_.marks) out += draw_mark(mark, c);
    }
    return out;
  }

 private:
  double band() const {
    return (box_.right - box_.left) / static_cast<double>(chart_.categories.size());
  }
  double middle(std::size_t category) const {
    return box_.left + band() * (static_cast<double>(category) + 0.5);
  }
  double slot() const { return band() * 0.72 / static_cast<double>(rows_per_category(chart_)); }
  double y_at(double value) const { return box_.y(ruler_.share(value)); }

  std::string names() const {
    std::string out;
    double free_from = 0;
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      const std::string& name = chart_.categories[c];
      const double half = svg::letter_width / 2 * static_cast<double>(character_count(name));
      if (middle(c) - half < free_from) continue;
      free_from = middle(c) + half + 4;
      out += svg::text(middle(c), box_.bottom + 18, Anchor::Middle, name);
    }
    return out +
           svg::text(box_.right, box_.bottom + 37, Anchor::End, chart_.category_label, "label");
  }

  std::string draw_bar(std::size_t series, std::size_t category, const Bar& bar) const {
    const Tone tone = chart_.series[series].tone;
    const std::string style = svg::series_class(series, tone);
    const std::size_t column = rows_per_category(chart_) > 1 ? series : 0;
    const double left = middle(category) - band() * 0.36 + slot() * static_cast<double>(column);
    const double x = left + slot() / 2, y = y_at(bar.value);
    const std::string words = told(chart_, series, category, bar);
    if (chart_.look == BarChart::Look::Dot) {
      return whisker(bar, x, style) + svg::mark(series, tone, x, y, words);
    }
    return svg::rect("bar " + style, left + 0.5, y, std::max(1.0, slot() - 1), box_.bottom - y,
                     words) +
           whisker(bar, x, "over");
  }

  std::string whisker(const Bar& bar, double x, const std::string& style) const {
    if (!bar.interval) return "";
    return svg::line("whisker " + style, x, y_at(bar.interval->low), x, y_at(bar.interval->high));
  }

  std::string draw_mark(const BarMark& mark, std::size_t category) const {
    if (category >= mark.values.size() || !mark.values[category]) return "";
    const double value = *mark.values[category];
    if (!ruler_.holds(value)) return "";
    const double half = band() * 0.42;
    return svg::line(svg::guide_class(mark.kind), middle(category) - half, y_at(value),
                     middle(category) + half, y_at(value),
                     fmt::format("{}, {}: {}", chart_.categories[category], mark.name,
                                 number_text(value, chart_.value.unit)));
  }

  const BarChart& chart_;
  Ruler ruler_;
  svg::Box box_;
};

bool has_bars(const BarSeries& series) {
  return std::ranges::any_of(series.bars, [](const auto& bar) { return bar.has_value(); });
}

bool has_values(const BarMark& mark) {
  return std::ranges::any_of(mark.values, [](const auto& value) { return value.has_value(); });
}

std::vector<std::string> names(const BarChart& chart) {
  std::vector<std::string> all;
  for (const BarSeries& series : chart.series) all.push_back(series.name);
  return all;
}

std::vector<std::string> number_row(const BarChart& chart, std::size_t series, std::size_t category,
                                    const Bar& bar) {
  std::vector<std::string> row = {chart.categories[category], chart.series[series].name,
                                  svg::value_text(bar.value, bar.interval, chart.value.unit)};
  for (const BarMark& mark : chart.marks) {
    const bool known = category < mark.values.size() && mark.values[category];
    row.push_back(known ? number_text(*mark.values[category], chart.value.unit) : "");
  }
  return row;
}

}  // namespace

std::string draw(const BarChart& chart, const std::string& id, double width) {
  const std::string told_aside =
      description(chart.summary, chart.value.label, chart.category_label, names(chart));
  if (chart.direction == BarChart::Direction::Up) {
    return svg::opening(id, width, plot_height(width), chart.title, told_aside) +
           Upright(chart, width).draw() + "</svg>";
  }
  const Sideways drawing(chart, width);
  return svg::opening(id, width, drawing.height(), chart.title, told_aside) + drawing.draw() +
         "</svg>";
}

std::string legend(const BarChart& chart) {
  const auto key = chart.look == BarChart::Look::Dot ? svg::Key::Mark : svg::Key::Swatch;
  std::string out;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (!has_bars(chart.series[i])) continue;
    out += svg::legend_item(key, i, chart.series[i].tone, {}, chart.series[i].name);
  }
  for (const BarMark& mark : chart.marks) {
    if (has_values(mark)) {
      out += svg::legend_item(svg::Key::Guide, 0, Tone::Plain, mark.kind, mark.name);
    }
  }
  return out;
}

Numbers numbers(const BarChart& chart) {
  Numbers table{{chart.category_label, "series", chart.value.label}, {}};
  for (const BarMark& mark : chart.marks) table.head.push_back(mark.name);
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const auto& bars = chart.series[s].bars;
      if (c < bars.size() && bars[c]) table.rows.push_back(number_row(chart, s, c, *bars[c]));
    }
  }
  return table;
}

}  // namespace rankveil::reports
