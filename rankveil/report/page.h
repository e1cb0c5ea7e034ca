// One self-contained HTML page: verdict, key figures, sections of text, tables and charts, and a
// footer that says where the numbers come from.
//
//   reports::Page page{.title = "Audit of people.index", .banner = {{Tone::Good, "Kept", "..."}}};
//   page.sections.push_back({"Findings", {reports::Table{...}, reports::Charts{{chart}}}});
//   write_text("audit.html", reports::to_html(page));
//
// The page has no script and nothing from outside, and a content security policy that forbids every
// request. It reads well from 400 pixels on, on paper, and in light and dark mode. All texts may
// hold anything: they are escaped here and only here. (The namespace is `reports` because `report`
// is what Progress is told by.)
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rankveil/report/chart.h"

namespace rankveil::reports {

// The answer, in the colour of its tone and in words.
struct Banner {
  Tone tone = Tone::Plain;
  std::string verdict;      // "Broken": a word or two
  std::string sentence;     // what it means, for somebody who reads nothing else
  std::string detail = {};  // one more sentence, smaller
};

struct KeyFigure {
  std::string value;  // "71.5%"
  std::string label;  // what it is
  std::string note = {};
  Tone tone = Tone::Plain;
};

struct Cell {
  Cell() = default;
  Cell(std::string cell_text, Tone cell_tone = Tone::Plain)  // NOLINT: implicit
      : text(std::move(cell_text)), tone(cell_tone) {}
  Cell(const char* cell_text) : text(cell_text) {}  // NOLINT: implicit

  std::string text;
  Tone tone = Tone::Plain;  // Plain: text; else a coloured badge (Quiet: only softer)
};

struct Table {
  struct Column {
    Column(std::string column_name, bool column_is_number = false)  // NOLINT: implicit
        : name(std::move(column_name)), is_number(column_is_number) {}
    Column(const char* column_name) : name(column_name) {}  // NOLINT: implicit

    std::string name;
    bool is_number = false;  // to the right, digits below digits
  };
  std::string caption;  // also the name of the box that scrolls
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

struct Paragraph {
  std::string text;
  bool soft = false;  // smaller and paler
};
struct Heading {
  std::string text;  // below the title of a section
};
struct Bullets {
  std::vector<std::string> items;
  bool numbered = false;
};
struct Code {
  std::string text;  // shown as it is, line by line; scrolls in its own box
};
// Side by side where there is room; wide ones take a row of their own.
struct Charts {
  std::vector<Chart> charts;
};
// Names and values, one a line.
struct Facts {
  std::vector<std::pair<std::string, std::string>> items;
};
struct Block;
// Folded away until somebody opens it.
struct Details {
  std::string summary;
  std::vector<Block> blocks;
};

struct Block {
  using Content = std::variant<Paragraph, Heading, Bullets, Code, Table, Charts, Facts, Details>;
  Block(std::string text) : content(Paragraph{std::move(text)}) {}  // NOLINT: implicit
  Block(const char* text) : content(Paragraph{text}) {}             // NOLINT: implicit
  Block(Paragraph part) : content(std::move(part)) {}               // NOLINT: implicit
  Block(Heading part) : content(std::move(part)) {}                 // NOLINT: implicit
  Block(Bullets part) : content(std::move(part)) {}                 // NOLINT: implicit
  Block(Code part) : content(std::move(part)) {}                    // NOLINT: implicit
  Block(Table part) : content(std::move(part)) {}                   // NOLINT: implicit
  Block(Charts part) : content(std::move(part)) {}                  // NOLINT: implicit
  Block(Facts part) : content(std::move(part)) {}                   // NOLINT: implicit
  Block(Details part) : content(std::move(part)) {}                 // NOLINT: implicit

  Content content;
};

struct Section {
  std::string title;
  std::vector<Block> blocks;
  std::string id = {};  // for links from elsewhere; empty: made from the title
};

struct Page {
  std::string kind = {};  // small, above the title: "Privacy audit"
  std::string title;
  std::string subtitle = {};
  std::optional<Banner> banner = {};
  std::vector<KeyFigure> figures = {};
  std::vector<Section> sections = {};
  // Last on the page: fingerprint of the data, seed, versions, command.
  std::vector<std::pair<std::string, std::string>> origin = {};
};

std::string to_html(const Page& page);

}  // namespace rankveil::reports
