// One point of a figure: protect a part of a table with a scheme, and measure what its ranking
// loses on the queries it was tuned for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/figures/lab/beds.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::figures {

// A scheme under the name a figure gives it.
struct Contender {
  std::string label;
  Demand demand;
};

// The baseline of the equivalent-set paper, which is none of our schemes: every row is scored as
// the mean of itself and another row, any row of the table, public attributes and all.
inline constexpr const char* random_tuples = "random tuples";

// Of esvt's search for one tuple: its default takes hours with 15 private attributes. The figures
// say how many searches ended with a proof.
inline constexpr std::uint64_t node_budget = 2000;

Contender contender(const std::string& scheme, std::uint32_t l = 2);
bool is_known(const Contender& contender);

// A part of a bed, and its ranking without protection.
struct Scene {
  Scene(const Bed& bed, const Part& part);
  explicit Scene(Table rows);
  Table table;
  Index truth;
};

// The same part of a bed for every seed; or, when attributes are picked, one for each.
class Scenes {
 public:
  Scenes(const Bed& bed, const Part& part, bool picks) : bed_(bed), part_(part), picks_(picks) {}
  const Bed& bed() const { return bed_; }
  // Valid until the next call.
  const Scene& of(std::uint64_t seed);

 private:
  const Bed& bed_;
  Part part_;
  bool picks_;
  std::optional<Scene> scene_;
};

// What queries are like. "We randomly generated 20 tuples" may be read in all three ways.
enum class Asking {
  Rows,       // a row's values in all attributes
  Marginals,  // in each attribute the value of a row of its own
  Uniform,    // in each attribute any value of its domain
};

struct TrialOptions {
  std::vector<std::uint32_t> ks;
  std::uint32_t queries = 10;  // of a workload; a divisor of queries_per_seed
  std::uint32_t seeds = 3;
  std::uint32_t threads = 0;
  Asking asking = Asking::Rows;
};

// The papers draw 20 queries and take some of them as the workload. We cut the 20 into workloads of
// the size wanted and measure each on itself: whatever the size, all 20 are measured.
inline constexpr std::uint32_t queries_per_seed = 20;

struct Outcome {
  std::vector<utility::Estimate> aul;  // U_aul, one per k; the margin is over seeds
  ProtectionReport report;             // of the first workload
};
Result<Outcome> try_out(Scenes& scenes, const Contender& contender, const TrialOptions& options);

// A protected index.
Result<Index> serve(const Table& table, const Workload& workload, const Contender& contender,
                    std::uint64_t seed, std::uint32_t threads, ProtectionReport* report = nullptr);

// Queries about the attributes of `table`, a part of a bed. They depend on the bed and the seed
// alone: every part of it is asked the same, as far as it has the attributes.
Workload draw_queries(const Bed& bed, const Table& table, Asking asking, std::uint64_t seed);

}  // namespace rankveil::figures
