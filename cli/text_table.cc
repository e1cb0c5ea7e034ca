#include "cli/text_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>

namespace rankveil::cli {

namespace {
constexpr std::size_t gap = 2;
}  // namespace

std::string fact(std::string_view name, std::string_view value) {
  return fmt::format("  {:<28}{}\n", name, value);
}

void TextTable::column(const std::string& head, Align align) {
  assert(rows_.empty() && "columns come before rows");
  heads_.push_back(printable(head));
  aligns_.push_back(align);
  widths_.push_back(display_width(heads_.back()));
}

void TextTable::row(std::vector<std::string> cells) {
  assert(cells.size() == heads_.size() && "one cell per column");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = printable(cells[i]);
    widths_[i] = std::max(widths_[i], display_width(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

std::size_t TextTable::fitting_columns(const Terminal& terminal) const {
  if (terminal.width == 0) return heads_.size();
  std::size_t used = 0;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    used += widths_[i] + (i == 0 ? 0 : gap);
    if (used > terminal.width) return i;
  }
  return heads_.size();
}

std::string TextTable::line(const std::vector<std::string>& cells, std::size_t columns) const {
  std::string text;
  for (std::size_t i = 0; i < columns; ++i) {
    if (i > 0) text.append(gap, ' ');
    std::string padding(widths_[i] - display_width(cells[i]), ' ');
    text += aligns_[i] == Align::Left ? cells[i] + padding : padding + cells[i];
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string TextTable::render(const Terminal& terminal, std::size_t columns) const {
  std::string text = styled(terminal, Style::Bold, line(heads_, columns)) + "\n";
  for (const auto& cells : rows_) text += line(cells, columns) + "\n";
  return text;
}

}  // namespace rankveil::cli
