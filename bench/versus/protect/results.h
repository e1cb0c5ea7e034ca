// What was measured, and what was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankveil::versus {

// A figure is good up to `limit` (from it on, if `at_least`); better still up to `aim`.
struct Goal {
  double limit = 0;
  double aim = 0;  // 0: none
  bool at_least = false;
};

enum class Verdict { None, Missed, Met, AimMet };
Verdict judge(double value, const std::optional<Goal>& goal);
std::string verdict_text(Verdict verdict);  // "-", "**missed**", "met", "met, aim too"

// How long a scheme took, from a table in memory to profiles in memory.
struct Timing {
  std::string part;
  std::string name;
  std::string table;
  std::uint32_t rows = 0;
  double median = 0;  // seconds
  double least = 0;
  double one_thread = 0;  // one run
  std::uint32_t rounds = 0;
  std::optional<Goal> goal = {};
  std::string facts = {};
};

// A number that follows from timings or reports: a growth exponent, a share, a ratio.
struct Figure {
  std::string part;
  std::string name;
  double value = 0;
  std::string unit = {};  // "x", "%" or nothing
  std::optional<Goal> goal = {};
  std::string facts = {};
};

// Top-k queries on one protected index.
struct Served {
  std::string table;
  std::string scheme;
  std::string kind;  // "sets", "strengths, 2 levels", ...
  double median_us = 0;
  double min_us = 0;
  double ratio = 1;  // to the unprotected index; of the medians
  std::uint64_t bytes = 0;
  std::optional<Goal> goal = {};
};

struct Results {
  std::string command;
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;
  bool judged = true;  // false: tables too small to say anything
  std::vector<Timing> timings;
  std::vector<Figure> figures;
  std::vector<Served> served;
  std::vector<std::string> skipped;
  std::vector<std::string> wrong;
};

}  // namespace rankveil::versus
