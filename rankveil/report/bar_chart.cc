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

std::string dot_told(const BarChart& chart, std::size_t series, std::size_t category,
                     const Bar& bar) {
  return chart.tooltips ? told(chart, series, category, bar) : "";
}

std::size_t rows_per_category(const BarChart& chart) {
  const bool share = chart.overlaid || (chart.look == BarChart::Look::Dot && !chart.spread);
  return share ? 1 : std::max<std::size_t>(1, chart.series.size());
}

// All that one series shows. `drawing` knows the shape of a bar, a dot and a whisker.
template <typename Kind>
std::string draw_one(const BarChart& chart, const Kind& drawing, std::size_t series) {
  const bool is_dot = chart.look == BarChart::Look::Dot;
  const Tone tone = chart.series[series].tone;
  std::string bars, whiskers;
  svg::Marks dots(series, tone);
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    const Bar* bar = bar_of(chart, series, c);
    if (bar == nullptr) continue;
    if (is_dot) {
      drawing.dot(series, c, *bar, dots);
    } else {
      bars += drawing.bar(series, c, *bar);
    }
    if (bar->interval) whiskers += drawing.whisker(series, c, *bar);
  }
  const std::string style = is_dot ? svg::series_class(series, tone) : "over";
  return bars + svg::path("whisker " + style, whiskers) + dots.draw();
}

template <typename Kind>
std::string draw_series(const BarChart& chart, const Kind& drawing) {
  std::string out;
  for (std::size_t s = 0; s < chart.series.size(); ++s) out += draw_one(chart, drawing, s);
  return out;
}

template <typename Kind>
std::string draw_marks(const BarChart& chart, const Kind& drawing) {
  std::string out;
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    for (const BarMark& mark : chart.marks) out += drawing.draw_mark(mark, c);
  }
  return out;
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

  void dot(std::size_t series, std::size_t category, const Bar& bar, svg::Marks& marks) const {
    marks.add(x_at(bar.value), middle(series, category), dot_told(chart_, series, category, bar));
  }

  std::string bar(std::size_t series, std::size_t category, const Bar& bar) const {
    const std::string style = svg::series_class(series, chart_.series[series].tone);
    return svg::rect("bar " + style, box_.left, slot_top(series, category) + 1,
                     std::max(1.0, x_at(bar.value) - box_.left), slot() - 2,
                     told(chart_, series, category, bar)) +
           svg::text(box_.right + 50, middle(series, category) + 4, Anchor::End,
                     number_text(bar.value, chart_.value.unit), "value " + style);
  }

  std::string whisker(std::size_t series, std::size_t category, const Bar& bar) const {
    const double low = x_at(bar.interval->low), high = x_at(bar.interval->high);
    const double y = middle(series, category), x = x_at(bar.value);
    const bool hidden = x - low < svg::mark_radius && high - x < svg::mark_radius;
    if (hidden && chart_.look == BarChart::Look::Dot) return "";
    return svg::stroke(low, y, high, y) + svg::stroke(low, y - 3, low, y + 3) +
           svg::stroke(high, y - 3, high, y + 3);
  }

  std::string draw() const {
    std::string names;
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) names += name(c);
    return axis() + svg::texts(Anchor::End, "name", names) + draw_series(chart_, *this) +
           draw_marks(chart_, *this);
  }

  std::string draw_mark(const BarMark& mark, std::size_t category) const {
    if (category >= mark.values.size() || !mark.values[category]) return "";
    const double value = *mark.values[category];
    if (!ruler_.holds(value)) return "";
    const std::string words = fmt::format("{}, {}: {}", chart_.categories[category], mark.name,
                                          number_text(value, chart_.value.unit));
    const double top = band_top(category) + 3;
    return svg::path(svg::guide_class(mark.kind),
                     svg::stroke(x_at(value), top, x_at(value), top + band() - 6), words);
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
    std::string grid, numbers;
    double free_from = 0;
    for (double tick : ruler_.ticks()) {
      const std::string text = ruler_.tick_text(tick);
      const double half = svg::letter_width / 2 * static_cast<double>(character_count(text));
      const double x = x_at(tick);
      grid += svg::stroke(x, box_.top, x, box_.bottom);
      if (x - half < free_from) continue;
      free_from = x + half + 6;
      numbers += svg::plain_text(x, box_.bottom + 17, text);
    }
    return svg::path("grid", grid) +
           svg::path("axis", svg::stroke(box_.left, box_.top, box_.left, box_.bottom)) +
           svg::texts(Anchor::Middle, "tick", numbers) +
           svg::text(box_.right, box_.bottom + 36, Anchor::End, chart_.value.label, "label");
  }

  std::string name(std::size_t category) const {
    const auto room = static_cast<std::size_t>(std::lround((box_.left - 10) / svg::letter_width));
    return svg::plain_text(box_.left - 8, band_top(category) + band() / 2 + 4,
                           shortened(chart_.categories[category], room));
  }

  double slot_top(std::size_t series, std::size_t category) const {
    const std::size_t row = rows_per_category(chart_) > 1 ? series : 0;
    return band_top(category) + 6 + slot() * static_cast<double>(row);
  }

  double middle(std::size_t series, std::size_t category) const {
    return slot_top(series, category) + slot() / 2;
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
    return draw_y_axis(ruler_, box_, chart_.value.label) + names() + draw_series(chart_, *this) +
           draw_marks(chart_, *this);
  }

  void dot(std::size_t series, std::size_t category, const Bar& bar, svg::Marks& marks) const {
    marks.add(left(series, category) + slot() / 2, y_at(bar.value),
              dot_told(chart_, series, category, bar));
  }

  std::string bar(std::size_t series, std::size_t category, const Bar& bar) const {
    const std::string style = svg::series_class(series, chart_.series[series].tone);
    const double y = y_at(bar.value);
    return svg::rect("bar " + style, left(series, category) + 0.5, y, std::max(1.0, slot() - 1),
                     box_.bottom - y, told(chart_, series, category, bar));
  }

  std::string whisker(std::size_t series, std::size_t category, const Bar& bar) const {
    const double x = left(series, category) + slot() / 2;
    return svg::stroke(x, y_at(bar.interval->low), x, y_at(bar.interval->high));
  }

  std::string draw_mark(const BarMark& mark, std::size_t category) const {
    if (category >= mark.values.size() || !mark.values[category]) return "";
    const double value = *mark.values[category];
    if (!ruler_.holds(value)) return "";
    const double half = band() * 0.42;
    return svg::path(
        svg::guide_class(mark.kind),
        svg::stroke(middle(category) - half, y_at(value), middle(category) + half, y_at(value)),
        fmt::format("{}, {}: {}", chart_.categories[category], mark.name,
                    number_text(value, chart_.value.unit)));
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
    std::string texts;
    double free_from = 0;
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      const std::string& name = chart_.categories[c];
      const double half = svg::letter_width / 2 * static_cast<double>(character_count(name));
      if (middle(c) - half < free_from) continue;
      free_from = middle(c) + half + 4;
      texts += svg::plain_text(middle(c), box_.bottom + 18, name);
    }
    return svg::texts(Anchor::Middle, "tick", texts) +
           svg::text(box_.right, box_.bottom + 37, Anchor::End, chart_.category_label, "label");
  }

  double left(std::size_t series, std::size_t category) const {
    const std::size_t column = rows_per_category(chart_) > 1 ? series : 0;
    return middle(category) - band() * 0.36 + slot() * static_cast<double>(column);
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

void add_marks(const BarChart& chart, std::size_t category, std::vector<std::string>& row) {
  for (const BarMark& mark : chart.marks) {
    const bool known = category < mark.values.size() && mark.values[category];
    row.push_back(known ? number_text(*mark.values[category], chart.value.unit) : "");
  }
}

std::string cell_text(const BarChart& chart, std::size_t series, std::size_t category) {
  const auto& bars = chart.series[series].bars;
  if (category >= bars.size() || !bars[category]) return "";
  return svg::value_text(bars[category]->value, bars[category]->interval, chart.value.unit);
}

// Where a category has one series only: a row for each, which names it.
Numbers listed_numbers(const BarChart& chart) {
  Numbers table{{chart.category_label, "series", chart.value.label}, {}};
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const std::string text = cell_text(chart, s, c);
      if (text.empty()) continue;
      table.rows.push_back({chart.categories[c], chart.series[s].name, text});
      add_marks(chart, c, table.rows.back());
    }
  }
  return table;
}

// A row for each category, a column for each series.
Numbers crossed_numbers(const BarChart& chart) {
  Numbers table{{chart.category_label}, {}};
  for (const BarSeries& series : chart.series) table.head.push_back(series.name);
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    table.rows.push_back({chart.categories[c]});
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      table.rows.back().push_back(cell_text(chart, s, c));
    }
    add_marks(chart, c, table.rows.back());
  }
  return table;
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
  Numbers table = chart.overlaid ? listed_numbers(chart) : crossed_numbers(chart);
  for (const BarMark& mark : chart.marks) table.head.push_back(mark.name);
  return table;
}

}  // namespace rankveil::reports
