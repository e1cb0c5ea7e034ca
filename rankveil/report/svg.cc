#include "rankveil/report/svg.h"

#include <fmt/format.h>

#include <array>

#include "rankveil/report/markup.h"

namespace rankveil::reports::svg {
namespace {

constexpr std::size_t palette_size = 6;

// All of about the same area, around the origin.
constexpr std::array<const char*, palette_size> shapes = {
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "M-3.6,-3.6h7.2v7.2h-7.2z",
    "M0,-5L4.8,3.6H-4.8z",
    "M0,-5.2L5.2,0L0,5.2L-5.2,0z",
    "M0,5L4.8,-3.6H-4.8z",
    "M-1.6,-4.8h3.2v3.2h3.2v3.2h-3.2v3.2h-3.2v-3.2h-3.2v-3.2h3.2z"};

const char* anchor_name(Anchor anchor) {
  return anchor == Anchor::Start ? "start" : anchor == Anchor::Middle ? "middle" : "end";
}

std::string key_picture(Key key, std::size_t series, Tone tone, Guide::Kind kind) {
  const std::string style = series_class(series, tone);
  switch (key) {
    case Key::Mark:
      return fmt::format(R"svg(<path class="mark {}" transform="translate(7,7)" d="{}"/>)svg",
                         style, shapes[series % palette_size]);
    case Key::Swatch:
      return fmt::format(R"(<rect class="bar {}" x="1" y="2" width="12" height="10" rx="2"/>)",
                         style);
    case Key::Guide:
      return line(guide_class(kind), 7, 0, 7, 14);
    case Key::Frontier:
      return R"(<path class="frontier" d="M0,11H7V3H14"/>)";
    case Key::Ring:
      return R"(<circle class="ring" cx="7" cy="7" r="5.5"/>)";
  }
  return "";
}

}  // namespace

std::string text(double x, double y, Anchor anchor, std::string_view content,
                 std::string_view style) {
  return fmt::format(R"(<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", style,
                     x, y, anchor_name(anchor), escaped(content));
}

std::string line(std::string_view style, double x1, double y1, double x2, double y2,
                 std::string_view tooltip) {
  const std::string told =
      tooltip.empty() ? "" : fmt::format("<title>{}</title>", escaped(tooltip));
  return fmt::format(
      R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}">{}</line>)", style, x1,
      y1, x2, y2, told);
}

std::string rect(std::string_view style, double x, double y, double width, double height,
                 std::string_view tooltip) {
  return fmt::format(
      R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2"><title>{}</title></rect>)",
      style, x, y, width, height, escaped(tooltip));
}

std::string series_class(std::size_t series, Tone tone) {
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
  return fmt::format("s{}", series % palette_size + 1);
}

std::string mark(std::size_t series, Tone tone, double x, double y, std::string_view tooltip) {
  return fmt::format(
      R"svg(<path class="mark {}" transform="translate({:.1f},{:.1f})" d="{}"><title>{}</title></path>)svg",
      series_class(series, tone), x, y, shapes[series % palette_size], escaped(tooltip));
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
