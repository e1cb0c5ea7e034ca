#include "rankveil/report/svg.h"

#include <fmt/format.h>

#include <array>

#include "rankveil/report/markup.h"

namespace rankveil::reports::svg {
namespace {

constexpr std::size_t palette_size = 6;

// Shapes of about the same area: where they start, from their middle, and how they go on.
struct Shape {
  double x, y;
  const char* rest;
};
constexpr std::array<Shape, palette_size> shapes = {{
    {-4, 0, "a4 4 0 1 0 8 0 4 4 0 1 0-8 0"},
    {-3.5, -3.5, "h7v7h-7z"},
    {0, -5, "l5 9h-10z"},
    {0, -5, "l5 5-5 5-5-5z"},
    {0, 5, "l5-9h-10z"},
    {-1.5, -4.5, "h3v3h3v3h-3v3h-3v-3h-3v-3h3z"},
}};

// To start where it is told is what text does anyway.
const char* anchor_attribute(Anchor anchor) {
  switch (anchor) {
    case Anchor::Middle:
      return R"( text-anchor="middle")";
    case Anchor::End:
      return R"( text-anchor="end")";
    case Anchor::Start:
      break;
  }
  return "";
}

std::string shape(std::size_t series, double x, double y) {
  const Shape& kind = shapes[series % palette_size];
  return fmt::format("M{},{}{}", place(x + kind.x), place(y + kind.y), kind.rest);
}

std::string key_picture(Key key, std::size_t series, Tone tone, Guide::Kind kind) {
  const std::string style = series_class(series, tone);
  switch (key) {
    case Key::Mark:
      return path("mark " + style, shape(series, 7, 7));
    case Key::Swatch:
      return fmt::format(R"(<rect class="bar {}" x="1" y="2" width="12" height="10" rx="2"/>)",
                         style);
    case Key::Guide:
      return path(guide_class(kind), stroke(7, 0, 7, 14));
    case Key::Frontier:
      return R"(<path class="frontier" d="M0,11H7V3H14"/>)";
    case Key::Ring:
      return R"(<circle class="ring" cx="7" cy="7" r="5.5"/>)";
  }
  return "";
}

}  // namespace

std::string place(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string text(double x, double y, Anchor anchor, std::string_view content,
                 std::string_view style) {
  return fmt::format(R"(<text class="{}" x="{}" y="{}"{}>{}</text>)", style, place(x), place(y),
                     anchor_attribute(anchor), escaped(content));
}

std::string texts(Anchor anchor, std::string_view style, std::string_view content) {
  if (content.empty()) return "";
  return fmt::format(R"(<g class="{}"{}>{}</g>)", style, anchor_attribute(anchor), content);
}

std::string plain_text(double x, double y, std::string_view content) {
  return fmt::format(R"(<text x="{}" y="{}">{}</text>)", place(x), place(y), escaped(content));
}

std::string stroke(double x1, double y1, double x2, double y2) {
  const std::string from = fmt::format("M{},{}", place(x1), place(y1));
  if (place(y1) == place(y2)) return from + "H" + place(x2);
  if (place(x1) == place(x2)) return from + "V" + place(y2);
  return fmt::format("{}L{},{}", from, place(x2), place(y2));
}

std::string path(std::string_view style, std::string_view data, std::string_view tooltip) {
  if (data.empty()) return "";
  if (tooltip.empty()) return fmt::format(R"(<path class="{}" d="{}"/>)", style, data);
  return fmt::format(R"(<path class="{}" d="{}"><title>{}</title></path>)", style, data,
                     escaped(tooltip));
}

std::string rect(std::string_view style, double x, double y, double width, double height,
                 std::string_view tooltip) {
  return fmt::format(
      R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="2"><title>{}</title></rect>)",
      style, place(x), place(y), place(width), place(height), escaped(tooltip));
}

const char* tone_class(Tone tone) {
  switch (tone) {
    case Tone::Good:
      return "good";
    case Tone::Bad:
      return "bad";
    case Tone::Unsure:
      return "unsure";
    case Tone::Quiet:
      return "quiet";
    case Tone::Plain:
      break;
  }
  return "plain";
}

std::string series_class(std::size_t series, Tone tone) {
  if (tone != Tone::Plain) return tone_class(tone);
  return fmt::format("s{}", series % palette_size + 1);
}

void Marks::add(double x, double y, std::string_view tooltip) {
  const std::string data = shape(series_, x, y);
  content_ += tooltip.empty()
                  ? data
                  : fmt::format(R"(<path d="{}"><title>{}</title></path>)", data, escaped(tooltip));
  told_ = !tooltip.empty();
}

std::string Marks::draw() const {
  const std::string style = "mark " + series_class(series_, tone_);
  if (content_.empty() || !told_) return path(style, content_);
  return fmt::format(R"(<g class="{}">{}</g>)", style, content_);
}

std::string guide_class(Guide::Kind kind) {
  return kind == Guide::Kind::Bound ? "guide bound" : "guide baseline";
}

std::string opening(const std::string& id, double width, double height, std::string_view title,
                    std::string_view description) {
  return fmt::format(
      R"(<svg viewBox="0 0 {:.0f} {:.0f}" class="{}" role="img" aria-labelledby="{}-t {}-d">)"
      R"(<title id="{}-t">{}</title><desc id="{}-d">{}</desc>)",
      width, height, width > narrow ? "broad" : "narrow", id, id, id, escaped(title), id,
      escaped(description));
}

std::string legend_item(Key key, std::size_t series, Tone tone, Guide::Kind kind,
                        std::string_view name) {
  return fmt::format(R"(<li><svg viewBox="0 0 14 14" aria-hidden="true">{}</svg>{}</li>)",
                     key_picture(key, series, tone, kind), escaped(name));
}

std::string value_text(double value, const std::optional<Interval>& interval, Unit unit) {
  std::string told = number_text(value, unit);
  if (interval) {
    told += fmt::format(" ({} to {})", number_text(interval->low, unit),
                        number_text(interval->high, unit));
  }
  return told;
}

}  // namespace rankveil::reports::svg
