// The strokes that charts are made of. Classes name what a stroke is; the page's style (page.h)
// gives it a colour.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/report/chart.h"

namespace rankveil::reports::svg {

// The rectangle that values are drawn in.
struct Box {
  double left, right, top, bottom;

  double x(double share) const { return left + share * (right - left); }
  double y(double share) const { return bottom - share * (bottom - top); }
};

// A narrow chart for small panels and phones; a broad one for a row of its own on a desk.
inline constexpr double narrow = 360;
inline constexpr double broad = 960;

inline constexpr double letter_width = 6.6;  // on average, of the 12 pixels that ticks have

enum class Anchor { Start, Middle, End };

// A coordinate: a tenth of a pixel is as fine as it gets.
std::string place(double value);

std::string text(double x, double y, Anchor anchor, std::string_view content,
                 std::string_view style = "tick");
// Several texts of one style, made by `plain_text`.
std::string texts(Anchor anchor, std::string_view style, std::string_view content);
std::string plain_text(double x, double y, std::string_view content);

// A straight stroke as path data. Strokes of one style are put behind each other, for one `path`.
std::string stroke(double x1, double y1, double x2, double y2);
// Nothing for no data.
std::string path(std::string_view style, std::string_view data, std::string_view tooltip = {});
std::string rect(std::string_view style, double x, double y, double width, double height,
                 std::string_view tooltip);

const char* tone_class(Tone tone);
// The class of a series: its place in the palette, or its tone.
std::string series_class(std::size_t series, Tone tone);

// All marks of a series: shapes that go with its class. All have a tooltip, or none has.
class Marks {
 public:
  Marks(std::size_t series, Tone tone) : series_(series), tone_(tone) {}
  void add(double x, double y, std::string_view tooltip);
  std::string draw() const;  // nothing for none

 private:
  std::size_t series_;
  Tone tone_;
  bool told_ = false;
  std::string content_;
};

// Whiskers that end inside of a mark are not seen.
inline constexpr double mark_radius = 3;

// Guides as the chart and the legend draw them.
std::string guide_class(Guide::Kind kind);

// <svg> with its title and description.
std::string opening(const std::string& id, double width, double height, std::string_view title,
                    std::string_view description);

// An entry of a legend: a little picture and a name.
enum class Key { Mark, Swatch, Guide, Frontier, Ring };
std::string legend_item(Key key, std::size_t series, Tone tone, Guide::Kind kind,
                        std::string_view name);

// "0.125 (0.1 to 0.15)"
std::string value_text(double value, const std::optional<Interval>& interval, Unit unit);

}  // namespace rankveil::reports::svg
