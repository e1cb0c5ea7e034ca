#include "cli/terminal.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "rankveil/base/error.h"

namespace rankveil::cli {

namespace {

int output_error = 0;  // errno of the first write that failed

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Terminal look_at(int descriptor) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(descriptor) == 1;
  if (!terminal.is_terminal) return terminal;
  terminal.redraws = environment("TERM") != "dumb";
  terminal.colours = terminal.redraws && environment("NO_COLOR").empty();
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0) terminal.width = size.ws_col;
  return terminal;
}

const char* code(Style style) {
  switch (style) {
    case Style::Bold:
      return "1";
    case Style::Dim:
      return "2";
    case Style::Red:
      return "31";
    case Style::Yellow:
      return "33";
    case Style::Cyan:
      return "36";
  }
  return "0";
}

void flush_output() {
  if (output_error == 0 && std::fflush(stdout) != 0) output_error = errno;
}

// Results said before stay before, also where both streams go to one file.
void talk(const std::string& line) {
  flush_output();
  std::fwrite(line.data(), 1, line.size(), stderr);
}

struct Character {
  std::uint32_t code;
  std::size_t bytes;
};

// The character at the front; a byte that is no UTF-8 counts as one character.
Character first_character(std::string_view text) {
  auto lead = static_cast<unsigned char>(text[0]);
  std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC0 || bytes > text.size()) return {lead, 1};
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {lead, 1};
    code = (code << 6) | (next & 0x3FU);
  }
  return {code, bytes};
}

std::size_t width_of(std::uint32_t code) {
  bool combining = (code >= 0x300 && code <= 0x36F) || (code >= 0x200B && code <= 0x200F) ||
                   (code >= 0xFE00 && code <= 0xFE0F);
  if (combining) return 0;
  bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
              (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
              (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
              (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
  return wide ? 2 : 1;
}

// C0, DEL, C1, and the marks that turn the direction of text around.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

const Terminal& out_terminal() {
  static const Terminal terminal = look_at(STDOUT_FILENO);
  return terminal;
}

const Terminal& talk_terminal() {
  static const Terminal terminal = look_at(STDERR_FILENO);
  return terminal;
}

std::string styled(const Terminal& terminal, Style style, std::string_view text) {
  if (!terminal.colours || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code(style), text);
}

void print(std::string_view text) {
  if (output_error != 0) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_error = errno;
}

bool output_is_lost() { return output_error != 0; }

int finish_output() {
  flush_output();
  if (output_error == 0 || output_error == EPIPE) return 0;
  say_error(fmt::format("cannot write the output: {}", std::strerror(output_error)));
  return static_cast<int>(ErrorCode::Io);
}

void say_error(std::string_view sentence) {
  const Terminal& terminal = talk_terminal();
  // Behind a sentence there may be lines to paste, each a flag.
  auto end = std::min(sentence.find("\n  --"), sentence.size());
  talk(fmt::format("{} {}\n", styled(terminal, Style::Red, "rankveil:"),
                   printable(sentence.substr(0, end))));
  for (std::string_view rest = sentence.substr(end); rest.starts_with("\n  --");) {
    rest.remove_prefix(1);
    end = std::min(rest.find("\n  --"), rest.size());
    talk(fmt::format("{}\n", printable(rest.substr(0, end))));
    rest.remove_prefix(end);
  }
}

void say_warning(std::string_view sentence) {
  const Terminal& terminal = talk_terminal();
  talk(fmt::format("{} {}\n", styled(terminal, Style::Yellow, "warning:"), printable(sentence)));
}

void say_note(std::string_view sentence) {
  const Terminal& terminal = talk_terminal();
  talk(fmt::format("{} {}\n", styled(terminal, Style::Cyan, "note:"), printable(sentence)));
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    Character character = first_character(text);
    width += width_of(character.code);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    Character character = first_character(text);
    bool broken = character.bytes == 1 && character.code >= 0x80;
    if (broken || is_control(character.code)) {
      clean += '?';
    } else {
      clean += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return clean;
}

}  // namespace rankveil::cli
