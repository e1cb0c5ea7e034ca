// Transcripts: command lines and what they must print, as a person would see it.
//
//   # Comments and blank lines separate.
//   $ rankveil query people.rankveil -k 0
//   ! rankveil: --top must be a whole number from 1 to 4294967295, not "0" (rankveil ...
//   ? 2
//
// "| " starts a line of stdout, "! " one of stderr, "? " the exit code (0 when there is none).
// {{...}} in a line is a regular expression; a line "..." stands for any lines.
#pragma once

#include <string>
#include <vector>

namespace rankveil::tests {

struct Step {
  std::vector<std::string> comments;  // lines before the command, as they are
  std::string command;
  std::vector<std::string> out;
  std::vector<std::string> err;
  int exit_code = 0;
};

std::vector<Step> parse_transcript(const std::string& text);
std::string format_transcript(const std::vector<Step>& steps);

// Whether the lines are what was expected, patterns included.
bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& lines);

// Times differ from run to run: "12 ms" becomes a pattern.
std::string generalize(const std::string& line);

}  // namespace rankveil::tests
