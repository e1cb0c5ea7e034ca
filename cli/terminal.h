// What the two output streams are, and how to write on them without surprises.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rankveil::cli {

// What one stream can do. A pipe or file can do nothing, and gets no escape codes.
struct Terminal {
  bool is_terminal = false;
  bool redraws = false;     // a terminal, TERM is not dumb: lines can be written anew
  bool colours = false;     // it redraws, and NO_COLOR is unset or empty
  std::uint32_t width = 0;  // columns; 0: unknown, nothing is cut
};

const Terminal& out_terminal();
const Terminal& talk_terminal();

enum class Style { Bold, Dim, Red, Yellow, Cyan };
std::string styled(const Terminal& terminal, Style style, std::string_view text);

// Results. Output that nobody reads any more (| head) is dropped quietly.
void print(std::string_view text);
// Whether writing has failed, so that there is no point in printing more.
bool output_is_lost();
// Writes what is left. 0, or the exit code for a full disk after telling about it.
int finish_output();

// Talk, on stderr: "rankveil: ..." for errors, "warning: ...", "note: ...".
void say_error(std::string_view sentence);
void say_warning(std::string_view sentence);
void say_note(std::string_view sentence);

// Columns `text` takes on a screen, for UTF-8.
std::size_t display_width(std::string_view text);
// `text` with control characters shown as '?', so that no value can drive the terminal.
std::string printable(std::string_view text);

}  // namespace rankveil::cli
