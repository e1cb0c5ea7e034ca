#include "tests/cli/transcript.h"

#include <regex>
#include <sstream>

namespace rankveil::tests {

namespace {

const std::string any_lines = "...";

std::string escape(const std::string& literal) {
  static const std::regex special(R"([.^$|()\[\]{}*+?\\])");
  return std::regex_replace(literal, special, R"(\$&)");
}

// A line with {{...}} as one regular expression.
std::regex pattern_of(const std::string& line) {
  std::string pattern;
  std::size_t at = 0;
  for (;;) {
    auto open = line.find("{{", at);
    auto close = open == std::string::npos ? open : line.find("}}", open);
    if (close == std::string::npos) return std::regex(pattern + escape(line.substr(at)));
    pattern +=
        escape(line.substr(at, open - at)) + "(" + line.substr(open + 2, close - open - 2) + ")";
    at = close + 2;
  }
}

bool line_matches(const std::string& expected, const std::string& line) {
  if (expected.find("{{") == std::string::npos) return expected == line;
  return std::regex_match(line, pattern_of(expected));
}

bool match_from(const std::vector<std::string>& expected, std::size_t e,
                const std::vector<std::string>& lines, std::size_t l) {
  if (e == expected.size()) return l == lines.size();
  if (expected[e] == any_lines) {
    for (std::size_t skip = l; skip <= lines.size(); ++skip) {
      if (match_from(expected, e + 1, lines, skip)) return true;
    }
    return false;
  }
  return l < lines.size() && line_matches(expected[e], lines[l]) &&
         match_from(expected, e + 1, lines, l + 1);
}

void add_expectation(Step& step, const std::string& line) {
  std::string rest = line.size() > 2 ? line.substr(2) : "";
  if (line[0] == '|') step.out.push_back(rest);
  if (line[0] == '!') step.err.push_back(rest);
  if (line[0] == '?') step.exit_code = std::stoi(rest);
}

// No blank at the end of a line, also where the line is empty.
std::string marked(char mark, const std::string& line) {
  return line.empty() ? std::string{mark, '\n'} : std::string{mark, ' '} + line + "\n";
}

}  // namespace

std::vector<Step> parse_transcript(const std::string& text) {
  std::vector<Step> steps;
  std::vector<std::string> comments;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$ ")) {
      steps.push_back({std::move(comments), line.substr(2), {}, {}, 0});
      comments.clear();
    } else if (line.empty() || line.starts_with("#")) {
      comments.push_back(line);
    } else if (!steps.empty()) {
      add_expectation(steps.back(), line);
    }
  }
  return steps;
}

std::string format_transcript(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps) {
    for (const auto& line : step.comments) text += line + "\n";
    text += "$ " + step.command + "\n";
    for (const auto& line : step.out) text += marked('|', line);
    for (const auto& line : step.err) text += marked('!', line);
    if (step.exit_code != 0) text += "? " + std::to_string(step.exit_code) + "\n";
  }
  return text;
}

bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& lines) {
  return match_from(expected, 0, lines, 0);
}

std::string generalize(const std::string& line) {
  static const std::regex duration(R"(\b[0-9.]+ m?s\b)");
  static const std::regex memory(R"(\b[0-9.]+ [MG]B of memory)");
  static const std::regex seconds(R"(("[a-z_]*seconds": )[0-9.e-]+)");
  std::string general = std::regex_replace(line, duration, "{{[0-9.]+ m?s}}");
  general = std::regex_replace(general, memory, "{{[0-9.]+ [MG]B}} of memory");
  return std::regex_replace(general, seconds, "$1{{[0-9.e-]+}}");
}

}  // namespace rankveil::tests
