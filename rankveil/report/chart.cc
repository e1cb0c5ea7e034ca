#include "rankveil/report/chart.h"

#include <fmt/format.h>

#include "rankveil/report/drawing.h"
#include "rankveil/report/markup.h"

namespace rankveil::reports {
namespace {

std::string cells(const std::vector<std::string>& texts, const char* tag, const char* attributes) {
  std::string out = "<tr>";
  for (const std::string& text : texts) {
    out += fmt::format("<{}{}>{}</{}>", tag, attributes, escaped(text), tag);
  }
  return out + "</tr>";
}

std::string numbers_html(const Numbers& table, const std::string& title) {
  std::string out = fmt::format(
      R"(<details class="numbers"><summary>Numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="Numbers of {}"><table><thead>{}</thead><tbody>)",
      escaped(title), cells(table.head, "th", R"( scope="col")"));
  for (const auto& row : table.rows) out += cells(row, "td", "");
  return out + "</tbody></table></div></details>";
}

template <typename Kind>
std::string drawings(const Kind& chart, const std::string& id) {
  std::string out = draw(chart, id, svg::narrow);
  // Two drawings, of which the style shows the one that fits: text keeps its size that way.
  if (chart.wide) out += draw(chart, id + "-broad", svg::broad);
  return out;
}

template <typename Kind>
std::string panel(const Kind& chart, const std::string& id, const std::string& legend) {
  return fmt::format(
      R"(<figure class="chart{}" id="{}"><figcaption>{}</figcaption>{}{}{}</figure>)",
      chart.wide ? " wide" : "", id, escaped(chart.title), legend, drawings(chart, id),
      numbers_html(numbers(chart), chart.title));
}

}  // namespace

std::string chart_svg(const Chart& chart, const std::string& id) {
  return std::visit([&](const auto& kind) { return drawings(kind, id); }, chart);
}

std::string legend_html(const Chart& chart) {
  return std::visit(
      [](const auto& kind) { return fmt::format(R"(<ul class="legend">{}</ul>)", legend(kind)); },
      chart);
}

std::string chart_html(const Chart& chart, const std::string& id, bool with_legend) {
  const std::string legend = with_legend ? legend_html(chart) : "";
  return std::visit([&](const auto& kind) { return panel(kind, id, legend); }, chart);
}

}  // namespace rankveil::reports
