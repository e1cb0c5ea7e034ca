#include "rankveil/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rankveil/report/markup.h"
#include "rankveil/report/page_style.h"
#include "rankveil/report/svg.h"

namespace rankveil::reports {
namespace {

// Nothing may be fetched, run, framed, sent or rebased; the style in the page is all there is.
constexpr const char* policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

constexpr std::size_t short_text = 24;

// Writes a page from top to bottom, and gives out ids that do not repeat.
class Writer {
 public:
  std::string page(const Page& page) {
    std::string sections;
    std::string links;
    for (const Section& part : page.sections) {
      const std::string id = unique(slug(part.id.empty() ? part.title : part.id));
      links += fmt::format(R"(<li><a href="#{}">{}</a></li>)", id, escaped(part.title));
      sections += section(part, id);
    }
    return head(page.title) + "<main>\n<header>" + opening(page) + "</header>\n" +
           navigation(page.sections.size(), links) + sections + "</main>\n" + footer(page.origin) +
           "</body>\n</html>\n";
  }

 private:
  std::string unique(const std::string& wish) {
    std::string id = wish;
    for (int i = 2; !ids_.insert(id).second; ++i) id = fmt::format("{}-{}", wish, i);
    return id;
  }

  static std::string head(const std::string& title) {
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        policy, escaped(title), page_style());
  }

  static std::string opening(const Page& page) {
    std::string out;
    if (!page.kind.empty()) out += fmt::format(R"(<p class="kind">{}</p>)", escaped(page.kind));
    out += fmt::format("<h1>{}</h1>", escaped(page.title));
    if (!page.subtitle.empty()) {
      out += fmt::format(R"(<p class="subtitle">{}</p>)", escaped(page.subtitle));
    }
    if (page.banner) out += banner(*page.banner);
    return out + key_figures(page.figures);
  }

  static std::string banner(const Banner& banner) {
    std::string out = fmt::format(
        R"(<div class="banner {}"><p class="verdict">{}</p><p class="sentence">{}</p>)",
        svg::tone_class(banner.tone), escaped(banner.verdict), escaped(banner.sentence));
    if (!banner.detail.empty()) {
      out += fmt::format(R"(<p class="detail">{}</p>)", escaped(banner.detail));
    }
    return out + "</div>\n";
  }

  static std::string key_figures(const std::vector<KeyFigure>& figures) {
    if (figures.empty()) return "";
    std::string out = R"(<dl class="figures">)";
    for (const KeyFigure& figure : figures) {
      out += fmt::format(R"(<div><dt>{}</dt><dd class="value {}">{}</dd>)", escaped(figure.label),
                         svg::tone_class(figure.tone), escaped(figure.value));
      if (!figure.note.empty()) {
        out += fmt::format(R"(<dd class="note">{}</dd>)", escaped(figure.note));
      }
      out += "</div>";
    }
    return out + "</dl>\n";
  }

  static std::string navigation(std::size_t sections, const std::string& links) {
    if (sections < 3) return "";
    return fmt::format("<nav aria-label=\"On this page\"><ul>{}</ul></nav>\n", links);
  }

  static std::string facts(const std::vector<std::pair<std::string, std::string>>& items) {
    std::string out = R"(<dl class="facts">)";
    for (const auto& [name, value] : items) {
      out += fmt::format("<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
    }
    return out + "</dl>\n";
  }

  static std::string footer(const std::vector<std::pair<std::string, std::string>>& origin) {
    return origin.empty() ? "" : "<footer>" + facts(origin) + "</footer>\n";
  }

  std::string section(const Section& section, const std::string& id) {
    return fmt::format("<section id=\"{}\"><h2>{}</h2>\n{}</section>\n", id, escaped(section.title),
                       blocks(section.blocks));
  }

  std::string blocks(const std::vector<Block>& parts) {
    std::string out;
    for (const Block& part : parts) {
      out += std::visit([&](const auto& content) { return block(content); }, part.content);
    }
    return out;
  }

  static std::string block(const Paragraph& paragraph) {
    return fmt::format("<p{}>{}</p>\n", paragraph.soft ? R"( class="soft")" : "",
                       escaped(paragraph.text));
  }

  static std::string block(const Heading& heading) {
    return fmt::format("<h3>{}</h3>\n", escaped(heading.text));
  }

  static std::string block(const Bullets& bullets) {
    const char* tag = bullets.numbered ? "ol" : "ul";
    std::string out = fmt::format("<{}>", tag);
    for (const std::string& item : bullets.items) out += fmt::format("<li>{}</li>", escaped(item));
    return out + fmt::format("</{}>\n", tag);
  }

  static std::string block(const Code& code) {
    return fmt::format("<pre tabindex=\"0\">{}</pre>\n", escaped(code.text));
  }

  static std::string block(const Facts& list) { return facts(list.items); }

  static std::string cell(const Cell& cell) {
    if (cell.tone == Tone::Plain) return escaped(cell.text);
    const char* kind = cell.tone == Tone::Quiet ? "" : "badge ";
    return fmt::format(R"(<span class="{}{}">{}</span>)", kind, svg::tone_class(cell.tone),
                       escaped(cell.text));
  }

  static std::string table_head(const Table& table) {
    std::string out = "<thead><tr>";
    for (const Table::Column& column : table.columns) {
      out += fmt::format(R"(<th scope="col"{}>{}</th>)",
                         column.is_number ? R"( class="number")" : "", escaped(column.name));
    }
    return out + "</tr></thead>";
  }

  // Short texts stay on one line; a hyphen is no reason to break a name.
  static const char* cell_class(const Table& table, std::size_t column, const Cell& cell) {
    if (column < table.columns.size() && table.columns[column].is_number)
      return " class=\"number\"";
    return character_count(cell.text) <= short_text ? " class=\"short\"" : "";
  }

  static std::string table_row(const Table& table, const std::vector<Cell>& row) {
    std::string out = "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += fmt::format("<td{}>{}</td>", cell_class(table, i, row[i]), cell(row[i]));
    }
    return out + "</tr>";
  }

  // The caption stands outside of the box, or it would scroll away with the table.
  static std::string block(const Table& table) {
    std::string out;
    if (!table.caption.empty()) {
      out += fmt::format("<p class=\"caption\">{}</p>\n", escaped(table.caption));
    }
    out += fmt::format(R"(<div class="scroll" tabindex="0" role="region" aria-label="{}"><table>)",
                       escaped(table.caption.empty() ? "Table" : table.caption));
    out += table_head(table) + "<tbody>\n";
    for (const auto& row : table.rows) out += table_row(table, row) + "\n";
    return out + "</tbody></table></div>\n";
  }

  std::string block(const Charts& group) {
    const bool shared = share_legend(group);
    std::string out = (shared ? legend_html(group.charts[0]) : "") + "<div class=\"charts\">\n";
    for (const Chart& chart : group.charts) {
      const std::string title = std::visit([](const auto& kind) { return kind.title; }, chart);
      out += chart_html(chart, unique("chart-" + slug(title)), !shared) + "\n";
    }
    return out + "</div>\n";
  }

  // Charts of the same series side by side need one legend.
  static bool share_legend(const Charts& group) {
    return group.charts.size() > 1 && std::ranges::all_of(group.charts, [&](const Chart& chart) {
             return legend_html(chart) == legend_html(group.charts[0]);
           });
  }

  std::string block(const Details& details) {
    return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(details.summary),
                       blocks(details.blocks));
  }

  std::set<std::string> ids_;
};

}  // namespace

std::string to_html(const Page& page) { return Writer().page(page); }

}  // namespace rankveil::reports
