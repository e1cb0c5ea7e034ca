// Axes, guides and words that charts share.
#include <fmt/format.h>

#include <cmath>

#include "rankveil/report/drawing.h"
#include "rankveil/report/markup.h"

namespace rankveil::reports {

using svg::Anchor;

double plot_height(double width) { return width > svg::narrow ? 440 : 248; }

svg::Box plot_box(double width) { return {46, width - 10, 26, plot_height(width) - 44}; }

std::string draw_y_axis(const Ruler& ruler, const svg::Box& box, const std::string& label) {
  std::string grid, numbers;
  for (double tick : ruler.ticks()) {
    const double y = box.y(ruler.share(tick));
    grid += svg::stroke(box.left, y, box.right, y);
    numbers += svg::plain_text(box.left - 7, y + 4, ruler.tick_text(tick));
  }
  return svg::path("grid", grid) +
         svg::path("axis", svg::stroke(box.left, box.bottom, box.right, box.bottom)) +
         svg::texts(Anchor::End, "tick", numbers) + svg::text(2, 12, Anchor::Start, label, "label");
}

std::string draw_x_axis(const Ruler& ruler, const svg::Box& box, const std::string& label,
                        const std::vector<double>& ticks) {
  std::string marks, numbers;
  double free_from = 0;
  for (double tick : ticks) {
    const std::string name = ruler.tick_text(tick);
    const double x = box.x(ruler.share(tick));
    const double half = svg::letter_width / 2 * static_cast<double>(character_count(name));
    marks += svg::stroke(x, box.bottom, x, box.bottom + 4);
    if (x - half < free_from) continue;
    free_from = x + half + 6;
    numbers += svg::plain_text(x, box.bottom + 18, name);
  }
  return svg::path("axis", marks) + svg::texts(Anchor::Middle, "tick", numbers) +
         svg::text(box.right, box.bottom + 37, Anchor::End, label, "label");
}

std::string draw_guides(const std::vector<Guide>& guides, const Ruler& x, const Ruler& y,
                        const svg::Box& box) {
  std::string out;
  for (const Guide& guide : guides) {
    const bool upright = guide.along == Guide::Along::X;
    if (!(upright ? x : y).holds(guide.value)) continue;
    const double place = upright ? box.x(x.share(guide.value)) : box.y(y.share(guide.value));
    out += svg::path(svg::guide_class(guide.kind),
                     upright ? svg::stroke(place, box.top, place, box.bottom)
                             : svg::stroke(box.left, place, box.right, place));
  }
  return out;
}

std::string guide_legend(const std::vector<Guide>& guides) {
  std::string out;
  for (const Guide& guide : guides) {
    out += svg::legend_item(svg::Key::Guide, 0, Tone::Plain, guide.kind, guide.name);
  }
  return out;
}

std::string description(const std::string& summary, const std::string& y, const std::string& x,
                        const std::vector<std::string>& names) {
  if (!summary.empty()) return summary + " The numbers are in the table below.";
  return fmt::format("{} by {}: {}. The numbers are in the table below.", y, x,
                     fmt::join(names, ", "));
}

}  // namespace rankveil::reports
