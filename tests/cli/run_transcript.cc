// run_transcript FILE FOLDER [--update]: runs the commands of a transcript, one after the other,
// in an empty FOLDER, and compares what they print. --update rewrites FILE with what they print
// now; lines that still match their pattern keep it.
#include <fmt/core.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/transcript.h"

namespace rankveil::tests {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What a step prints now. The folder of the scratch files is not the one the command works in.
Step run(const Step& step, const fs::path& folder, const fs::path& scratch) {
  std::ofstream(scratch / "command") << step.command << "\n";
  std::string shell = fmt::format("cd '{}' && bash '{}' >'{}' 2>'{}' </dev/null", folder.string(),
                                  (scratch / "command").string(), (scratch / "out").string(),
                                  (scratch / "err").string());
  int status = std::system(shell.c_str());
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {step.comments, step.command, lines_of(read(scratch / "out")),
          lines_of(read(scratch / "err")), code};
}

void show_difference(const char* what, const std::vector<std::string>& expected,
                     const std::vector<std::string>& lines) {
  if (matches(expected, lines)) return;
  fmt::print("  {} should be\n", what);
  for (const auto& line : expected) fmt::print("    {}\n", line);
  fmt::print("  but is\n");
  for (const auto& line : lines) fmt::print("    {}\n", line);
}

bool compare(const Step& expected, const Step& actual) {
  bool same = expected.exit_code == actual.exit_code && matches(expected.out, actual.out) &&
              matches(expected.err, actual.err);
  if (same) return true;
  fmt::print("$ {}\n", expected.command);
  show_difference("stdout", expected.out, actual.out);
  show_difference("stderr", expected.err, actual.err);
  if (expected.exit_code != actual.exit_code) {
    fmt::print("  exit code should be {} but is {}\n", expected.exit_code, actual.exit_code);
  }
  return false;
}

void keep_or_replace(const std::vector<std::string>& expected, std::vector<std::string>& lines) {
  if (matches(expected, lines)) {
    lines = expected;
    return;
  }
  for (std::string& line : lines) line = generalize(line);
}

Step updated(const Step& expected, Step actual) {
  keep_or_replace(expected.out, actual.out);
  keep_or_replace(expected.err, actual.err);
  return actual;
}

int run_transcript(const std::string& file, const fs::path& parent, bool update) {
  fs::remove_all(parent);
  fs::path folder = parent / "work";
  fs::create_directories(folder);
  std::vector<Step> results;
  bool all_same = true;
  for (const Step& step : parse_transcript(read(file))) {
    Step actual = run(step, folder, parent);
    if (update) {
      results.push_back(updated(step, std::move(actual)));
    } else {
      all_same = compare(step, actual) && all_same;
    }
  }
  if (update) std::ofstream(file, std::ios::binary) << format_transcript(results);
  return all_same ? 0 : 1;
}

}  // namespace
}  // namespace rankveil::tests

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: run_transcript FILE FOLDER [--update]\n");
    return 2;
  }
  // The variable reaches every transcript through ctest.
  bool update =
      std::getenv("RANKVEIL_UPDATE") != nullptr || (argc > 3 && std::string(argv[3]) == "--update");
  return rankveil::tests::run_transcript(argv[1], std::filesystem::absolute(argv[2]), update);
}
