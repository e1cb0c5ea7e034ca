// What k-anonymity, or any published sum, is worth against somebody who knows much of the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/api/table_input.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"
#include "rankveil/graphs/bounds/sum_theorems.h"

namespace rankveil::api {

// Sums over all people, for those who have no data at hand. What a theorem does not read may be
// missing.
struct GivenSums {
  std::optional<double> variance;          // sum of variances
  std::optional<double> largest_variance;  // of one person; sound mode takes it off
  std::optional<double> variance_3_2;      // sum of variance^(3/2)
  std::optional<double> third;             // sum of third central moments, with their signs
  std::optional<double> absolute_third;    // sum of E |D - mean|^3
  std::optional<double> fourth;            // sum of E (D - mean)^4
  std::optional<double> raw_third;         // sum of E D^3
  std::optional<double> raw_fourth;        // sum of E D^4
};

// How sums shrink when a share lambda2 of the people is known.
enum class Scale {
  Unknown,  // with 1 - lambda2, as those who are left do
  Printed,  // with lambda2, as in figures 4 and 5 of the paper
};

struct Sweep {
  std::string
      parameter;  // s, k, n, p, lambda1, lambda2, neighbourhood, eps1, delta1, epsilon, delta
  double from = 0;
  double to = 0;
  double step = 0;
};
// "lambda2=0:0.9:0.1"
Result<Sweep> parse_sweep(const std::string& text);
const std::vector<std::string>& sweep_parameters();

// Everything a bound hangs on but the data.
struct BoundSetting {
  std::optional<double> n;  // people
  std::optional<double> p;  // each counts with this probability
  double lambda1 = 0;       // share of people that one depends on, as printed
  // The most people one depends on, oneself included. None: 1, or all friends of a graph's user.
  std::optional<std::uint64_t> neighbourhood;
  std::optional<double> sigma;  // of the whole sum
  double lambda2 = 0;           // share of people whose data is known
  std::optional<double> delta;  // theorem 1: epsilon follows
  bound::Terms terms;
};

struct BoundRequest {
  std::uint32_t theorem = 0;  // 1 to 5; 0: by what is given (a graph in sound mode: 3 or 5)
  bound::Mode mode = bound::Mode::Sound;
  BoundSetting setting;
  GivenSums sums;
  Scale scale = Scale::Unknown;
  // Data instead of sums: a table with a policy, and an attribute (and value) of it; or a numeric
  // column of any table; or the friend lists of a graph (graphs/bounds/friend_lists.h).
  TableInput input;
  connect::Source graph;  // an edge list; empty: none
  std::string column;
  std::string attribute;  // empty: every private one
  std::string value;      // empty: the value with the worst bound
  // Public attributes that people are told apart by. None: all of them.
  std::optional<std::vector<std::string>> given;
  std::optional<Sweep> sweep;
  // Parameters that somebody set on purpose, by the names of the flags ("k", "half-lines"). Those
  // that the theorem does not read are told in a note.
  std::vector<std::string> named;
};

struct BoundRow {
  std::string attribute;  // empty: not of a table
  std::string value;
  double x = 0;                           // of the sweep
  std::optional<bound::Guarantee> bound;  // none: refused
  std::string refusal;
};

struct BoundResult {
  std::uint32_t theorem = 0;
  bound::Mode mode = bound::Mode::Sound;
  std::string subject;  // what is summed up, in a phrase
  double people = 0;
  std::optional<Sweep> sweep;
  std::vector<BoundRow> rows;  // one, or one an attribute, or one a point of the sweep
  std::vector<std::string> notes;
};

// Of a sweep, points where no bound exists are rows with a refusal; without one a refusal is the
// error.
Result<BoundResult> bound(const BoundRequest& request);

// What every row rests on; then, of a sweep, what only its first and its last point do, with the
// point.
std::vector<std::string> assumptions_of(const BoundResult& result);
// Each kind of warning once, in the words of the first row that has it, and in how many it is.
std::vector<std::string> warnings_of(const BoundResult& result);

Json to_json(const BoundResult& result);
std::string to_csv(const BoundResult& result);
std::string to_html(const BoundResult& result);

}  // namespace rankveil::api
