// The results as a Markdown page for people and as JSON for programs.
#pragma once

#include <map>

#include "bench/versus/topk/contest_runner.h"
#include "rankveil/base/json.h"

namespace rankveil::versus {

struct Bandwidth {
  double one_stream = 0;      // GB/s
  double twenty_streams = 0;  // GB/s
};

// One query with an instruction set that was forced on our engine.
struct IsaResult {
  double median_us = 0;
  std::int64_t answers_checked = 0;
};

struct Report {
  std::string command;
  std::uint64_t seed = 0;
  std::uint32_t rounds = 0;
  std::vector<std::string> versions;
  std::vector<std::uint32_t> sizes;
  std::vector<Measurement> measurements;
  std::map<std::uint32_t, std::size_t> index_bytes;               // by rows: our unprotected index
  std::map<std::uint32_t, std::map<std::string, IsaResult>> isa;  // by rows and instruction set
  Bandwidth bandwidth;
  std::vector<std::string> skipped;
  std::vector<std::string> wrong;
};

std::string to_markdown(const Report& report);
// [{rows, case, contestant, threads, median_us, ratio_to_ours, answers_checked}, ...]
Json to_json(const Report& report);

}  // namespace rankveil::versus
