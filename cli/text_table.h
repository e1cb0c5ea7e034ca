// Aligned columns of text: plain for pipes, with a bold head on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.h"

namespace rankveil::cli {

// One indented line: what it is, and how much.
std::string fact(std::string_view name, std::string_view value);

enum class Align { Left, Right };

class TextTable {
 public:
  void column(const std::string& head, Align align = Align::Left);
  // One text per column; control characters are made harmless.
  void row(std::vector<std::string> cells);

  // How many columns, from the left, fit the terminal; all when its width is unknown.
  std::size_t fitting_columns(const Terminal& terminal) const;
  // Lines that end in a newline, without blanks before it. Shows the first `columns` columns.
  std::string render(const Terminal& terminal, std::size_t columns) const;
  std::string render(const Terminal& terminal) const { return render(terminal, heads_.size()); }

 private:
  std::string line(const std::vector<std::string>& cells, std::size_t columns) const;
  std::vector<std::string> heads_;
  std::vector<Align> aligns_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace rankveil::cli
