// Which scheme to take: all of them on the owner's own table, each with what the strongest
// adversary learns and what its ranking is worth; and the one we would choose.
//
// Privacy is read from the profiles (audit/levels.h): no attack on the answers can do better. The
// figures of a scheme are the largest over all levels that can be run.
//
// The rule. The owner's l is the policy's. A scheme may be chosen when
//   - it promises something, and at no level that its promise names is the promise broken or
//     undecided, as measured;
//   - no row's value is gained on by more than 1/l at any of the levels (what is kept secret is
//     what counts: a scheme that promises little must still keep it).
// Of these the one with the best fair@k is chosen; of equal ones the one with the smaller gain,
// then the one we recommend first. Nothing is chosen when none may be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/api/table_input.h"
#include "rankveil/audit/finding.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/promise/promise.h"
#include "rankveil/protect/demand.h"
#include "rankveil/utility/measure.h"

namespace rankveil::api {

struct CompareRequest {
  TableInput input;
  std::vector<std::string> schemes = {};      // empty: all
  std::vector<std::uint32_t> ls = {2, 3, 4};  // the policy's is added
  std::uint32_t k = 0;                        // rows of a page of answers; 0: the policy's
  std::string workload = {};                  // to tune for and to measure on; empty: made up
  std::uint32_t queries = 50;                 // to measure on, when they are made up
  // Of the key and of made-up queries. None: a random key that nobody keeps, and seed 1.
  std::optional<std::uint64_t> seed = {};
  Demand demand = {};             // all but scheme and l
  std::string write_policy = {};  // where the policy with the choice goes; empty: nowhere
  bool force = false;             // replace a policy that differs, and a page that is there
  std::string html = {};          // where to write a page; empty: nowhere
};

// A scheme at one l.
struct Compared {
  std::string scheme;
  std::uint32_t l = 0;  // 0: the scheme does not go by l
  Promise promise = {};
  std::string left_out = {};  // a sentence: why it could not be run; all below is then empty
  // The largest at any level, and the weakest level that reaches it.
  double gain = 0;
  std::string gain_level = {};
  double rate = 0, rate_low = 0, rate_high = 0;  // right guesses
  std::string rate_level = {};
  double certain = 0;  // of adversaries who know the scheme: others may be sure of what is not so
  std::string certain_level = {};
  // Right guesses from public values alone, as fine as the scheme leaves them: rows that it
  // protects among coarser groups are judged among those.
  double prior = 0;
  std::optional<std::string> broken_by = {};     // the weakest promised level that breaks it
  std::optional<std::string> undecided_at = {};  // or leaves it open
  utility::UtilityAt utility = {};
  std::uint64_t rows_without_signal = 0;
  std::string why_not = {};  // a sentence: why it may not be chosen; empty: it may
  bool on_frontier = false;  // no other has less gain and better fair@k
  double protect_seconds = 0, judge_seconds = 0, measure_seconds = 0;
  std::vector<audit::Finding> findings = {};  // of all attributes together, one per level

  std::string name() const;  // "swap, l = 3"
};

struct CompareResult {
  std::string table;
  std::uint64_t rows = 0;
  std::uint32_t public_attributes = 0;
  std::uint32_t private_attributes = 0;
  std::uint32_t l = 0;  // the owner's
  std::uint32_t k = 0;
  std::string workload;  // the file; empty: made up
  std::uint64_t queries = 0;
  std::vector<Compared> compared;      // by scheme, then by l
  std::optional<std::size_t> chosen;   // into compared
  std::string reason;                  // sentences: what is chosen and why
  std::vector<std::string> notes;      // levels that were left out
  std::optional<std::string> written;  // the policy with the choice
  std::vector<std::string> warnings;
  Status files = {};  // which could not be written; the others are
  double read_seconds = 0;
  double seconds = 0;
};

Result<CompareResult> compare(const CompareRequest& request);

// Fills why_not, on_frontier, chosen and reason by the rule above; `l` is the owner's.
void choose(CompareResult& result);

// In a word or two, what keeps one from being chosen that keeps its promise, or makes none.
// REQUIRES: it has a why_not.
std::string short_why_not(const CompareResult& result, const Compared& one);

Json to_json(const CompareResult& result);
// A self-contained page with the frontier of privacy and utility.
std::string to_html(const CompareResult& result);

}  // namespace rankveil::api
