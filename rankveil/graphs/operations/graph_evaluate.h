// How many users of a k-anonymous release are identified: one technique, or several side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"
#include "rankveil/graphs/attack/evaluation.h"
#include "rankveil/graphs/attack/promised.h"
#include "rankveil/graphs/operations/graph_technique.h"
#include "rankveil/graphs/release/quality.h"

namespace rankveil::api {

struct GraphEvaluateRequest {
  connect::Source source = {};
  // Each with the options of `options`.
  std::vector<std::string> techniques = {"ca", "ia", "be", "random"};
  GraphTechnique options = {};
  // Sets that graph anonymize published (.ndjson), attacked in place of `techniques`; empty: none.
  std::string published = {};
  std::vector<std::uint32_t> ks = {6};
  std::vector<std::string> levels = {"I", "II", "III", "IV", "self"};
  std::vector<double> lambda1s = {0.2};
  std::vector<double> lambda2s = {0.2};
  bool any_label = false;
  std::uint32_t draws = 10;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
  std::string page = {};  // an HTML report; empty: none
  bool force = false;     // replace a page that is there
  Progress progress = {};
};

struct GraphEvaluateResult {
  std::string name;
  std::uint32_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint32_t draws = 0;
  std::uint64_t seed = 0;
  attack::Evaluation evaluation;
  std::vector<attack::HeldAgainst> held;      // one a row: the bounds of the level's theorem
  std::vector<attack::PromisedCurve> curves;  // those bounds as background grows
  std::vector<std::string> warnings;
  double seconds = 0;
  Status page = {};  // whether it could be written
};

Result<GraphEvaluateResult> evaluate_graph(const GraphEvaluateRequest& request);

// The rows alone: {technique, attack, level, k, lambda1, lambda2, fu, low, high, bound_paper,
// bound_sound, crosses}. A lambda that a level does not use is null, and so is a bound that does
// not exist; `crosses` lists the modes ("paper", "sound") whose bound the whole interval lies
// above.
Json rows_json(const GraphEvaluateResult& result);
// All of it, and `crossings`: where a measured rate lies above a bound, by how much and of which
// theorem.
Json to_json(const GraphEvaluateResult& result);

// Rows whose bound of this mode is crossed, by their places.
std::vector<std::size_t> crossings(const GraphEvaluateResult& result, bound::Mode mode);
// How many rates have such a bound at all.
std::uint64_t bounded(const GraphEvaluateResult& result, bound::Mode mode);
const std::optional<attack::Promised>& bound_of(const attack::HeldAgainst& held, bound::Mode mode);

// Fractions of identified users by level, share and k, as a page of charts and tables.
std::string evaluation_page(const GraphEvaluateResult& result);

}  // namespace rankveil::api
